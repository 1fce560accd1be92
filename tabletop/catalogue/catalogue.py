"""The catalogue finds and loads game folders; no list of games is stored.

`load` returns one game, `load_all` returns all games, and `list_entries` reads only what the shelf
shows. `reread` must be called after a folder has changed. A single `GameLoader` caches everything
that was read; tests replace it.

A game is part of the package, or in a folder outside of it (`game_folders`). The Python code in
such a folder runs only if the user has allowed it; until then, only the game's box is read
(`Listing.waiting`).
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
from typing import Any, Generic, TypeVar, cast

from msgspec import Struct

from tabletop.catalogue import game_folders, kept_games, stored_boxes
from tabletop.catalogue.game_folders import GameFolder
from tabletop.catalogue.stored_boxes import StoredBox
from tabletop.engine.heuristic import Heuristic
from tabletop.engine.model import Reason, Value
from tabletop.engine.play import GameRules, start
from tabletop.files.errors import StorageError
from tabletop.games import card_sheet, game_info, layout, received_games, references
from tabletop.games.data_game import DRAWING_SUFFIXES, PHOTOGRAPH_SUFFIXES, PICTURE_FOLDERS
from tabletop.games.drawing_names import ASSETS_FOLDER, check_drawings, list_files
from tabletop.games.folder_content import FolderContent, FolderFacts, FolderModules
from tabletop.games.game_id import DIGEST_DIGITS, is_game_id
from tabletop.games.game_info import Cards
from tabletop.games.game_info import Choice as Choice
from tabletop.games.game_info import GameInfo as GameInfo
from tabletop.games.game_info import Option as Option
from tabletop.games.game_kit import CatalogueEntry, read_text_file
from tabletop.games.game_kit import GameKit as GameKit
from tabletop.games.game_parts import REQUIRED_FILES, is_free_table, missing_files
from tabletop.games.game_parts import packaged_games as packaged_games
from tabletop.games.game_semantics import GameSemantics
from tabletop.games.gameplay_digest import gameplay_digest
from tabletop.games.layout import Layout
from tabletop.games.received_games import ReceivedNote, fallback_title
from tabletop.games.typed_toml import BrokenFile, TomlFile
from tabletop.games.wording import Wording
from tabletop.text.translations import (
    BrokenCatalogue,
    compile_catalogues,
    forget_translations,
    load_translations,
)

log = logging.getLogger("tabletop")
EntryT = TypeVar("EntryT", bound=CatalogueEntry)

MAX_READ_CPU_S = 2.0
"""The maximum CPU time in seconds for reading a received game; even the largest needs a tenth."""
MAX_FIRST_READ_CPU_S = 1.0
"""The maximum CPU time in seconds for reading a game when it is received."""
TOO_SLOW = "it takes longer to read than any game"
"""The error message for a game that exceeds these limits."""


class UnknownGame(LookupError):
    """A game doesn't exist, or doesn't have the given option or number of seats."""

    reason = Reason("The game isn't there any more.")
    """The message for a user who has chosen a game that has just disappeared."""


class BrokenGame(LookupError):
    """A game's folder exists but can't be used; `name` is the game's ID."""

    def __init__(self, name: str, cause: Exception, has_code: bool = False) -> None:
        """Describe the error `cause`.

        `has_code`: whether the game has Python code, whose author needs the original error message.
        """
        self.name = name
        self.fault = _fault_sentence(cause, has_code)
        """What is wrong with the game, as a clause."""
        super().__init__(f'The game "{name}" cannot be read: {self.fault}')

    @property
    def reason(self) -> Reason:
        """The error as a translatable message."""
        return Reason(
            'The game "{game}" cannot be read: {why}.', {"game": self.name, "why": self.fault}
        )


def _fault_sentence(cause: Exception, has_code: bool) -> str:
    """Return the message for an error in reading a game.

    If `has_code` is False, Python's error messages are only logged.
    """
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
    """A game has Python code that the user hasn't allowed to run."""

    def __init__(self, entry: CatalogueEntry) -> None:
        super().__init__(
            entry.id, BrokenFile(f'its Python code has not been allowed yet: "{entry.box.title}"')
        )
        self.entry = entry


