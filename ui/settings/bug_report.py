"""A bug report: one file with what helps to find the fault, and nobody's secrets.

It is a ZIP of a text (versions, settings, log), of the stack of the last crash if there is one, and
of the match on the table as a record. A match that is over is there whole, so that every move can
be played again; of another one there is what everybody could see, which can be watched.
"""

import io
import platform
import sys
import zipfile
from collections.abc import Sequence
from pathlib import Path

import msgspec
from msgspec.structs import replace
from PySide6.QtCore import qVersion
from PySide6.QtGui import QGuiApplication

from tabletop import __version__
from tabletop.files import crash_log
from tabletop.files.atomic_write import write_atomically
from tabletop.language.words import Words
from tabletop.match.match import Match, Player
from tabletop.storage.record import SUFFIX, public_record, record_of, to_bytes
from tabletop.storage.settings import Settings
from ui.match.seated_table import SeatedTable
from ui.shell.app_context import AppContext
from ui.shell.navigator import Navigator
from ui.widgets import file_dialogs

PRIVATE = ("players", "tables", "languages", "reactions", "geometry", "docks")
"""Settings that a report leaves out."""
TEXT = "report.txt"
CRASH = "crash.txt"
"""The file with the stack of the last crash."""
MATCH = f"match{SUFFIX}"


def write(path: Path, settings: Settings, log: Sequence[str], seated: SeatedTable | None) -> None:
    """Write the report, whole or not at all.

    Raises:
        StorageError: it cannot be written.
    """
    parts = {TEXT: report(settings, log, seated).encode()}
    if crash := crash_log.read_last():
        parts[CRASH] = _hide_home(crash).encode()
    if seated is not None and seated.match is not None:
        parts[MATCH] = _record(seated.match)
    whole = io.BytesIO()
    with zipfile.ZipFile(whole, "w", zipfile.ZIP_DEFLATED) as packed:
        for name, content in parts.items():
            packed.writestr(name, content)
    write_atomically(path, whole.getvalue())


def report(settings: Settings, log: Sequence[str], seated: SeatedTable | None) -> str:
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
    if seated is not None:
        parts += ["Match", *_match_lines(seated), ""]
    return _hide_home("\n".join([*parts, "Log", *log, ""]))


def _hide_home(text: str) -> str:
    """The text without the home's folder, which is called after its person."""
    return text.replace(str(Path.home()), "~")


def _settings(settings: Settings) -> str:
    kept = {
        name: value for name, value in msgspec.to_builtins(settings).items() if name not in PRIVATE
    }
    return msgspec.json.format(msgspec.json.encode(kept), indent=2).decode()


def _match_lines(seated: SeatedTable) -> list[str]:
    """The table as everybody sees it, and all that everybody heard."""
    view, match = seated.view, seated.match
    kit, players = seated.kit, seated.players
    words = Words("en", kit, without_names(players))
    back = f", {match.takebacks} taken back" if match else ", played elsewhere"
    return [
        f"{kit.id}, rules {kit.box.rules}, {len(players)} seats, ply {view.ply}{back}",
        words.heading(view),
        *(words.log_line(said) for said in seated.log),
    ]


def _record(match: Match) -> bytes:
    record = record_of(match, Path(MATCH))
    record = replace(record, header=replace(record.header, players=without_names(match.players)))
    return to_bytes(record if match.state.result is not None else public_record(record, match))


def without_names(players: Sequence[Player]) -> tuple[Player, ...]:
    """The players without their names."""
    return tuple(
        Player(f"Player {seat + 1}", player.symbol, player.kind, player.level)
        for seat, player in enumerate(players)
    )


def _screens() -> str:
    return "; ".join(
        f"{screen.size().width()}x{screen.size().height()} at {screen.devicePixelRatio():g}"
        for screen in QGuiApplication.screens()
    )


def report_bug(
    context: AppContext, navigator: Navigator, log: Sequence[str], seated: SeatedTable | None
) -> None:
    """Ask for the bug report's file, and write it; with the match on the screen."""
    words = context.words
    kinds = words("ZIP archives") + " (*.zip)"
    file = file_dialogs.to_write(
        navigator.window(), words, words("Report a bug"), "tabletop-report.zip", kinds
    )
    if file is None:
        return
    with context.report_errors():
        write(file, context.settings, tuple(log), seated)
        text = words(
            "The report is in “{file}”. It has no names and no hidden cards. Send it "
            "with a few words about what happened.",
            file=file.name,
        )
        navigator.tell(text, "check")
