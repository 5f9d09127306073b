"""What is a secret and what is not, one line each."""

import pytest

from agy_cassettes.redact.names import Facts
from agy_cassettes.redact.redactor import Redactor
from agy_cassettes.redact.rules import RULES

HERE = Redactor(facts=Facts(users=("mira",), hosts=("kestrel",)))
KEY = "-----BEGIN {0}PRIVATE KEY-----\nMIIEpAIBAAKCAQEA7x1y2z\nAbCd1234==\n-----END {0}PRIVATE KEY-----"

SHAPES = [
    ("ya29.a0AfB_byC-dEfGhIjKlMnOp.QrSt", "oauth-token"),
    ("1//0gFakeRefresh-Token_AbC", "oauth-token"),
    ("1/fFAGRNJru1FTz70BzhT3Zg-9mQ", "oauth-token"),
    ("4/0AeaYSHBx3yZk_qWERtyuiOP", "oauth-code"),
    ("GOCSPX-AbCdEfGhIjKlMnOpQrStUv", "client-secret"),
    ("AIzaSyA-1234567890abcdefghijklmnopqrstu", "api-key"),
    ("sk-proj-abcdefghijklmnopqrstuvwx", "api-key"),
    ("sk-ant-api03-AbCd1234EfGh5678-MnOp_QrSt", "api-key"),
    ("ghp_16C7e42F292c6912E7710c838347Ae178B4a", "api-key"),
    ("github_pat_11ABCDEFG0abcdefghijklmnop", "api-key"),
    ("glpat-AbCdEfGhIjKlMnOpQrSt", "api-key"),
    ("xoxb-123456789012-AbCdEfGhIjKl", "api-key"),
    ("AKIAIOSFODNN7EXAMPLE", "api-key"),
    ("npm_abcdefghijklmnopqrstuvwxyz0123456789", "api-key"),
    ("pypi-AgEIcHlwaS5vcmcCJDU3ZWM1YjY4LTFhMmIt", "api-key"),
    ("sk_live_4eC39HqLyjWDarjtT1zdp7dc", "api-key"),
    ("1234567890:AAF-abcdefghijklmnopqrstuvwxyz123456", "api-key"),
    ("eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0In0.dozjgNryP4J3jVmNHl0w5N_X", "jwt"),
    ("eyJhbGciOiJub25lIn0.eyJzdWIiOiIxMjM0In0", "jwt"),
    (KEY.format(""), "private-key"),
    (KEY.format("RSA "), "private-key"),
    ("jane.doe@corp-mail.com", "email"),
    ("JANE+spam@EXAMPLE.CO.UK", "email"),
    ("jürgen@müller.de", "email"),
    ("a.b@host.photography", "email"),
]
"""Secrets that are known by themselves."""

AMONG = [
    ("ANTIGRAVITY_CSRF_TOKEN=", "77aa88bb99cc", "\n", "csrf-token"),
    ("export ANTIGRAVITY_CSRF_TOKEN='", "zz-top", "'", "csrf-token"),
    ("agy --csrf_token=", "77aa88bb99cc", " -p x", "csrf-token"),
    ("agy --csrf_token ", "only-words-here", " -p x", "csrf-token"),
    ("X-Codeium-Csrf-Token: ", "77aa88bb99cc", "\r\n", "csrf-token"),
    ('{"csrfToken": "', "77aa-88bb", '"}', "csrf-token"),
    ('<meta name="csrf-token" content="', "abcdefgh12", '">', "csrf-token"),
    ('"access_token":"', "opaque.value/1", '",', "oauth-token"),
    ('"access_token":"', "opaque_value_1", "", "oauth-token"),
    ("refresh_token = '", "opaque_value_1", "'", "oauth-token"),
    ('{"token": "', "0123456789abcdef", '"}', "token"),
    ("curl 'https://x.example/?access_token=", "abcdef12", "&b=c'", "oauth-token"),
    ("Authorization: Bearer ", "opaque-token-value", "\n", "token"),
    ("AUTHORIZATION: BEARER ", "OPAQUE", "", "token"),
    ('"authorization": "Basic ', "dXNlcjpwYXNz", '"', "password"),
    ("sent basic ", "bWlyYTpzM2NyM3Q=", ".", "password"),
    ("with bearer ", "3f2a9c1e77aa4b1c", " it works", "token"),
    ("GEMINI_API_KEY=", "qwerty123456", "\n", "api-key"),
    ("--api-key ", "qwerty123456", " ", "api-key"),
    ("x-goog-api-key: ", "qwerty123456", "\n", "api-key"),
    ("aws_secret_access_key = ", "wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY", "\n", "api-key"),
    ("password=", "hunter2", "\n", "password"),
    ('password: "', "correct-horse", '"', "password"),
    ("DB_PASSWORD=", "hunter2", "", "password"),
    ("set-cookie: __Secure-1PSID=", "g.a000lQ", "; Path=/; Secure", "cookie"),
    ("curl --cookie 'a=", "b", "' x", "cookie"),
    ("saved SAPISID=", "AbC1-dEf2/GhI3", "; ok", "cookie"),
    (".google.com\tTRUE\t/\tTRUE\t1735689600\tSID\t", "g.a000", "\n", "cookie"),
    ('{"name": "HSID", "value": "', "AbCd1234EfGh5678", '"}', "cookie"),
    ("https://accounts.google.com/o/oauth2/auth?scope=a&state=", "xyz", "&prompt=consent", "sign-in"),
    ("http://localhost:4321/oauth-callback?scope=a&code=", "plain", "", "oauth-code"),
    ("enter the code ", "ABCD-EF12", " there", "oauth-code"),
    ("https://x-token-auth:", "abcdef12", "@github.com/a/b", "password"),
    ("https://", "0123456789abcdef0123", "@github.com/a/b", "token"),
    ("/home/", "jdoe", "/x", "user"),
    ("PATH=/bin:/home/", "jdoe", "", "user"),
    ("in /Users/", "jane.d", ".", "user"),
    ("C:\\Users\\", "nick", "\\x", "user"),
    ("c:/users/", "Nick Tan", "/x", "user"),
    ("file:///home/", "jdoe", "/x", "user"),
    ("/srv/", "mira", "/x", "user"),
    ("/run/media/", "jdoe", "/disk", "user"),
    ("--/home/", "jdoe", "/x", "user"),
    ("", "mira", "@other ", "user"),
    ("root@", "kestrel", ":~# ls", "host"),
    ("\x1b]2;", "mira", " at work\x07", "user"),
    ("\x1b]0;~ on ", "kestrel", "\x07", "host"),
    ("\x1b]7;file://", "otherhost", "/tmp\x1b\\", "host"),
]
"""Secrets that are known by what stands around them."""

