"""Parts that the laws do not reach: chance's stream, offers one by one, sealed and optional
questions."""

from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tabletop.engine.events import Answered, Asked, Closed, Placed, Shown, Shuffled, Thrown, apply
from tabletop.engine.mask import mask, mask_event
from tabletop.engine.model import (
    AUDIENCE,
    Ask,
    Move,
    Offer,
    Pen,
    Preview,
    Reason,
    Result,
    Sight,
    State,
    Step,
    TableReader,
    Zone,
    hidden_card,
    one,
)
from tabletop.engine.play import Illegal, answer, determinized, playout, start, submit
from tabletop.engine.scratch import FastRng, SimulationTable
from tabletop.engine.table import SeededRng, Table

# Chance


def test_chance_is_the_same_on_every_machine_for_ever() -> None:
    """A replay depends on these very draws: if this fails, every saved game is broken."""
    dice = SeededRng("seed", 1, 0)
    assert [dice.below(6) for _ in range(12)] == [1, 1, 0, 5, 2, 4, 1, 1, 2, 3, 0, 5]
    assert dice.shuffled(tuple(range(10))) == (8, 1, 5, 3, 7, 4, 0, 9, 2, 6)


def test_chance_depends_on_every_part_of_its_address() -> None:
    streams = {
        tuple(SeededRng(*address).shuffled(tuple(range(20))))
        for address in [("a", 1, 0), ("b", 1, 0), ("a", 2, 0), ("a", 1, 1)]
    }
    assert len(streams) == 4


@pytest.mark.parametrize("chance", [SeededRng("fair"), FastRng("fair")], ids=["dice", "luck"])
def test_chance_is_fair(chance: SeededRng | FastRng) -> None:
    faces = Counter(chance.below(6) for _ in range(6000))
    assert set(faces) == set(range(6))
    assert all(850 < count < 1150 for count in faces.values())
    tops = Counter(chance.shuffled((0, 1, 2, 3))[0] for _ in range(4000))
    assert all(850 < tops[card] < 1150 for card in range(4))


@given(limit=st.integers(1, 2**40), seed=st.integers())
def test_chance_stays_below_its_limit(limit: int, seed: int) -> None:
    assert 0 <= SeededRng(seed).below(limit) < limit
    assert 0 <= FastRng(seed).below(limit) < limit


def test_chance_needs_something_to_draw_from() -> None:
    with pytest.raises(ValueError, match="nothing"):
        SeededRng("x").below(0)


# Offers


@given(st.data())
def test_an_offer_admits_exactly_its_moves(data: st.DataObject) -> None:
    cards = tuple(data.draw(st.lists(st.integers(0, 5), unique=True, max_size=4)))
    most = data.draw(st.integers(0, len(cards)))
    offer = Offer(
        "lay",
        cards,
        data.draw(st.sampled_from([(), ("a",), ("a", "b")])),
        data.draw(st.sampled_from([(), ("x",), ("x", "y")])),
        data.draw(st.integers(0, most)),
        most,
        data.draw(st.sampled_from([(), ("s/1", "s/2", "s/3", "s/4")])),
    )
    moves = list(offer.moves(7))
    assert len(moves) == len(set(map(repr, moves))), "each once"
    assert all(offer.admits(move) and move.ask == 7 for move in moves)
    sample = offer.sample(7, FastRng(data.draw(st.integers(0, 99))))
    assert offer.admits(sample)
    as_set = [(sorted(m.cards), m.target, m.choice) for m in moves]
    assert (sorted(sample.cards), sample.target, sample.choice) in as_set
    assert not offer.admits(Move(7, "take", sample.cards, sample.target, sample.choice))
    assert not offer.admits(Move(7, "lay", (*sample.cards, 9), sample.target, sample.choice))
    assert not offer.admits(Move(7, "lay", sample.cards, "c", sample.choice))
    assert not offer.admits(Move(7, "lay", sample.cards, sample.target, "z"))


