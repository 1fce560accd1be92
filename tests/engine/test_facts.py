"""Facts about hidden cards: their audience, how long they last, and that determinizations fit
them."""

import msgspec
import pytest

from tabletop.engine.facts import deal_known_cards, is_consistent
from tabletop.engine.mask import deal_hidden, mask, masked
from tabletop.engine.model import AUDIENCE, Ask, Move, Offer, Sight, State, Value, Zone, everyone
from tabletop.engine.scratch import FastRng, SimulationTable
from tabletop.engine.state_check import is_plausible
from tabletop.engine.table import SeededRng, Table
from tabletop.match.match import Match, Player
from tests.toy_kits import toy_kit

CARDS = 30
PILE, ROW = Zone("pile", Sight.NONE), Zone("row")
HANDS = tuple(Zone(f"hand/{seat}", Sight.OWNER, seat, loose=True) for seat in (0, 1))
RACK = Zone("rack", Sight.OTHERS, 0)


def query(question: str, cards: tuple[int, ...], args: tuple[Value, ...]) -> Value:
    if question == "higher":
        return int(cards[0] > cards[1])
    return int(sum(cards) == args[0])


def dealt() -> Table:
    table = Table(State(2, (0,) * CARDS), SeededRng("facts"))
    table.place(PILE, tuple(range(8, CARDS)))
    table.place(ROW)
    for zone, card in zip(HANDS, (3, 5), strict=True):
        table.place(zone, (card,))
    table.place(RACK, (0, 1, 2, 4, 6, 7))
    return table


def ask_question(
    table: Table, question: str, *cards: int, n: int = 0, to: tuple[int, ...] | None = None
) -> None:
    table.announce(question, cards, n, answer=query(question, cards, (n,)), seats=to)


def no_answer(world: State, ask: Ask) -> Move:
    raise AssertionError


def known_places(state: State) -> list[list[tuple[str, int]]]:
    return [[(place.zone, place.at) for place in fact.places] for fact in state.facts or ()]


def test_a_table_without_facts_is_encoded_as_ever() -> None:
    table = dealt()
    assert "facts" not in msgspec.json.decode(msgspec.json.encode(table.state))
    table.say("{card}", 3)
    assert "whisper" not in msgspec.json.decode(msgspec.json.encode(table.events[-1]))
    ask_question(table, "higher", 3, 5)
    table.move(3, "hand/0", "row")
    table.move(5, "hand/1", "row")
    assert "facts" not in msgspec.json.decode(msgspec.json.encode(table.state))


def test_an_answer_reaches_those_it_is_announced_to() -> None:
    table = dealt()
    ask_question(table, "higher", 3, 5, to=(1,))
    heard = {viewer: masked(State(2, (0,) * CARDS), table.events, viewer)[-1] for viewer in (0, 1)}
    assert (heard[0].fact.answer, heard[1].fact.answer) == (None, 0)
    assert [len(mask(table.state, v).facts or ()) for v in (AUDIENCE, 0, 1)] == [0, 0, 1]
    ask_question(table, "higher", 5, 3)
    assert [len(mask(table.state, v).facts or ()) for v in (AUDIENCE, 0, 1)] == [1, 1, 2]


def test_a_whisper_keeps_its_arguments_from_the_others() -> None:
    table = dealt()
    table.whisper((1,), "{n} and {card}", "{seat} looks.", 3, n=7, seat=1)
    told = [masked(State(2, (0,) * CARDS), table.events, viewer)[-1] for viewer in (1, 0, AUDIENCE)]
    assert [(said.text, said.args) for said in told] == [
        ("{n} and {card}", {"n": 7, "seat": 1}),
        ("{seat} looks.", {"seat": 1}),
        ("{seat} looks.", {"seat": 1}),
    ]
    assert told[1].cards == ()
    assert all(said.whisper is msgspec.UNSET for said in told)


def test_a_fact_follows_a_card_that_can_be_followed() -> None:
    table = dealt()
    ask_question(table, "sum", 3, n=3)
    table.move(3, "hand/0", "hand/1")  # among another, and still there
    assert known_places(table.state) == [[("hand/1", -1)]]
    table.move(5, "hand/1", "row")  # which of the two has left, nobody else can tell
    assert not table.state.facts


@pytest.mark.parametrize("asked", [(3, 5), (5, 3)])
def test_cards_that_were_compared_are_not_told_apart_in_one_hand(asked: tuple[int, int]) -> None:
    table = dealt()
    ask_question(table, "higher", *asked)
    table.move(3, "hand/0", "hand/1")
    assert not table.state.facts


def test_hands_of_one_card_are_swapped_with_what_is_known() -> None:
    table = dealt()
    table.place(Zone("aside", Sight.NONE))
    ask_question(table, "sum", 5, n=5)
    for card, source, target in (
        (3, "hand/0", "aside"),
        (5, "hand/1", "hand/0"),
        (3, "aside", "hand/1"),
    ):
        table.move(card, source, target)
    assert known_places(table.state) == [[("hand/0", -1)]]
    assert is_consistent(table.state.facts[0], table.state, query)