_GamesByKey = dict[str | Path, CatalogueEntry | BrokenGame]
"""Games by their key: the ID of a packaged game, or the folder of another game."""


class Listing(Struct, Generic[EntryT], frozen=True):
    """All games at one moment; each field is sorted by ID."""

    games: tuple[EntryT, ...]
    """The usable games, including hidden ones."""
    waiting: tuple[CatalogueEntry, ...]
    """The games whose code the user hasn't allowed yet."""
    faults: tuple[BrokenGame, ...]
    """The errors of games that can't be read, and of folders whose ID another game has."""

    @property
    def visible_games(self) -> tuple[EntryT, ...]:
        """The usable games that aren't hidden from the shelf."""
        return tuple(each for each in self.games if not each.box.hidden)

    @property
    def shelf_entries(self) -> tuple[CatalogueEntry, ...]:
        """The games on the shelf: usable ones, then those whose code isn't allowed yet."""
        return (*self.visible_games, *self.waiting)


class GameLoader:
    """A cache of the games that were read, which is the only state of this module."""

    def __init__(self) -> None:
        self._lock = RLock()
        """Serializes reading: msgspec 0.22 crashes if two threads create the same decoder."""
        self._games: _GamesByKey = {}
        self._entries: _GamesByKey = {}
        """Games of which only the entry was read."""
        self._heuristics: dict[str, tuple[GameRules, Heuristic | None]] = {}

    def load_package_game(self, name: str) -> CatalogueEntry | BrokenGame:
        """Return the packaged game `name`."""
        return self._once(self._games, name, lambda: _load_package_game(name))

    def load_folder_game(self, folder: GameFolder) -> CatalogueEntry | BrokenGame:
        """Return the game in `folder`, or only its entry if its code isn't allowed to run."""
        return self._once(
            self._games, folder.path, lambda: _read_within_limit(folder, _load_folder_game)
        )

    def read_package_entry(self, name: str) -> CatalogueEntry | BrokenGame:
        """Return the entry of the packaged game `name`."""
        return self._once(self._entries, name, lambda: _read_package_entry(name))

    def read_received_entry(self, folder: GameFolder) -> CatalogueEntry | BrokenGame:
        """Return the entry of a received game, or the complete game if it is already loaded."""
        return self._games.get(folder.path) or self._once(
            self._entries, folder.path, lambda: _read_within_limit(folder, _read_received_entry)
        )

    def load_bot_parts(self, kit: GameKit) -> tuple[GameRules, Heuristic | None]:
        """Return the rules of a game, and its heuristic or None.

        Exceptions raised by the bot's code are passed on.
        """
        made = self._heuristics.get(kit.id)
        if made is None or made[0] is not kit.rules:
            made = self._heuristics[kit.id] = kit.rules, _make_heuristic(kit)
        return made

    def last_result(self, folder: GameFolder) -> CatalogueEntry | BrokenGame | None:
        """Return the cached result of loading `folder`; None if it wasn't loaded."""
        return self._games.get(folder.path)

    def is_current(self, kit: GameKit) -> bool:
        """Return whether `kit` is the version that was last loaded from its folder."""
        return any(known is kit for known in self._games.values())

    def forget(self, folder: GameFolder) -> None:
        """Drop the cached results for `folder`."""
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
"""The cache that this module uses."""


def names() -> tuple[str, ...]:
    """Return the IDs of all games, including hidden ones, sorted."""
    return tuple(sorted({*packaged_games(), *game_folders.folders_by_id()}))


def has_game(name: str) -> bool:
    """Return whether `load` finds a game with the ID `name`, which may be a stored old version."""
    return name in names() or kept_games.find_version_by_id(name) is not None


