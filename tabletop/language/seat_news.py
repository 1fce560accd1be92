"""Sentences about the people of a shared table: who sits down, leaves, is ready or away."""

from collections.abc import Iterator

from tabletop.language.words import Words
from tabletop.protocol.messages import SeatInfo, TableInfo


def seat_news(before: TableInfo, after: TableInfo, words: Words) -> list[str]:
    """Return a sentence for each change of a seat between two states of one table, by seat."""
    pairs = zip(before.sitters, after.sitters, strict=False)
    return [
        sentence
        for number, (old, new) in enumerate(pairs, start=1)
        for sentence in _changes(number, old, new, words)
    ]


def _changes(number: int, old: SeatInfo, new: SeatInfo, words: Words) -> Iterator[str]:
    """Yield the news about the seat `number`, counted from 1."""
    if new.vacant and not old.vacant:
        yield words("{name}'s seat is free.", name=new.name)
        return
    was_here, is_here = _is_taken(old), _is_taken(new)
    replaced = was_here and is_here and old.name != new.name
    if was_here and (replaced or not is_here):
        yield words("{name} leaves seat {n}.", name=old.name, n=number)
    if is_here and (replaced or not was_here):
        yield words("{name} sits down at seat {n}.", name=new.name, n=number)
        if new.state == "ready":
            yield words("{name} is ready.", name=new.name)
    elif is_here and old.state != new.state:
        yield _state_text(old, new, words)
    elif new.kind == "bot" != old.kind:
        yield words("A bot takes seat {n}.", n=number)
    elif old.kind == "bot" != new.kind:
        yield words("Seat {n} is free.", n=number)


def _is_taken(seat: SeatInfo) -> bool:
    return seat.kind == "person" and seat.state != "free" and not seat.vacant


def _state_text(old: SeatInfo, new: SeatInfo, words: Words) -> str:
    """Return the sentence about a person whose state has changed."""
    name = new.name
    if new.state == "away":
        return words("{name} is away.", name=name)
    if new.state == "bot":
        return words("A bot plays for {names}.", names=name)
    if old.state == "bot":
        return words("{name} plays again.", name=name)
    if new.state == "ready":
        return words("{name} is ready.", name=name)
    if old.state == "away":
        return words("{name} is back.", name=name)
    return words("{name} isn't ready any more.", name=name)
