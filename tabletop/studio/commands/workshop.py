"""The commands `new`, `check`, `layout` and `dev` for creating and developing games."""

import logging
import re
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from importlib.util import find_spec
from pathlib import Path
from typing import Annotated

import typer

from tabletop.catalogue import agreements, catalogue, game_folders
from tabletop.catalogue.catalogue import BrokenGame, GameKit
from tabletop.commands.arguments import (
    Game,
    Seats,
    Seed,
    flag,
    out_option,
    resolve_seats,
    value_option,
)
from tabletop.commands.output import (
    STANDARD_OUTPUT,
    Force,
    external_game_files,
    output,
    print_written,
)
from tabletop.commands.usage import UsageError
from tabletop.commands.window import import_ui_module, open_window
from tabletop.files import folders
from tabletop.files.regular_file import is_same_file
from tabletop.games import card_sheet
from tabletop.games.game_id import make_game_id
from tabletop.studio.workshop import new_game as beginning
from tabletop.studio.workshop.finding import Finding, report
from tabletop.studio.workshop.layout_file import has_layout, layout_text
from tabletop.studio.workshop.new_game import NewGameError
from tabletop.studio.workshop.translation_stubs import write_stubs
from tabletop.text.plain_text import escape_controls, plain_line, print_plain, shell_words


def new(
    title: Annotated[
        str, typer.Argument(metavar="TITLE", help='Title on the box, like "Pond Night".')
    ],
    folder: Annotated[
        Path | None, value_option("DIR", "Folder to create. [default: your games folder]")
    ] = None,
    seats: Annotated[str, value_option("A-B", "Number of players, like 2-4 or 3.")] = "",
    template: Annotated[
        str, value_option("NAME", "Start from: " + ", ".join(beginning.load_templates()) + ".")
    ] = beginning.DEFAULT_TEMPLATE,
) -> None:
    """Create a small, playable game in a folder."""
    where = folder if folder is not None else folders.games() / make_game_id(title)
    try:
        name = game_folders.make_unused_id(title)
        beginning.create_game(title, where, template, _parse_seats(seats), name)
    except NewGameError as error:
        raise UsageError(str(error)) from error
    agreements.add_own_folder(where)
    named = escape_controls(shell_words([str(where)]))
    print_plain(f"{escape_controls(title)}: {escape_controls(where)}")
    if (where / card_sheet.CSV_FILE).is_file():
        print_plain(f"  cards    {card_sheet.CSV_FILE}, which any spreadsheet opens")
    print_plain(f"  picture  tabletop shot --game {named} --ply 6 --window --out table.png")
    print_plain(f"  check    tabletop check {named}")
    print_plain(f"  play     tabletop {named}")
    print_plain(f"  develop  tabletop dev {named}")


def check(
    game: Game,
    games: Annotated[
        int, value_option("N", "Random games to play at each player count.", min=1)
    ] = 1,
    write: Annotated[
        bool, flag("--write", "Add an empty entry for each missing translation.")
    ] = False,
) -> int:
    """Find what is wrong with a game or missing from it.

    Checks rules, texts, layout, cards and bots. Exits with 0 if nothing was found, 1 if something
    was, 2 if the game can't be read.
    """
    from tabletop.studio.workshop.check import check as looked_at
    from tabletop.studio.workshop.file_check import describe_columns

    if not __debug__:
        raise UsageError("Python runs without assertions (-O), which the checks need.")
    kit = catalogue.load(game)
    if write:
        if not kit.is_external:
            raise UsageError(f'"{game}" is part of the program; --write needs your own folder.')
        for added in write_stubs(Path(str(kit.folder))):
            print_plain(added)
    for note in describe_columns(kit):
        print_plain(note)
    step = _Steps()
    looks = [("the table", import_ui_module("ui.studio.game_check.unplaced").find_unplaced)]
    qt = find_spec("PySide6") is not None
    if qt:
        looks.append(
            ("answers", import_ui_module("ui.studio.game_check.unanswerable").find_unanswerable)
        )
    with _picture_warnings_hidden(), step:
        for finding in looked_at(kit, games, looks, step):
            step.found(finding)
        known: set[str] = set()
        fails = False
        for name, module, measure in MEASURED if qt else ():
            if fails and module == WINDOW_TEXTS:
                continue  # there is no window to measure them in
            step(name)
            for sentence in getattr(import_ui_module(module), measure)(kit):
                fails = fails or module == FAILING_WINDOW
                if sentence not in known:
                    known.add(sentence)
                    step.found(Finding(sentence))
    if not qt:
        print_plain("Card faces and window texts were not checked: Qt isn't installed.")
    title, count = plain_line(kit.box.title), step.count
    print_plain(f"{title}: {count} found." if count else f"{title}: nothing is wrong or missing.")
    return 1 if count else 0


