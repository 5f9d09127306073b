"""Texts that hold no secret, though a careless rule would find one in them."""

import base64
import hashlib
import string
from collections.abc import Callable

from tests.support.secrets import ALNUM, Draw, Person

HEX = "0123456789abcdef"


def _lines(*lines: str) -> Callable[[Draw], str]:
    """A text of a few of these lines, in an order that is drawn."""

    def make(draw: Draw) -> str:
        return (
            "\n".join(draw.random.sample(lines, draw.random.randint(min(2, len(lines)), len(lines)))) + "\n"
        )

    return make


def hashes(draw: Draw) -> str:
    some = draw.some
    return (
        f"commit {some(HEX, 40)}\nMerge: {some(HEX, 7)} {some(HEX, 7)}\n"
        f"index {some(HEX, 10)}..{some(HEX, 10)} 100644\nsha256:{some(HEX, 64)}\n"
        f'md5 = {some(HEX, 32)}\netag: "{some(HEX, 32)}"\n{some(HEX, 128)}  out.tar.gz\n'
        f'"integrity": "sha512-{base64.b64encode(draw.random.randbytes(64)).decode()}"\n'
        f"--hash=sha256:{hashlib.sha256(draw.random.randbytes(8)).hexdigest()} \\\n"
    )


def ids(draw: Draw) -> str:
    return (
        f'conversation {draw.uuid()}\n--conversation={draw.uuid()}\n{{"conversation_id":"{draw.uuid()}"}}\n'
        f"ANTIGRAVITY_CONVERSATION_ID={draw.uuid()}\nANTIGRAVITY_TRAJECTORY_ID={draw.uuid()}\n"
        f"request-id: req_{draw.some(ALNUM, 24)}\ntrace {draw.some(HEX, 32)}-{draw.some(HEX, 16)}-01\n"
        f"01J{draw.some(string.digits + 'ABCDEFGHJKMNPQRSTVWXYZ', 23)}\n"
    )


def images(draw: Draw) -> str:
    data = base64.b64encode(
        b"\x89PNG\r\n\x1a\n" + draw.random.randbytes(draw.random.randrange(60, 900))
    ).decode()
    mapping = base64.b64encode(
        b'{"version":3,"sources":["a.ts"],"mappings":"' + b"AAAA;" * 9 + b'"}'
    ).decode()
    return (
        f'<img src="data:image/png;base64,{data}" alt="x">\n'
        f"//# sourceMappingURL=data:application/json;base64,{mapping}\n"
    )


code = _lines(
    "token = get_token()",
    "password: str",
    "password = getpass.getpass()",
    "def login(user: str, password: str, token: str | None = None) -> Session:",
    'api_key = os.environ["GEMINI_API_KEY"]',
    "const token = req.headers.authorization?.split(' ')[1];",
    "self.access_token = response['access_token']",
    "refresh_token = data.get('refresh_token')",
    "if not token: raise ValueError('no token')",
    "csrf_token = request.headers.get('x-csrf-token')",
    "csrf_token: str = field(repr=False)",
    "export GEMINI_API_KEY=$(pass show gemini)",
    'curl -H "Authorization: Bearer $TOKEN" https://api.example.com/v1',
    'headers = {"Authorization": f"Bearer {token}"}',
    '-H "Authorization: Bearer ${TOKEN}"',
    "Authorization: Bearer <token>",
    "Authorization: Bearer ...",
    'http.Header{"Authorization": []string{"Bearer " + tok}}',
    "git clone https://${USER}:${TOKEN}@github.com/org/repo.git",
    'dsn = f"postgresql://{user}:{password}@{host}:5432/app"',
    "document.cookie = name + '=' + value;",
    "cookie: string;",
    "Set-Cookie",
    'w.Header().Set("Set-Cookie", c.String())',
    "{% csrf_token %}",
    '<input name="csrf_token" value="{{ csrf_token() }}">',
    '"csrf_token": null,',
    "env | grep ANTIGRAVITY_CSRF_TOKEN",
    'os.environ.pop("ANTIGRAVITY_CSRF_TOKEN", None)',
    'echo "$ANTIGRAVITY_CSRF_TOKEN"',
    "ANTIGRAVITY_CSRF_TOKEN=",
    "aws_secret_access_key = var.secret_key",
    "AWS_SECRET_ACCESS_KEY: ${{ secrets.AWS_SECRET_ACCESS_KEY }}",
    "GITHUB_TOKEN: ${{ secrets.GITHUB_TOKEN }}",
    'if line.startswith("-----BEGIN RSA PRIVATE KEY-----"):',
    "private_key = load_pem_private_key(path.read_bytes(), password=None)",
    "client_secret = config.client_secret",
    "url = f'{base}?code={code}&state={state}'",
    "def f(token, /, *, secret): ...",
)

