"""What a person likes, kept as readable JSON."""

from pathlib import Path
from typing import Annotated, Literal

import msgspec
from msgspec import Meta, Struct

from tabletop.engine.model import Name, Reason
from tabletop.reactions import Way
from tabletop.storage import folders
from tabletop.storage.trouble import disk_trouble
from tabletop.storage.whole import write_whole

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
        return msgspec.json.decode(file.read_bytes(), type=Settings), None
    except FileNotFoundError:
        return Settings(), None
    except OSError:
        return Settings(), Reason('"{file}" cannot be read: the usual settings hold.', _name(file))
    except (msgspec.MsgspecError, ValueError, RecursionError):
        return Settings(), _set_aside(file)


def save(settings: Settings) -> None:
    """Write the settings, whole or not at all.

    Raises:
        StorageError: they cannot be written.
    """
    content = msgspec.json.format(msgspec.json.encode(settings), indent=2)
    write_whole(folders.settings(), content + b"\n")


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