def test_where_spots_are_named_the_order_counts() -> None:
    spots = Offer("form", (1, 2), least=2, most=2, spots=("first", "second"))
    plain = Offer("form", (1, 2), least=2, most=2)
    assert [move.cards for move in spots.moves(0)] == [(1, 2), (2, 1)]
    assert [move.cards for move in plain.moves(0)] == [(1, 2)]
    assert not plain.admits(Move(0, "form", (1, 1)))


# Masked events that no game on the shelf brings about


def zones(*zones: tuple[Zone, tuple[int, ...]], backs: tuple[int, ...]) -> State:
    table = Table(State(2, backs), SeededRng(0))
    for zone, cards in zones:
        table.place(zone, cards)
    return table.state


def test_hidden_cards_of_a_loose_zone_reveal_no_order() -> None:
    hand = Zone("hand", Sight.OWNER, 0, loose=True)
    here = Placed(hand, (0, 1, 2))
    there = Placed(hand, (0, 1, 3))
    backs = (0, 1, 0, 0)
    swapped = Placed(hand, (1, 2, 3))
    state = State(2, backs)
    assert mask_event(state, here, 1) == mask_event(state, there, 1)
    assert mask_event(state, swapped, 1) == mask_event(state, there, 1)
    assert mask_event(state, here, 0) == here


def test_a_shuffle_forgets_who_saw_a_card() -> None:
    table = Table(zones((Zone("pile", Sight.NONE), (0, 1, 2)), backs=(0, 0, 0)), SeededRng(0))
    table.show("pile", 1, (0,))
    assert mask(table.state, 0).cards["pile"] == (hidden_card(0), 1, hidden_card(0))
    assert mask(table.state, AUDIENCE).cards["pile"] == (
        hidden_card(0),
        hidden_card(0),
        hidden_card(0),
    )
    assert mask(table.state, 0).shown == {1: (0,)}
    table.show("pile", 1)
    assert mask(table.state, AUDIENCE).cards["pile"] == (hidden_card(0), 1, hidden_card(0))
    assert mask(table.state, 0).shown == {1: (AUDIENCE, 0)}, "a view tells what lies open to all"
    table.show("pile", 1, ())
    assert mask(table.state, 0).cards["pile"] == (hidden_card(0), hidden_card(0), hidden_card(0))
    table.show("pile", 2, (0, 1))
    table.shuffle("pile")
    assert not table.state.shown
    assert mask(table.state, 1).cards["pile"] == (hidden_card(0), hidden_card(0), hidden_card(0))


@pytest.mark.parametrize("pen", [Table, SimulationTable])
def test_both_pens_move_to_a_place_and_draw_as_many_as_there_are(
    pen: type[Table] | type[SimulationTable],
) -> None:
    state = zones(
        (Zone("pile"), (0, 1, 2)),
        (Zone("row"), (3, 4)),
        (Zone("hand", loose=True), ()),
        backs=(0,) * 5,
    )
    table = pen(state, SeededRng(0))
    table.move(0, "pile", "row", 1)
    assert table.state.cards["row"] == (3, 0, 4)
    table.move(3, "row", "row")
    assert table.state.cards["row"] == (0, 4, 3)
    assert table.draw("pile", "hand", 0) == ()
    assert table.draw("pile", "hand", 9) == (2, 1)
    assert table.state.cards["hand"] == (1, 2)
    assert table.draw("pile", "hand") == ()
    table.show("row", 4, (1,))
    table.show("hand", 2)
    assert table.state.shown == {4: (1,), 2: (AUDIENCE, 0, 1)}
    table.shuffle("row")
    assert table.state.shown == {2: (AUDIENCE, 0, 1)}
    assert all(1 <= face <= 6 for face in table.roll("dice", 6, 6))


# Dice that stay on the table

