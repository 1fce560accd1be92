"""Children of the Sun: its rulebook paragraph by paragraph, and our readings of it (CS-nn).

Cards are written as a colour's letter and a rotation: "r+2", "v0", "b4", "y-1".
"""

from collections import Counter
from collections.abc import Iterable, Mapping
from itertools import product

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec.structs import replace

from tabletop.engine.events import Moved, Said, Shown, Shuffled, ValueSet
from tabletop.engine.mask import mask, masked
from tabletop.engine.model import AUDIENCE, Ask, Move, State, hidden_card
from tabletop.engine.play import Illegal, start, submit
from tabletop.engine.play import answer as play_answer
from tabletop.engine.scratch import FastRng, SimulationTable
from tabletop.engine.table import Table
from tabletop.games.sun.places import AHEAD, CELLS, LINES
from tabletop.games.sun.rules import MAGIC_PREVIEWS
from tabletop.studio.laws.random_games import GameTable, open_asks, sample_moves, turns
from tests.games.game_driver import answer, asked, of_kind, offered, sentences
from tests.games.sun_tables import (
    FAR,
    GAME,
    KIT,
    LEFT,
    LETTERS,
    NEAR,
    NEAR_LEFT,
    RIGHT,
    begin,
    card,
    cards,
    empty,
    fate,
    last_turn,
    of_card,
    place,
    position,
    shorthand,
    squads,
)

SETTING = GameTable("sun", GAME, KIT.backs, 2)


# 2 and 3: the cards, the preparation


def test_2_each_colour_has_each_rotation_once() -> None:
    faces = {(c["colour"], c["turn"]) for c in KIT.deck}
    assert faces == set(product(LETTERS.values(), (0, 1, 2, 3, 4, -1, -2, -3)))
    assert len(KIT.deck) == 32
    numbers = {c["turn"]: c["number"] for c in KIT.deck}
    assert sorted(numbers.values()) == [1, 2, 3, 4, 6, 7, 8, 9], "there is no number 5"


def test_3_preparation() -> None:
    table = start(GAME, 2, "test", KIT.backs)
    held = table.state.cards
    assert [len(held[z]) for z in ("shield", "hand/0", "hand/1", "pile")] == [6, 6, 6, 14]  # CS-01
    assert all(not held[cell] for cell in CELLS)
    assert table.state.values["ghost/cell"] == "grid/1,1"
    assert table.state.values["ghost/facing"] == LEFT, "away from the shield"
    assert [table.state.values[f"{k}/{s}"] for k in ("marker", "score") for s in (0, 1)] == [0] * 4
    assert asked(table.state, 0).what == "place"


def test_3_the_shield_is_taken_off_the_top_before_the_hands() -> None:
    table = start(GAME, 2, "test", KIT.backs)
    (shuffled,) = of_kind(table, Shuffled)
    order = shuffled.cards[::-1]
    held = table.state.cards
    assert held["shield"] == order[:6]
    assert held["hand/0"] == tuple(sorted(order[6:12]))
    assert held["hand/1"] == tuple(sorted(order[12:18]))


@pytest.mark.parametrize("viewer", [AUDIENCE, 0, 1])
def test_3_nobody_sees_the_shield_or_another_hand(viewer: int) -> None:
    seen = mask(begin(), viewer).cards
    assert set(seen["shield"] + seen["pile"]) == {hidden_card(0)}
    for seat in (0, 1):
        assert all(c >= 0 for c in seen[f"hand/{seat}"]) is (seat == viewer)


# 5 The siege


def test_5_turns_come_one_two_two_two_one() -> None:
    state, order = begin(), []
    while state.values["phase"] == "siege":
        (ask,) = state.asks
        order.append(ask.seat)
        offer = GAME.offers(state, ask)[0]
        state = submit(GAME, state, ask.seat, next(offer.moves(ask.id)), "test").state
    assert order == [0, 1, 1, 0, 0, 1, 1, 0]  # CS-02
    assert state.asks[0].seat == 0, "the first player begins the analysis too"  # CS-05


def test_51_hands_are_filled_up_to_six_from_the_second_round_on() -> None:
    state, sizes = begin(), []
    for _ in range(8):
        (ask,) = state.asks
        sizes.append(len(state.cards[f"hand/{ask.seat}"]))
        offer = GAME.offers(state, ask)[0]
        table = submit(GAME, state, ask.seat, next(offer.moves(ask.id)), "test")
        state = table.state
    assert sizes == [6] * 8
    assert len(state.cards["pile"]) == 7, "six draws in the siege, and the first of the analysis"
    assert [len(state.cards[f"hand/{seat}"]) for seat in (0, 1)] == [6, 5]  # CS-03


RING = [cell for cell in range(9) if cell != 4]


