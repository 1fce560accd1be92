"""The user's settings, stored as readable JSON."""

from collections.abc import Collection
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


def save(settings: Settings, changed: Collection[str] | None = None) -> None:
    """Write the settings atomically.

    `changed`: the names of the settings to write, or None for all. The other settings keep the
    values in the file, which another window may have written.

    Raises:
        StorageError: the file can't be written.
    """
    mine: dict[str, object] = msgspec.to_builtins(settings)
    ours = Settings.__struct_fields__ if changed is None else changed

    def merge(values: dict[str, object] | None) -> dict[str, object]:
        kept = (values or {}).items()  # includes settings of newer versions
        return mine | {name: at for name, at in kept if name not in ours and _is_valid(name, at)}

    _file(notify_user).update(merge)


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


class DeferredSettingsWriter:
    """Saves settings on a background thread, because another process may have locked the file.

    Changes made before the write starts are written together.
    """

    def __init__(self) -> None:
        self._lock = Lock()
        self._settings = Settings()
        self._waiting: set[str] = set()
        """The names of settings that still have to be written."""
        self._refused = False

    @property
    def has_no_error(self) -> bool:
        """Whether the last write succeeded or is still queued."""
        return not self._refused

    def save(self, settings: Settings, changed: Collection[str]) -> None:
        """Queue a write of the `changed` settings, and of those that couldn't be written before."""
        with self._lock:
            under_way = bool(self._waiting) and not self._refused
            self._settings = settings
            self._waiting.update(changed)
            self._refused = False
        if not under_way:
            background_writes.add(self._write)

    def _write(self) -> None:
        with self._lock:
            settings, names = self._settings, frozenset(self._waiting)
            self._waiting.clear()
        try:
            save(settings, names)
        except BaseException:
            with self._lock:
                self._waiting.update(names)
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
