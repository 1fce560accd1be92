"""The catalogue: finds and loads game folders. No list of games exists anywhere else.

`load` returns a game, `load_all` all of them; `list_entries` lists what the shelf shows without
opening boxes, and what can't be read. `reread` follows a change. One `GameLoader` remembers what was
read; tests replace it.

A game is in the package, or in a folder outside of it (`game_folders`). The Python of such a folder
runs only once its owner has agreed; until then only its box is read (`Listing.waiting`).
"""

import logging
import os
from collections.abc import Callable, Iterable
from contextlib import suppress
from importlib import import_module
from importlib.resources import files
from importlib.resources.abc import Traversable
from importlib.util import find_spec
from pathlib import Path
from threading import RLock
from time import thread_time
from types import ModuleType
from typing import Generic, TypeVar, cast

from msgspec import Struct

from tabletop.catalogue import game_folders, kept_games, stored_boxes
from tabletop.catalogue.game_folders import GameFolder
from tabletop.catalogue.stored_boxes import StoredBox
from tabletop.engine.heuristic import Heuristic
from tabletop.engine.model import Reason, Value
from tabletop.engine.play import GameRules, start
from tabletop.files.errors import StorageError
from tabletop.games import card_sheet, game_info, layout, received_games, references
from tabletop.games.data_game import DRAWINGS, PHOTOGRAPHS, PICTURE_PLACES
from tabletop.games.deciding_digest import deciding_digest
from tabletop.games.drawing_names import ASSETS, check_drawings, files_in
from tabletop.games.folder_content import FolderContent, FolderFacts, FolderModules
from tabletop.games.game_id import DIGITS, is_id
from tabletop.games.game_info import Cards
from tabletop.games.game_info import Choice as Choice
from tabletop.games.game_info import GameInfo as GameInfo
from tabletop.games.game_info import Option as Option
from tabletop.games.game_kit import CatalogueEntry, file_text
from tabletop.games.game_kit import GameKit as GameKit
from tabletop.games.game_parts import PARTS, is_free, missing_files
from tabletop.games.game_parts import inside as inside
from tabletop.games.game_semantics import GameSemantics
from tabletop.games.layout import Layout
from tabletop.games.received_games import Received, title_in
from tabletop.games.typed_toml import BrokenFile, TomlFile
from tabletop.games.wording import Wording
from tabletop.text.translations import (
    BrokenCatalogue,
    compile_catalogues,
    forget,
    translations,
)

log = logging.getLogger("tabletop")
EntryT = TypeVar("EntryT", bound=CatalogueEntry)

MAX_READ_CPU_S, MAX_FIRST_READ_CPU_S = 2.0, 1.0
"""Seconds of CPU time for reading a received game, now and when it came; the largest need a tenth
of one."""
TOO_SLOW = "it takes longer to read than any game"


class UnknownGame(LookupError):
    """There is no game of that name, or it doesn't seat this many."""

    reason = Reason("The game isn't there any more.")
    """The reason for somebody who saw the game a moment ago."""


class BrokenGame(LookupError):
    """A game whose folder exists but can't be used: `name` is its id, the cause says why."""

    def __init__(self, name: str, cause: Exception, has_code: bool = False) -> None:
        """`has_code`: the game has Python. Its author needs the errors that it raises."""
        self.name = name
        self.fault = _fault_sentence(cause, has_code)
        """The fault, in a sentence."""
        super().__init__(f'The game "{name}" cannot be read: {self.fault}')

    @property
    def reason(self) -> Reason:
        """The same, in any language."""
        return Reason(
            'The game "{game}" cannot be read: {why}.', {"game": self.name, "why": self.fault}
        )


def _fault_sentence(cause: Exception, has_code: bool) -> str:
    """The sentence for what reading a game has raised: only of a game with Python it may hold words
    of Python."""
    match cause:
        case BrokenFile() | BrokenCatalogue() | UnknownGame():
            return str(cause)
        case OSError(filename=str(path), strerror=str(why)) if not has_code:
            return f'"{Path(path).name}" can\'t be read: {why}'
        case _ if not has_code:
            log.info("A game without Python can't be read", exc_info=cause)
            return "something in its files can't be read"
    return f"{type(cause).__name__}: {cause}"


