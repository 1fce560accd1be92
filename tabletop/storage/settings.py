"""What a person likes, kept as readable JSON."""

from pathlib import Path
from typing import Annotated, Literal

import msgspec
from msgspec import Meta, Struct

from tabletop.engine.model import Name, Reason
from tabletop.reactions import Way
from tabletop.storage import folders
from tabletop.storage.atomic_write import write_whole
from tabletop.storage.errors import StorageError, disk_trouble

SET_ASIDE = ".damaged"


class Settings(Struct, frozen=True, kw_only=True):
    """All settings; change one with `msgspec.structs.replace` and `save`."""

    language: Literal["auto", "en", "ja"] = "auto"
    theme: Literal["light", "dark", "contrast"] = "light"
    cards: Literal["printed", "dark", "contrast"] = "printed"
    card_size: Literal["small", "usual", "large"] = "usual"
    animation: Literal["off", "fast", "normal", "slow"] = "normal"
    reduced_motion: bool = False
    sounds: bool = True
    volume: Annotated[int, Meta(ge=0, le=100)] = 70
    confirmations: dict[Name, bool] = {}
    """By the name of a question: False once somebody asked not to be asked again."""
    keys: dict[Name, str] = {}
    """By the name of an action: the keys that differ from the usual ones, as "Ctrl+Z"."""
    players: tuple[Name, ...] = ()
    """The names last used, in seat order."""
    geometry: bytes = b""
    """Where the window stood; base64 in the file."""
    docks: bytes = b""
    """How the docks of the table lay; base64 in the file."""
    bot_pause: Annotated[int, Meta(ge=0, le=10_000)] = 700
    """Milliseconds that a bot waits before it answers."""
    languages: dict[Name, Literal["en", "ja"]] = {}
    """By the name of a player: what this one reads, where it is not what the window speaks."""
    reaction: Way = "ask"
    """How those wish to be asked for reactions who have chosen nothing else."""
    reactions: dict[Name, Way] = {}
    """By the name of a player: how this one wishes to be asked."""
    reaction_pause: Annotated[int, Meta(ge=500, le=20_000)] = 2000
    """Milliseconds before a pass goes out that nobody was asked for, however little was to ask."""


def load() -> tuple[Settings, Reason | None]:
    """The settings, and what to tell the person where the file was damaged and set aside.

    Raises:
        StorageError: a damaged file could not be set aside.
    """
    file = folders.settings()
    try:
        found = _read(file)
    except FileNotFoundError:
        return Settings(), None
    except OSError:
        return Settings(), Reason('"{file}" cannot be read: the usual settings hold.', _name(file))
    except (msgspec.MsgspecError, ValueError, RecursionError):
        return Settings(), _set_aside(file)
    sound = {name: value for name, value in found.items() if _holds(name, value)}
    settings = msgspec.convert(sound, Settings)
    if len(sound) == len(found):
        return settings, None
    told = {**_name(file), "names": ", ".join(name for name in found if name not in sound)}
    return settings, Reason('"{file}" says nothing usable for: {names}. The rest holds.', told)


def load_or_usual() -> tuple[Settings, Reason | None]:
    """The settings, and what to tell of them; the usual ones where the disk refuses."""
    try:
        return load()
    except StorageError as error:
        return Settings(), error.reason


def save(settings: Settings) -> None:
    """Write the settings, whole or not at all.

    Raises:
        StorageError: they cannot be written.
    """
    file = folders.settings()
    whole = msgspec.to_builtins(settings) | _unheard_of(file)
    content = msgspec.json.format(msgspec.json.encode(whole), indent=2)
    write_whole(file, content + b"\n")


def _read(file: Path) -> dict[str, object]:
    return msgspec.json.decode(file.read_bytes(), type=dict[str, object])


def _holds(name: str, value: object) -> bool:
    """Whether a single setting can be what the file says; those of other versions always can."""
    try:
        msgspec.convert({name: value}, Settings)
    except (msgspec.MsgspecError, ValueError):
        return False
    return True


def _unheard_of(file: Path) -> dict[str, object]:
    """What a newer program keeps in the file: not ours to lose."""
    try:
        found = _read(file)
    except (OSError, msgspec.MsgspecError, ValueError, RecursionError):
        return {}
    return {name: found[name] for name in found if name not in Settings.__struct_fields__}


def _set_aside(file: Path) -> Reason:
    aside = file.with_name(file.name + SET_ASIDE)
    number = 1
    while aside.exists():
        number += 1
        aside = file.with_name(f"{file.name}{SET_ASIDE}-{number}")
    try:
        file.rename(aside)
    except OSError as error:
        raise disk_trouble(error, file.name) from error
    return Reason(
        '"{file}" was damaged and now lies beside as "{aside}": the usual settings hold.',
        {**_name(file), "aside": aside.name},
    )


def _name(file: Path) -> dict[str, int | str]:
    return {"file": file.name}
