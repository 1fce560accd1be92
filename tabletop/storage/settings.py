"""The user's settings, stored as readable JSON."""

from pathlib import Path
from threading import Lock
from typing import Annotated, Literal

import msgspec
from msgspec import Meta, Struct

from tabletop.engine.model import Name, Reason, Value
from tabletop.files import background_writes, folders
from tabletop.files.errors import NotReadable, StorageError
from tabletop.files.small_file import NoticeHandler, SmallFile, notify_user
from tabletop.match.reactions import PassPolicy, PassPolicySetting
from tabletop.text.language_code import LANGUAGE_CODE
from tabletop.text.phrases import phrase

DAMAGED_NOTICE = phrase(
    '"{file}" was damaged and moved to "{aside}". The default settings are used.'
)
FOREIGN_DAMAGED_NOTICE = phrase(
    '"{file}" of the other computer was damaged: its settings are missing.'
)

SCREEN_SETTINGS = ("geometry", "docks")
"""Settings that depend on the computer's screen, so they are never imported."""


class LastSeat(Struct, frozen=True):
    """The player who last sat at a seat."""

    name: Name
    """The player's name."""
    symbol: Name
    """The symbol that the player chose."""
    level: Name = ""
    """The level of a bot; "" for a person."""


class LastTable(Struct, frozen=True):
    """The seats and options with which a game was last started."""

    seats: tuple[LastSeat, ...]
    """The player at each seat."""
    options: dict[Name, Value] = {}
    """The chosen game options."""


class Settings(Struct, frozen=True, kw_only=True):
    """All settings, which are changed with `msgspec.structs.replace` and `save`."""

    language: Annotated[str, Meta(pattern=rf"^(auto|{LANGUAGE_CODE.pattern})\Z")] = "auto"
    """The language of the window; "auto" for the system's language."""
    theme: Literal["light", "dark", "contrast"] = "light"
    """The colour theme of the window."""
    cards: Literal["printed", "dark", "contrast"] = "printed"
    """The colour scheme of cards."""
    card_size: Literal["small", "usual", "large"] = "usual"
    """The size of cards on the table."""
    animation: Literal["off", "fast", "normal", "slow"] = "normal"
    """The speed of animations."""
    speech: Literal["all", "turns", "mine"] = "all"
    """What screen readers announce at the table.

    "all": all events. "turns": turns and events that concern the user. "mine": only the user's
    turns.
    """
    reduced_motion: bool = False
    """Whether animations are replaced by instant changes."""
    followed: tuple[Name, ...] = ("theme", "reduced_motion")
    """The names of settings that follow the system's preferences until the user changes them."""
    sounds: bool = True
    """Whether sounds are played."""
    volume: Annotated[int, Meta(ge=0, le=100)] = 70
    """The volume of sounds, in percent."""
    sounds_off: tuple[Name, ...] = ()
    """The names of the kinds of sounds that are muted."""
    confirmations: dict[Name, bool] = {}
    """Whether to show each confirmation dialog, by its name.

    A value is False once the user has chosen not to be asked again.
    """
    keys: dict[Name, str] = {}
    """Custom keyboard shortcuts by action name, such as "Ctrl+Z"."""
    players: tuple[Name, ...] = ()
    """The names of the people who play here: those who played last first, in seat order."""
    tables: dict[Name, LastTable] = {}
    """The last seats and options of each game, by game ID."""
    introduced: tuple[Name, ...] = ()
    """The IDs of the games that were introduced on this computer."""
    shelf: tuple[Name, ...] = ()
    """The IDs of games in the order chosen by the user; empty for the default order."""
    geometry: bytes = b""
    """The size and position of the window, as saved by Qt; base64 in the file."""
    docks: bytes = b""
    """The layout of the dock panels, as saved by Qt; base64 in the file."""
    quick_words: bool = True
    """Whether to show the quick phrases that other players send at an online table."""
    phones_encrypted: bool = False
    """Whether the web page for phones uses TLS; each phone then shows a warning once."""
    second_curtain: bool = False
    """Whether the table is covered when nobody seems to be looking at it."""
    bot_pause: Annotated[int, Meta(ge=0, le=10_000)] = 700
    """The delay before a bot answers, in milliseconds."""
    languages: dict[Name, Annotated[str, Meta(pattern=rf"^{LANGUAGE_CODE.pattern}\Z")]] = {}
    """The reading language of players who don't use the window's language, by player name."""
    reaction: PassPolicySetting = "usual"
    """The pass policy of players without an entry in `reactions`."""
    reactions: dict[Name, PassPolicy] = {}
    """The pass policy of each player, by player name."""
    reaction_pause: Annotated[int, Meta(ge=500, le=20_000)] = 2000
    """The minimum delay before an automatic pass is sent, in milliseconds."""


