"""Short ways to speak with a table in tests: answer a question, look for an event."""

from typing import TypeVar

from tabletop.catalogue.catalogue import GameKit
from tabletop.engine.events import Event, Said
from tabletop.engine.model import Ask, Move, Offer, State
from tabletop.engine.play import GameRules, submit
from tabletop.engine.table import Table

E = TypeVar("E", bound=Event)


def asked(state: State, seat: int) -> Ask:
    """The one question that waits for this seat."""
    (ask,) = (a for a in state.asks if a.seat == seat and a.id not in state.answers)
    return ask


def answer(game: GameRules, state: State, seat: int, move: Move, seed: str = "test") -> Table:
    """The table after the seat's answer; the move's ask number is filled in."""
    ask = asked(state, seat)
    return submit(
        game, state, seat, Move(ask.id, move.verb, move.cards, move.target, move.choice), seed
    )


def offered(game: GameRules, state: State, seat: int) -> tuple[Offer, ...]:
    """The present offers to the seat."""
    return game.offers(state, asked(state, seat))


def of_kind(table: Table, kind: type[E]) -> list[E]:
    """The events of one kind that the last answer wrote."""
    return [event for event in table.events if isinstance(event, kind)]


def sentences(table: Table) -> list[str]:
    """The log's sentences, gaps unfilled."""
    return [said.text for said in of_kind(table, Said)]


def first(kit: GameKit, count: int = 1, **face: object) -> tuple[int, ...]:
    """The first cards of the deck whose face has all of this."""
    wanted = face.items()
    found = [n for n, card in enumerate(kit.deck) if wanted <= card.items()]
    return tuple(found[:count])
