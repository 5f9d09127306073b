"""Secrets in their true shapes, drawn from a seed, each with the parts that must not be left anywhere.

Nothing here is a secret of anybody's: shapes are those of the services' own, what fills them is drawn.
"""

import base64
import json
import random
import string
import uuid
from collections.abc import Callable
from typing import Literal, NamedTuple
from urllib.parse import quote

ALNUM = string.ascii_letters + string.digits
URL64 = ALNUM + "-_"
BASE64 = ALNUM + "+/"

Shape = Literal["token", "address", "path", "url", "line", "block"]


class Person(NamedTuple):
    """Who records: names that are redacted in paths, in ``user@host`` and in terminal sequences."""

    user: str
    host: str


class Secret(NamedTuple):
    """A secret as it stands in text, with the word before it where only that word makes it one.

    `hidden` are the parts that may be left nowhere; `spans` are the least and the most places that may be
    counted: several where one text has adjoining secrets, such as two cookies of one header.
    """

    kind: str
    shape: Shape
    text: str
    hidden: tuple[str, ...]
    spans: tuple[int, int] = (1, 1)


class Draw:
    """The seeded source of all that is made up."""

    def __init__(self, seed: int | str) -> None:
        self.random = random.Random(seed)
        self.person = Person(self.name(), f"{self.name()}-{self.random.randrange(2, 99)}")

    def some(self, letters: str, least: int, most: int | None = None) -> str:
        """A string of that length; it ends in a letter or digit, as a hyphen may belong to what follows."""
        length = self.random.randint(least, most or least)
        return "".join(self.random.choices(letters, k=length - 1)) + self.random.choice(
            [letter for letter in letters if letter.isalnum()]
        )

    def name(self) -> str:
        """A name that is a word of no language, in lower case."""
        pairs = (self.random.choice("bdfgklmnprstvz") + self.random.choice("aeiou") for _ in range(4))
        return "".join(pairs) + self.random.choice("xqj")

    def one(self, *of: str) -> str:
        return self.random.choice(of)

    def uuid(self) -> str:
        return str(uuid.UUID(int=self.random.getrandbits(128), version=4))


def ends(core: str) -> tuple[str, ...]:
    """The two ends of a secret: neither may be left, so that a half-redacted one shows."""
    return (core[:10], core[-10:])


def _token(kind: str, prefix: str, core: str) -> Secret:
    return Secret(kind, "token", prefix + core, ends(core))


def _jwt(draw: Draw) -> str:
    claims = {"sub": draw.some(ALNUM, 21), "iss": "https://accounts.example", "exp": 1790000000}
    header = {"alg": draw.one("RS256", "HS256", "ES256"), "typ": "JWT", "kid": draw.some(ALNUM, 12)}
    parts = (json.dumps(part, separators=(",", ":")).encode() for part in (header, claims))
    body = ".".join(base64.urlsafe_b64encode(part).rstrip(b"=").decode() for part in parts)
    return f"{body}.{draw.some(URL64, 43, 342)}"


def jwt(draw: Draw) -> Secret:
    text = _jwt(draw)
    payload = text.split(".")[1]
    return Secret("jwt", "token", text, (payload[12:28], payload[-10:], text[-10:]))


def slack(draw: Draw) -> Secret:
    digits, core = draw.some(string.digits, 12), draw.some(ALNUM, 24, 32)
    return _token("slack", f"xox{draw.one(*'bpas')}-{digits}-", core)


TOKENS: dict[str, Callable[[Draw], Secret]] = {
    "google-access": lambda d: _token(
        "google-access", f"ya29.{d.one('a0', 'c.b0', 'Gl0')}", d.some(URL64, 90, 200)
    ),
    "google-refresh": lambda d: _token("google-refresh", f"1//0{d.one(*'3eg9')}", d.some(URL64, 60, 98)),
    "google-code": lambda d: _token("google-code", "4/0A", d.some(URL64, 60, 75)),
    "google-api-key": lambda d: _token("google-api-key", "AIzaSy", d.some(URL64, 33)),
    "openai": lambda d: _token("openai", "sk-", d.some(ALNUM, 48)),
    "openai-project": lambda d: _token("openai-project", "sk-proj-", d.some(URL64, 74, 148)),
    "anthropic": lambda d: _token("anthropic", "sk-ant-api03-", d.some(URL64, 93) + "AA"),
    "github": lambda d: _token("github", d.one("ghp_", "gho_", "ghu_", "ghs_", "ghr_"), d.some(ALNUM, 36)),
    "github-fine": lambda d: _token("github-fine", "github_pat_", f"{d.some(ALNUM, 22)}_{d.some(ALNUM, 59)}"),
    "aws-key-id": lambda d: _token(
        "aws-key-id", d.one("AKIA", "ASIA"), d.some("ABCDEFGHIJKLMNOPQRSTUVWXYZ234567", 16)
    ),
    "gitlab": lambda d: _token("gitlab", "glpat-", d.some(URL64, 20)),
    "npm": lambda d: _token("npm", "npm_", d.some(ALNUM, 36)),
    "pypi": lambda d: _token("pypi", "pypi-AgEIcHlwaS5vcmc", d.some(URL64, 120, 160)),
    "slack": slack,
    "jwt": jwt,
}