class CodeNotAllowed(BrokenGame):
    """A game whose Python does not run before its owner has agreed to it."""

    def __init__(self, entry: CatalogueEntry) -> None:
        super().__init__(
            entry.id, BrokenFile(f'its Python code has not been allowed yet: "{entry.box.title}"')
        )
        self.entry = entry


_GamesByKey = dict[str | Path, CatalogueEntry | BrokenGame]
"""Games by their id in the package, or by their folder."""


class Listing(Struct, Generic[EntryT], frozen=True):
    """All games at one moment, each part alphabetically by id."""

    games: tuple[EntryT, ...]
    """The games that can be used, hidden ones included."""
    waiting: tuple[CatalogueEntry, ...]
    """The games that run once their owner agrees."""
    faults: tuple[BrokenGame, ...]
    """The games that can't be read, and folders with the id of another game."""

    @property
    def visible_games(self) -> tuple[EntryT, ...]:
        """The games that can be used, without hidden ones."""
        return tuple(each for each in self.games if not each.box.hidden)

    @property
    def shelf_entries(self) -> tuple[CatalogueEntry, ...]:
        """The boxes on the shelf: those of shown games, then of waiting ones."""
        return (*self.visible_games, *self.waiting)


class GameLoader:
    """Reads each game once and remembers it: the only state of this module."""

    def __init__(self) -> None:
        self._lock = RLock()
        """Two threads that read a kind of file for the first time crash in msgspec 0.22."""
        self._games: _GamesByKey = {}
        self._entries: _GamesByKey = {}
        """The games of which no more was read than their entries."""
        self._heuristics: dict[str, tuple[GameRules, Heuristic | None]] = {}

    def load_package_game(self, name: str) -> CatalogueEntry | BrokenGame:
        """Return a game of the package."""
        return self._once(self._games, name, lambda: _load_package_game(name))

    def load_folder_game(self, folder: GameFolder) -> CatalogueEntry | BrokenGame:
        """Return the game of a folder outside the package: its entry alone while its owner has not
        agreed."""
        return self._once(
            self._games, folder.path, lambda: _read_within_limit(folder, _load_folder_game)
        )

    def read_package_entry(self, name: str) -> CatalogueEntry | BrokenGame:
        """Return the entry of a game of the package."""
        return self._once(self._entries, name, lambda: _read_entry_inside(name))

    def read_received_entry(self, folder: GameFolder) -> CatalogueEntry | BrokenGame:
        """Return the entry of a received game, or the game if it was read."""
        return self._games.get(folder.path) or self._once(
            self._entries, folder.path, lambda: _read_within_limit(folder, _read_entry_received)
        )

    def load_bot_parts(self, kit: GameKit) -> tuple[GameRules, Heuristic | None]:
        """Return the rules of a game with its heuristic. Raises what its bot raises."""
        made = self._heuristics.get(kit.id)
        if made is None or made[0] is not kit.rules:
            made = self._heuristics[kit.id] = kit.rules, _make_heuristic(kit)
        return made

    def last_result(self, folder: GameFolder) -> CatalogueEntry | BrokenGame | None:
        """Return what reading this folder has given, if it was read."""
        return self._games.get(folder.path)

    def is_current(self, kit: GameKit) -> bool:
        """Return whether `kit` is the game of its folder as it was last read."""
        return any(known is kit for known in self._games.values())

    def forget(self, folder: GameFolder) -> None:
        """Read this folder again when its game is next needed."""
        self._games.pop(folder.path, None)
        self._entries.pop(folder.path, None)

    def _once(
        self, known: _GamesByKey, key: str | Path, read: Callable[[], CatalogueEntry | BrokenGame]
    ) -> CatalogueEntry | BrokenGame:
        found = known.get(key)
        if found is None:
            with self._lock:
                found = known.get(key)  # another thread may have read it meanwhile
                if found is None:
                    found = known[key] = read()
        return found