def load() -> tuple[Settings, Reason | None]:
    """Return the settings, and a notice for the user if their file was damaged or can't be read.

    Background writes are finished first.
    """
    background_writes.finish()
    notices: list[Reason] = []
    try:
        values = _file(notices.append).read()
    except NotReadable as error:
        return Settings(), Reason(
            'Can\'t read "{file}": using the default settings.', {"file": error.reason.args["file"]}
        )
    except StorageError as error:
        return Settings(), error.reason
    if values is None:
        return Settings(), notices[0] if notices else None
    values = _add_followed(values)
    sound = {name: value for name, value in values.items() if _is_valid(name, value)}
    settings = msgspec.convert(sound, Settings)
    if len(sound) == len(values):
        return settings, None
    names = ", ".join(name for name in values if name not in sound)
    return settings, Reason(
        '"{file}" has invalid values for: {names}. The other settings are kept.',
        {"file": folders.settings().name, "names": names},
    )


def save(settings: Settings, base: Settings | None = None) -> None:
    """Write the settings atomically.

    `base`: the settings before they were changed, or None to write all. Only the differences
    between `base` and `settings` are written, down to the entries of lists and dictionaries: the
    file may have been changed by another window.

    Raises:
        StorageError: the file can't be written.
    """
    mine: dict[str, object] = msgspec.to_builtins(settings)
    before: dict[str, object] = {} if base is None else msgspec.to_builtins(base)

    def merge(values: dict[str, object] | None) -> dict[str, object]:
        kept = {name: at for name, at in (values or {}).items() if _is_valid(name, at)}
        merged = mine | kept  # includes settings of newer versions
        for name, value in mine.items():
            if name not in before:
                merged[name] = value
            elif name in kept:
                merged[name] = _merge_changes(before[name], value, kept[name])
        return merged

    _file(notify_user).update(merge)


def _merge_changes(base: object, mine: object, theirs: object) -> object:
    """Return `theirs` with the changes that lead from `base` to `mine`.

    Entries of dictionaries and lists are merged, in the order of `mine` if it was changed.
    """
    if isinstance(base, dict) and isinstance(mine, dict) and isinstance(theirs, dict):
        moved = _moved_to_end(list(base), list(mine))
        set_here = {
            key: at
            for key, at in mine.items()
            if key not in base or base[key] != at or key in moved
        }
        others = {
            key: at
            for key, at in theirs.items()
            if key not in set_here and (key in mine or key not in base)
        }
        return others | set_here  # the last entry is the latest
    if isinstance(base, list | tuple) and isinstance(mine, list | tuple):
        if list(base) == list(mine) or not isinstance(theirs, list | tuple):
            return theirs
        added_there = [at for at in theirs if at not in base and at not in mine]
        return [at for at in mine if at in theirs or at not in base] + added_there
    return theirs if base == mine else mine