def load(name: str) -> GameKit:
    """Return the game with the ID `name`, which is read only the first time.

    Raises:
        UnknownGame: there is no such game.
        CodeNotAllowed: the user hasn't allowed the game's code to run.
        BrokenGame: the game's folder can't be loaded.
    """
    found: CatalogueEntry | BrokenGame
    if name in packaged_games():
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
    """Return the game outside the package whose folder has this digest; None if there is none.

    The game may have any ID. The ID `name` is tried first, and old versions stored for matches
    last. The game's code may not be allowed to run yet.
    """
    folders = game_folders.folders_by_id()
    likely = (name, f"{name.partition('-')[0]}-{digest[:DIGEST_DIGITS]}")
    for each in dict.fromkeys((*likely, *folders)):
        found = loader.load_folder_game(folders[each]) if each in folders else None
        if isinstance(found, CatalogueEntry) and found.digest == digest:
            return found
    kept = kept_games.find_version_by_digest(digest)
    former = loader.load_folder_game(kept) if kept is not None else None
    return former if isinstance(former, CatalogueEntry) and former.digest == digest else None


def load_recorded(name: str, digest: str, decides: str = "") -> GameKit:
    """Load the game of a record, by its folder digest or else by its ID `name`.

    `decides`: the recorded digest of everything that affects play. If only a stored old version has
    the folder digest, the current version is preferred if its `gameplay_digest` equals `decides`.
    Workshop folders are searched too. Raises like `load`.
    """
    known = find_by_digest(digest, name) if digest and is_game_id(name) else None
    if (known is None or known.is_old_version) and name not in names():
        game_folders.register_own_folder(name)
        known = find_by_digest(digest, name) if digest and is_game_id(name) else None
    if known is None:
        return load(name)
    if known.is_old_version and decides:
        with suppress(UnknownGame, BrokenGame):
            if (present := load(name.partition("-")[0])).gameplay_digest == decides:
                return present
    return load(known.id)


def has_current_version(kit: GameKit) -> bool:
    """Return whether `kit` is a stored old version of a game whose current version is installed."""
    return kit.is_old_version and kit.id.partition("-")[0] in names()


def _load_package_game(name: str) -> GameKit | BrokenGame:
    """Load a packaged game, or return the error if that fails."""
    folder = files("tabletop.games") / name
    try:
        return _read_game(
            name, folder, lambda module: import_module(f"tabletop.games.{name}.{module}")
        )
    except Exception as error:  # rules may raise anything, which must not affect other games
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
        for name in content.texts:  # report errors now, not when the rulebook is opened
            read_text_file(folder.path, name)
        for catalogue in folder.path.glob("*.po"):
            load_translations(catalogue)
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
            return _read_game(folder.id, folder.path, modules.load_module, modules, folder, content)
        except BaseException:
            modules.close()
            raise
    except Exception as error:  # as in `_load_package_game`
        return _make_broken(folder.id, error, has_code)


def check_received_game(path: Path, received: ReceivedNote) -> None:
    """Check a game that was just received, before it is stored permanently.

    Raises:
        BrokenGame: the game can't be loaded, or takes too long to load.
    """
    begun = thread_time()
    read = _load_folder_game(GameFolder(path.name, path, received=received))
    if isinstance(read, BrokenGame):
        raise read
    if thread_time() - begun > MAX_FIRST_READ_CPU_S:
        raise _make_broken(path.name, BrokenFile(TOO_SLOW))


def reread(name: str) -> None:
    """Drop the game `name` from the cache because its folder has changed or its code was allowed.

    Running matches continue with the previous version.
    """
    game_folders.clear_cache()
    if folder := game_folders.folders_by_id().get(name):
        for catalogue in folder.path.glob("*.po"):
            forget_translations(catalogue)
        loader.forget(folder)


def find_added_games() -> None:
    """Scan the folders again because a game was added, perhaps one file after another.

    Games that couldn't be read, or whose code wasn't allowed, are read again.
    """
    game_folders.clear_cache()
    for folder in game_folders.folders_by_id().values():
        known = loader.last_result(folder)
        if known is not None and not isinstance(known, GameKit):
            reread(folder.id)


def unload_replaced(kit: GameKit) -> None:
    """Unload the Python modules of `kit` if a newer version was loaded.

    Call this when no match uses `kit`.
    """
    if kit.modules is not None and not loader.is_current(kit):
        kit.modules.close()