def test_51_the_first_card_goes_anywhere_around_the_ghost() -> None:
    field = " ".join("." * 9)
    state = position(field, 4, hands={0: "r+1 r0"}, turn=1)
    assert of_card(state, "r+1")["cells"] == tuple(CELLS[cell] for cell in RING)


@pytest.mark.parametrize("last", RING)
def test_51_after_the_opponent_only_the_opposite_cell(last: int) -> None:
    field = " ".join("r+1" if cell == last else "." for cell in range(9))
    state = position(field, 4, hands={1: "b+1 y-2"}, turn=2, seat=1, last=last)
    assert of_card(state, "b+1")["cells"] == (CELLS[8 - last],)
    assert of_card(state, "y-2")["cells"] == (CELLS[8 - last],)


def test_51_after_the_own_card_any_free_cell() -> None:
    state = position("r+1 . . . . . . . b+1", 4, hands={1: "y-2"}, turn=3, seat=1, last=8)
    assert of_card(state, "y-2")["cells"] == tuple(CELLS[c] for c in (1, 2, 3, 5, 6, 7))


def test_51_rotation_0_cannot_be_placed_in_the_siege() -> None:
    state = position(" ".join("." * 9), 4, hands={0: "r0 v0 b0 y0 r+1 v-3"}, turn=1)
    assert [offer.cards for offer in offered(GAME, state, 0)] == [cards("r+1"), cards("v-3")]


@pytest.mark.parametrize("turn", [1, 2, 3, 4, -1, -2, -3])
def test_51_the_ghost_turns_exactly_as_printed(turn: int) -> None:
    name = f"r{turn:+d}"
    state = position(" ".join("." * 9), 4, LEFT, hands={0: name}, turn=1)
    assert len(of_card(state, name)["turns"]) == 1
    table = place(state, name, cell=0, turn="4" if turn == 4 else None)
    assert table.state.values["ghost/facing"] == (LEFT + turn) % 8
    assert table.state.values["ghost/cell"] == CELLS[4], "it does not walk in the siege"


# Seven cards lie; the first player's fourth completes the ring, opposite to the last one.
EIGHTH = ". r+1 r+2 r+3 . b+1 b+2 b+3 y+1"


@pytest.mark.parametrize("facing", range(8))
def test_51_after_eight_cards_the_ghost_steps_onto_the_ring(facing: int) -> None:
    state = position(EIGHTH, 4, facing, hands={0: "r-1", 1: "y-1 y-2"}, turn=8, last=8)
    table = place(state, "r-1")
    after = table.state
    assert after.values["ghost/cell"] == AHEAD[CELLS[4]][(facing - 1) % 8]
    assert after.values["phase"] == "analysis"
    assert empty(after) == [CELLS[4]], "exactly one cell is empty, the centre"  # CS-04
    assert not after.cards["stomach"]
    assert not of_kind(table, Shown)
    assert not any("magic" in text for text in sentences(table)), "no magic, though reds line up"
    assert asked(after, 0).what == "place"


# 6.1 A turn of the analysis

ANALYSIS = "r+1 v+1 b+1 y+1 . r+2 v+2 b+2 y+2"


def test_61_the_player_draws_one_and_fills_the_one_empty_cell() -> None:
    state = position(ANALYSIS, 0, hands={0: "r+3 b0", 1: "y-1"}, pile=3)
    table = place(state, "r+3", turn="0")
    assert table.state.cards["hand/1"] != state.cards["hand/1"]
    assert len(table.state.cards["pile"]) == 2
    assert empty(table.state) == [CELLS[0]], "the cell that the ghost left"
    assert of_card(state, "b0")["cells"] == (CELLS[4],)


def test_61_when_the_pile_is_empty_nobody_draws() -> None:
    state = position(ANALYSIS, 0, hands={0: "r+3 b0", 1: "y-1"}, pile=0)
    table = place(state, "r+3", turn="0")
    assert table.state.cards["hand/1"] == cards("y-1")


@pytest.mark.parametrize(
    ("name", "free"),
    [
        ("r+1", {"0", "+1"}),
        ("r+2", {"0", "+1", "+2"}),
        ("r+3", {"0", "+1", "+2", "+3"}),
        ("r-1", {"0", "-1"}),
        ("r-2", {"0", "-1", "-2"}),
        ("r-3", {"0", "-1", "-2", "-3"}),
        ("r4", {"4"}),
        ("r0", {"0"}),
    ],
)
def test_61_how_far_a_card_may_turn_the_ghost(name: str, free: set[str]) -> None:
    state = position("b+1 v+1 b+3 y+1 . y+3 v+2 b+2 y+2", 0, NEAR, hands={0: name, 1: "v-1"})
    assert set(of_card(state, name)["turns"]) == free  # CS-06
    for turn in free:
        after = place(state, name, turn=turn).state
        assert after.values["ghost/facing"] == (NEAR + int(turn)) % 8


# 6.2 Direct magic: the line of the placed card and the ghost's old cell


