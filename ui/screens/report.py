"""A bug report: one file with what helps to find the fault, and nobody's secrets."""

import platform
import sys
from collections.abc import Sequence
from pathlib import Path

import msgspec
from PySide6.QtCore import qVersion
from PySide6.QtGui import QGuiApplication

from tabletop import __version__
from tabletop.match import Player
from tabletop.storage.settings import Settings
from tabletop.storage.whole import write_whole
from tabletop.words import Words
from ui.screens.sitting import Sitting

PRIVATE = ("players", "geometry", "docks")
"""Settings that a report leaves out."""


def report(settings: Settings, log: Sequence[str], sitting: Sitting | None) -> str:
    """The text of a report, in English."""
    parts = [
        f"Tabletop {__version__}",
        f"Python {sys.version.split()[0]}, Qt {qVersion()}, {platform.platform()}",
        f"Screens: {_screens()}",
        "",
        "Settings",
        _settings(settings),
        "",
    ]
    if sitting is not None:
        parts += ["Match", *_match(sitting), ""]
    text = "\n".join([*parts, "Log", *log, ""])
    return text.replace(str(Path.home()), "~")  # a home's folder is called after its person


def write(path: Path, text: str) -> None:
    """Write the report, whole or not at all.

    Raises:
        StorageError: it cannot be written.
    """
    write_whole(path, text.encode())


def _settings(settings: Settings) -> str:
    kept = {
        name: value for name, value in msgspec.to_builtins(settings).items() if name not in PRIVATE
    }
    return msgspec.json.format(msgspec.json.encode(kept), indent=2).decode()


def _match(sitting: Sitting) -> list[str]:
    """What lies open to everybody; the seed, and so every hidden card, only of a finished match."""
    view, match = sitting.view, sitting.match
    players = [
        Player(f"Player {seat + 1}", player.symbol, player.kind, player.level)
        for seat, player in enumerate(sitting.players)
    ]
    words = Words("en", sitting.kit, players)
    back = f", {match.takebacks} taken back" if match else ", played elsewhere"
    lines = [
        f"{sitting.kit.id}, rules {sitting.kit.box.rules}, {len(players)} seats, ply {view.ply}"
        + back,
        words.heading(view),
        *(words.said(said) for said in sitting.log),
    ]
    return [*lines, f"Seed: {match.seed}"] if match and sitting.over else lines


def _screens() -> str:
    return "; ".join(
        f"{screen.size().width()}x{screen.size().height()} at {screen.devicePixelRatio():g}"
        for screen in QGuiApplication.screens()
    )
