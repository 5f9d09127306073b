"""Rules for addresses: sign-in pages, and names and passwords before the host."""

import re
from collections.abc import Iterator

from agy_cassettes.redact.names import GENERIC
from agy_cassettes.redact.rule import Found, Rule
from agy_cassettes.redact.values import is_random, is_reference, is_stand_in

_SIGN_IN = re.compile(
    rb"accounts\.google\.|oauth|openid|/auth(?:orize|enticate)?(?:[/?.]|\Z)|/o/|/log-?in|/sign-?in|/sso|/saml"
    rb"|/device|/activate|/callback|/cb\?|/token\?|login\.|signin\.|auth\.|code_challenge=|response_type=",
    re.IGNORECASE,
)
_PARAMETER = re.compile(rb"(?<=[?&#;])(?:amp;)?(?P<k>[\w.\-\[\]]{1,64})=(?P<v>[^&#;]+)")
_ALWAYS = frozenset(
    (
        b"code state nonce client_id code_challenge code_verifier login_hint id_token_hint id_token"
        b" access_token refresh_token token user_code device_code session_state session session_id sid ticket"
        b" assertion request samlrequest samlresponse relaystate client_secret secret password email hint key"
        b" api_key apikey dsh ifkv rapt flowentry oauth_token oauth_verifier oauth_signature csrf csrf_token"
        b" xsrf invite otp otc pin client-id clientid codechallenge loginhint as part tl cid"
    ).split()
)
_NEVER = frozenset(
    (
        b"response_type response_mode scope access_type prompt approval_prompt grant_type"
        b" code_challenge_method redirect_uri redirect_url include_granted_scopes hl lang locale authuser"
        b" display max_age audience resource continue followup service flowname error error_description"
    ).split()
)
_CARRIERS = frozenset((*GENERIC, b"oauth2", b"x-access-token", b"x-token-auth", b"api", b"token", b"apikey"))


def _sign_in(match: re.Match[bytes]) -> Iterator[Found]:
    """The values of the query that say who signs in to what; the page's address stays readable."""
    url = match["s"]
    if b"=" not in url or not _SIGN_IN.search(url):
        return
    base = match.start("s")
    for parameter in _PARAMETER.finditer(url):
        key, value = parameter["k"].lower(), parameter["v"]
        if is_reference(value) or is_stand_in(value):
            continue
        if key in _ALWAYS or (key not in _NEVER and len(value) >= 16 and is_random(value)):
            cls = "oauth-code" if key == b"code" else "email" if key == b"email" else "sign-in"
            yield Found(base + parameter.start("v"), base + parameter.end("v"), cls)


def _credentials(match: re.Match[bytes]) -> Iterator[Found]:
    name, password = match["name"], match["password"]
    if password is not None and not is_reference(password) and not is_stand_in(password):
        yield Found(*match.span("password"), "password")
    if is_reference(name) or not name:
        return
    if len(name) >= 16 and is_random(name):
        yield Found(*match.span("name"), "token")
    elif name.lower() not in _CARRIERS and not is_stand_in(name):
        yield Found(*match.span("name"), "user")


LINKS: tuple[Rule, ...] = (
    Rule(
        cls="sign-in",
        why="who opens a sign-in address, or reads its code, signs in as somebody: its query is a secret",
        anchors=(b"://",),
        pattern=re.compile(rb"://(?P<s>[^\s\"'`<>\\\x00-\x1f\x7f]+)"),
        judge=_sign_in,
        whole=True,
    ),
    Rule(
        cls="password",
        why="NAME:PASSWORD@ before the host of an address, and tokens in place of a name",
        anchors=(b"://",),
        pattern=re.compile(
            rb"://(?P<name>[^\s/?#\"'`<>\\@:\x00-\x1f]{0,256})"
            rb"(?::(?P<password>[^\s/?#\"'`<>\\@\x00-\x1f]{1,1024}))?@(?=[\w\[])"
        ),
        judge=_credentials,
    ),
)
