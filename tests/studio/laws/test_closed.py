"""The set of events is closed: what a table or a mask does not know stops the match."""

from collections.abc import Callable
from typing import Any, get_args

import pytest

from tabletop.engine.events import (
    Announced,
    Answered,
    Asked,
    Closed,
    Ended,
    Event,
    Moved,
    Placed,
    Planned,
    Rolled,
    Said,
    Shown,
    Shuffled,
    TableEvent,
    Thrown,
    ValueSet,
    apply,
)
from tabletop.engine.hidden_card_codec import decode_events, encode_events
from tabletop.engine.mask import events_by_viewer, mask, mask_event, revealed_faces
from tabletop.engine.model import (
    AUDIENCE,
    Ask,
    CardPlace,
    Fact,
    Move,
    Result,
    Sight,
    State,
    StepRecord,
    Zone,
)
from tabletop.engine.table import Table
from tabletop.match.match import Match, Player
from tests.toy_kits import toy_kit

PILE = Zone("pile", Sight.NONE)
STATE = State(
    2,
    (0, 0, 0, 1, 1),
    zones={"pile": PILE, "row": Zone("row"), "cup": Zone("cup", Sight.OWNER, 0)},
    cards={"pile": (0, 1, 4), "row": (2,), "cup": (3,)},
    asks=(Ask(0, 0, "turn"),),
    asked=1,
)
EVENTS: tuple[Event, ...] = (
    Placed(Zone("hand", Sight.OWNER, 0), ()),
    Moved(0, "pile", "row", 0, 0),
    Shuffled("pile", (1, 0, 4)),
    Shown("pile", 0, 0, (0,)),
    Announced(Fact("higher", (CardPlace("pile", 1, 0),), (1,), 0, (0,)), (1,)),
    ValueSet("turn", 1),
    Rolled("die", (6,), (3,)),
    Thrown("cup", "pile", (3,), (4,)),
    Asked(Ask(1, 1, "turn")),
    Answered(0, Move(0, "lay", (0,))),
    Closed((0,)),
    Planned((StepRecord("next"),)),
    Said("{card}", (0,)),
    Ended(Result((0,), (1, 0))),
)


class Whispered(TableEvent, frozen=True, tag="whispered"):
    """An event that nobody has thought of yet. It names a card."""

    card: int


FOLDS: dict[str, Callable[[Any], object]] = {
    "apply": lambda event: apply(STATE, event),
    "apply to a view": lambda event: apply(mask(STATE, 1), event),
    "mask": lambda event: mask_event(STATE, event, AUDIENCE),
    "hear": lambda event: events_by_viewer([STATE], [event], [AUDIENCE, 0, 1]),
    "name": revealed_faces,
    "encode": lambda event: encode_events([event]),
    "decode": lambda event: decode_events([event]),
}


def test_there_is_an_example_of_each_event() -> None:
    assert [type(event) for event in EVENTS] == list(get_args(Event))


@pytest.mark.parametrize("name", FOLDS)
def test_every_event_has_a_case(name: str) -> None:
    for event in EVENTS:
        FOLDS[name](event)


@pytest.mark.parametrize("name", FOLDS)
def test_an_event_without_a_case_is_let_through_nowhere(name: str) -> None:
    with pytest.raises(AssertionError, match="Whispered"):
        FOLDS[name](Whispered(0))


def test_an_event_without_a_mask_stops_the_game(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    class Whispering:
        def setup(self, table: Table) -> None:
            table.place(PILE, (0, 1))
            table.write(Whispered(0))
            table.ask(0, "turn")

    def know(state: State, event: Event) -> State:
        return state if isinstance(event, Whispered) else apply(state, event)

    monkeypatch.setattr("tabletop.engine.table.apply", know)
    with pytest.raises(AssertionError, match="Whispered"):
        Match(toy_kit(Whispering(), (0, 0)), [Player("Ann"), Player("Ben")], seed="1")
