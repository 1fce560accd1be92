"""What each viewer hears of an event, one at a time and for all viewers at once."""

from itertools import accumulate

import pytest
from msgspec.structs import replace

from tabletop.engine.events import (
    Announced,
    Answered,
    Event,
    Moved,
    Said,
    Shown,
    Shuffled,
    Thrown,
    apply,
)
from tabletop.engine.mask import events_by_viewer, mask, masked, public_view, seen_faces
from tabletop.engine.model import AUDIENCE, Move, Sight, State, Zone, hidden_card
from tabletop.engine.table import SeededRng, Table

DICE = 12
BACKS = (0,) * DICE + (1,) * 6
VIEWERS = (AUDIENCE, 0, 1)
HIDDEN, HIDDEN_DIE = hidden_card(0), hidden_card(1)


def dealt() -> Table:
    """A table with a zone of each sight, a shown card, and an open question to each seat."""
    table = Table(State(2, BACKS), SeededRng("mask"))
    table.place(Zone("pile", Sight.NONE), tuple(range(4, DICE)))
    table.place(Zone("row"))
    table.place(Zone("hand/0", Sight.OWNER, 0), (0, 1))
    table.place(Zone("rack/1", Sight.OTHERS, 1), (2, 3))
    table.place(Zone("box", Sight.NONE, loose=True), tuple(range(DICE + 1, len(BACKS))))
    table.place(Zone("cup/0", Sight.OWNER, 0), (DICE,))
    for seat in (0, 1):
        table.ask(seat, "turn", sealed=True)
    return table


def played() -> tuple[State, tuple[Event, ...]]:
    """The state before some events of every kind that depends on its viewer, and the events."""
    table = dealt()
    before, count = table.state, len(table.events)
    table.show("pile", 5, (1,))
    table.say("{cards}", 0, 4, 5)
    table.whisper((1,), "{n} with {card}", "{seat} looks.", 0, n=7, seat=1)
    table.whisper((0,), "{n} of them", "{seat} counts.", n=3, seat=0)
    table.announce("low", (0,), 4, answer=1, seats=(1,))
    table.announce("low", (4,), 4, answer=0)
    table.throw("cup/0", (DICE,), "box")
    table.shuffle("pile")
    for seat, ask in enumerate(table.state.asks):
        table.answer(ask, Move(ask.id, "lay", (seat,)))
    table.move(0, "hand/0", "pile")
    table.move(2, "rack/1", "hand/0")
    table.move(1, "hand/0", "row")
    table.place(Zone("spare", Sight.OWNER, 1, loose=True))
    table.show("row", 1, (0,))
    table.say("{card}", 1)
    return before, tuple(table.events[count:])


def heard_at_once(viewer: int) -> tuple[Event, ...]:
    before, events = played()
    befores = list(accumulate(events, apply, initial=before))[:-1]
    return events_by_viewer(befores, events, VIEWERS)[viewer]


@pytest.mark.parametrize("viewer", VIEWERS)
def test_masking_for_all_viewers_equals_masking_for_one(viewer: int) -> None:
    before, events = played()
    assert heard_at_once(viewer) == masked(before, events, viewer)


@pytest.mark.parametrize("viewer", VIEWERS)
def test_masked_events_lead_to_the_masked_table(viewer: int) -> None:
    before, events = played()
    after = before
    for event in events:
        after = apply(after, event)
    view = mask(before, viewer)
    for event in heard_at_once(viewer):
        view = apply(view, event)
    assert view == mask(after, viewer)
    assert public_view(view) == mask(after, AUDIENCE)


@pytest.mark.parametrize(
    ("viewer", "said"),
    [
        (
            AUDIENCE,
            [
                ("{cards}", (HIDDEN, HIDDEN, HIDDEN), {}),
                ("{seat} looks.", (), {"seat": 1}),
                ("{seat} counts.", (), {"seat": 0}),
                ("{card}", (1,), {}),
            ],
        ),
        (
            0,
            [
                ("{cards}", (0, HIDDEN, HIDDEN), {}),
                ("{seat} looks.", (), {"seat": 1}),
                ("{n} of them", (), {"n": 3, "seat": 0}),
                ("{card}", (1,), {}),
            ],
        ),
        (
            1,
            [
                ("{cards}", (HIDDEN, HIDDEN, 5), {}),
                ("{n} with {card}", (HIDDEN,), {"n": 7, "seat": 1}),
                ("{seat} counts.", (), {"seat": 0}),
                ("{card}", (1,), {}),
            ],
        ),
    ],
)
def test_a_viewer_reads_its_own_version_of_the_log(viewer: int, said: list[object]) -> None:
    heard = [event for event in heard_at_once(viewer) if isinstance(event, Said)]
    assert [(event.text, event.cards, event.args) for event in heard] == said
    assert not any(event.whisper for event in heard)


