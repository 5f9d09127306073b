"""Rules for secrets that are known by their own form: issuers begin them with a prefix for this purpose."""

import re
from collections.abc import Iterator

from agy_cassettes.redact.rule import Found, Rule
from agy_cassettes.redact.values import is_random

_KEY_BLOCK_BYTES = 32_768
_KEY_BLOCK_END = re.compile(rb"-----END [A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)?-----")
_KEY_BLOCK_REST = re.compile(rb"(?:[A-Za-z0-9+/=:,\s]|-(?!-)|\\[nr])*")

_DASHES = rb"(?<=[^\w/.+\-]--)|(?<=[^\w/.+\-]-)|(?<=^--)|(?<=^[+\-])"
"""A word's beginning after dashes, as of an option, or after the sign of a line in a patch."""
_APART = rb"(?:(?<![\w\-])|" + _DASHES + rb")"
_ALONE = rb"(?:(?<![\w/.+\-])|" + _DASHES + rb")"
_NO_MORE = rb"(?![\w\-/+=])"
"""Together: not within a path or base64."""

_BASE64_BEFORE = re.compile(rb"(?<![\w+/])(?=[\w+/]{4,}[+/])[A-Za-z0-9+/]{56,80}\r?\n[ \t]{0,8}\Z")
_BASE64_AFTER = re.compile(rb"\r?\n[ \t]{0,8}(?=[\w+/]{4,}[+/])[A-Za-z0-9+/]{56,80}={0,2}(?![\w+/])")


def _if_key(match: re.Match[bytes]) -> Iterator[Found]:
    if match["sure"] is not None or is_random(match["s"]):
        yield Found(*match.span("s"), "api-key")


def _is_line_of_base64(match: re.Match[bytes]) -> bool:
    """Whether a line before or after, of base64's length, has letters that no token has."""
    text, (start, end) = match.string, match.span("s")
    return (
        _BASE64_BEFORE.search(text[max(0, start - 100) : start]) is not None
        or _BASE64_AFTER.match(text[end : end + 100]) is not None
    )


def _code_if_random(match: re.Match[bytes]) -> Iterator[Found]:
    if is_random(match["s"]) and not _is_line_of_base64(match):
        yield Found(*match.span("s"), "oauth-code")


def _token_if_random(match: re.Match[bytes]) -> Iterator[Found]:
    if is_random(match["s"]) and not _is_line_of_base64(match):
        yield Found(*match.span("s"), "oauth-token")


def _key_block(match: re.Match[bytes]) -> Iterator[Found]:
    """The whole block; one that was cut off goes as far as it looks like the inside of one."""
    text, start, head = match.string, match.start(), match.end()
    foot = text.find(b"-----", head, head + _KEY_BLOCK_BYTES)
    end = _KEY_BLOCK_END.match(text, foot) if foot >= 0 else None
    if end is not None:
        yield Found(start, end.end(), "private-key")
        return
    rest = _KEY_BLOCK_REST.match(text, head, head + _KEY_BLOCK_BYTES)
    if rest is not None and len(rest[0]) >= 24 and is_random(rest[0]):
        yield Found(start, rest.start() + len(rest[0].rstrip()), "private-key")


def _shape(cls: str, why: str, anchors: bytes, pattern: bytes) -> Rule:
    """A rule for a token that starts with one of `anchors` (separated by spaces) where no word goes on."""
    compiled = re.compile(rb"(?<![A-Za-z0-9])(?P<s>" + pattern + rb")")
    return Rule(cls=cls, why=why, anchors=tuple(anchors.split()), pattern=compiled, whole=True)