DICE = (
    (Zone("cup", Sight.OWNER, 0), (0, 3)),
    (Zone("box", Sight.NONE, loose=True), (1, 2, 4, 5)),
)
"""Two dice of three sides under a cup, both with their first face up."""
OF_DICE = (0, 0, 0, 1, 1, 1)


@pytest.mark.parametrize("pen", [Table, SimulationTable])
def test_dice_are_thrown_where_they_lie(pen: type[Table] | type[SimulationTable]) -> None:
    came_up: dict[int, set[int]] = {0: set(), 1: set()}
    for seed in range(30):
        table = pen(zones(*DICE, backs=OF_DICE), SeededRng(seed))
        table.show("cup", 3)
        faces = table.throw("cup", (3,), "box")
        assert table.state.cards["cup"] == (0, *faces), "the other die lies as it lay"
        assert sorted((*table.state.cards["cup"], *table.state.cards["box"])) == list(range(6))
        assert not table.state.shown, "what came up is not what was shown"
        for at, face in enumerate(table.throw("cup", table.state.cards["cup"], "box")):
            came_up[at].add(face)
    assert came_up == {0: {0, 1, 2}, 1: {3, 4, 5}}


def test_a_throw_is_told_to_whom_sees_the_dice() -> None:
    before = zones(*DICE, backs=OF_DICE)
    for seed in range(12):
        table = Table(before, SeededRng(seed))
        table.show("cup", 0)
        state = table.state
        faces = table.throw("cup", (0, 3), "box")
        (_, thrown) = table.events
        assert mask_event(state, thrown, 0) == thrown
        unseen = mask_event(state, thrown, 1)
        assert unseen == Thrown(
            "cup", "box", (0, hidden_card(1)), (hidden_card(0), hidden_card(1))
        ), "not what is up now"
        for viewer in (AUDIENCE, 0, 1):
            told = apply(mask(state, viewer), mask_event(state, thrown, viewer))
            assert told == mask(table.state, viewer)
        assert mask(table.state, 0).cards["cup"] == faces


# Questions: sealed, overtaken, optional


class Count(Step, frozen=True):
    """Both have taken a card."""


class Auction:
    """Both take a card from the middle, sealed; the second to want the same must choose again.

    Meanwhile seat 1 may call "stop", whenever it likes.
    """

    steps = (Count,)

    def setup(self, table: Pen) -> None:
        table.place(Zone("middle"), (0, 1, 2))
        for seat in (0, 1):
            table.place(Zone(f"hand/{seat}", Sight.OWNER, seat, loose=True))
        table.then(Count())
        table.ask(1, "stop", optional=True)
        for seat in (0, 1):
            table.ask(seat, "take", sealed=True)

    def offers(self, state: TableReader, ask: Ask) -> tuple[Offer, ...]:
        return (Offer("stop"),) if ask.what == "stop" else (one("take", state.cards["middle"]),)

    def play(self, table: Pen, seat: int, move: Move) -> None:
        if move.verb == "stop":
            table.end(Result((1,), (0, 0)))
        else:
            table.move(move.cards[0], "middle", f"hand/{seat}")

    def resume(self, table: Pen, step: Step) -> None:
        table.end(Result((), (1, 1)))

    def why(self, state: TableReader, ask: Ask, card: int, to: str) -> Reason | None:
        here = card in state.cards["hand/1"]
        return Reason("Seat 1 holds {n}.", {"n": card}) if here else None

    def preview(self, state: TableReader, ask: Ask, move: Move) -> Preview | None:
        return None


def auction() -> State:
    return start(Auction(), 2, "seed", (0, 0, 0)).state


def test_sealed_answers_open_together_or_are_asked_again() -> None:
    stop, first, second = auction().asks
    table = submit(Auction(), auction(), 1, Move(second.id, "take", (2,)), "seed")
    assert [type(event) for event in table.events] == [Answered]
    table = submit(Auction(), table.state, 0, Move(first.id, "take", (2,)), "seed")
    assert table.state.cards["hand/0"] == (2,)
    (again,) = (event.ask for event in table.events if isinstance(event, Asked))
    assert (again.seat, again.what, again.sealed) == (1, "take", True)
    assert Closed((first.id, second.id)) in table.events
    assert table.state.agenda, "the plan waits for the second choice"
    table = submit(Auction(), table.state, 1, Move(again.id, "take", (1,)), "seed")
    assert table.state.result == Result((), (1, 1))
    assert stop.optional


