"""The first steps that a new server prints: how guests join, and how to keep the server running."""

import os
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from unicodedata import east_asian_width

from tabletop.lan.interfaces import addresses
from tabletop.language.words import Words
from tabletop.net.certificate import FILE as CERTIFICATE
from tabletop.protocol.invitation import DEFAULT_PORT, Address, bracket_ipv6
from tabletop.server.server import TableServer
from tabletop.text.plain_text import shell_words

LOCALES = ("LC_ALL", "LC_MESSAGES", "LANG")


def first_steps(
    folder: Path, bind: str, key: str, known_as: Address | None
) -> Callable[[TableServer], None] | None:
    """Return a function that prints the first steps once the server listens; None if the folder
    isn't new.

    `known_as` is the server's address for guests, if it differs from `bind`.
    """
    if (folder / CERTIFICATE).exists():
        return None
    here = known_as.hosts[0] if known_as else bind or (*addresses(), "127.0.0.1")[0]

    def tell(server: TableServer) -> None:
        port = known_as.port if known_as else server.port
        place = here if port == DEFAULT_PORT else f"{bracket_ipv6(here)}:{port}"
        steps = text(
            Words(terminal_language()), place, port, server.certificate.fingerprint, bool(key)
        )
        print(steps, flush=True)

    return tell


def text(words: Words, place: str, port: int, fingerprint: str, key: bool) -> str:
    """Return the first steps as text. They don't include the key itself, which
    its owner has in a file.
    """
    opening = f"tabletop host sun --server {place} --detach" + " --key-file FILE" * key
    asked = words("the first line of your key file; anyone who opens a table types it")
    steps = (
        (words("Address"), place),
        (words("Fingerprint"), fingerprint),
        ("", words("players compare it on their first visit")),
        (
            words("Key"),
            asked if key else words("none: anyone can open tables (set a key with --key-file)"),
        ),
        (words("First table"), opening),
        ("", words("or in the window: Host…, On a server")),
        *_of_the_system(words, port),
    )
    wide = max(_width(head) for head, _ in steps) + 3
    lines = [f"  {head}{' ' * (wide - _width(head))}{step}" for head, step in steps]
    return "\n".join([words("This server is new. What you and your players need:"), "", *lines, ""])


def _of_the_system(words: Words, port: int) -> Iterator[tuple[str, str]]:
    """Yield how to open the firewall, and how to start the server automatically."""
    if sys.platform == "linux":
        yield words("Firewall"), f"sudo ufw allow {port}/tcp"
        yield "systemd", f"ExecStart={shell_words(_command())}"
    elif sys.platform == "win32":
        rule = "netsh advfirewall firewall add rule name=Tabletop dir=in action=allow protocol=TCP"
        task = ("schtasks", "/create", "/tn", "Tabletop", "/sc", "onlogon", "/tr")
        yield words("Firewall"), f"{rule} localport={port}"
        yield words("At sign-in"), shell_words([*task, shell_words(_command())])


def terminal_language() -> str:
    """Return the terminal's language: the first supported one in LANGUAGE, otherwise the language
    of the locale.

    As in gettext, LANGUAGE has no effect in the locale C.
    """
    locale = next(filter(None, map(os.environ.get, LOCALES)), "")
    listed = os.environ.get("LANGUAGE", "") if locale.partition(".")[0] not in ("", "C") else ""
    wanted = (name[:2] for name in (*listed.split(":"), locale))
    return next((name for name in wanted if name in ("en", "ja")), "en")


def _command() -> list[str]:
    """Return the current command line, independent of the working directory."""
    program = Path(sys.argv[0])
    module = program.name == "__main__.py"
    called = [sys.executable, "-m", "tabletop"] if module else [str(program.absolute())]
    return [*called, *map(_absolute_path, sys.argv[1:])]


def _absolute_path(word: str) -> str:
    return str(Path(word).absolute()) if os.sep in word or Path(word).is_file() else word


def _width(text: str) -> int:
    """Return the width of `text` in terminal columns."""
    return sum(2 if east_asian_width(sign) in "WF" else 1 for sign in text)