counts = _lines(
    "tokens: 12,345 (prompt 12,001, output 344)",
    '{"prompt_token_count": 1532, "total_tokens": 41522, "max_tokens": 2048}',
    '"usage":{"input_tokens":18231,"output_tokens":412,"thinking_tokens":0}',
    "1//0 raises ZeroDivisionError, and 7//2 is 3",
    "4/0 is not a number; 4/5 of them; page 4/012",
    "+49 30 901820, (555) 010-4477, 0800 123 4567",
    "2026-12-01T02:37:00.123456789Z 2026-12-01 02:37:00+01:00",
    "I1201 02:37:00.123456    4711 server.go:812] listening on 127.0.0.1:40123",
    "v1.2.10 1.2.10-rc.1+build.5 >=3.11,<4 ^18.2.0 ~> 7.1",
    "10.0.0.1 fe80::1%eth0 [::1]:8080 52:54:00:12:34:56",
    "3.141592653589793 1e-9 0xdeadbeef 0b1010 1_000_000",
    "4242 4242 and 100% of 1,234,567.89",
    "exit code=1, status code 404, error_code=5, ?country_code=DE&zip_code=10115",
)

packages = _lines(
    "react@18.2.0 lodash@4.17.21 left-pad@latest @types/node@20.1.0",
    "npm install @org/pkg @scope/name@1.2.3 foo@npm:bar@2.0.0",
    "node_modules/.pnpm/react-dom@18.2.0_react@18.2.0/node_modules/react-dom/index.js",
    "https://unpkg.com/react@18/umd/react.production.min.js",
    "https://cdn.jsdelivr.net/npm/vue@3.2.1/dist/vue.js",
    "https://registry.example:443/@scope/pkg",
    "http://localhost:8080/@vite/client",
    "https://medium.com/@someone/a-post",
    "uses: actions/checkout@v4",
    "golang.org/x/net@v0.17.0 github.com/spf13/cobra@v1.8.0/command.go:1064",
    "docker pull repo/image@sha256:" + "0" * 63 + "1",
    "pip install 'pkg @ git+https://github.com/org/repo@main'",
    "npm_config_registry npm_lifecycle_event npm_package_version npm_config_user_agent",
    "pypi-simple pypi-server pypi-publish glpat xoxo sk-learn sk_SK AKIA",
    "rails@7.1.x python@3.11 node@20.x",
)

like_addresses = _lines(
    "icon@2x.png logo@3x.webp foo@2x.png sprite@1.5x.svg",
    "git@github.com:org/repo.git",
    "git clone git@gitlab.internal.example:team/sub/repo.git",
    "origin\tgit@host:path (fetch)",
    "@app.route('/x')",
    "@pytest.mark.parametrize(('a', 'b'), [(1, 2)])",
    "@dataclass(frozen=True)",
    "@media (min-width: 40em) { .sk-button-primary-large-with-icon { color: red } }",
    "c = a @ b; y = A@B.T",
    "java.lang.Object@1b6d3586 com.foo.Bar@7a81197d",
    "getty@tty1.service user@1000.service",
    "cc @someone and @org/team, thanks",
    "meet @ noon",
    "root@localhost:~# whoami",
    "admin@localhost:/$ ls",
    "user@host:~$ pwd",
    "\x1b]0;root@localhost: ~\x07# ",
)

words = _lines(
    "The root cause is that the user of the root account has no admin role.",
    "root cause analysis: user, root and admin are words here; so are host and home.",
    "The bearer of this letter is a bearer of bad news.",
    "Bearer authentication is required; Basic authentication-of-requests is not.",
    'WWW-Authenticate: Bearer realm="example", error="invalid_token"',
    "Our cookie policy: we use cookies. A cookie: flour, sugar, butter.",
    "The token was refreshed; no token was found; a password is a secret.",
    "A risk-assessment-of-the-new-framework-in-the-field-of-disk-encryption-for-administrators",
    'class="sk-fading-circle sk-loading-container-fluid-wrapper-with-a-long-name sk-cube"',
    "task-management-and-ask-for-help-when-the-desk-is-too-full-to-work-on",
    "Sign in at https://accounts.google.com/ and come back.",
    "Authentication required. Please visit the URL to log in:",
    "Keys look like AIza..., sk-..., ghp_..., ya29... and eyJ...",
    "set sk-<your key here> or AIza<key>; YOUR_API_KEY=your-api-key-here",
    "What is in REDACTED-token-1 and REDACTED-email-12 was a secret.",
    "Ask your administrator for the key.",
)

paths = _lines(
    "/usr/local/bin/agy /etc/passwd /var/log/syslog /opt/homebrew/bin/python3",
    "/root/.cache/x /home/user/project /home/admin/x /home/root/y /Users/user/Desktop",
    "/home is a directory; so is /Users; /home/ too",
    "${HOME}/src ${CWD}/a.py ${AGY_HOME}/brain ${TMP}/x $HOME/.ssh ~/.config /home/$USER/x /home/${NAME}",
    "https://example.com/home/pricing https://example.com/Users/guide",
    "src/home/index.ts ./home/view.py ../Users/model.rb",
    "/usr/home-assistant/lib /srv/homes/a /homebrew/Cellar",
    "/home/<name>/x /home/*/.cache /home/{name}",
    "C:\\Windows\\System32 /c/Program Files/Git /mnt/c/Windows",
    "/proc/self/fd/3 /dev/null /tmp/agy-proxy-x1/bin/agy /nix/store/abc-x/bin",
    "\x1b]7;file:///usr/share/doc\x1b\\ \x1b]8;;https://example.com/a\x1b\\a\x1b]8;;\x1b\\",
    "\x1b]0;vim a.py\x07\x1b]2;make test\x1b\\",
)