@pytest.mark.parametrize(
    ("viewer", "cards"),
    [(AUDIENCE, [HIDDEN, HIDDEN, 1]), (0, [0, 2, 1]), (1, [HIDDEN, HIDDEN, 1])],
)
def test_a_moved_card_is_known_to_those_who_see_either_end(viewer: int, cards: list[int]) -> None:
    assert [e.card for e in heard_at_once(viewer) if isinstance(e, Moved)] == cards


@pytest.mark.parametrize(
    ("viewer", "fact_answers", "cards"),
    [
        (AUDIENCE, [None, 0], [(HIDDEN,), (HIDDEN,)]),
        (0, [None, 0], [(0,), (HIDDEN,)]),
        (1, [1, 0], [(HIDDEN,), (HIDDEN,)]),
    ],
)
def test_a_fact_is_known_to_its_audience(
    viewer: int, fact_answers: list[int | None], cards: list[tuple[int, ...]]
) -> None:
    heard = [event for event in heard_at_once(viewer) if isinstance(event, Announced)]
    assert [event.fact.answer for event in heard] == fact_answers
    assert [event.cards for event in heard] == cards


@pytest.mark.parametrize(
    ("viewer", "own"), [(AUDIENCE, [False, False]), (0, [True, False]), (1, [False, True])]
)
def test_a_sealed_answer_is_known_to_its_own_seat(viewer: int, own: list[bool]) -> None:
    heard = [event for event in heard_at_once(viewer) if isinstance(event, Answered)]
    assert [event.move is not None for event in heard] == own
    before, events = played()
    after = list(accumulate(events, apply, initial=before))[-1]
    assert [move is not None for move in mask(after, viewer).answers.values()] == own


@pytest.mark.parametrize(("viewer", "sees"), [(AUDIENCE, False), (0, True), (1, False)])
def test_dice_under_a_cup_are_seen_by_its_owner(viewer: int, sees: bool) -> None:
    (thrown,) = (event for event in heard_at_once(viewer) if isinstance(event, Thrown))
    (told,) = (event for event in played()[1] if isinstance(event, Thrown))
    assert thrown == (told if sees else replace(told, dice=(HIDDEN_DIE,), faces=(HIDDEN_DIE,)))


@pytest.mark.parametrize(
    ("viewer", "shown"),
    [
        (AUDIENCE, [(HIDDEN, (1,)), (1, (0,))]),
        (0, [(HIDDEN, (1,)), (1, (0,))]),
        (1, [(5, (1,)), (1, (0,))]),
    ],
)
def test_a_shown_card_is_known_to_those_it_is_shown_to(
    viewer: int, shown: list[tuple[int, tuple[int, ...]]]
) -> None:
    heard = [event for event in heard_at_once(viewer) if isinstance(event, Shown)]
    assert [(event.card, event.seats) for event in heard] == shown


@pytest.mark.parametrize("viewer", VIEWERS)
def test_a_shuffle_hides_the_cards_that_nobody_sees(viewer: int) -> None:
    (shuffled,) = (event for event in heard_at_once(viewer) if isinstance(event, Shuffled))
    assert shuffled.cards == (HIDDEN,) * 8


@pytest.mark.parametrize(
    ("viewer", "faces"), [(AUDIENCE, set()), (0, {0, 1, 2, 3, DICE}), (1, {5})]
)
def test_a_viewer_sees_its_own_hand_and_what_is_shown(viewer: int, faces: set[int]) -> None:
    table = dealt()
    table.show("pile", 5, (1,))
    assert seen_faces(table.state, viewer) == faces
    assert seen_faces(mask(table.state, viewer), viewer) == faces
    assert mask(mask(table.state, viewer), viewer) == mask(table.state, viewer)


def test_viewers_who_hear_the_same_share_one_tuple() -> None:
    table = dealt()
    before = table.state
    table.set("turn", 1)
    told = events_by_viewer([before], table.events[-1:], VIEWERS)
    assert told[AUDIENCE] is told[0] is told[1]
    before = table.state
    table.draw("pile", "hand/0")
    told = events_by_viewer([before], table.events[-1:], VIEWERS)
    assert told[AUDIENCE] is told[1]
    assert told[0] != told[1]
