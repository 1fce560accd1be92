"""The films of a game's table: which of the program's small films goes with which event."""

from collections.abc import Mapping
from typing import Literal

from msgspec import Struct

from tabletop.engine.events import Event, Moved, Said, ValueSet
from tabletop.engine.model import Value

FilmName = Literal["heart", "coin", "tape"]


class GameFilms(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """`[films]` of a table.toml."""

    said: dict[str, FilmName] = {}
    """The film for a sentence of the log, by its tag."""
    moved: dict[str, FilmName] = {}
    """The film for a card that moves, by the zone that it comes to or the first part of its
    name."""
    valued: dict[str, FilmName] = {}
    """By a public value, or the first part of its name: a heart where it falls, a coin where it
    rises."""

    def of(self, event: Event, before: Mapping[str, Value]) -> FilmName | None:
        """The film of an event; `before` are the values until then."""
        match event:
            case Said(tag=tag):
                return self.said.get(tag)
            case Moved(target=target):
                return _film_of(self.moved, target)
            case ValueSet(key=key, value=value):
                film, old = _film_of(self.valued, key), before.get(key)
                if film is None or not isinstance(old, int) or not isinstance(value, int):
                    return None
                return film if (value > old if film == "coin" else value < old) else None
            case _:
                return None


def _film_of(films: Mapping[str, FilmName], name: str) -> FilmName | None:
    return films.get(name) or films.get(name.partition("/")[0])