loader = GameLoader()


def names() -> tuple[str, ...]:
    """The ids of all games, hidden ones included, alphabetically."""
    return tuple(sorted({*inside(), *game_folders.folders_by_id()}))


def load(name: str) -> GameKit:
    """The game of this id, read once.

    Raises:
        UnknownGame: there is none.
        BrokenGame: its folder holds no working game; NotAgreed: its Python may not run.
    """
    found: CatalogueEntry | BrokenGame
    if name in inside():
        found = loader.load_package_game(name)
    elif folder := game_folders.folders_by_id().get(name) or kept_games.find_version_by_id(name):
        found = loader.load_folder_game(folder)
    else:
        raise _not_found_error(name)
    match found:
        case GameKit():
            return found
        case CatalogueEntry():
            raise CodeNotAllowed(found)
    raise found


def find_by_digest(digest: str, name: str = "") -> CatalogueEntry | None:
    """The game outside the package with this digest, whatever its name here; first tried under
    `name`, at last among the versions that are kept for matches. It may still wait for its owner
    to agree."""
    folders = game_folders.folders_by_id()
    likely = (name, f"{name.partition('-')[0]}-{digest[:DIGITS]}")
    for each in dict.fromkeys((*likely, *folders)):
        found = loader.load_folder_game(folders[each]) if each in folders else None
        if isinstance(found, CatalogueEntry) and found.digest == digest:
            return found
    kept = kept_games.find_version_by_digest(digest)
    former = loader.load_folder_game(kept) if kept is not None else None
    return former if isinstance(former, CatalogueEntry) and former.digest == digest else None


def load_recorded(name: str, digest: str, decides: str = "") -> GameKit:
    """The game that a record names: the one of its digest, whatever its name here, but of a version
    kept for matches the present one, if both play alike by what `decides`; or else the one of its
    name. Where neither is here, a folder created or opened in the workshop. Raises as `load`."""
    known = find_by_digest(digest, name) if digest and is_id(name) else None
    if (known is None or known.kept) and name not in names():
        game_folders.register_own_folder(name)
        known = find_by_digest(digest, name) if digest and is_id(name) else None
    if known is None:
        return load(name)
    if known.kept and decides:
        with suppress(UnknownGame, BrokenGame):
            if (present := load(name.partition("-")[0])).decides == decides:
                return present
    return load(known.id)


def has_current_version(kit: GameKit) -> bool:
    """Whether the game of a kept version is here too, as it is now."""
    return kit.kept and kit.id.partition("-")[0] in names()


def _load_package_game(name: str) -> GameKit | BrokenGame:
    folder = files("tabletop.games") / name
    try:
        return _read_game(
            name, folder, lambda module: import_module(f"tabletop.games.{name}.{module}")
        )
    except Exception as error:  # rules are code: whatever they raise must only stop this game
        return _make_broken(name, error, has_code=True)


def _make_broken(name: str, cause: Exception, has_code: bool = False) -> BrokenGame:
    error = BrokenGame(name, cause, has_code)
    error.__cause__ = cause
    return error


def _load_folder_game(folder: GameFolder) -> CatalogueEntry | BrokenGame:
    has_code = False
    try:
        content = folder.read_content()
        has_code = bool(content.python)
        if lacking := missing_files(folder.path):
            raise BrokenFile(f"its folder has no {' and no '.join(lacking)}")
        for name in content.texts:  # find faults now, not when somebody opens the rulebook
            file_text(folder.path, name)
        for catalogue in folder.path.glob("*.po"):
            translations(catalogue)
        if not folder.is_code_allowed(content):
            return CatalogueEntry(
                id=folder.id,
                box=_read_cards(folder.path).box,
                folder=folder.path,
                facts=content.facts,
                waits_for=content.digest,
            )
        modules = FolderModules(folder.path, content.python)
        try:
            return _read_game(folder.id, folder.path, modules.module, modules, folder, content)
        except BaseException:
            modules.close()
            raise
    except Exception as error:  # as above
        return _make_broken(folder.id, error, has_code)


