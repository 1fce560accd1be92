"""Access to the window for commands. Qt is imported only when it is needed."""

from __future__ import annotations

from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Any

from tabletop.background.threads import can_start_thread

if TYPE_CHECKING:
    from tabletop.catalogue.catalogue import GameKit
    from tabletop.match.match import Match
    from tabletop.match.seat import Seat

LINK_PREFIXES = ("tabletop://", "tabletop%3a")
"""The prefixes of an invitation link in lower case; the second one is URL-encoded."""
PUBLIC_OPTION = "--public"
"""The option that also opens a public table, which everybody in the room may see."""


def open_window(
    files: list[str],
    public: bool = False,
    game: str = "",
    trial: tuple[Path, int, str] | None = None,
) -> int:
    """Open the window, and return the exit status when it is closed.

    Args:
        files: a save or an invitation link to open.
        public: whether to also open a public table for everybody in the room.
        game: the ID of a game whose box to show; "" for none.
        trial: a game folder to try out in the workshop, the number of players, and the seed.
    """
    refusal = ""
    if len(files) > 1 and any(map(is_link, files)):
        refusal = "An invitation can't be opened together with other files."
    for file in files:
        if not is_link(file) and not is_file(file):
            refusal = refusal or f'There is no file "{file}".'
    # without a thread, Qt would hang at the first paint
    if not refusal and not can_start_thread():
        refusal = "The window cannot open: the system has no thread for it."
    if refusal:
        from tabletop.commands.usage import refuse

        return refuse(refusal)
    named: dict[str, Any] = {"game": game} if game else {}
    if trial is not None:
        named["trial"] = trial
    return int(import_ui_module("ui.program").run(files, public=public, **named) or 0)


def is_link(word: str) -> bool:
    """Return whether `word` is an invitation link."""
    return word.lower().startswith(LINK_PREFIXES)


def is_file(name: str) -> bool:
    """Return whether `name` is the path of an existing file; False if the path is invalid."""
    try:
        return Path(name).is_file()
    except (OSError, ValueError):  # too long, or with a character that no name may contain
        return False


def is_folder(name: str) -> bool:
    """Return whether `name` is the path of an existing folder; False if the path is invalid."""
    try:
        return Path(name).is_dir()
    except (OSError, ValueError):
        return False


def import_ui_module(module: str) -> Any:
    """Import and return a module that needs Qt; all other code runs without Qt.

    Raises:
        UsageError: Qt can't be loaded.
    """
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
    """Draw the whole window into the image file `out`.

    `choosing`: the verb of an unfinished move to show; "" for none. `public`: whether to draw the
    public table instead.
    """
    from tabletop.commands.usage import UsageError
    from tabletop.files.errors import write_error

    shot = import_ui_module("ui.pictures.window_shot").window_shot
    try:
        shot(match, seat, size, scale, lang, theme, out, choosing, public)
    except LookupError as error:
        raise UsageError(str(error)) from error
    except OSError as error:
        raise write_error(error, out.name) from error


def draw_table(
    seat: Seat,
    kit: GameKit,
    size: tuple[int, int],
    scale: float,
    lang: str,
    theme: str,
    out: Path,
    public: bool = False,
) -> None:
    """Draw the table of `seat` into the image file `out`, as the window would.

    `public`: whether to draw it as everybody in the room may see it.
    """
    from tabletop.files.errors import write_error

    shot = import_ui_module("ui.pictures.shot").shot
    try:
        shot(seat, kit, size, scale, lang, theme, out, public)
    except OSError as error:
        raise write_error(error, out.name) from error
