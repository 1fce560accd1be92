"""A game without Python, as a designer has it in a folder; and a computer that has not got it."""

import os
import shutil
import struct
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from tabletop.catalogue import catalogue, game_folders
from tabletop.catalogue.catalogue import GameKit
from tabletop.net.host.host import Host
from tests.net.loopback import Friend, plan

SHELLS = Path(__file__).parents[2] / "free_tables" / "shell_beach"
HERE = Path(__file__).parents[2] / "free_tables"
FERRY = HERE / "night_ferry"
ELSEWHERE = os.pathsep.join((str(HERE / "shell_beach"), str(HERE / "lantern_fair")))
"""The free tables that a computer has where nobody has got Night Ferry."""


def png(width: int = 2, height: int = 2) -> bytes:
    head = struct.pack(">IIBBBBB", width, height, 8, 0, 0, 0, 0)
    rows = zlib.compress(b"".join(b"\0" + b"\xff" * width for _ in range(min(height, 4))))
    chunks = ((b"IHDR", head), (b"IDAT", rows), (b"IEND", b""))
    return b"\x89PNG\r\n\x1a\n" + b"".join(
        struct.pack(">I", len(body)) + kind + body + struct.pack(">I", zlib.crc32(kind + body))
        for kind, body in chunks
    )


def prototype(folder: Path, title: str = "Pond Night") -> Path:
    """A designer's folder: a free table, a picture, and a sketch that is none of the game's."""
    shutil.copytree(SHELLS, folder)
    cards = (folder / "cards.toml").read_text("utf-8")
    cards = cards.replace("Shell Beach", title).replace("hidden = true\n", "")
    (folder / "cards.toml").write_text(cards, "utf-8")
    (folder / "pictures").mkdir()
    (folder / "pictures" / "heron.png").write_bytes(png())
    (folder / "sketch.xcf").write_bytes(b"an idea")
    return folder


def ferry(folder: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A designer's folder of Night Ferry, which has drawings; elsewhere nobody has got it."""
    shutil.copytree(FERRY, folder)
    cards = (folder / "cards.toml").read_text("utf-8")
    (folder / "cards.toml").write_text(cards.replace("hidden = true\n", ""), "utf-8")
    monkeypatch.setenv(game_folders.GAMES_VARIABLE, ELSEWHERE)
    game_folders.clear_cache()
    return folder


@contextmanager
def at_the_designers(folder: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[GameKit]:
    """Meanwhile the program knows the folder; afterwards it is on no shelf, as elsewhere."""
    elsewhere = os.environ[game_folders.GAMES_VARIABLE]
    monkeypatch.setenv(game_folders.GAMES_VARIABLE, f"{elsewhere}{os.pathsep}{folder}")
    game_folders.clear_cache()
    yield catalogue.load(game_folders.game_id_of(folder))
    monkeypatch.setenv(game_folders.GAMES_VARIABLE, elsewhere)
    game_folders.clear_cache()


async def opened(
    host: Host, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> tuple[Friend, GameKit, str]:
    """Open a designer's table for two; return the designer, their game, and the table's code."""
    designer = Friend(host.port, host.certificate.fingerprint)
    with at_the_designers(folder, monkeypatch) as kit:
        designer.guest.open_table(plan(kit.id, 2))
        await designer.inside()
    return designer, kit, designer.code
