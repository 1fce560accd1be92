"""The short animations that events on a game's table start."""

from collections.abc import Mapping
from typing import Literal

from msgspec import Struct

from tabletop.engine.events import Event, Moved, Said, ValueSet
from tabletop.engine.model import Value

FilmName = Literal["heart", "coin", "tape"]


class GameFilms(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The `[films]` section of a `table.toml`."""

    said: dict[str, FilmName] = {}
    """The animation for a log entry, by the entry's tag."""
    moved: dict[str, FilmName] = {}
    """The animation for a moved card, by the target zone's name or the first part of that name."""
    valued: dict[str, FilmName] = {}
    """The animation for a changed public value, by the value's name or the first part of that name.

    A coin is shown only if the value rises, any other animation only if it falls.
    """

    def film_for(self, event: Event, before: Mapping[str, Value]) -> FilmName | None:
        """Return the animation for an event; None if it has none.

        `before` contains the public values before the event.
        """
        match event:
            case Said(tag=tag):
                return self.said.get(tag)
            case Moved(target=target):
                return _find_film(self.moved, target)
            case ValueSet(key=key, value=value):
                film, old = _find_film(self.valued, key), before.get(key)
                if film is None or not isinstance(old, int) or not isinstance(value, int):
                    return None
                return film if (value > old if film == "coin" else value < old) else None
            case _:
                return None


def _find_film(films: Mapping[str, FilmName], name: str) -> FilmName | None:
    return films.get(name) or films.get(name.partition("/")[0])