def check_received_game(path: Path, received: Received) -> None:
    """Read a game that has just come from a table's host, before it is kept.

    Raises:
        BrokenGame: it cannot be played, or takes too long to read at every start.
    """
    begun = thread_time()
    read = _load_folder_game(GameFolder(path.name, path, received=received))
    if isinstance(read, BrokenGame):
        raise read
    if thread_time() - begun > MAX_FIRST_READ_CPU_S:
        raise _make_broken(path.name, BrokenFile(TOO_SLOW))


def reread(name: str) -> None:
    """Read the folder of this id again when it is next needed: it has changed, or its owner has
    agreed. A running match keeps the former game."""
    game_folders.clear_cache()
    if folder := game_folders.folders_by_id().get(name):
        for catalogue in folder.path.glob("*.po"):
            forget(catalogue)
        loader.forget(folder)


def unload_replaced(kit: GameKit) -> None:
    """Forget a game whose folder was read again since, with its Python: nobody plays the former one
    any more."""
    if kit.modules is not None and not loader.is_current(kit):
        kit.modules.close()


def reread_if_changed(name: str) -> None:
    """Read the folder of this id again if it has changed since it was read."""
    folder = game_folders.folders_by_id().get(name)
    known = loader.last_result(folder) if folder else None
    if folder is None or not isinstance(known, GameKit):
        return
    try:
        same = folder.read_content().digest == known.digest
    except (BrokenFile, OSError):
        same = False
    if not same:
        reread(name)


def _not_found_error(name: str) -> UnknownGame | BrokenGame:
    """There is none of this name, or only a folder that lacks something."""
    lacking = missing_files(files("tabletop.games") / name) if name.isidentifier() else PARTS
    if len(lacking) < len(PARTS):
        return BrokenGame(name, BrokenFile(f"its folder has no {' and no '.join(lacking)}"))
    from difflib import get_close_matches

    shown = [each for each in names() if not each.startswith("_")]
    near = get_close_matches(name, shown, 1)
    meant = f'; did you mean "{near[0]}"?' if near else "."
    message = f'There is no game called "{name}"{meant} The games are: {", ".join(shown)}.'
    return UnknownGame(message)


def _read_game(
    name: str,
    folder: Traversable,
    module: Callable[[str], ModuleType],
    modules: FolderModules | None = None,
    outside: GameFolder | None = None,
    content: FolderContent | None = None,
) -> GameKit:
    """The game of a folder: `module` imports its Python; `modules`, `outside` and `content` are of
    a folder outside the package.

    Raises whatever its files and its Python raise.
    """
    cards = _read_cards(folder)
    most = max(cards.box.seats)
    wording, meaning = (
        TomlFile(part, file_text(folder, part), most) for part in ("words.toml", "meaning.toml")
    )
    words, means = wording.read(Wording), meaning.read(GameSemantics)
    deck, backs = cards.deck(), cards.backs()
    written = file_text(folder, "table.toml")
    game: GameRules
    layouts: tuple[Layout, ...]
    if is_free(folder):
        from tabletop.free_table import game as free_table

        free = TomlFile("free.toml", file_text(folder, "free.toml"), most)
        table = TomlFile("table.toml", written, most)
        game, words, means, layouts = free_table.read_game(
            free, words, means, table, deck, cards.first_face, most, _picture_names(folder)
        )
    else:
        game = module("rules").Rules(deck)
        table = own = TomlFile("table.toml", written, most)
        if not layout.has_layout(own):
            from tabletop.games import default_layout

            dealt = start(game, most, "layout", backs, cards.box.usual_options()).state
            table = TomlFile("table.toml", default_layout.layout_text(words, dealt), most)
        layouts = layout.read(table)
        if table is not own:
            layouts = layout.in_manner(layouts, own)
    made = GameKit(
        id=name,
        box=cards.box,
        deck=deck,
        back_names=cards.back_names,
        backs=backs,
        words=words,
        meaning=means,
        layouts=layouts,
        rules=game,
        folder=folder,
        modules=modules,
        facts=content.facts if content else None,
        received=outside.received if outside else None,
        kept=outside is not None and outside.kept,
        decides=_deciding_digest(folder, cards, content) if content else "",
        translations=cards.translations,
    )
    references.check_names(wording)
    references.check_race(wording, words)
    references.check_gaps(meaning)
    for each in (meaning, table):
        references.check(each, words)
    if content is not None:
        _check_drawings(table, folder)
    return made


