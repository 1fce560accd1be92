"""Bug reports, which are files for the developers without private data.

A report is a ZIP file with a text (versions, settings, log), the stack trace of the last crash if
there is one, and the record of the current match. The record of a finished match is complete, so
that every move can be replayed. An unfinished match has only its public information, which can be
watched.
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

PRIVATE_SETTINGS = ("players", "tables", "languages", "reactions", "geometry", "docks")
"""The settings that a report leaves out."""
TEXT_FILE = "report.txt"
CRASH_FILE = "crash.txt"
"""Name of the file with the stack trace of the last crash."""
MATCH_FILE = f"match{SUFFIX}"


def write_report(
    path: Path, settings: Settings, log: Sequence[str], seated: SeatedTable | None
) -> None:
    """Write the report to `path` atomically.

    Raises:
        StorageError: the file can't be written.
    """
    parts = {TEXT_FILE: report_text(settings, log, seated).encode()}
    if crash := crash_log.read_last():
        parts[CRASH_FILE] = _hide_home(crash).encode()
    if seated is not None and seated.match is not None:
        parts[MATCH_FILE] = _record(seated.match)
    whole = io.BytesIO()
    with zipfile.ZipFile(whole, "w", zipfile.ZIP_DEFLATED) as packed:
        for name, content in parts.items():
            packed.writestr(name, content)
    write_atomically(path, whole.getvalue())


def report_text(settings: Settings, log: Sequence[str], seated: SeatedTable | None) -> str:
    """Return the report's text, in English."""
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
    """Replace the home folder in `text`, whose path usually has the user's name."""
    return text.replace(str(Path.home()), "~")


def _settings(settings: Settings) -> str:
    kept = {
        name: value
        for name, value in msgspec.to_builtins(settings).items()
        if name not in PRIVATE_SETTINGS
    }
    return msgspec.json.format(msgspec.json.encode(kept), indent=2).decode()


def _match_lines(seated: SeatedTable) -> list[str]:
    """Return the public state of the table and the public log, as lines of text."""
    view, match = seated.view, seated.match
    kit, players = seated.kit, seated.players
    words = Words("en", kit, without_names(players))
    back = f", {match.undone_plies} taken back" if match else ", played elsewhere"
    return [
        f"{kit.id}, rules {kit.box.rules}, {len(players)} seats, ply {view.ply}{back}",
        words.heading(view),
        *(words.log_line(said) for said in seated.log),
    ]


def _record(match: Match) -> bytes:
    record = record_of(match, Path(MATCH_FILE))
    record = replace(record, header=replace(record.header, players=without_names(match.players)))
    return to_bytes(record if match.state.result is not None else public_record(record, match))


def without_names(players: Sequence[Player]) -> tuple[Player, ...]:
    """Return the players with numbers instead of their names."""
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
    """Ask the user for a file, and write a bug report to it, including the current match."""
    words = context.words
    kinds = words("ZIP archives") + " (*.zip)"
    file = file_dialogs.ask_where_to_save(
        navigator.window(), words, words("Report a bug"), "tabletop-report.zip", kinds
    )
    if file is None:
        return
    with context.report_errors():
        write_report(file, context.settings, tuple(log), seated)
        text = words(
            "The report is in “{file}”. It has no names and no hidden cards. Send it "
            "with a few words about what happened.",
            file=file.name,
        )
        navigator.show_message(text, "check")
