"""Every kind of event is in every table by kinds of events."""

from typing import get_args

from tabletop.engine import events
from tabletop.engine.model import Fact, Zone


def test_every_event_changes_a_table_in_one_way() -> None:
    assert set(events._FOLD_FUNCTIONS) == set(get_args(events.Event))


def test_every_event_knows_its_cards_and_can_exchange_them() -> None:
    known: list[tuple[events.Event, tuple[int, ...]]] = [
        (events.Placed(Zone("row"), (1, 2)), (1, 2)),
        (events.Moved(1, "row", "pile", 0, 0), (1,)),
        (events.Shuffled("row", (2, 1)), (2, 1)),
        (events.Shown("row", 1, 0, (0,)), (1,)),
        (events.Announced(Fact("is", (), (), 1, (0,)), (1,)), (1,)),
        (events.Thrown("cup", "box", (1, 2), (3, 4)), (1, 2, 3, 4)),
        (events.Said("{cards}", (1, 2)), (1, 2)),
    ]
    for event, cards in known:
        assert event.cards == cards
        other = event.with_cards(tuple(card + 10 for card in cards))
        assert other.cards == tuple(card + 10 for card in cards)
        assert other.with_cards(cards) == event
    others = set(get_args(events.Event)) - {type(event) for event, _ in known}
    assert others == {kind for kind in others if issubclass(kind, events.CardlessEvent)}
