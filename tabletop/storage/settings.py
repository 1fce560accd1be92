"""A person's settings, kept as readable JSON."""

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
from tabletop.match.reactions import Asking, PassPolicy
from tabletop.text.language_code import LANGUAGE_CODE
from tabletop.text.phrases import phrase

BROKEN = phrase('"{file}" was damaged and moved to "{aside}". The default settings are used.')
FOREIGN_BROKEN = phrase('"{file}" of the other computer was damaged: its settings are missing.')

SCREEN_SETTINGS = ("geometry", "docks")
"""Settings that belong to one computer's screen."""


class LastSeat(Struct, frozen=True):
    """The last player at a seat."""

    name: Name
    """The player's name."""
    symbol: Name
    """The symbol that the player chose."""
    level: Name = ""
    """The level of a bot; empty for a person."""


class LastTable(Struct, frozen=True):
    """The last start of a game."""

    seats: tuple[LastSeat, ...]
    """Who sat where."""
    options: dict[Name, Value] = {}
    """The chosen options of the game."""


class Settings(Struct, frozen=True, kw_only=True):
    """All settings; change one with `msgspec.structs.replace` and `save`."""

    language: Annotated[str, Meta(pattern=rf"^(auto|{LANGUAGE_CODE.pattern})\Z")] = "auto"
    """The language of the window; "auto" for the system's."""
    theme: Literal["light", "dark", "contrast"] = "light"
    """The colours of the window."""
    cards: Literal["printed", "dark", "contrast"] = "printed"
    """The colours of cards."""
    card_size: Literal["small", "usual", "large"] = "usual"
    """The size of cards on the table."""
    animation: Literal["off", "fast", "normal", "slow"] = "normal"
    """The speed at which cards move."""
    speech: Literal["all", "turns", "mine"] = "all"
    """What a screen reader is told at the table: everything, turns and what concerns the viewer, or
    the viewer's own turn."""
    reduced_motion: bool = False
    """Whether everything moves instantly."""
    followed: tuple[Name, ...] = ("theme", "reduced_motion")
    """The names of settings that follow the system's wishes while they have their default: nobody
    has chosen them."""
    sounds: bool = True
    """Whether sounds are heard."""
    volume: Annotated[int, Meta(ge=0, le=100)] = 70
    """The loudness of sounds, in percent."""
    sounds_off: tuple[Name, ...] = ()
    """The kinds of sounds that are not heard."""
    confirmations: dict[Name, bool] = {}
    """By the name of a question: False once somebody asked not to be asked again."""
    keys: dict[Name, str] = {}
    """By the name of an action: the keys that differ from the usual ones, as "Ctrl+Z"."""
    players: tuple[Name, ...] = ()
    """The names of the people who last played, in seat order."""
    tables: dict[Name, LastTable] = {}
    """The seats and options with which each game was last started, by the game's id."""
    shelf: tuple[Name, ...] = ()
    """The ids of games in the order that somebody has given them; empty: the usual one."""
    geometry: bytes = b""
    """The window's place; base64 in the file."""
    docks: bytes = b""
    """The layout of the table's docks; base64 in the file."""
    quick_words: bool = True
    """Whether quick words of others at a shared table are heard."""
    phones_encrypted: bool = False
    """Whether the page of phones is served over TLS, of which each phone warns once."""
    second_curtain: bool = False
    """Whether the table is covered while nobody seems to look at it."""
    bot_pause: Annotated[int, Meta(ge=0, le=10_000)] = 700
    """Milliseconds that a bot waits before it answers."""
    languages: dict[Name, Annotated[str, Meta(pattern=rf"^{LANGUAGE_CODE.pattern}\Z")]] = {}
    """By the name of a player: what this one reads, where it is not what the window speaks."""
    reaction: Asking = "usual"
    """The pass policy of players who have chosen nothing else."""
    reactions: dict[Name, PassPolicy] = {}
    """The wish of each player about reactions, by the player's name."""
    reaction_pause: Annotated[int, Meta(ge=500, le=20_000)] = 2000
    """Milliseconds before a pass goes out for a player who is not asked, however little there was
    to ask."""


def load() -> tuple[Settings, Reason | None]:
    """The settings, and a notice for the person where the file was damaged and set aside, or cannot
    be read. Writes that are under way are waited for."""
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
    """Write the settings, whole or not at all; where only these have `changed`, the others stay as
    another window may have written them.

    Raises:
        StorageError: they cannot be written.
    """
    mine: dict[str, object] = msgspec.to_builtins(settings)
    ours = Settings.__struct_fields__ if changed is None else changed

    def merge(values: dict[str, object] | None) -> dict[str, object]:
        kept = (values or {}).items()  # keep the settings of a newer program
        return mine | {name: at for name, at in kept if name not in ours and _is_valid(name, at)}

    _file(notify_user).update(merge)


def import_settings(path: Path) -> None:
    """Take the settings of another computer, in this file, for those that are the usual ones here;
    of those by name, such as each game's last table, the names that are missing here. The window's
    place stays, and settings that this program doesn't know are left out.

    Raises:
        StorageError: they cannot be read or written.
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
    """Writes settings in the background: a process that was stopped may hold the file's lock.

    Changes that wait for their turn are written together, the newest value of each setting.
    """

    def __init__(self) -> None:
        self._lock = Lock()
        self._settings = Settings()
        self._waiting: set[str] = set()
        """The names of settings that are not on the disk yet."""
        self._refused = False

    @property
    def has_no_error(self) -> bool:
        """Whether all is on the disk, or on its way."""
        return not self._refused

    def save(self, settings: Settings, changed: Collection[str]) -> None:
        """Write those settings that have changed, and those that were refused before."""
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
    """Decode the settings of another computer, in this file. Raises as `SmallFile.try_decode`."""
    _foreign_file(path).try_decode()


def _foreign_file(path: Path) -> SmallFile[dict[str, object]]:
    return SmallFile(path, _decode_foreign, _encode, FOREIGN_BROKEN, signed=False)


def _file(notify_user: NoticeHandler) -> SmallFile[dict[str, object]]:
    return SmallFile(
        folders.settings(), _decode, _encode, BROKEN, notify_user=notify_user, signed=False
    )


def _decode_foreign(content: bytes) -> dict[str, object]:
    """Return the known settings in a file of another computer, and nothing else that is in it."""
    sound: dict[str, object] = {}
    for name, value in _add_followed(_decode(content)).items():
        if name in Settings.__struct_fields__ and _is_valid(name, value):
            converted = msgspec.convert({name: value}, Settings)
            sound[name] = msgspec.to_builtins(getattr(converted, name))
    return _decode(_encode(sound))  # a number may be too large to be written


def _encode(values: dict[str, object]) -> bytes:
    return msgspec.json.format(msgspec.json.encode(values), indent=2) + b"\n"


def _add_followed(values: dict[str, object]) -> dict[str, object]:
    """Settings with the names of those that follow the system. Version 0.2.0 followed it in
    nothing: the theme in its file is the one that somebody saw and kept."""
    if "followed" in values or "theme" not in values:
        return values
    return values | {"followed": [name for name in Settings().followed if name != "theme"]}


def _is_valid(name: str, value: object) -> bool:
    """Whether a single setting can be what the file says; those of other versions always can."""
    try:
        msgspec.convert({name: value}, Settings)
    except (msgspec.MsgspecError, ValueError, RecursionError):
        return False
    return True