PAIRS = [
    ("jdoe@build7:~/x$ ls", "jdoe", "build7"),
    ("[jdoe@build7 x]$ ls", "jdoe", "build7"),
    ("ssh -p 22 jdoe@build7 ls", "jdoe", "build7"),
    ("\x1b]0;jdoe@build7: ~/x\x07$", "jdoe", "build7"),
    ("\x1b]1337;RemoteHost=jdoe@build7\x07", "jdoe", "build7"),
    ("file://build7/home/jdoe/x", "jdoe", "build7"),
    ("bob@kestrel", "bob", "kestrel"),
]

ORDINARY = """\
root cause, user story, admin panel: the token was missing, so the secret is safe
git clone git@github.com:org/repo.git && git push git@host:repo
3f2a9c1e77aa4b1c9d1eaaaabbbbccccdddd0000 is a commit, sha256:9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822c
"integrity": "sha512-Zm9vYmFyYmF6cXV4Zm9vYmFyYmF6cXV4+/AbCd=="
conversation 9b1deb4d-3b7d-4bad-9bdd-2b0d7b3dcb6d was resumed
"session_id":"9b1deb4d-3b7d-4bad-9bdd-2b0d7b3dcb6d"
token = get_token()
token = base64.b64encode(raw)
password: str | None = None
def login(password: str, api_key=settings.API_KEY): ...
api_key = os.environ["API_KEY"]
ANTIGRAVITY_CSRF_TOKEN=$TOKEN
  --csrf_token string   the token
password: sha256
Authorization: Bearer $TOKEN
Authorization: Bearer YOUR_API_KEY
-H "Authorization: Bearer {token}"
the bearer of authentication-is-required-here news
"usage":{"input_tokens":17586,"output_tokens":26,"max_tokens":4096}
next_page_token=CAUQAA12345678901234
{"type": "password", "token_type": "Bearer", "token_uri": "https://oauth2.googleapis.com/token"}
npx pkg@latest, actions/checkout@v4, react@18.2.0, icon@2x.png, a@b, @scope/pkg, x@property
-----BEGIN PUBLIC KEY-----
the file starts with -----BEGIN PRIVATE KEY----- and so on
/root/x /home/user/x /home/ubuntu /Users/Shared https://site.example/home/about ./home/jdoe ${CWD}/home/jdoe
GET /home/index.html
https://example.com/search?q=token&code=404&state=ok&page=2
task-oriented-development-with-many-words, desk-research-on-something-else
x = 1//2; y = 4/some_long_identifier_name; 2024/4/abcdefghijklmnopqrst
exit code: 137, code ABCD-EFGHI, error code E1234-5678
Cookie: name=value
cookies are sweet; cookie policy = strict
mailto:nobody
mira is a word, and a kestrel a bird; almira@ and /dev/kestrel2
https://user:password@host/x http://localhost:8080/login
REDACTED-oauth-token-1, "access_token": "REDACTED-oauth-token-1"
Cookie: a=REDACTED-cookie-1; b=REDACTED-cookie-2
\x1b]0;vim README.md\x07\x1b[31mred\x1b[0m
"""