def test_an_optional_question_may_stay_open() -> None:
    stop = auction().asks[0]
    table = submit(Auction(), auction(), 1, Move(stop.id, "stop"), "seed")
    assert table.state.result is not None
    with pytest.raises(Illegal, match="over"):
        submit(Auction(), table.state, 0, Move(1, "take", (0,)), "seed")


def test_refusals_say_what_is_wrong() -> None:
    _, first, second = auction().asks
    with pytest.raises(Illegal, match="not your turn"):
        submit(Auction(), auction(), 1, Move(first.id, "take", (0,)), "seed")
    with pytest.raises(Illegal, match="do not allow"):
        submit(Auction(), auction(), 0, Move(first.id, "take"), "seed")
    table = submit(Auction(), auction(), 0, Move(first.id, "take", (0,)), "seed")
    with pytest.raises(Illegal, match="already answered"):
        submit(Auction(), table.state, 0, Move(first.id, "take", (1,)), "seed")
    assert second.id not in table.state.answers


def test_a_refusal_tells_nothing_that_the_seat_does_not_know() -> None:
    """`why` is asked of the view: with the whole table it would tell that seat 1 holds card 2."""
    _, first, second = auction().asks
    state = auction()
    table = SimulationTable(state, SeededRng(0))
    table.move(2, "middle", "hand/1")
    with pytest.raises(Illegal, match="do not allow"):
        submit(Auction(), table.frozen(), 0, Move(first.id, "take", (2,)), "seed")
    with pytest.raises(Illegal, match="Seat 1 holds 2"):
        submit(Auction(), table.frozen(), 1, Move(second.id, "take", (2,)), "seed")


def test_a_guess_invents_a_legal_sealed_answer() -> None:
    _, first, _ = auction().asks
    state = submit(Auction(), auction(), 0, Move(first.id, "take", (2,)), "seed").state
    world = determinized(Auction(), mask(state, 1), FastRng(1))
    invented = world.answers[first.id]
    assert invented.verb == "take"
    assert determinized(Auction(), mask(state, 0), FastRng(1)).answers[first.id].cards == (2,)


def test_a_playout_ends_or_reports_no_end() -> None:
    scratch = SimulationTable(auction(), FastRng(1))
    assert 1 <= playout(Auction(), scratch) <= 4
    assert scratch.result is not None
    with pytest.raises(RuntimeError, match="no end after 0"):
        playout(Auction(), SimulationTable(auction(), FastRng(1)), limit=0)


def test_a_clone_is_independent() -> None:
    scratch = SimulationTable(auction(), FastRng(1))
    before = scratch.frozen()
    twin = scratch.clone()
    answer(Auction(), twin, twin.asks[0], Move(twin.asks[0].id, "stop"))
    twin.set("more", 1)
    twin.move(0, "middle", "hand/0")
    assert scratch.frozen() == before
    assert twin.frozen() != before


def test_events_that_only_tell_change_nothing() -> None:
    table = Table(zones((Zone("pile", Sight.NONE), (0, 1)), backs=(0, 0)), SeededRng(0))
    before = table.state
    table.roll("dice", 6)
    table.say("Something is said.")
    assert table.state == before
    assert mask(mask(before, 1), 1) == mask(before, 1), "a view stays as it is"
    shown = Shown("pile", 1, 1, (0,))
    assert mask_event(before, shown, 1).card == hidden_card(0)
    assert mask_event(before, Shuffled("pile", (1, 0)), 0).cards == (hidden_card(0), hidden_card(0))