def reread_if_changed(name: str) -> None:
    """Reread the game `name` if its folder has changed."""
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
    """Return the error for a missing game, or for a packaged game that lacks required files."""
    lacking = (
        missing_files(files("tabletop.games") / name) if name.isidentifier() else REQUIRED_FILES
    )
    if len(lacking) < len(REQUIRED_FILES):
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
    """Read the game in `folder`; exceptions from its files and code are passed on.

    Args:
        name: the ID of the game.
        module: imports a module of the game.
        modules: the loaded modules, if the folder is outside the package.
        outside: the folder, if it is outside the package.
        content: the content of that folder.
    """
    cards = _read_cards(folder)
    max_seats = max(cards.box.seats)
    wording, meaning = (
        TomlFile(part, read_text_file(folder, part), max_seats)
        for part in ("words.toml", "meaning.toml")
    )
    words, means = wording.read(Wording), meaning.read(GameSemantics)
    deck, backs = cards.deck(), cards.backs()
    written = read_text_file(folder, "table.toml")
    game: GameRules
    layouts: tuple[Layout, ...]
    if is_free_table(folder):
        from tabletop.free_table import game as free_table

        free = TomlFile("free.toml", read_text_file(folder, "free.toml"), max_seats)
        table = TomlFile("table.toml", written, max_seats)
        game, words, means, layouts = free_table.read_game(
            free, words, means, table, deck, cards.first_die_face, max_seats, _picture_names(folder)
        )
    else:
        game = _construct(module("rules").Rules, deck)
        table = own = TomlFile("table.toml", written, max_seats)
        if not layout.has_layout(own):
            from tabletop.games import default_layout

            dealt = start(game, max_seats, "layout", backs, cards.box.default_options()).state
            numbers = default_layout.seat_numbers(game, dealt)
            text = default_layout.layout_text(words, dealt, numbers)
            table = TomlFile("table.toml", text, max_seats)
        layouts = layout.read_layouts(table)
        if table is not own:
            layouts = layout.with_look_and_sounds(layouts, own)
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
        is_old_version=outside is not None and outside.kept,
        gameplay_digest=_deciding_digest(folder, cards, content) if content else "",
        translations=cards.translations,
    )
    references.check_word_names(wording)
    references.check_race(wording, words)
    references.check_placeholders(meaning)
    for each in (meaning, table):
        references.check_references(each, words)
    if content is not None:
        _check_drawings(table, folder)
    return made


def _check_drawings(table: TomlFile, folder: Traversable) -> None:
    """Check the drawings and inks of a game outside the package.

    Raises:
        BrokenFile: a drawing is missing, or the inks can't be read.
    """
    check_drawings(table, list_files(folder / ASSETS_FOLDER))
    inks = f"{ASSETS_FOLDER}/inks.toml"
    TomlFile(inks, read_text_file(folder, inks)).read(dict[str, str])


def _deciding_digest(folder: Traversable, cards: Cards, content: FolderContent) -> str:
    free = read_text_file(folder, "free.toml") if is_free_table(folder) else ""
    return gameplay_digest(cards, free, content.python)


def _picture_names(folder: Traversable) -> tuple[str, ...]:
    """Return the file names of the pictures in a game's folder."""
    places = [folder / place if place else folder for place in PICTURE_FOLDERS]
    files = (each.name for place in places if place.is_dir() for each in place.iterdir())
    return tuple(
        name for name in files if name.lower().endswith((*PHOTOGRAPH_SUFFIXES, *DRAWING_SUFFIXES))
    )


def _read_cards(folder: Traversable) -> Cards:
    written = read_text_file(folder, game_info.CARDS_TOML)
    called = folder.name if written else fallback_title(folder)
    return game_info.read_game_cards(called, written, card_sheet.find_sheet(folder))


def load_bot_parts(name: str) -> tuple[GameRules, Heuristic | None]:
    """Return the rules of the game `name`, and its heuristic or None.

    Raises:
        UnknownGame, BrokenGame: the game or its heuristic can't be loaded.
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
        bot = kit.modules.load_module("bot") if kit.modules.has_module("bot") else None
    else:
        module = f"tabletop.games.{kit.id}.bot"
        bot = import_module(module) if find_spec(module) is not None else None
    if bot is not None and not hasattr(bot, "Heuristic"):
        raise BrokenFile('bot.py has no class "Heuristic" (formerly "Instinct")')
    return cast(Heuristic, _construct(bot.Heuristic, kit.rules)) if bot is not None else None


def _construct(kind: Any, part: object) -> Any:
    """Return an instance of a game's class `kind`, which may do without a constructor."""
    constructor = cast(Any, kind).__init__
    return kind() if constructor is object.__init__ else kind(part)