def import_settings(path: Path) -> None:
    """Import another computer's settings from the file at `path`.

    Only settings that have their default value here are replaced. Missing entries are added to
    dictionaries such as `tables`. Unknown settings and those in `SCREEN_SETTINGS` are ignored.

    Raises:
        StorageError: a file can't be read or written.
    """
    theirs = _foreign_file(path).read() or {}

    def merge(values: dict[str, object] | None) -> dict[str, object]:
        merged = dict(values or {})
        usual: dict[str, object] = msgspec.json.decode(msgspec.json.encode(Settings()))
        for name, value in theirs.items():
            here = merged.get(name, usual.get(name))
            if name in SCREEN_SETTINGS:
                continue
            if here == usual.get(name):
                merged[name] = value
            elif isinstance(here, dict) and isinstance(value, dict):
                merged[name] = value | here
        return merged

    _file(notify_user).update(merge)


def _moved_to_end(before: list[object], now: list[object]) -> set[object]:
    """Return the keys of a dictionary that were removed and added again."""
    moved, place = set(), 0
    for key in (key for key in now if key in before):
        if before.index(key) < place:
            moved.add(key)
        else:
            place = before.index(key)
    return moved


class DeferredSettingsWriter:
    """Saves settings on a background thread, because another process may have locked the file.

    Changes made before the write starts are written together.
    """

    def __init__(self) -> None:
        self._lock = Lock()
        self._settings = Settings()
        self._base: Settings | None = None
        """The settings before the changes that still have to be written, or None."""
        self._refused = False

    @property
    def has_no_error(self) -> bool:
        """Whether the last write succeeded or is still queued."""
        return not self._refused

    def save(self, settings: Settings, base: Settings) -> None:
        """Queue a write of the changes from `base` to `settings`.

        Changes that couldn't be written before are written too.
        """
        with self._lock:
            under_way = self._base is not None and not self._refused
            self._settings = settings
            self._base = self._base or base
            self._refused = False
        if not under_way:
            background_writes.add(self._write)

    def _write(self) -> None:
        with self._lock:
            settings, base, self._base = self._settings, self._base, None
        if base is None:  # an earlier write included the changes
            return
        try:
            save(settings, base)
        except BaseException:
            with self._lock:
                self._base = base
                self._refused = True
            raise


_decode = msgspec.json.Decoder(dict[str, object]).decode


def check_foreign_settings(path: Path) -> None:
    """Check that another computer's settings file at `path` can be decoded.

    Raises like `SmallFile.try_decode`.
    """
    _foreign_file(path).try_decode()


def _foreign_file(path: Path) -> SmallFile[dict[str, object]]:
    return SmallFile(path, _decode_foreign, _encode, FOREIGN_DAMAGED_NOTICE, signed=False)


def _file(notify_user: NoticeHandler) -> SmallFile[dict[str, object]]:
    return SmallFile(
        folders.settings(), _decode, _encode, DAMAGED_NOTICE, notify_user=notify_user, signed=False
    )


def _decode_foreign(content: bytes) -> dict[str, object]:
    """Decode another computer's settings, and return those that are valid and known."""
    sound: dict[str, object] = {}
    for name, value in _add_followed(_decode(content)).items():
        if name in Settings.__struct_fields__ and _is_valid(name, value):
            converted = msgspec.convert({name: value}, Settings)
            sound[name] = msgspec.to_builtins(getattr(converted, name))
    return _decode(_encode(sound))  # fails if a number is too large to be encoded


def _encode(values: dict[str, object]) -> bytes:
    return msgspec.json.format(msgspec.json.encode(values), indent=2) + b"\n"


def _add_followed(values: dict[str, object]) -> dict[str, object]:
    """Add the setting `followed` to settings written by version 0.2.0.

    That version didn't follow the system's preferences, so the theme in its file is the user's
    choice.
    """
    if "followed" in values or "theme" not in values:
        return values
    return values | {"followed": [name for name in Settings().followed if name != "theme"]}


def _is_valid(name: str, value: object) -> bool:
    """Return whether `value` is valid for the setting `name`; unknown settings are always valid."""
    try:
        msgspec.convert({name: value}, Settings)
    except (msgspec.MsgspecError, ValueError, RecursionError):
        return False
    return True
