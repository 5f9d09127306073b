"""Takes secrets out of what is recorded, before it reaches a cassette, and out of what is said about it.

`rules` is the table of what is looked for, built from `shapes` (tokens with a prefix of their own), `keyed`
(values whose name says it), `headers`, `links` and `names` (people and machines). `find` looks for all of it
in every spelling that `views` can undo: JSON, URLs, HTML, colour changes, window titles; of what is no text
it looks at what `legible` says can be read. `placeholders` gives each secret its ``REDACTED-<class>-<n>``,
`redactor` puts that in its place, `records` does so for a whole record. `scan` tells what is left over in a
file; `own` loads a user's redactors.

The rules prefer certainty: prefixes that issuers chose to be recognised, names with values that look
generated. Ordinary text, programs, hashes and ids stay as they are. What has neither a form nor a name is not
found.
"""