def email(draw: Draw) -> Secret:
    local, domain = draw.name(), draw.name()
    more = draw.one("", f".{draw.name()}", "+list", "_x7", "-dev")
    host = draw.one("", "mail.", "eu.") + f"{domain}.{draw.one('com', 'org', 'de', 'co.uk', 'io', 'dev')}"
    return Secret("email", "address", f"{local}{more}@{host}", (local, domain))


def user_at_host(draw: Draw) -> Secret:
    user, host = draw.person
    return Secret("user-at-host", "address", f"{user}@{host}{draw.one('', '.local')}", (user, host), (1, 2))


PATHS: dict[str, Callable[[Draw], Secret]] = {
    "home": lambda d: _path("home", "/home/", d.person.user, d.one("/src/a.py", "/.config/x/y.json", "")),
    "home-mac": lambda d: _path("home-mac", "/Users/", d.person.user, "/Library/Caches/x"),
    "home-of-another": lambda d: _path(
        "home-of-another", d.one("/home/", "/Users/"), d.name(), "/notes/b.md"
    ),
    "user-in-path": lambda d: _path(
        "user-in-path", d.one("/run/media/", "/var/mail/"), d.person.user, "/disk"
    ),
    "host-in-path": lambda d: _path("host-in-path", "/net/", d.person.host, "/export/c"),
}


def _path(kind: str, above: str, name: str, below: str) -> Secret:
    return Secret(kind, "path", f"{above}{name}{below}", (name,))


def sign_in(draw: Draw) -> Secret:
    challenge, state = draw.some(URL64, 43), draw.some(URL64, 22, 43)
    query = (
        "access_type=offline&client_id=107100606-x1.apps.googleusercontent.com"
        f"&code_challenge={challenge}&code_challenge_method=S256&prompt=consent"
        "&redirect_uri=https%3A%2F%2Fantigravity.google%2Foauth-callback&response_type=code"
        f"&scope=https%3A%2F%2Fwww.googleapis.com%2Fauth%2Fcloud-platform&state={state}"
    )
    url = f"https://accounts.google.com/o/oauth2/{draw.one('v2/', '')}auth?{query}"
    return Secret("sign-in", "url", url, (*ends(challenge), *ends(state)), (1, 5))


def callback(draw: Draw) -> Secret:
    code, state = draw.some(URL64, 66), draw.some(URL64, 22)
    slash = draw.one("4/0A", "4%2F0A")
    port = draw.random.randrange(8000, 65000)
    url = f"http://localhost:{port}/oauth2callback?state={state}&code={slash}{code}&scope=email%20openid"
    return Secret("callback", "url", url, ends(code), (1, 3))


def token_in_url(draw: Draw) -> Secret:
    opaque = draw.some(ALNUM, 30, 60)
    name = draw.one("access_token", "client_secret", "code")
    mark = draw.one("?", "?alt=json&")
    return Secret(
        "token-in-url", "url", f"https://api.{draw.name()}.dev/cb{mark}{name}={opaque}&n=1", ends(opaque)
    )


def password_in_url(draw: Draw) -> Secret:
    password = draw.some(ALNUM, 14, 24)
    scheme, host = (
        draw.one("https", "postgresql", "http", "redis"),
        draw.one("db.corp.example:5432", "localhost:8080"),
    )
    return Secret("password-in-url", "url", f"{scheme}://svc:{password}@{host}/app", ends(password), (1, 2))


URLS: dict[str, Callable[[Draw], Secret]] = {
    "sign-in": sign_in,
    "callback": callback,
    "token-in-url": token_in_url,
    "password-in-url": password_in_url,
}


def _csrf(before: str, behind: str = "") -> Callable[[Draw], Secret]:
    def make(draw: Draw) -> Secret:
        value = draw.uuid()
        return Secret("csrf", "line", before + value + behind, (value, value[-12:]))

    return make


def _keyed(letters: str, least: int, *forms: str) -> Callable[[Draw], Secret]:
    def make(draw: Draw) -> Secret:
        value = draw.some(letters, least)
        return Secret("keyed", "line", draw.one(*forms).replace("{}", value), ends(value))

    return make


def basic(draw: Draw) -> Secret:
    value = base64.b64encode(f"svc:{draw.some(ALNUM, 20)}".encode()).decode()
    header = draw.one("Authorization: Basic ", "Proxy-Authorization: Basic ", "authorization: basic ")
    return Secret("basic", "line", header + value, (value[6:18], value.rstrip("=")[-8:]))


