"""Rules for people and machines: e-mail addresses, and user and host names where they are surely such.

A bare word is never taken for a name, and names that everybody has (`GENERIC`) name nobody.
"""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from agy_cassettes.redact.rule import Found, Rule

GENERIC = frozenset(
    (
        b"root user users admin administrator username name you me myself guest public shared default"
        b" nobody daemon ubuntu debian fedora centos alpine ec2-user azureuser vagrant docker container"
        b" runner runneradmin vscode codespace codespaces coder gitpod jovyan node app appuser nonroot"
        b" sandbox build builder ci jenkins test dev developer git github gitlab svn hg www www-data"
        b" postgres mysql redis nginx linuxbrew homebrew example foo bar baz localhost localdomain host"
        b" hostname null all any none"
    ).split()
)
"""Names of users and hosts that identify nobody, in lower case."""

_FOLDERS = frozenset(
    (
        b"home src tmp usr lib lib64 bin sbin etc var opt mnt media proc sys run boot data docs doc main"
        b" work workspace project projects repo repos code tools scripts tests brain cache log logs"
        b" conversations builds agent agents local share config server client web api static assets pages"
        b" images users core common base blob tree master"
    ).split()
)
_NAME_BYTES = b"abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_.-"
_FILE_NAME = re.compile(
    rb"(?i:.*\.(?:html?|php|jsx?|tsx?|mjs|cjs|vue|py|rb|go|css|json|ya?ml|toml|md|txt|png|jpe?g|gif|svg|ico|aspx?"
    rb"|jsp|xml|lock|sh|log|csv|pdf))"
)
_BEFORE_HOME = re.compile(
    rb"(?:^|[^\w.~\-}/$\\%])-{0,2}"
    rb"(?:file:/{0,3}|(?:/var|/export|/usr|/private|/net|/data|/mnt/[a-z]|/[a-z]|/System/Volumes/Data|[A-Za-z]:))?\Z"
)
_TOP = frozenset(
    (
        b"com org net edu gov mil int info biz name pro dev app io ai co me xyz cloud tech online site store"
        b" email page blog wiki team group work works company agency studio software systems solutions"
        b" services network digital media global world zone space live life today academy institute"
        b" university school international berlin hamburg london paris nyc eus cat asia africa mobi jobs"
        b" museum aero coop test example invalid local internal lan corp home localdomain localhost intranet"
        b" private arpa onion"
    ).split()
)
_NOT_TOP = frozenset(
    (
        b"png jpg jpeg gif svg webp ico css html htm js jsx ts tsx mjs json yaml yml toml lock txt log csv"
        b" pdf py rb go rs java kt swift sum mean shape dtype reshape transpose copy get set add push pop map"
        b" filter then latest next beta alpha canary rc stable service timer socket target mount"
    ).split()
)
_REMOTE_COMMAND = re.compile(
    rb"(?:^|[\s;&|\"'`($])(?:ssh|scp|sftp|rsync|mosh|ssh-copy-id|sshfs|autossh|ssh://\S*|ssh-(?:rsa|ed25519|dss)"
    rb"|ecdsa-sha2-\S+)\s[^\n]*\Z"
)
_USER_BEFORE = re.compile(rb"(?P<user>[A-Za-z_][\w.\-]{0,63})@\Z")
_URL_CREDENTIALS = re.compile(rb"://[^\s/@]*\Z")


@dataclass(frozen=True, slots=True, kw_only=True)
class Facts:
    """Who and where the recording is made: names that are redacted where they stand as names."""

    users: tuple[str, ...] = ()
    hosts: tuple[str, ...] = ()


NO_FACTS = Facts()
"""Names of no machine in particular."""


def facts_of(env: Mapping[str, str], hostname: str) -> Facts:
    """Return the facts that an environment and this machine's name tell."""
    home = env.get("HOME", "").rstrip("/").rpartition("/")[2]
    users = dict.fromkeys((env.get("USER", ""), env.get("LOGNAME", ""), home))
    hosts = dict.fromkeys((hostname, hostname.partition(".")[0], env.get("HOSTNAME", "")))
    return Facts(users=tuple(filter(None, users)), hosts=tuple(filter(None, hosts)))


def is_generic(name: bytes) -> bool:
    """Whether `name` identifies nobody."""
    return name.lower() in GENERIC