SHAPES: tuple[Rule, ...] = (
    Rule(
        cls="private-key",
        why="a PEM or PGP private key, whole or cut off",
        anchors=(b"-----BEGIN ",),
        pattern=re.compile(rb"-----BEGIN [A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)?-----"),
        judge=_key_block,
    ),
    _shape(
        "oauth-token",
        "Google OAuth access tokens begin with ya29.",
        b"ya29.",
        rb"ya29\.(?=[\w\-.]{10})(?:[\w\-]+\.)*[\w\-]+",
    ),
    Rule(
        cls="oauth-token",
        why="Google OAuth refresh tokens begin with 1//0; in base64 the same letters have a neighbour",
        anchors=(b"1//0",),
        pattern=re.compile(_ALONE + rb"(?P<s>1//0[\w\-]{8,})" + _NO_MORE, re.MULTILINE),
        whole=True,
    ),
    Rule(
        cls="oauth-token",
        why="other Google refresh tokens begin with 1/ or 1//; both occur in arithmetic and paths",
        anchors=(b"1/",),
        pattern=re.compile(_ALONE + rb"(?P<s>1//?[\w\-]{20,})" + _NO_MORE, re.MULTILINE),
        judge=_token_if_random,
        whole=True,
    ),
    Rule(
        cls="oauth-code",
        why="Google sign-in codes begin with 4/, as does many a path: the rest must look generated",
        anchors=(b"4/",),
        pattern=re.compile(_ALONE + rb"(?P<s>4/[\w\-]{16,})" + _NO_MORE, re.MULTILINE),
        judge=_code_if_random,
        whole=True,
    ),
    _shape("client-secret", "Google OAuth client secrets", b"GOCSPX-", rb"GOCSPX-[\w\-]{16,}"),
    _shape("api-key", "Google API keys", b"AIza", rb"AIza[\w\-]{30,}"),
    _shape("api-key", "Google API keys of the newer form", b"AQ.Ab", rb"AQ\.Ab[\w\-]{24,}"),
    Rule(
        cls="api-key",
        why="sk- is used by OpenAI, Anthropic and others, and ends many a word: judged by its rest",
        anchors=(b"sk-",),
        pattern=re.compile(
            rb"(?<![A-Za-z0-9])(?P<s>sk-(?:(?P<sure>(?:proj|ant|svcacct|admin|or-v1)-|[A-Za-z0-9]{24})[\w\-]{8,}"
            rb"|[\w\-]{16,}))"
        ),
        judge=_if_key,
        whole=True,
    ),
    _shape(
        "api-key",
        "Stripe keys and webhook secrets",
        b"sk_live_ sk_test_ rk_live_ rk_test_ whsec_",
        rb"(?:[sr]k_(?:live|test)|whsec)_[A-Za-z0-9+/=]{16,}",
    ),
    _shape(
        "api-key",
        "GitHub tokens of all kinds",
        b"ghp_ gho_ ghu_ ghs_ ghr_ github_pat_",
        rb"(?:gh[pousr]_[A-Za-z0-9]{20,}|github_pat_\w{22,})",
    ),
    _shape(
        "api-key",
        "GitLab tokens: gl, two to five letters of the kind, hyphen",
        b"glpat- glptt- gldt- glrt- glcbt- gloas- glsoat- glft- glimt- glagent-",
        rb"gl[a-z]{2,5}-[\w\-.]{15,}[\w\-]",
    ),
    _shape(
        "api-key",
        "Slack tokens",
        b"xoxa- xoxb- xoxc- xoxd- xoxe- xoxe. xoxo- xoxp- xoxr- xoxs- xapp-",
        rb"x(?:ox[a-z][.\-]|app-)[\w%\-]{10,}",
    ),
    _shape(
        "api-key",
        "Slack incoming webhooks: who has the address may post",
        b"hooks.slack.com/",
        rb"hooks\.slack\.com/(?:services|workflows|triggers)/[\w/\-]{16,}",
    ),
    _shape(
        "api-key",
        "Discord webhooks: who has the address may post",
        b"discord.com/api/webhooks/ discordapp.com/api/webhooks/",
        rb"discord(?:app)?\.com/api/webhooks/\d+/[\w\-]{20,}",
    ),
    _shape(
        "api-key",
        "AWS access key ids; the secret half is found by its name",
        b"AKIA ASIA ABIA ACCA AROA AIDA AGPA ANPA",
        rb"(?:AKIA|ASIA|ABIA|ACCA|AROA|AIDA|AGPA|ANPA)[A-Z0-9]{16}(?![A-Za-z0-9])",
    ),
    _shape(
        "api-key",
        "package registries: npm, PyPI, RubyGems, Docker Hub",
        b"npm_ pypi- rubygems_ dckr_pat_",
        rb"(?:npm_[A-Za-z0-9]{30,}|pypi-[\w\-]{32,}|rubygems_[a-f0-9]{32,}|dckr_pat_[\w\-]{20,})",
    ),
    _shape(
        "api-key",
        "model providers: Hugging Face, Groq, xAI, Replicate, NVIDIA, Perplexity, Tavily, Cerebras",
        b"hf_ gsk_ xai- r8_ nvapi- pplx- tvly- csk-",
        rb"(?:hf_[A-Za-z0-9]{28,}|gsk_[A-Za-z0-9]{28,}|xai-[A-Za-z0-9]{28,}|r8_[A-Za-z0-9]{28,}"
        rb"|nvapi-[\w\-]{32,}|pplx-[A-Za-z0-9]{32,}|tvly-[\w\-]{24,}|csk-[a-z0-9]{28,})",
    ),
    _shape(
        "api-key",
        "services whose tokens clients and tools often carry",
        b"SG. dop_v1_ doo_v1_ dor_v1_ shpat_ shpss_ shppa_ shpca_ lin_api_ sntrys_ sntryu_ hvs. hvb."
        b" PMAK- NRAK- ATATT3 ATCTT3 dapi secret_ ntn_ figd_ sbp_ vercel_ AGE-SECRET-KEY-1",
        rb"(?:SG\.[\w\-]{16,}\.[\w\-]{16,}|do[opr]_v1_[a-f0-9]{40,}|shp(?:at|ss|pa|ca)_[a-fA-F0-9]{32,}"
        rb"|lin_api_[A-Za-z0-9]{32,}|sntry[su]_[\w+/=\-]{32,}|hv[sb]\.[\w\-]{24,}|PMAK-[a-f0-9]{24}-[a-f0-9]{34}"
        rb"|NRAK-[A-Z0-9]{27}|AT[AC]TT3[\w\-=]{40,}|dapi[a-f0-9]{32}(?![a-f0-9])|secret_[A-Za-z0-9]{43}(?!\w)"
        rb"|ntn_[A-Za-z0-9]{40,}|figd_[\w\-]{32,}|sbp_[a-f0-9]{40}|vercel_[A-Za-z0-9]{24,}"
        rb"|AGE-SECRET-KEY-1[A-Z0-9]{40,})",
    ),
    Rule(
        cls="api-key",
        why="Telegram bot tokens: the bot's number, colon, AA and 33 letters",
        anchors=(b":AA",),
        pattern=re.compile(rb"(?<![\w])(?P<s>[0-9]{6,12}:AA[\w\-]{31,})"),
        back=b"0123456789",
        reach=16,
    ),
    Rule(
        cls="jwt",
        why='JWTs and their encrypted kin: base64 of {" and dots',
        anchors=(b"eyJ",),
        pattern=re.compile(
            _APART + rb"(?P<s>eyJ[\w\-]{6,}\.(?:eyJ[\w\-]{4,}(?:\.[\w\-]+){0,3}|[\w\-]*(?:\.[\w\-]+){1,3}))"
        ),
    ),
)