def cookies(draw: Draw) -> Secret:
    one, two = draw.some(URL64, 30, 70), draw.some(URL64, 17)
    pair = f"SID={one}; __Secure-1PSIDTS={two}"
    text = draw.one(
        f"Cookie: {pair}", f"cookie: {pair}", f'{{"headers":{{"Cookie":"{pair}","Accept":"*/*"}}}}'
    )
    return Secret("cookie", "line", text, (*ends(one), *ends(two)), (1, 2))


def set_cookie(draw: Draw) -> Secret:
    value = draw.some(URL64, 30, 70)
    text = f"{draw.one('Set-Cookie', 'set-cookie')}: session={value}; Path=/; Secure; HttpOnly; SameSite=Lax"
    return Secret("set-cookie", "line", text, ends(value))


def oauth_form(draw: Draw) -> Secret:
    secret, refresh = draw.some(URL64, 28), draw.some(URL64, 60, 90)
    text = f"client_id=107100606-x1&client_secret=GOCSPX-{secret}&refresh_token={quote('1//0g', '')}{refresh}"
    return Secret(
        "oauth-form", "line", text + "&grant_type=refresh_token", (*ends(secret), *ends(refresh)), (2, 2)
    )


def token_response(draw: Draw) -> Secret:
    access, refresh, identity = draw.some(URL64, 100), draw.some(URL64, 80), _jwt(draw)
    fields = {"access_token": f"ya29.a0{access}", "expires_in": 3599, "refresh_token": f"1//0g{refresh}"}
    text = json.dumps({**fields, "scope": "openid", "token_type": "Bearer", "id_token": identity})
    return Secret("token-response", "line", text, (*ends(access), *ends(refresh), identity[-10:]), (3, 3))


LINES: dict[str, Callable[[Draw], Secret]] = {
    "csrf-env": _csrf("ANTIGRAVITY_CSRF_TOKEN="),
    "csrf-flag": _csrf("language_server --csrf_token "),
    "csrf-flag-equals": _csrf("language_server --port 0 --csrf_token="),
    "csrf-json": _csrf('{"port": 4711, "csrf_token": "', '"}'),
    "csrf-env-json": _csrf('{"TERM":"dumb","ANTIGRAVITY_CSRF_TOKEN":"', '"}'),
    "csrf-header": _csrf("x-codeium-csrf-token: "),
    "aws-secret": _keyed(
        BASE64, 40, "AWS_SECRET_ACCESS_KEY={}", "aws_secret_access_key = {}", '{"SecretAccessKey": "{}"}'
    ),
    "bearer": _keyed(
        URL64,
        40,
        "Authorization: Bearer {}",
        "authorization: bearer {}",
        '{"Authorization": "Bearer {}", "n": 1}',
    ),
    "authorization-token": _keyed(ALNUM, 40, "Authorization: token {}"),
    "basic": basic,
    "cookie": cookies,
    "set-cookie": set_cookie,
    "oauth-form": oauth_form,
    "token-response": token_response,
}


def _pem(draw: Draw, label: str) -> tuple[list[str], tuple[str, ...]]:
    body = [draw.some(BASE64, 64) for _ in range(draw.random.randint(4, 26))] + [draw.some(BASE64, 40)]
    return [f"-----BEGIN {label}-----", *body, f"-----END {label}-----"], (
        body[0][8:32],
        body[2][:24],
        body[-1][:24],
    )


def private_key(draw: Draw) -> Secret:
    lines, hidden = _pem(draw, draw.one("", "RSA ", "EC ", "OPENSSH ", "ENCRYPTED ") + "PRIVATE KEY")
    return Secret("private-key", "block", "\n".join(lines), hidden)


def private_key_cut(draw: Draw) -> Secret:
    """A key whose printing was cut off, as by a kill: the stream ends inside it."""
    lines, hidden = _pem(draw, "RSA PRIVATE KEY")
    return Secret("private-key-cut", "block", "\n".join(lines[:-1]), hidden)


def service_account(draw: Draw) -> Secret:
    lines, hidden = _pem(draw, "PRIVATE KEY")
    key = "\n".join(lines) + "\n"
    text = json.dumps({"type": "service_account", "private_key": key, "universe": "x"}, indent=2)
    return Secret("service-account", "block", text, hidden)


BLOCKS: dict[str, Callable[[Draw], Secret]] = {
    "private-key": private_key,
    "private-key-cut": private_key_cut,
    "service-account": service_account,
}

KINDS: dict[str, Callable[[Draw], Secret]] = {
    **TOKENS,
    "email": email,
    "user-at-host": user_at_host,
    **PATHS,
    **URLS,
    **LINES,
    **BLOCKS,
}
"""Every kind of secret by its name."""


def draw_secret(draw: Draw, kind: str) -> Secret:
    return KINDS[kind](draw)._replace(kind=kind)