def _check_drawings(table: TomlFile, folder: Traversable) -> None:
    """Check the drawings and inks of a game outside the package; those of the program's own games
    are elsewhere.

    Raises:
        BrokenFile: a drawing that is named is missing, or the inks can't be read.
    """
    check_drawings(table, files_in(folder / ASSETS))
    inks = f"{ASSETS}/inks.toml"
    TomlFile(inks, file_text(folder, inks)).read(dict[str, str])


def _deciding_digest(folder: Traversable, cards: Cards, content: FolderContent) -> str:
    free = file_text(folder, "free.toml") if is_free(folder) else ""
    return deciding_digest(cards, free, content.python)


def _picture_names(folder: Traversable) -> tuple[str, ...]:
    """The names that a game's files may use for the pictures in its folder."""
    places = [folder / place if place else folder for place in PICTURE_PLACES]
    files = (each.name for place in places if place.is_dir() for each in place.iterdir())
    return tuple(name for name in files if name.lower().endswith((*PHOTOGRAPHS, *DRAWINGS)))


def _read_cards(folder: Traversable) -> Cards:
    written = file_text(folder, game_info.FILE)
    called = folder.name if written else title_in(folder)
    return game_info.read(called, written, card_sheet.find(folder))


def load_bot_parts(name: str) -> tuple[GameRules, Heuristic | None]:
    """Return the parts of a game that bots need: its rules, and its heuristic where it has one.

    Raises:
        UnknownGame, BrokenGame: as `load`.
    """
    kit = load(name)
    try:
        return loader.load_bot_parts(kit)
    except Exception as error:
        raise BrokenGame(name, error, kit.facts is None or not kit.facts.data_only) from error


def _make_heuristic(kit: GameKit) -> Heuristic | None:
    from tabletop.free_table import game as free_table

    if isinstance(kit.rules, free_table.Rules):
        return free_table.Heuristic(kit.rules)
    if kit.modules is not None:
        bot = kit.modules.module("bot") if kit.modules.has("bot") else None
    else:
        module = f"tabletop.games.{kit.id}.bot"
        bot = import_module(module) if find_spec(module) is not None else None
    if bot is not None and not hasattr(bot, "Heuristic"):
        raise BrokenFile('bot.py has no class "Heuristic" (formerly "Instinct")')
    return cast(Heuristic, bot.Heuristic(kit.rules)) if bot is not None else None


def load_all() -> Listing[GameKit]:
    """Read all games."""
    return _make_listing(GameKit, map(_load_or_error, names()))


def list_entries() -> Listing[CatalogueEntry]:
    """List all games, reading no more of those of the package, and of received ones, than the shelf
    needs."""
    folders = game_folders.folders_by_id()
    known = sorted({*inside(), *folders})
    listing = _make_listing(
        CatalogueEntry, (_read_entry(name, folders.get(name)) for name in known)
    )
    stored_boxes.box_store().write()
    return listing


def shelf() -> tuple[GameKit, ...]:
    """Return the games on the shelf that can be played, alphabetically by id."""
    return load_all().visible_games


def entry_of(name: str) -> CatalogueEntry:
    """Return the entry of the game of this id, reading no more of it than the shelf needs.

    Raises:
        UnknownGame, BrokenGame: as `load`.
    """
    entry = _read_entry(name, game_folders.folders_by_id().get(name))
    if isinstance(entry, BrokenGame):
        raise entry
    return entry