def found(text: str, redactor: Redactor = HERE) -> list[tuple[str, str]]:
    return [(span.secret.decode(), span.cls) for span in redactor.spans(text.encode())]


@pytest.mark.parametrize(("secret", "cls"), SHAPES)
@pytest.mark.parametrize(
    "form", ["{}", "it is {}, see", "'{}'\n{}\n", "x={}&y", "({})", "{}.", "--{}", "x -{}"]
)
def test_a_secret_with_a_form_of_its_own_is_found_anywhere(secret: str, cls: str, form: str) -> None:
    assert set(found(form.format(secret, secret))) == {(secret, cls)}


@pytest.mark.parametrize(("before", "secret", "after", "cls"), AMONG)
def test_a_secret_is_known_by_its_surroundings(before: str, secret: str, after: str, cls: str) -> None:
    assert found(before + secret + after) == [(secret, cls)]


@pytest.mark.parametrize(("text", "user", "host"), PAIRS)
def test_user_and_host_are_found_where_they_name_an_account(text: str, user: str, host: str) -> None:
    assert set(found(text)) == {(user, "user"), (host, "host")}


@pytest.mark.parametrize("line", ORDINARY.splitlines())
def test_ordinary_text_stays_as_it_is(line: str) -> None:
    assert found(line) == []


def test_ordinary_lines_stay_ordinary_together() -> None:
    assert found(ORDINARY) == []


def test_every_cookie_of_a_request_is_found_and_only_the_value_of_a_set_one() -> None:
    assert found("Cookie: a=b; theme=dark; SID=x1\r\nSet-Cookie: s=t; Path=/; HttpOnly\r\n") == [
        ("b", "cookie"),
        ("dark", "cookie"),
        ("x1", "cookie"),
        ("t", "cookie"),
    ]


def test_of_a_sign_in_address_only_the_page_stays() -> None:
    url = (
        "https://accounts.google.com/o/oauth2/auth?access_type=offline&client_id=1071-abc.apps.example"
        "&code_challenge=c0de&redirect_uri=https%3A%2F%2Fx%2Fcb&response_type=code&state=5tate"
    )
    redacted = HERE.redact_text(f"  {url}\nWaiting for authentication (timeout 30s)...\n")
    assert redacted == (
        "  https://accounts.google.com/o/oauth2/auth?access_type=offline&client_id=REDACTED-sign-in-0"
        "&code_challenge=REDACTED-sign-in-0&redirect_uri=https%3A%2F%2Fx%2Fcb&response_type=code"
        "&state=REDACTED-sign-in-0\nWaiting for authentication (timeout 30s)...\n"
    )


def test_a_line_of_base64_is_no_sign_in_code() -> None:
    lines = (
        "AAAAB3NzaC1yc2EAAAADAQABAAABAQC7+/790F1e3nWI0TeR7GlFovhAxyTb0123",
        "4/64OfiI7q1P4gw8UfecxRgOJW3gGyntTwSWml6Ssl7FIA2KAQeV3684e8aR3HxY",
        "1/64OfiI7q1P4gw8UfecxRgO/JW3gG+yntTwSWml6Ssl7FIA2KAQeV3684e8aR3H",
    )
    assert found("\n".join(lines)) == []
    assert found("4/" + "64OfiI7q1P4gw8UfecxRgO\n" * 2) == [("4/64OfiI7q1P4gw8UfecxRgO", "oauth-code")]


def test_several_secrets_on_one_line_are_all_found() -> None:
    line = "a@b.co ghp_16C7e42F292c6912E7710c838347Ae178B4a token=ya29.a0AfB_byCdEfGh /home/jdoe a@b.co"
    assert [cls for _, cls in found(line)] == ["email", "api-key", "oauth-token", "user", "email"]


def test_each_rule_says_why_it_is_there() -> None:
    assert all(rule.why and rule.anchors for rule in RULES)
    assert all(anchor == anchor.lower() for rule in RULES if rule.fold for anchor in rule.anchors)


def test_a_key_block_that_was_cut_off_is_found_as_far_as_it_goes() -> None:
    cut = KEY.format("OPENSSH ")[:66]
    assert found(f"{cut}") == [(cut, "private-key")]
    assert found(f"{cut}\n") == [(cut, "private-key")]


@pytest.mark.parametrize("name", ["root", "user", "Admin", "runner", "home", "mi"])
def test_names_that_everybody_has_name_nobody(name: str) -> None:
    here = Redactor(facts=Facts(users=(name,), hosts=(name,)))
    assert found(f"/srv/{name}/x \x1b]0;{name} {name}\x07", here) == []
