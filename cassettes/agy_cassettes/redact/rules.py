"""The default rules as one table, and its version.

`RULE_SET` goes into each record as ``recorded.redaction``; it rises whenever a rule is added or changed, so
that a cassette tells by which rules it was redacted. Of rules that find the same bytes the first gives the
class.
"""

from agy_cassettes.redact.headers import HEADERS
from agy_cassettes.redact.keyed import FORMS, KEYED
from agy_cassettes.redact.links import LINKS
from agy_cassettes.redact.names import NAMES
from agy_cassettes.redact.rule import Rule
from agy_cassettes.redact.shapes import SHAPES

RULE_SET = 1

RULES: tuple[Rule, ...] = (*SHAPES, *HEADERS, *KEYED, *FORMS, *LINKS, *NAMES)