def load_all() -> Listing[GameKit]:
    """Load all games."""
    return _make_listing(GameKit, map(_load_or_error, names()))


def list_entries() -> Listing[CatalogueEntry]:
    """List all games, reading only what the shelf shows of packaged and received ones."""
    folders = game_folders.folders_by_id()
    known = sorted({*packaged_games(), *folders})
    listing = _make_listing(
        CatalogueEntry, (_read_entry(name, folders.get(name)) for name in known)
    )
    stored_boxes.box_store().write()
    return listing


def shelf() -> tuple[GameKit, ...]:
    """Return the usable games on the shelf, sorted by ID."""
    return load_all().visible_games


def entry_of(name: str) -> CatalogueEntry:
    """Return the entry of the game `name`, reading only what the shelf shows if possible.

    Raises:
        UnknownGame, BrokenGame: as for `load`.
    """
    entry = _read_entry(name, game_folders.folders_by_id().get(name))
    if isinstance(entry, BrokenGame):
        raise entry
    return entry


def _make_listing(
    kind: type[EntryT], tried: Iterable[CatalogueEntry | BrokenGame]
) -> Listing[EntryT]:
    found = tuple(tried)
    hidden = [each for each in game_folders.folders_by_id().values() if each.id in packaged_games()]
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
    if name in packaged_games():
        return loader.read_package_entry(name)
    if folder is not None and folder.received is not None:
        return loader.read_received_entry(folder)
    return _load_or_error(name)


def _read_package_entry(name: str) -> CatalogueEntry | BrokenGame:
    folder = files("tabletop.games") / name
    try:
        read = game_info.read_game_info(read_text_file(folder, game_info.CARDS_TOML))
        return CatalogueEntry(id=name, box=read, folder=folder)
    except BrokenFile as error:
        return _make_broken(name, error)


def _read_received_entry(folder: GameFolder) -> CatalogueEntry | BrokenGame:
    """Read the box and the cards of a received game.

    Its complete content is only verified when the game is opened.
    """
    received = folder.received
    assert received is not None
    try:
        held = set(os.listdir(folder.path))
        if any(f"{name[:-3]}.mo" not in held for name in held if name.endswith(".po")):
            with suppress(OSError):  # if this fails, they are compiled at the next start
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
    """Return `read(folder)`, with a time limit if the game was received.

    If a received game takes too long, it is marked so that it is never read again.
    """
    received = folder.received
    if received is None:
        return read(folder)
    if not received.set_aside:
        begun = thread_time()
        found = read(folder)
        if thread_time() - begun <= MAX_READ_CPU_S:
            return found
        with suppress(OSError, StorageError):  # otherwise retried at the next start
            received_games.mark_set_aside(folder.path, received)
    return _make_broken(folder.id, BrokenFile(TOO_SLOW))


def _load_or_error(name: str) -> GameKit | BrokenGame:
    try:
        return load(name)
    except BrokenGame as error:
        return error
    except UnknownGame as error:  # it was removed meanwhile
        return _make_broken(name, error)


def options(
    kit: GameKit, chosen: dict[str, Value] | None = None, apart: bool = False
) -> dict[str, Value]:
    """Return all options of a match: those in `chosen`, and defaults for the others.

    `apart`: whether the players use separate computers, which changes some defaults.

    Raises:
        UnknownGame: the game has no such option or choice.
    """
    agreed = kit.box.default_options(apart)
    for key, value in (chosen or {}).items():
        option = next((o for o in kit.box.options if o.key == key), None)
        if option is None:
            raise UnknownGame(f'"{kit.box.title}" has no option "{key}".')
        if all(choice.value != value for choice in option.choices):
            raise UnknownGame(f'The option "{key}" cannot be "{value}".')
        agreed[key] = value
    return agreed