@contextmanager
def _picture_warnings_hidden() -> Iterator[None]:
    """Don't log warnings about pictures while the context is active: findings report them."""
    log = logging.getLogger("tabletop.pictures")
    level = log.level
    log.setLevel(logging.ERROR)
    try:
        yield
    finally:
        log.setLevel(level)


def layout(
    game: Game,
    out: Annotated[
        Path, out_option("FILE", "File to write instead of printing.")
    ] = STANDARD_OUTPUT,
    force: Force = False,
) -> None:
    """Print the automatic layout as a table.toml to start from."""
    kit = catalogue.load(game)
    table = Path(str(kit.folder)) / "table.toml"
    own = kit.is_external and is_same_file(out, table)
    read = [file for file in external_game_files(kit) if file != table]
    with output(out, force or (own and not has_layout(kit)), *read) as file:
        file.write_text(layout_text(kit), "utf-8")
    print_written(out, f"the layout of {plain_line(kit.box.title)}")


FAILING_WINDOW, WINDOW_TEXTS = (
    "ui.studio.game_check.failing_window",
    "ui.studio.game_check.cut_window_texts",
)
MEASURED = (
    ("faces of cards", "ui.studio.game_check.cut_texts", "find_cut_texts"),
    ("the window", FAILING_WINDOW, "find_window_failures"),
    ("texts in the window", WINDOW_TEXTS, "find_cut_window_texts"),
    ("drawings", "ui.studio.game_check.broken_drawings", "find_broken_drawings"),
    ("colours of the table", "ui.studio.game_check.faint_table", "find_faint_table"),
    ("sounds", "ui.studio.game_check.broken_sounds", "find_broken_sounds"),
)


class _Steps:
    """Prints the progress and findings of a check.

    The current step is shown on the last line of the terminal. Its findings are printed when the
    step ends, even if the check is interrupted.
    """

    def __init__(self) -> None:
        self._shown = sys.stderr.isatty()
        self._found: list[Finding] = []
        self.count = 0

    def __enter__(self) -> None:
        pass

    def __exit__(self, *error: object) -> None:
        self._end()

    def __call__(self, step: str) -> None:
        self._end()
        if self._shown:
            print(f"\r\033[KChecking {step} …", end="", file=sys.stderr, flush=True)

    def found(self, finding: Finding) -> None:
        """Record `finding` for the current step."""
        self.count += 1
        self._found.append(finding)

    def _end(self) -> None:
        if self._shown:
            print("\r\033[K", end="", file=sys.stderr, flush=True)
        if self._found:
            print_plain("\n".join(report(self._found)))
            self._found.clear()


def dev(
    game: Game,
    seats: Seats = 0,
    seed: Seed = "1",
    sheet: Annotated[
        Path | None, out_option("PNG", "Draw all player counts and sizes here instead.")
    ] = None,
    ply: Annotated[int, value_option("N", "With --sheet: after N moves.", min=0)] = 8,
    force: Force = False,
) -> int:
    """Open a game's table and reload it whenever a file is saved.

    The folder then counts as your own, so its Python code runs without asking.
    """
    if sheet is not None:
        return _draw_sheet(catalogue.load(game), sheet, seed, ply, force)
    if game in catalogue.packaged_games():
        raise UsageError(f'"{game}" is part of the program; `dev` needs your own folder.')
    folder = game_folders.folders_by_id().get(game)
    try:
        resolve_seats(catalogue.load(game), seats)
    except BrokenGame:
        # if the game may run, the window opens and shows the mistake
        if folder is None or not folder.can_run():
            raise
    assert folder is not None
    agreements.add_own_folder(folder.path)
    return open_window([], trial=(folder.path, seats, seed))


def _draw_sheet(kit: GameKit, out: Path, seed: str, ply: int, force: bool) -> int:
    with output(out, force, *external_game_files(kit)) as file:
        count = import_ui_module("ui.studio.workshop.sheet_shot").draw_table_sheet(
            kit, file, seed, ply
        )
    print_written(out, f"{count} tables of {plain_line(kit.box.title)}")
    return 0


def _parse_seats(text: str) -> tuple[int, ...]:
    """Return the player counts in a text like "2-4" or "3".

    Raises:
        UsageError: `text` isn't a number or a range.
    """
    if not text:
        return ()
    match = re.fullmatch(r"(\d{1,2})(?:-(\d{1,2}))?", text)
    first, last = (int(match[1]), int(match[2] or match[1])) if match else (0, 0)
    if not 1 <= first <= last:
        raise UsageError(f'--seats can\'t be "{text}": write it like 2-4 or 3.')
    return tuple(range(first, last + 1))