def _home(match: re.Match[bytes]) -> Iterator[Found]:
    start, end = match.span("s")
    name = match["s"].rstrip(b".")
    before = match.string[max(0, match.start() - 48) : match.start()]
    known_place = _BEFORE_HOME.search(before) is not None and not is_generic(name)
    if known_place and name and _FILE_NAME.fullmatch(name) is None:
        yield Found(start, end - (len(match["s"]) - len(name)), "user")


def _windows_home(match: re.Match[bytes]) -> Iterator[Found]:
    if not is_generic(match["s"]) and match["s"].lower() not in (b"all users", b"default user"):
        yield Found(*match.span("s"), "user")


def _email(match: re.Match[bytes]) -> Iterator[Found]:
    text, start = match.string, match.start("local")
    local, top = match["local"], match["top"].lower()
    # Letters of Latin scripts may stand before the ASCII ones; those of others are words of the text.
    while start >= 2 and 0xC3 <= text[start - 2] <= 0xCB and 0x80 <= text[start - 1] <= 0xBF:
        before = text[max(0, start - 66) : start - 2]
        start -= 2 + len(before[len(before.rstrip(_NAME_BYTES)) :].lstrip(b".-"))
    if local.lower() == b"git" or top in _NOT_TOP or text[match.end() : match.end() + 1] in (b"(", b"["):
        return
    if top not in _TOP and len(top) != 2 and len(local) < 3:
        return
    if text[max(0, start - 1) : start] in (b":", b"/") and _URL_CREDENTIALS.search(
        text[max(0, start - 300) : start]
    ):
        return
    yield Found(start, match.end(), "email")


def _user_at_host(match: re.Match[bytes]) -> Iterator[Found]:
    text, start = match.string, match.start("user")
    if match["user"].lower() == b"git":
        return
    sure = match["path"] is not None or (
        text[max(0, start - 1) : start] in (b"[", b"(") and match["bracket"] is not None
    )
    if not sure:
        line = text[max(0, start - 160) : start]
        if _REMOTE_COMMAND.search(line[line.rfind(b"\n") + 1 :]) is None:
            return
    yield from _both(match)


def _both(match: re.Match[bytes]) -> Iterator[Found]:
    user, host = match["user"], match["host"]
    # With a domain it is an e-mail address, which has a rule of its own.
    if user.lower() == b"git" or (b"." in host and host.rpartition(b".")[2].isalpha()):
        return
    if not is_generic(user):
        yield Found(*match.span("user"), "user")
    if not is_generic(host) and not host.isdigit():
        yield Found(*match.span("host"), "host")


def _file_url(match: re.Match[bytes]) -> Iterator[Found]:
    if not is_generic(match["host"]) and not match["host"].isupper():
        yield Found(*match.span("host"), "host")
    if match["user"] and not is_generic(match["user"]):
        yield Found(*match.span("user"), "user")


_AT = (
    rb"(?<![\w.+@/\-])[.\-]{0,64}(?P<user>[A-Za-z_][\w.\-]{0,63})"
    rb"@(?P<host>[A-Za-z0-9](?:[A-Za-z0-9.\-]{0,251}[A-Za-z0-9])?)"
)