@pytest.mark.parametrize(
    ("about", "field", "ghost", "laid", "fires"),
    [
        ("three in a row", "r+1 r+2 . v+1 b+1 y+1 v+2 b+2 y+2", 0, "r+3", True),
        ("three in a column", "r+1 v+1 b+1 r+2 y+1 v+2 . b+2 y+2", 0, "r+3", True),
        ("three in a diagonal", "r+1 v+1 b+1 v+2 r+2 b+2 y+1 y+2 .", 0, "r+3", True),
        ("two and a 0 in a row count four", "r+1 r+2 . v+1 b+1 y+1 v+2 b+2 y+2", 0, "r0", True),
        (
            "a 0 and one of its colour, another between",
            "r+1 v+1 . v+2 b+1 y+1 v+3 b+2 y+2",
            0,
            "r0",
            True,
        ),
        ("only two in the row", "r+1 v+1 . v+2 b+1 y+1 v+3 b+2 y+2", 0, "r+3", False),
        ("a 0 alone", "v+1 r+1 . v+2 b+1 y+1 y+3 b+2 y+2", 0, "b0", False),
        ("blues fire though red is laid", "b+1 b0 . v+2 v+1 y+1 v+3 r+2 y+2", 0, "r+3", True),
        ("blues fire, the ghost on red", "r+2 b0 . v+2 v+1 y+1 v+3 b+2 y+2", 0, "b+3", True),
        (
            "two cards of a short diagonal, one a 0",
            "v+1 . v+2 r0 y+1 b+1 y+2 b+2 v+3",
            3,
            "r+3",
            True,
        ),
        (
            "two cards of a short diagonal, the 0 laid",
            "v+1 . v+2 r+3 y+1 b+1 y+2 b+2 v+3",
            3,
            "r0",
            True,
        ),
        (
            "two cards of a short diagonal, no 0",
            "v+1 . v+2 r+1 y+1 b+1 y+2 b+2 v+3",
            3,
            "r+3",
            False,
        ),
        (
            "a short diagonal, a 0 of another colour",
            "v+1 . v+2 v0 y+1 b+1 y+2 b+2 v+3",
            3,
            "r+3",
            False,
        ),
        ("a knight's move apart", "r0 v+1 b+1 y+1 v+2 . r+1 r+2 r-1", 0, "r+3", False),
        ("a row that the ghost is not in", "r+1 r+2 . v+1 b+1 y+1 v+2 b+2 y+2", 8, "r+3", False),
    ],
)
def test_62_direct_magic(about: str, field: str, ghost: int, laid: str, fires: bool) -> None:
    assert direct(field, ghost, laid) is fires, about  # CS-08, CS-09


def direct(field: str, ghost: int, laid: str) -> bool:
    state = position(field, ghost, hands={0: laid, 1: "y-1"})
    table = place(state, laid, turn="4" if laid[1:] == "4" else "0")
    return "Direct magic: {word_colour} {count}." in sentences(table)


def test_62_direct_magic_counts_the_card_under_the_ghost() -> None:
    """The red under the ghost is needed for three, and is gone when radiating magic is judged."""
    state = position("r+1 r+2 . v+1 b+1 y+1 v+2 b+2 y+2", 0, NEAR, hands={0: "r+3", 1: "y-1"})
    table = place(state, "r+3", turn="0")
    assert fate(table) == ("bed/0", False)  # outcome A
    assert table.state.cards["bed/0"] == cards("r+1")


@settings(max_examples=200)
@given(order=st.permutations(range(32)), ghost=st.integers(0, 8), gap=st.integers(0, 8))
def test_62_direct_magic_on_any_field(order: list[int], ghost: int, gap: int) -> None:
    """Against a plain reading: walk from cell to cell in a straight line, and count colours."""
    if ghost == gap:
        return
    faces = {cell: order[cell] for cell in range(9)}
    field = " ".join("." if cell == gap else shorthand(faces[cell]) for cell in range(9))
    assert direct(field, ghost, shorthand(faces[gap])) is plainly_fires(straight(gap, ghost), faces)


