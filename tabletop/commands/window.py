"""The screens as commands reach them. Qt is imported for nothing else."""

from __future__ import annotations

from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Any

from tabletop.background.threads import can_start_thread

if TYPE_CHECKING:
    from tabletop.catalogue.catalogue import GameKit
    from tabletop.match.match import Match
    from tabletop.match.seat import Seat

LINKS = ("tabletop://", "tabletop%3a")
"""The starts of an invitation, in small letters; others may have encoded it."""
PUBLIC = "--public"
"""The option that shows every match to everybody in the room."""


def open_window(
    files: list[str],
    public: bool = False,
    game: str = "",
    trial: tuple[Path, int, str] | None = None,
) -> int:
    """Open the window: with a save, at the table of an invitation or at the box of a `game`, where
    one is named; `public` shows every match to everybody in the room as well; a `trial` is the
    folder of a game for the workshop, how many play, and the seed."""
    refusal = ""
    if len(files) > 1 and any(map(is_link, files)):
        refusal = "An invitation can't be opened together with other files."
    for file in files:
        if not is_link(file) and not is_file(file):
            refusal = refusal or f'There is no file "{file}".'
    # Qt would wait for a display for ever when it paints
    if not refusal and not can_start_thread():
        refusal = "The window cannot open: the system has no thread for it."
    if refusal:
        from tabletop.commands.usage import refuse

        return refuse(refusal)
    named: dict[str, Any] = {"game": game} if game else {}
    if trial is not None:
        named["trial"] = trial
    return int(screens("ui.program").run(files, public=public, **named) or 0)


def is_link(word: str) -> bool:
    """Whether a word of the command line is an invitation."""
    return word.lower().startswith(LINKS)


def is_file(name: str) -> bool:
    """Whether there is a file of this name; an impossible name has none."""
    try:
        return Path(name).is_file()
    except (OSError, ValueError):  # too long, or with a character that no name may contain
        return False


def is_folder(name: str) -> bool:
    """Whether there is a folder of this name."""
    try:
        return Path(name).is_dir()
    except (OSError, ValueError):
        return False


def screens(module: str) -> Any:
    """A module of the screens, imported only now: all else runs where there is no Qt."""
    try:
        return import_module(module)
    except ImportError as error:
        from tabletop.commands.usage import UsageError

        raise UsageError(f"No window can be shown here: {error}.") from error


def draw_window(
    match: Match,
    seat: int,
    size: tuple[int, int],
    scale: float,
    lang: str,
    theme: str,
    out: Path,
    choosing: str,
    public: bool = False,
) -> None:
    """Draw the whole window into a picture, `choosing` what is left of such a move; `public` the
    public table instead."""
    from tabletop.commands.usage import UsageError
    from tabletop.files.errors import write_error

    shot = screens("ui.pictures.window_shot").window_shot
    try:
        shot(match, seat, size, scale, lang, theme, out, choosing, public)
    except LookupError as error:
        raise UsageError(str(error)) from error
    except OSError as error:
        raise write_error(error, out.name) from error


def draw(
    seat: Seat,
    kit: GameKit,
    size: tuple[int, int],
    scale: float,
    lang: str,
    theme: str,
    out: Path,
    public: bool = False,
) -> None:
    """Draw a table as the window would, into a picture; `public` as everybody in the room may look
    at it."""
    from tabletop.files.errors import write_error

    shot = screens("ui.pictures.shot").shot
    try:
        shot(seat, kit, size, scale, lang, theme, out, public)
    except OSError as error:
        raise write_error(error, out.name) from error