NAMES: tuple[Rule, ...] = (
    Rule(
        cls="email",
        why="e-mail addresses; git@host is none, nor are versions (pkg@1.2) and pictures (icon@2x.png)",
        anchors=(b"@",),
        pattern=re.compile(
            rb"(?<![\w.+\-@])[.\-]{0,64}(?P<local>[\w+](?:[\w.+\-]{0,62}[\w+\-])?)@"
            rb"(?:(?:[A-Za-z0-9]|[\xc3-\xcb][\x80-\xbf])(?:[A-Za-z0-9\-]|[\xc3-\xcb][\x80-\xbf]){0,62}\.){1,8}"
            rb"(?P<top>[A-Za-z]{2,18}|xn--[A-Za-z0-9\-]{2,32})(?![A-Za-z0-9_\-@]|\.[A-Za-z0-9])"
        ),
        back=_NAME_BYTES + b"+",
        whole_word=True,
        judge=_email,
    ),
    Rule(
        cls="user",
        why="the owner of a home folder, a disk, a mailbox; not in web addresses, where /home/ is a page",
        anchors=(b"/home/", b"/Users/", b"/run/media/", b"/var/mail/", b"/var/spool/mail/"),
        pattern=re.compile(
            rb"/(?:home|Users|run/media|var/mail|var/spool/mail)/(?P<s>[A-Za-z_\x80-\xff][\w.\-\x80-\xff]{0,63})"
        ),
        judge=_home,
    ),
    Rule(
        cls="user",
        why="the owner of a home folder on Windows, with either slash and any number of them",
        anchors=(
            b":\\users",
            b":/users",
            b":\\\\users",
            b":\\documents and settings",
            b"/mnt/c/users",
            b"/c/users",
        ),
        pattern=re.compile(
            rb"(?::|(?<![\w/])(?:/mnt)?/c)[\\/]{1,4}(?:users|documents and settings)[\\/]{1,4}"
            rb"(?P<s>[A-Za-z0-9_\x80-\xff](?:[\w.\-\x80-\xff]|[ ~](?=[^\\/:*?\"<>|\r\n]{0,40}[\\/])){0,63})",
            re.IGNORECASE,
        ),
        fold=True,
        judge=_windows_home,
    ),
    Rule(
        cls="user",
        why="user@host in shell prompts (user@host:~$, [user@host dir]$) and after ssh, scp and rsync",
        anchors=(b"@",),
        pattern=re.compile(_AT + rb"(?:(?P<path>:[~/])|(?P<bracket> [^\]\n]{1,64}\][$#%])|)"),
        back=_NAME_BYTES,
        whole_word=True,
        judge=_user_at_host,
    ),
    Rule(
        cls="host",
        why="the machine and the owner in file://HOST/home/NAME",
        anchors=(b"file://",),
        pattern=re.compile(
            rb"file://(?P<host>[A-Za-z0-9][\w.\-]{0,253})"
            rb"/(?:home|Users)/(?P<user>[A-Za-z_\x80-\xff][\w.\-\x80-\xff]{0,63})",
            re.IGNORECASE,
        ),
        fold=True,
        judge=_file_url,
    ),
    Rule(
        cls="host",
        why="the machine in file://HOST/…, as terminals are told the working folder (OSC 7)",
        anchors=(b"file://",),
        pattern=re.compile(
            rb"file://(?P<host>[A-Za-z0-9][\w.\-]{0,253})(?P<user>)(?![\w.\-])", re.IGNORECASE
        ),
        fold=True,
        osc_only=True,
        judge=_file_url,
    ),
    Rule(
        cls="user",
        why="user@host in a window's title or a terminal's remote host",
        anchors=(b"@",),
        pattern=re.compile(_AT),
        back=_NAME_BYTES,
        whole_word=True,
        osc_only=True,
        judge=_both,
    ),
)


def _known_host(match: re.Match[bytes]) -> Iterator[Found]:
    start = match.start()
    user = _USER_BEFORE.search(match.string[max(0, start - 65) : start])
    if user is not None:
        if user["user"].lower() == b"git":
            return
        if not is_generic(user["user"]):
            yield Found(start - 1 - len(user["user"]), start - 1, "user")
    yield Found(*match.span("s"), "host")


def known_names(facts: Facts) -> tuple[Rule, ...]:
    """Return rules for the names of this user and machine: in paths, in user@host, in window titles."""
    rules: list[Rule] = []
    for cls, names in (("user", facts.users), ("host", facts.hosts)):
        spellings = {name.encode("utf-8", "surrogateescape").lower() for name in names}
        for name in sorted(spellings, key=lambda name: (-len(name), name)):
            if len(name) < 3 or is_generic(name) or name in _FOLDERS or name.isdigit():
                continue
            word = rb"(?P<s>" + re.escape(name) + rb")(?![\w\-]|\.\w)"
            place = rb"(?:(?<=[/\\])|(?<=[\w.\-]@))" + word
            if cls == "user":
                place = (
                    rb"(?:(?<=[/\\~])"
                    + word
                    + rb"|(?<![\w.\-+@])(?P<t>"
                    + re.escape(name)
                    + rb")(?=@[A-Za-z0-9]))"
                )
            rules += (
                Rule(
                    cls=cls,
                    why=f"this {cls}'s name, where it can't be a word of the text",
                    anchors=(name,),
                    fold=True,
                    pattern=re.compile(place, re.IGNORECASE),
                    judge=_known_host if cls == "host" else _known_user,
                ),
                Rule(
                    cls=cls,
                    why=f"this {cls}'s name anywhere in a window's title",
                    anchors=(name,),
                    fold=True,
                    osc_only=True,
                    pattern=re.compile(rb"(?<![\w\-.])" + word, re.IGNORECASE),
                ),
            )
    return tuple(rules)


def _known_user(match: re.Match[bytes]) -> Iterator[Found]:
    yield Found(*match.span("s" if match["s"] is not None else "t"), "user")