def straight(one: int, two: int) -> set[int]:
    """The cells of the straight line through two cells; empty where there is none."""
    down, right = two // 3 - one // 3, two % 3 - one % 3
    if abs(down) not in (0, abs(right)) and right != 0:
        return set()
    down, right = (down > 0) - (down < 0), (right > 0) - (right < 0)
    spots = [(one // 3 + down * n, one % 3 + right * n) for n in range(-2, 3)]
    return {3 * r + c for r, c in spots if 0 <= r < 3 and 0 <= c < 3}


def plainly_fires(line: Iterable[int], faces: Mapping[int, int]) -> bool:
    held = [KIT.deck[faces[cell]] for cell in line if cell in faces]
    counts = [
        sum(2 if c["turn"] == 0 else 1 for c in held if c["colour"] == colour)
        for colour in LETTERS.values()
    ]
    return max(counts) >= 3


def test_62_the_twelve_lines() -> None:
    lines = {frozenset(straight(a, b)) for a in range(9) for b in range(9) if a != b}
    named = {frozenset(CELLS[cell] for cell in line) for line in lines if line}
    assert {frozenset(line) for line in LINES} == named
    assert len(LINES) == 12


# 6.3 The ghost walks


@pytest.mark.parametrize(("cell", "facing"), list(product(range(9), range(8))))
def test_63_the_edges_are_joined(cell: int, facing: int) -> None:
    clockwise_from_far = [-3j, 1 - 3j, 1, 1 + 3j, 3j, -1 + 3j, -1, -1 - 3j]
    step = clockwise_from_far[facing]
    column = (cell % 3 + step.real) % 3
    row = (cell // 3 + step.imag / 3) % 3
    assert AHEAD[CELLS[cell]][facing] == f"grid/{row:.0f},{column:.0f}"  # CS-10


def test_63_top_left_moving_down_left_wraps_to_right_centre() -> None:
    state = position(ANALYSIS, 0, NEAR_LEFT, hands={0: "b0", 1: "y-1"})
    assert place(state, "b0").state.values["ghost/cell"] == "grid/1,2"


def test_63_from_the_far_row_further_out_comes_back_near() -> None:
    state = position(ANALYSIS, 1, FAR, hands={0: "b0", 1: "y-1"})
    assert place(state, "b0").state.values["ghost/cell"] == "grid/2,1"


def test_63_the_left_card_is_removed() -> None:
    state = position(ANALYSIS, 1, FAR, hands={0: "y0", 1: "y-1"})
    after = place(state, "y0").state
    assert after.cards["stomach"] == cards("v+1")
    assert empty(after) == [CELLS[1]]


# 6.4 Radiating magic: any line through the ghost's new cell, eight cards


@pytest.mark.parametrize(
    ("about", "field", "ghost", "facing", "laid", "fires"),
    [
        ("a row", "r+1 v+1 b+1 y+1 . v+2 b-1 b+2 b+3", 3, NEAR, "y+2", True),
        ("a column", "r+1 b+1 y+1 v+1 . v+2 r+2 b+2 y+2", 0, RIGHT, "b+3", True),
        ("a diagonal", "b+1 r+1 y+1 v+1 . v+2 r+2 y+2 b+2", 5, NEAR, "b+3", True),
        (
            "the removed card does not count",
            "b+1 v+1 r+1 b+2 . v+2 b+3 r+2 y+3",
            0,
            NEAR,
            "r-1",
            False,
        ),
        (
            "a row with the laid card in it",
            "y+1 v+1 r+1 b+2 . b-2 b+3 r+2 y+3",
            0,
            NEAR,
            "b-1",
            True,
        ),
        ("a short diagonal with a 0", "y+1 v0 r+1 v+3 . b-2 b+3 r+2 y+3", 0, NEAR, "b-1", True),
        ("a short diagonal without", "y+1 v+2 r+1 v+3 . b-2 b+3 r+2 y+3", 0, NEAR, "b-1", False),
        ("a line elsewhere", "r+1 r+2 r+3 v+1 . y+1 b+1 y+2 b+2", 3, NEAR, "y+3", False),
    ],
)
def test_64_radiating_magic(
    about: str, field: str, ghost: int, facing: int, laid: str, fires: bool
) -> None:
    state = position(field, ghost, facing, hands={0: laid, 1: "y-2"})
    table = place(state, laid, turn="0")
    told = "Radiating magic: {word_colour} {count}." in sentences(table)
    assert told is fires, about


def test_64_several_lines_bring_no_more_than_one() -> None:
    """The new cell's row holds three blues, its column a blue 0 and a blue: one reward."""
    field = "b0 v+1 r-2 r+1 . y+1 b+1 b+2 b+3"
    table = place(position(field, 3, NEAR, {0: "y+2", 1: "y-1"}), "y+2", turn="0")
    assert sentences(table).count("Radiating magic: {word_colour} {count}.") == 2
    assert [ask.what for ask in table.state.asks] == ["reward"]
    after = answer(GAME, table.state, 0, Move(0, "analyse")).state
    assert after.values["marker/0"] == 1


# 6.5 Effects of magic

A = ("r+1 r+2 . v+1 b+1 y+1 v+2 b+2 y+2", 0, NEAR, "r+3")
B = ("r+1 v+1 y-3 y+1 . v+2 b-1 b+2 b+3", 3, NEAR, "y+2")
C = ("r+1 r+2 . v+1 b+1 y+1 v+2 v0 y+2", 0, FAR, "r+3")
D = (ANALYSIS, 1, FAR, "y0")
Case = tuple[str, int, int, str]


def turn_of(case: Case, markers: tuple[int, int] = (0, 0), seat: int = 0) -> tuple[State, Table]:
    field, ghost, facing, laid = case
    state = position(
        field, ghost, facing, hands={seat: laid, 1 - seat: "y-1"}, markers=markers, seat=seat
    )
    return state, place(state, laid, turn="0")


def test_65_a_direct_only_acquires() -> None:
    _, table = turn_of(A)
    assert fate(table) == ("bed/0", False)
    assert table.state.values["marker/0"] == 0


def test_65_b_radiating_only_chooses() -> None:
    _, table = turn_of(B)
    assert [o.verb for o in offered(GAME, table.state, 0)] == ["acquire", "analyse"]
    assert table.state.cards["aside"] == cards("y+1"), "the card lies open beside the field"
    acquired = answer(GAME, table.state, 0, Move(0, "acquire"))
    assert fate(acquired) == ("bed/0", False)
    analysed = answer(GAME, table.state, 0, Move(0, "analyse"))
    assert fate(analysed) == ("stomach", True)  # CS-07
    assert analysed.state.values["marker/0"] == 1


def test_65_c_both_brings_both() -> None:
    _, table = turn_of(C)
    assert fate(table) == ("bed/0", True)
    assert table.state.values["marker/0"] == 1


def test_65_d_none_feeds_the_stomach() -> None:
    _, table = turn_of(D)
    assert fate(table) == ("stomach", False)
    assert "No magic: the ghost swallows the card." in sentences(table)


@pytest.mark.parametrize("case", [A, B, C])
def test_65_past_the_end_of_the_shield_cards_are_only_acquired(case: Case) -> None:
    _, table = turn_of(case, markers=(6, 0))
    assert fate(table) == ("bed/0", False)  # CS-11
    assert table.state.values["marker/0"] == 6
    assert asked(table.state, 1).what == "place"


@pytest.mark.parametrize(("seat", "place_seen"), [(0, 5), (1, 0)])
def test_65_from_the_last_card_one_analysis_more(seat: int, place_seen: int) -> None:
    markers = (5, 0) if seat == 0 else (0, 5)
    _, table = turn_of(C, markers=markers, seat=seat)
    assert table.state.values[f"marker/{seat}"] == 6
    assert seat in table.state.shown[table.state.cards["shield"][place_seen]]


def test_65_analysed_cards_are_known_to_their_player_for_ever() -> None:
    for turn in turns(SETTING, "ever"):
        state = turn.after
        for viewer in (0, 1):
            done = int(state.values[f"marker/{viewer}"])
            own = range(6)[:done] if viewer == 0 else range(6)[::-1][:done]
            seen = mask(state, viewer).cards["shield"]
            if state.result is None:
                assert {place for place in range(6) if seen[place] >= 0} == set(own)
        if state.result is None:
            assert set(mask(state, AUDIENCE).cards["shield"]) == {hidden_card(0)}
    assert state.values["marker/0"], "a game without an analysis would prove nothing"


@pytest.mark.parametrize("seat", [0, 1])
def test_65_an_analysed_card_stays_hidden_from_the_opponent(seat: int) -> None:
    before, table = turn_of(C, markers=(2, 3), seat=seat)
    for viewer, secret in [(seat, False), (1 - seat, True), (AUDIENCE, True)]:
        heard = masked(before, table.events, viewer)
        (shown,) = (event for event in heard if isinstance(event, Shown))
        assert (shown.card < 0) is secret
        (said,) = (e for e in heard if isinstance(e, Said) and "analyses a card" in e.text)
        assert (said.cards[0] < 0) is secret


def test_65_beds_show_their_number_but_not_their_cards() -> None:
    state = position(ANALYSIS, 1, FAR, hands={0: "b0", 1: "y-1"}, beds={0: "r0 v0", 1: "r4"})
    for viewer in (AUDIENCE, 1):
        assert mask(state, viewer).cards["bed/0"] == (hidden_card(0), hidden_card(0))
    assert mask(state, 0).cards["bed/0"] == tuple(sorted(cards("r0 v0")))
    assert mask(state, 0).cards["bed/1"] == (hidden_card(0),)


@pytest.mark.parametrize("seed", "abc")
def test_65_the_analysis_takes_eighteen_turns(seed: str) -> None:
    placed = [turn for turn in turns(SETTING, seed) if turn.move and turn.move.verb == "place"]
    sizes = [len(turn.before.cards[f"hand/{turn.seat}"]) for turn in placed]
    assert sizes == [6] * 16 + [5, 5, 4, 4, 3, 3, 2, 2, 1, 1]  # CS-12
    assert placed[-1].after.cards["hand/0"] == placed[-1].after.cards["hand/1"] == ()


# 7 The extermination


def test_65_each_analysis_scores_a_point_at_the_end() -> None:
    state = last_turn("r0", "v0", markers=(2, 5))
    assert state.values["score/0"] == 2
    assert state.values["score/1"] == 5


@pytest.mark.parametrize(
    ("bed", "sizes", "spare"),
    [
        ("r0", [1, 0, 0], 0),
        ("r0 r+1", [2, 0, 0], 0),
        ("r0 r+1 r+2", [2, 1, 0], 0),
        ("r0 r+1 r+2 r+3", [2, 2, 0], 0),
        ("r0 r+1 r+2 r+3 r4", [2, 2, 1], 0),
        ("r0 r+1 r+2 r+3 r4 r-1", [2, 2, 2], 0),
        ("r0 r+1 r+2 r+3 r4 r-1 r-2", [2, 2, 2], 1),
        ("r0 r+1 r+2 r+3 r4 r-1 r-2 r-3", [2, 2, 2], 2),
    ],
)
def test_71_squads_are_filled_from_the_first(bed: str, sizes: list[int], spare: int) -> None:
    state = last_turn(bed, "y0")
    (offer,) = offered(GAME, state, 0)
    assert offer.least == offer.most == sum(sizes), "none may be kept back"  # CS-13
    after = squads(state, " ".join(bed.split()[:6]), "y0").state
    assert [len(after.cards[f"squad/0/{n}"]) for n in (1, 2, 3)] == sizes
    assert len(after.cards["spare/0"]) == spare
    assert not after.cards["bed/0"]


def test_71_the_order_of_the_answer_forms_the_squads() -> None:
    after = squads(last_turn("r0 r+1 r+2", "y0"), "r+2 r0 r+1", "y0").state
    assert set(after.cards["squad/0/1"]) == set(cards("r+2 r0"))
    assert after.cards["squad/0/2"] == cards("r+1")


def test_71_an_empty_bed_forms_no_squads() -> None:
    state = last_turn("", "r0")
    assert [ask.seat for ask in state.asks] == [1]
    after = squads(state, "", "r0").state
    assert after.result is not None
    both = last_turn("", "")
    assert both.result is not None, "three attacks all the same"
    assert len(both.result.sheet) == 4


def test_71_squads_stay_hidden_until_both_are_formed() -> None:
    state = last_turn("r0 r+1", "v0 v+1")
    table = answer(GAME, state, 0, Move(0, "squads", cards("r0 r+1")))
    assert table.state.result is None
    assert not of_kind(table, Moved)
    for viewer in (AUDIENCE, 1):
        assert mask(table.state, viewer).answers == {state.asks[0].id: None}
    with pytest.raises(Illegal, match="already answered"):
        submit(GAME, table.state, 0, Move(state.asks[0].id, "squads", cards("r+1 r0")), "x")


# Shield places 2,3 then 1,4 then 0,5 are opened: the figure of 7.3.
FIGURE_SHIELD = "b+3 r+3 r+1 y+1 b+2 y+2"


def test_72_attacks_open_the_shield_from_the_middle() -> None:
    state = last_turn("r0 r+1 r+2 r+3 r4", "y0", FIGURE_SHIELD)
    table = squads(state, "r0 r+1 r+2 r+3 r4", "y0")
    order = [e.card for e in of_kind(table, Shown) if e.zone == "shield"]
    assert order == cards_at(state, 2, 3, 1, 4, 0, 5)  # CS-14
    opened = [e.zone for e in of_kind(table, Shown) if e.zone.startswith("squad/0")]
    assert opened == ["squad/0/1", "squad/0/1", "squad/0/2", "squad/0/2", "squad/0/3"]
    for viewer in (AUDIENCE, 0, 1):
        view = mask(table.state, viewer).cards
        assert view["shield"] == table.state.cards["shield"]
        assert view["squad/0/3"] == cards("r4")


def cards_at(state: State, *places: int) -> list[int]:
    return [state.cards["shield"][place] for place in places]


def test_72_attacks_without_a_squad_still_score() -> None:
    state = last_turn("r0", "", "r+1 r+2 r+3 r-1 r-2 r-3")
    result = squads(state, "r0").state.result
    assert [line.points[0] for line in result.sheet[1:]] == [2, 4, 6]


def test_73_rotation_0_counts_once_in_squads_and_shield() -> None:
    state = last_turn("b0 r+3", "", "b+1 b+2 r0 b+3 b-1 b-2")
    result = squads(state, "b0 r+3").state.result
    assert result.sheet[1].points[0] == 1 * 1 + 1 * 1


def test_7_stomach_and_spares_are_never_opened() -> None:
    """CS-16."""
    state = last_turn("r0 r+1 r+2 r+3 r4 r-1 r-2", "y0")
    after = squads(state, "r0 r+1 r+2 r+3 r4 r-1", "y0").state
    assert after.result is not None
    for viewer in (AUDIENCE, 0, 1):
        view = mask(after, viewer).cards
        assert set(view["stomach"]) == {hidden_card(0)}
        assert (view["spare/0"] == (hidden_card(0),)) is (viewer != 0)


# 8 Who wins

DULL = "y+1 y+2 y+3 y-1 y-2 y-3"


@pytest.mark.parametrize(
    ("beds", "markers", "winners", "decided"),
    [
        (("r0", "v0"), (2, 1), (0,), ""),
        (("r0", "v0"), (1, 3), (1,), ""),
        (("r0", "v0"), (1, 1), (), "Equal points and equal cards set aside: a draw."),
        (
            ("r0 r+1 r+2 r+3 r4 r-1 r-2", "v0"),
            (2, 2),
            (0,),
            "Equal points: more cards set aside decide.",
        ),
        (
            ("r0", "v0 v+1 v+2 v+3 v4 v-1 v-2"),
            (0, 0),
            (1,),
            "Equal points: more cards set aside decide.",
        ),
    ],
)
def test_8_who_wins(
    beds: tuple[str, str], markers: tuple[int, int], winners: tuple[int, ...], decided: str
) -> None:
    state = last_turn(*beds, DULL, markers)
    result = squads(state, *(" ".join(bed.split()[:6]) for bed in beds)).state.result
    assert result.winners == winners
    assert result.scores == markers
    assert result.decided == decided  # CS-15


# Why not


@pytest.mark.parametrize(
    ("turn", "name", "to", "text", "paragraph"),
    [
        (2, "y-1", "grid/2,2", "You can only place a card from your own hand.", "5.1"),
        (2, "r0", "grid/2,2", "A still card can't be placed during the siege.", "5.1"),
        (2, "r0", "", "A still card can't be placed during the siege.", "5.1"),
        (2, "r+1", "grid/1,1", "The ghost is in the centre: cards go around it.", "5.1"),
        (2, "r+1", "stomach", "Place the card on a cell around the ghost.", "5.1"),
        (2, "r+1", "grid/0,0", "There's already a card there: choose a free cell.", "5.1"),
        (
            2,
            "r+1",
            "grid/0,1",
            "After your opponent's card you must answer on the cell straight across the ghost.",
            "5.1",
        ),
        (9, "r+1", "grid/0,0", "There's already a card there: only the empty cell is free.", "6.1"),
        (9, "r+1", "pile", "Place the card on the empty cell of the field.", "6.1"),
        (9, "y-1", "grid/1,1", "You can only place a card from your own hand.", "6.1"),
    ],
)
def test_why_a_card_cannot_go_there(
    turn: int, name: str, to: str, text: str, paragraph: str
) -> None:
    if turn == 2:
        state = position("v+1 . . . . . . . .", 4, hands={1: "r+1 r0"}, turn=2, seat=1, last=0)
    else:
        state = position(ANALYSIS.replace("r+1", "v-1"), 0, hands={1: "r+1 r0"}, seat=1)
    reason = GAME.why(mask(state, 1), state.asks[0], card(name), to)
    assert (reason.text, reason.paragraph) == (text, paragraph)
    with pytest.raises(Illegal) as refused:
        submit(GAME, state, 1, Move(1, "place", (card(name),), to, name[1:]), "x")
    assert to == "" or refused.value.reason == reason


@pytest.mark.parametrize("to", ["", "grid/2,2"])
def test_why_is_silent_where_the_card_may_go(to: str) -> None:
    state = position("v+1 . . . . . . . .", 4, hands={1: "r+1 r0"}, turn=2, seat=1, last=0)
    assert GAME.why(state, state.asks[0], card("r+1"), to) is None


def test_why_a_turn_of_the_ghost_is_refused() -> None:
    state = position(ANALYSIS.replace("r+1", "v-1"), 0, hands={0: "r+1 r4"})
    for name, turn in [("r+1", "+2"), ("r+1", "-1"), ("r4", "0")]:
        with pytest.raises(Illegal) as refused:
            place(state, name, turn=turn)
        assert refused.value.reason.text


def test_why_while_a_reward_or_the_squads_are_chosen() -> None:
    _, table = turn_of(B)
    state = table.state
    assert GAME.why(state, asked(state, 0), card("y-1"), "").paragraph == "6.5"
    state = last_turn("r0 r+1", "y0")
    own = GAME.why(state, asked(state, 0), card("r0"), "")
    foreign = GAME.why(state, asked(state, 0), card("y0"), "")
    assert own.paragraph == foreign.paragraph == "7.1"
    assert own != foreign
    with pytest.raises(Illegal, match="Fill the squads from the first"):
        answer(GAME, state, 0, Move(0, "squads", cards("r0")))
    with pytest.raises(Illegal, match="own bed"):
        answer(GAME, state, 0, Move(0, "squads", cards("y0")))


# Previews


@settings(max_examples=8)
@given(seed=st.integers(0, 2**32).map(str))
def test_previews_come_true(seed: str) -> None:
    """New values and notes on magic are those of the real turn; the outcome's note fits too."""
    for turn in turns(SETTING, seed):
        state = turn.after
        for ask in open_asks(state):
            view = mask(state, ask.seat)
            for offer in GAME.offers(view, ask):
                for move in sample_moves(offer, ask.id, 4, FastRng(seed)):
                    _comes_true(state, view, ask, move)


def _comes_true(state: State, view: State, ask: Ask, move: Move) -> None:
    told = GAME.preview(view, ask, move)
    if move.verb != "place":
        assert told is None
        return
    table = submit(GAME, state, ask.seat, move, "preview")
    set_values = {e.key: e.value for e in of_kind(table, ValueSet)}
    assert told.values.items() <= set_values.items()
    assert ("ghost/cell" in told.values) is ("ghost/cell" in set_values)
    magic = [note for note in told.notes if "magic:" in note.text and "{" in note.text]
    said = [s for s in of_kind(table, Said) if "magic:" in s.text and "{" in s.text]
    assert [(n.text, n.args["word_colour"], n.args["count"]) for n in magic] == [
        (MAGIC_PREVIEWS[s.text], s.args["word_colour"], s.args["count"]) for s in said
    ]
    assert [note.zones for note in magic] == [tuple(str(s.args["lit"]).split()) for s in said]
    if state.values["phase"] == "siege":
        assert told.notes == ()
        return
    where, analysed = fate(table)
    outcome = {
        ("bed", True): "You acquire the card and analyse the shield.",
        ("bed", False): "You acquire the card.",
        ("", False): "You may acquire the card or analyse the shield.",
        ("stomach", False): "No magic: the ghost will swallow the card.",
    }
    assert told.notes[-1].text == outcome[(where.split("/")[0], analysed)]


def test_previews_name_no_hidden_card() -> None:
    """Two views that differ in nothing visible give the same preview, for any hidden cards."""
    state, _ = turn_of(C)
    other = replace(state, cards=state.cards | {"shield": state.cards["shield"][::-1]}, shown={})
    move = Move(1, "place", cards("r+3"), "grid/0,2", "0")
    here = GAME.preview(mask(state, 0), state.asks[0], move)
    assert here == GAME.preview(mask(other, 0), other.asks[0], move)
    assert here.notes[0].zones == ("grid/0,0", "grid/0,1", "grid/0,2")


# Random games


def test_statistics_of_random_games() -> None:
    """Those of rulings A: A 7%, B 21%, C 8%, D 65%; bed 1.8, analyses 2.1, score 6.5.

    They come of a player to whom every way to lay a card and turn the ghost is as likely, and who
    takes a look at the shield in three of four choices. (One to whom every card is as likely lays
    the rotations 0 and 4 sooner: 8, 25, 9, 59.)
    """
    games = 2000
    outcomes: Counter[str] = Counter()
    beds = analyses = scores = 0
    for seed in range(games):
        scratch = SimulationTable(begin(str(seed)), FastRng(seed))
        while scratch.result is None:
            outcomes[random_answer(scratch)] += 1
        beds += sum(len(c) for z, c in scratch.cards.items() if z.startswith(("squad", "spare")))
        analyses += sum(int(scratch.values[f"marker/{seat}"]) for seat in (0, 1))
        scores += sum(scratch.result.scores)
    share = {outcome: 100 * outcomes[outcome] / (18 * games) for outcome in "ABCD"}
    assert share == pytest.approx({"A": 7, "B": 21, "C": 8, "D": 65}, abs=1)
    means = [total / (2 * games) for total in (beds, analyses, scores)]
    assert means == pytest.approx([1.8, 2.1, 6.5], abs=0.2)


def random_answer(scratch: SimulationTable) -> str:
    """Give one random answer; return which of 6.5's outcomes it had, if it had one."""
    chance = scratch.chance
    ask = open_asks(scratch)[0]
    offers = GAME.offers(scratch, ask)
    moves = [offers[-1].sample(ask.id, chance)]
    if ask.what == "place":
        moves = [move for offer in offers for move in offer.moves(ask.id)]
    elif ask.what == "reward":
        moves = [offer.sample(ask.id, chance) for offer in (offers[0], *offers[1:] * 3)]
    move = moves[chance.below(len(moves))]
    seat = ask.seat
    analysing = scratch.values["phase"] == "analysis" and move.verb == "place"
    bed, marker = len(scratch.cards[f"bed/{seat}"]), scratch.values[f"marker/{seat}"]
    play_answer(GAME, scratch, ask, move)
    if not analysing:
        return ""
    if any(ask.what == "reward" for ask in scratch.asks):
        return "B"
    if len(scratch.cards[f"bed/{seat}"]) == bed:
        return "D"
    return "A" if scratch.values[f"marker/{seat}"] == marker else "C"