def test_a_fact_of_an_ordered_zone_goes_along_with_its_place() -> None:
    table = dealt()
    ask_question(table, "sum", 4, n=4)
    table.move(1, "rack", "row")
    assert known_places(table.state) == [[("rack", 2)]]
    table.move(20, "pile", "rack", 0)
    assert known_places(table.state) == [[("rack", 3)]]
    table.move(4, "rack", "rack", 0)
    assert known_places(table.state) == [[("rack", 0)]]
    table.shuffle("rack")
    assert not table.state.facts


def test_what_lies_open_needs_no_fact() -> None:
    table = dealt()
    ask_question(table, "higher", 3, 5)
    table.move(3, "hand/0", "row")
    assert known_places(table.state) == [[("row", 0), ("hand/1", -1)]]
    table.move(5, "hand/1", "row")
    assert not table.state.facts


@pytest.mark.parametrize("viewer", [AUDIENCE, 0, 1])
def test_both_pens_and_every_view_keep_the_same_facts(viewer: int) -> None:
    table, scratch = dealt(), SimulationTable(dealt().state, FastRng(1))
    before, count = table.state, len(table.events)
    for pen in (table, scratch):
        pen.announce("higher", (3, 5), answer=0, seats=(1,))
        pen.announce("sum", (4,), 4, answer=1, seats=everyone(2))
        pen.move(1, "rack", "hand/0")
        pen.move(20, "pile", "rack", 1)
        pen.draw("pile", "hand/1")
    assert scratch.frozen() == table.state
    view = Table(mask(before, viewer), SeededRng(0))
    for event in masked(before, table.events[count:], viewer):
        view.write(event)
    assert view.state == mask(table.state, viewer)


def test_a_guess_fits_facts_that_hardly_any_deal_fits() -> None:
    table = dealt()
    ask_question(table, "sum", 3, n=3)
    ask_question(table, "sum", 5, n=5)
    ask_question(table, "sum", 0, 1, 2, 4, n=7)
    view = mask(table.state, AUDIENCE)
    for seed in range(5):
        world = deal_hidden(view, FastRng(seed), no_answer, query)
        assert world.cards["hand/0"] == (3,)
        assert world.cards["hand/1"] == (5,)
        assert sum(world.cards["rack"][:4]) == 7
        assert mask(world, AUDIENCE) == view


def test_where_nothing_fits_a_guess_is_a_table_all_the_same() -> None:
    table = dealt()
    table.announce("sum", (3,), 99, answer=1)
    view = mask(table.state, AUDIENCE)
    assert deal_known_cards(view, query, FastRng(1)) == view
    assert is_plausible(deal_hidden(view, FastRng(1), no_answer, query))


def test_a_view_with_facts_about_no_card_is_unsound() -> None:
    table = dealt()
    ask_question(table, "sum", 4, n=4)
    view = mask(table.state, 1)
    assert is_plausible(view)
    (fact,) = view.facts
    for zone, at, back in (("nowhere", 0, 0), ("rack", 9, 0), ("rack", 3, 1)):
        place = msgspec.structs.replace(fact.places[0], zone=zone, at=at, back=back)
        wrong = msgspec.structs.replace(fact, places=(place,))
        assert not is_plausible(msgspec.structs.replace(view, facts=(wrong,)))


def test_a_hand_held_the_other_way_round() -> None:
    state = dealt().state
    assert mask(state, 1).cards["rack"] == state.cards["rack"]
    for blind in (0, AUDIENCE):
        assert max(mask(state, blind).cards["rack"]) < 0


class Asking:
    """Each turn asks whether the other's card is higher, or lays nothing down."""

    def setup(self, table: Table) -> None:
        for zone, card in zip(HANDS, (3, 5), strict=True):
            table.place(zone, (card,))
        table.place(PILE, tuple(card for card in range(CARDS) if card not in (3, 5)))
        table.ask(0, "turn")

    def offers(self, state: State, ask: Ask) -> tuple[Offer, ...]:
        return (Offer("compare"), Offer("pass"))

    def play(self, table: Table, seat: int, move: Move) -> None:
        if move.verb == "compare":
            table.announce("higher", (3, 5), answer=0, seats=(seat,))
        table.ask(seat, "turn")


@pytest.mark.parametrize(("verb", "free"), [("pass", True), ("compare", False)])
def test_what_was_announced_is_not_taken_back(verb: str, free: bool) -> None:
    match = Match(toy_kit(Asking(), (0,) * CARDS), [Player("Ann"), Player("Ben")], seed="1")
    match.submit(0, Move(match.state.asks[0].id, verb))
    assert match.can_undo(0) is free
    assert len(match.view(0).facts or ()) == (verb == "compare")
    assert match.make_reset(0).view.facts == match.view(0).facts
    assert not match.view(1).facts