dotted = _lines(
    "a.b.c foo.bar.baz self.client.token.value x.y.z",
    "eyJ.not.jwt eyJhIjoxfQ eyJ0eXAi ey.J.x",
    "com.example.app.MainActivity org.apache.commons.lang3.StringUtils",
    "www.example.com sub.domain.example.co.uk",
    "config.yaml.example.bak module.submodule.function_name",
    "1.2.3.4.5 v1.alpha.beta",
    '{"payload":"eyJ2ZXJzaW9uIjoxfQ=="}',
)

dumps = _lines(
    "&{Name:foo Token:<nil> Count:3 Password: Err:<nil>}",
    'Config{APIKey:"", Secret:"", Timeout:5s, Cookie:(*http.Cookie)(nil)}',
    'map[string]interface {}{"token":interface {}(nil), "a":1}',
    "map[Accept:[*/*] Authorization:[] Content-Type:[application/json]]",
    "main.Session{ID:0xc000010000, User:(*main.User)(0xc0000b2000)}",
    "{'token': None, 'password': '', 'cookies': {}}",
    "Token(kind=NAME, value='x') Token(kind=OP, value='=')",
    "goroutine 1 [running]:\nmain.main()\n\t/usr/src/app/main.go:12 +0x1d",
)

styles = _lines(
    ".token.keyword { color: #07a; } .token.string { color: #690 }",
    "a:hover::before { content: '@'; margin: 0 1px }",
    "--font-mono: ui-monospace; grid-template: 'a b' 1fr / 2fr",
    "\x1b[1;31merror\x1b[0m \x1b[38;5;196mred\x1b[m \x1b[2K\x1b[1G",
    "| a | b |\n|---|---|\n| token | password |",
    "-----BEGIN CERTIFICATE REQUEST HELP-----",
)

PROSE = (
    "Und als er kam, war niemand mehr da; nur der Wind ging über die Felder, und ein Hund bellte fern. ",
    "Когда он пришёл, никого уже не было; только ветер шёл по полям, и вдали лаяла собака. ",
    "他来的时候,已经没有人了。只有风吹过田野。远处有狗在叫。",
    "彼が来たときには、もう誰もいなかった。風が野を渡り、遠くで犬が吠えていた。",
    "عندما جاء لم يكن هناك أحد؛ لم يكن سوى الريح تعبر الحقول، وكلب ينبح من بعيد. ",
    "जब वह आया तब वहाँ कोई नहीं था; केवल हवा खेतों पर बह रही थी। ",
    "Όταν ήρθε, δεν ήταν πια κανείς· μόνο άνεμος περνούσε πάνω από τα χωράφια. ",
    "When he came nobody was left; only the wind went over the fields, and a dog barked far away. ",
    "👩‍💻 🇩🇪 ✅ e\u0301 \u200b\u2028 ﷽ ",
)


def prose(draw: Draw) -> str:
    return "".join(draw.one(*PROSE) for _ in range(draw.random.randint(20, 120))) + "\n"


def public_keys(draw: Draw) -> str:
    body = base64.b64encode(draw.random.randbytes(480)).decode()
    lines = "\n".join(body[at : at + 64] for at in range(0, len(body), 64))
    label = draw.one("CERTIFICATE", "PUBLIC KEY")
    ssh = f"ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAI{body[:43]}\n"
    return f"-----BEGIN {label}-----\n{lines}\n-----END {label}-----\n{ssh}"


def lock_file(draw: Draw) -> str:
    return "".join(
        f'"node_modules/{name}": {{"version": "{draw.random.randrange(20)}.2.{draw.random.randrange(99)}", '
        f'"resolved": "https://registry.example.org/{name}/-/{name}-1.2.3.tgz", "license": "MIT"}},\n'
        for name in (draw.name() for _ in range(8))
    )


def bare_names(draw: Draw) -> str:
    return with_bare_names(draw.person)


def with_bare_names(person: Person) -> str:
    user, host = person
    return (
        f"{user} and {host} met. author: {user}\n--name={user} {user}.py x{user}y {user}-{host}\n"
        f'{{"name":"{user}","machine":"{host}"}}\n@{user} {user}@ @ {host}\n'
    )


INNOCENT: dict[str, Callable[[Draw], str]] = {
    "hashes": hashes,
    "ids": ids,
    "images": images,
    "code": code,
    "counts": counts,
    "packages": packages,
    "like addresses": like_addresses,
    "words": words,
    "paths": paths,
    "dotted": dotted,
    "dumps": dumps,
    "styles": styles,
    "prose": prose,
    "public keys": public_keys,
    "lock file": lock_file,
    "bare names": bare_names,
}
"""Every kind of innocent text by its name."""
