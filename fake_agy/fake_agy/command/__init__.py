"""The command line: flags, help, subcommands, slash commands."""
