"""The command line: one file per verb, each with a click command named `command`."""