def _make_listing(
    kind: type[EntryT], tried: Iterable[CatalogueEntry | BrokenGame]
) -> Listing[EntryT]:
    found = tuple(tried)
    hidden = [each for each in game_folders.folders_by_id().values() if each.id in inside()]
    same = 'its folder "{}" has the id of another game'
    return Listing(
        tuple(each for each in found if isinstance(each, kind)),
        tuple(each.entry for each in found if isinstance(each, CodeNotAllowed)),
        (
            *(e for e in found if isinstance(e, BrokenGame) and not isinstance(e, CodeNotAllowed)),
            *(
                BrokenGame(each.id, BrokenFile(same.format(each.path.name)))
                for each in (*hidden, *game_folders.hidden_folders())
            ),
        ),
    )


def _read_entry(name: str, folder: GameFolder | None) -> CatalogueEntry | BrokenGame:
    if name in inside():
        return loader.read_package_entry(name)
    if folder is not None and folder.received is not None:
        return loader.read_received_entry(folder)
    return _load_or_error(name)


def _read_entry_inside(name: str) -> CatalogueEntry | BrokenGame:
    folder = files("tabletop.games") / name
    try:
        read = game_info.read_outside(file_text(folder, game_info.FILE))
        return CatalogueEntry(id=name, box=read, folder=folder)
    except BrokenFile as error:
        return _make_broken(name, error)


def _read_entry_received(folder: GameFolder) -> CatalogueEntry | BrokenGame:
    """Read the box and the cards of a received game. Opening the game checks that all of it is
    still what was received."""
    received = folder.received
    assert received is not None
    try:
        held = set(os.listdir(folder.path))
        if any(f"{name[:-3]}.mo" not in held for name in held if name.endswith(".po")):
            with suppress(OSError):  # then they are compiled at every start
                compile_catalogues(folder.path)
        store, stamp = stored_boxes.box_store(), stored_boxes.folder_stamp(folder.path)
        stored = store.get(folder.path, stamp)
        if stored is None:
            cards = _read_cards(folder.path)
            stored = StoredBox(cards.box, cards.deck(), cards.translations)
            store.put(folder.path, stamp, stored)
        return CatalogueEntry(
            id=folder.id,
            box=stored.box,
            folder=folder.path,
            deck=stored.deck,
            facts=FolderFacts(received.digest, 0, 0, data_only=True),
            received=received,
            translations=stored.translations,
        )
    except Exception as error:  # as in `_load_folder_game`
        return _make_broken(folder.id, error)


def _read_within_limit(
    folder: GameFolder, read: Callable[[GameFolder], CatalogueEntry | BrokenGame]
) -> CatalogueEntry | BrokenGame:
    """Read a game, or its box. A received one that takes too long is set aside: no later start
    reads it again."""
    received = folder.received
    if received is None:
        return read(folder)
    if not received.set_aside:
        begun = thread_time()
        found = read(folder)
        if thread_time() - begun <= MAX_READ_CPU_S:
            return found
        with suppress(OSError, StorageError):  # then a later start tries it again
            received_games.set_aside(folder.path, received)
    return _make_broken(folder.id, BrokenFile(TOO_SLOW))


def _load_or_error(name: str) -> GameKit | BrokenGame:
    try:
        return load(name)
    except BrokenGame as error:
        return error
    except UnknownGame as error:  # it has just been removed
        return _make_broken(name, error)


def options(
    kit: GameKit, chosen: dict[str, Value] | None = None, apart: bool = False
) -> dict[str, Value]:
    """All options of a match: the chosen ones, and the default where nothing was chosen.

    `apart`: the players sit at computers of their own.

    Raises:
        UnknownGame: the game has no such option, or the option no such choice.
    """
    agreed = kit.box.usual_options(apart)
    for key, value in (chosen or {}).items():
        option = next((o for o in kit.box.options if o.key == key), None)
        if option is None:
            raise UnknownGame(f'"{kit.box.title}" has no option "{key}".')
        if all(choice.value != value for choice in option.choices):
            raise UnknownGame(f'The option "{key}" cannot be "{value}".')
        agreed[key] = value
    return agreed
