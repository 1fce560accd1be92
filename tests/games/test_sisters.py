"""Planetary Sisters: every paragraph, every reading of it, every number that was published."""

from collections.abc import Callable
from copy import deepcopy
from itertools import pairwise
from typing import Any

import msgspec
import pytest
from msgspec.structs import replace

from tabletop.catalogue import catalogue
from tabletop.engine.events import Rolled, Said, ValueSet
from tabletop.engine.mask import mask
from tabletop.engine.model import AUDIENCE, Move, Sight, State
from tabletop.engine.play import Illegal, playout, start, submit
from tabletop.engine.scratch import FastRng, SimulationTable
from tabletop.games.sisters.deck import EXAMPLE_HOUSE, BrokenDeck
from tabletop.games.sisters.rules import CATEGORIES, Rules
from tabletop.language.words import Words
from tabletop.match.match import Player
from tests.games.game_driver import answer, asked, of_kind, offered, sentences
from tests.games.sisters_tables import (
    FIELD,
    GAME,
    KIT,
    any_trade,
    card,
    cards,
    dealt,
    field,
    final,
    new,
    played,
    ranks,
    scored,
    to_move,
    to_round,
    trade,
    turn,
)
from ui.table.layout import geometry

SEATS = (2, 3, 4)


# 2, 9 The deck


def test_the_cards_file_is_the_published_set() -> None:
    assert [face["rank"] for face in KIT.deck] == list(range(1, 37))
    assert GAME.deck.production(range(36)) == (38, 17, 8, 16, 19, 12)
    assert GAME.deck.harvesters(range(36)) == (18, 12, 7, 8, 4, 5)


def test_every_sister_has_a_name_of_her_own() -> None:
    assert len({face["short"] for face in KIT.deck}) == 36
    assert all(face["name"] == f"{face['rank']} {face['short']}" for face in KIT.deck)


def broken(change: Callable[[dict[int, dict[str, Any]]], None]) -> BrokenDeck:
    """The errors of a deck with a change made to its cards, by rank."""
    deck = deepcopy(KIT.deck)
    change({face["rank"]: face for face in deck})
    with pytest.raises(BrokenDeck) as refused:
        Rules(deck)
    return refused.value


def elements(**of: dict[str, int]) -> Callable[[dict[int, dict[str, Any]]], None]:
    """A change of the elements of some cards, each named r and its rank."""

    def change(faces: dict[int, dict[str, Any]]) -> None:
        for name, counts in of.items():
            faces[int(name[1:])]["elements"] = counts

    return change


def rename(old: int, rank: int) -> Callable[[dict[int, dict[str, Any]]], None]:
    def change(faces: dict[int, dict[str, Any]]) -> None:
        faces[old]["rank"] = rank

    return change


@pytest.mark.parametrize(
    ("total", "change"),
    [
        ("ranks from 1 to 36, each once", rename(35, 34)),
        ("cards with a round element", elements(r4={"food": 1})),
        ("cards with a pointed element", elements(r5={"food": 1})),
        ("cards with a crown element", elements(r4={"sword": 1})),
        ("food elements", elements(r35={"food": 3})),
        ("cards with food", elements(r35={"food": 3}, r7={"animal": 1, "food": 1})),
        ("plant elements", elements(r6={"plant": 3})),
        ("cards with plant", elements(r6={"plant": 1}, r7={"animal": 1, "plant": 1})),
        ("animal elements", elements(r29={"animal": 1})),
        ("cards with animal", elements(r29={"animal": 1}, r1={"food": 2, "animal": 1})),
        ("cards with a pointed and another element", elements(r33={"plant": 1})),
        ("cards of two kinds", elements(r1={"food": 2, "plant": 1})),
        ("cards with a pointed element alone", elements(r34={"cup": 1, "food": 1})),
        ("cards of one kind", elements(r2={"food": 2})),
        ("kinds", elements(r4={"queen": 1})),
        (
            "cards of several kinds without a round element",
            elements(r34={"cup": 1, "coin": 1}),
        ),
        ("cards against the pointed rule", elements(r34={"cup": 2})),
        ("cards against the pointed rule", elements(r33={"plant": 1, "food": 1, "pole": 1})),
        ("cards against the crown rule", elements(r4={"knight": 2})),
        ("cards against the crown rule", elements(r4={"knight": 1, "food": 1})),
        ("production of the example house", elements(r36={"food": 2, "plant": 2})),
        ("harvesters of the example house", elements(r11={"food": 1})),
        (
            "a field as in the example",
            elements(r8={"food": 3, "animal": 1}, r32={"food": 3, "animal": 1}),
        ),
    ],
)
def test_a_deck_that_breaks_a_total_is_refused_by_its_name(
    total: str, change: Callable[[dict[int, dict[str, Any]]], None]
) -> None:
    error = broken(change)
    assert total in [name for name, _, _ in error.broken]
    assert total in str(error)


def test_a_deck_of_another_size_is_refused() -> None:
    with pytest.raises(BrokenDeck) as refused:
        Rules(KIT.deck[:35])
    assert ("cards", 36, 35) in refused.value.broken


def test_an_error_names_only_what_is_broken() -> None:
    error = broken(elements(r35={"food": 3}))
    assert [name for name, _, _ in error.broken] == ["food elements"]
    assert "food elements: 37 instead of 38" in str(error)


@pytest.mark.parametrize("counts", [{}, {"fish": 1}, {"food": 0}])
def test_a_card_of_no_known_element_is_refused(counts: dict[str, int]) -> None:
    deck = deepcopy(KIT.deck)
    deck[0]["elements"] = counts
    with pytest.raises(msgspec.ValidationError):
        Rules(deck)


# 3, 6.1 Set-up


@pytest.mark.parametrize(("seats", "deck", "left"), [(2, 10, 12), (3, 8, 9), (4, 8, 0)])
def test_set_up(seats: int, deck: int, left: int) -> None:
    state = new(seats)
    for seat in range(seats):
        assert len(state.cards[f"stack/{seat}"]) + len(state.cards[f"hand/{seat}"]) == deck
    assert len(state.cards["rest"]) == left  # PS-02
    assert all(field(state))
    assert f"field/{FIELD[seats]}" not in state.zones
    assert state.values["condition"] == "Close"


def test_nobody_sees_decks_and_cards_left_out() -> None:
    state = new(3)
    for viewer in range(AUDIENCE, 3):
        view = mask(state, viewer)
        for zone in ("rest", "stack/0", "stack/1", "stack/2"):
            assert all(held < 0 for held in view.cards[zone])


def test_hands_are_secret_and_houses_open() -> None:
    state = new(2)
    assert state.zones["hand/0"].sight is Sight.OWNER
    for zone in ("used/0/1", "gained/0/2", "house/0", "guard/0", "field/3"):
        assert state.zones[zone].sight is Sight.ALL


def test_the_first_parent_is_drawn_by_lot_or_sits_first() -> None:
    """PS-01"""
    for seats in SEATS:
        assert to_move(new(seats)) == 0
        found = {
            to_move(start(GAME, seats, f"lot {n}", KIT.backs, {"parent": "lot"}).state)
            for n in range(30)
        }
        assert found == set(range(seats))
    assert of_kind(start(GAME, 4, "lot", KIT.backs, {}), Rolled)


@pytest.mark.parametrize("seats", SEATS)
def test_the_token_lies_beside_the_parents_deck(seats: int) -> None:
    state = new(seats)
    while state.result is None:
        assert state.values["token"] == f"stack/{state.values['parent']}"
        assert state.values["phase"] == "contest"
        state = turn(state)
    assert state.values["phase"] == "scoring"
    assert state.values["players"] == seats


# 5.1, 6.2 Drawing


@pytest.mark.parametrize("seats", [3, 4])
@pytest.mark.parametrize("number", range(1, 9))
def test_hand_and_deck_of_every_round(seats: int, number: int) -> None:
    state = to_round(new(seats), number)
    for seat in range(seats):
        extra = int(number == 1 and seat == seats - 1)
        assert len(state.cards[f"hand/{seat}"]) == number + extra
        assert len(state.cards[f"stack/{seat}"]) == 8 - number - extra


@pytest.mark.parametrize("number", range(1, 9))
def test_hand_deck_and_house_of_every_round_of_two(number: int) -> None:
    """PS-06: the fifth round still draws two and is the first of the second half."""
    state = to_round(new(2), number)
    parent = int(state.values["parent"])
    hand = (2, 4, 6, 8, 10, 8, 6, 4)[number - 1]
    stack = (8, 6, 4, 2, 0, 0, 0, 0)[number - 1]
    house = (0, 0, 0, 0, 0, 2, 4, 6)[number - 1]
    for seat in (0, 1):
        extra = int(number == 1 and seat != parent)
        assert len(state.cards[f"hand/{seat}"]) == hand + extra
        assert len(state.cards[f"stack/{seat}"]) == stack - extra
        assert len(state.cards[f"house/{seat}"]) == house


def test_larger_starting_hands_draw_less() -> None:
    """PS-09: it is the holder of the extra card, not the last player of round 2."""
    table = played(4, 1, [(30, 20), (5, 21), (6, 22), (23, 24)])
    assert table.state.values["parent"] == 3  # the player who held two cards now moves first
    assert [len(table.state.cards[f"hand/{seat}"]) for seat in range(4)] == [2, 2, 2, 2]
    assert [len(table.state.cards[f"stack/{seat}"]) for seat in range(4)] == [6, 6, 6, 6]


# 5.2 A turn


@pytest.mark.parametrize("seats", SEATS)
def test_turns_go_clockwise_from_the_parent(seats: int) -> None:
    state = to_round(new(seats), 3)
    parent = int(state.values["parent"])
    for place in range(FIELD[seats]):
        assert to_move(state) == (parent + place) % seats
        assert state.values["turn"] == place + 1
        state = turn(state)


@pytest.mark.parametrize("seats", SEATS)
def test_one_offer_holds_every_card_and_every_field_card(seats: int) -> None:
    """PS-03: the k-th turn of a round finds the field less k - 1 cards."""
    state = to_round(new(seats), 2)
    for left in range(FIELD[seats], 0, -1):
        (offer,) = offered(GAME, state, to_move(state))
        assert offer.verb == "trade"
        assert offer.cards == state.cards[f"hand/{to_move(state)}"]
        assert offer.targets == tuple(
            f"field/{place}" for place, rank in enumerate(field(state)) if rank
        )
        assert len(offer.targets) == left
        state = turn(state)


def test_using_and_gaining_is_one_move() -> None:
    state = to_round(new(4), 4)
    seat = to_move(state)
    used, gained = ranks(state.cards[f"hand/{seat}"])[0], field(state)[2]
    after = turn(state, trade(used, 2))
    assert ranks(after.cards[f"used/{seat}/1"]) == (used,)
    assert ranks(after.cards[f"gained/{seat}/1"]) == (gained,)
    assert len(after.cards[f"hand/{seat}"]) == 3
    assert field(after)[2] == 0
    assert after.values[f"difference/{seat}/1"] == abs(used - gained)


@pytest.mark.parametrize(
    ("seats", "options"),
    [(2, [2 * 4, 3 * 3, 1 * 2, 2 * 1]), (3, [3, 2, 2]), (4, [4, 3, 2, 2])],
)
def test_the_first_round_forces_all_choices_but_one(seats: int, options: list[int]) -> None:
    state, found = new(seats), []
    while state.values["round"] == 1:
        (offer,) = offered(GAME, state, to_move(state))
        found.append(len(list(offer.moves(0))))
        state = turn(state)
    assert found == options


@pytest.mark.parametrize("seats", SEATS)
def test_nobody_is_ever_left_without_a_choice(seats: int) -> None:
    for seed in range(20):
        state, turns, most = new(seats, str(seed)), 0, 0
        luck = FastRng(seed)
        while state.result is None:
            (offer,) = GAME.offers(state, state.asks[0])
            options = len(offer.cards) * len(offer.targets)
            assert options > 1
            most = max(most, options)
            state = turn(state, offer.sample(0, luck))
            turns += 1
        assert turns == {2: 32, 3: 24, 4: 32}[seats]
        assert most == {2: 40, 3: 24, 4: 32}[seats]


def test_a_card_gained_this_round_cannot_be_used_again() -> None:
    """PS-04"""
    state = to_round(new(2), 3)
    seat, gained = to_move(state), card(field(state)[0])
    state = turn(turn(state))
    assert to_move(state) == seat
    assert state.cards[f"gained/{seat}/1"] == (gained,)
    (offer,) = offered(GAME, state, seat)
    assert gained not in offer.cards
    refusal_of(state, Move(0, "trade", (gained,), offer.targets[0]), "5.4")


# 5.3 The next parent


def test_close_favours_the_smallest_difference_far_the_largest() -> None:
    moves = [(1, 10), (20, 22), (30, 25), (5, 12)]  # 9, 2, 5, 7
    close = played(4, 3, moves, condition="Close")
    assert close.state.values["parent"] == 1
    far = played(4, 4, moves, condition="Far")
    assert far.state.values["parent"] == 0
    assert "The smallest difference makes {seat} the parent, who turns the card to Far." in (
        sentences(close)
    )
    assert "The largest difference makes {seat} the parent, who turns the card to Close." in (
        sentences(far)
    )


@pytest.mark.parametrize("condition", ["Close", "Far"])
@pytest.mark.parametrize(
    ("moves", "parent"),
    [
        ([(1, 3), (10, 12), (20, 22), (30, 32)], 3),
        ([(1, 3), (10, 12), (22, 20)], 2),
    ],
)
def test_of_equal_differences_the_most_downstream_becomes_parent(
    condition: str, moves: list[tuple[int, int]], parent: int
) -> None:
    """PS-05"""
    assert played(len(moves), 3, moves, condition=condition).state.values["parent"] == parent


def test_downstream_is_counted_among_the_tied_alone() -> None:
    """PS-05: seat 3 moved last but is not among those with the smallest difference."""
    moves = [(1, 3), (10, 15), (20, 22), (30, 36)]
    assert played(4, 3, moves, condition="Close").state.values["parent"] == 2


@pytest.mark.parametrize(
    ("condition", "moves", "parent"),
    [
        ("Close", [(1, 2), (10, 12), (20, 26), (30, 33)], 0),  # 1 and 6 against 2 and 3
        ("Close", [(1, 2), (10, 11), (20, 26), (31, 30)], 1),  # 1 and 6 against 1 and 1 (PS-07)
        ("Close", [(20, 26), (10, 11), (1, 2), (30, 34)], 1),  # 6 and 1 against 1 and 4
        ("Close", [(1, 2), (10, 14), (20, 23), (30, 31)], 0),  # 1 and 3 against 4 and 1
        ("Far", [(1, 10), (11, 20), (21, 23), (30, 34)], 1),  # 9 and 2 against 9 and 4
        ("Far", [(1, 10), (24, 20), (21, 26), (31, 22)], 0),  # 9 and 5 against 4 and 9
        ("Far", [(1, 10), (11, 12), (21, 23), (30, 34)], 0),  # 9 and 2 against 1 and 4
        ("Far", [(1, 10), (11, 20), (21, 25), (31, 35)], 1),  # equal: the child
        ("Close", [(1, 10), (24, 20), (21, 25), (31, 22)], 1),  # equal crosswise: the child
    ],
)
def test_the_next_parent_of_two(condition: str, moves: list[tuple[int, int]], parent: int) -> None:
    assert played(2, 3, moves, condition=condition).state.values["parent"] == parent


def test_the_child_wins_equal_lists_also_from_the_first_seat() -> None:
    state = to_round(new(2), 3)
    values = {"difference/0/1": 4, "difference/0/2": 2, "difference/1/1": 2, "difference/1/2": 4}
    for parent in (0, 1):
        for condition in ("Close", "Far"):
            now = state.values | values | {"parent": parent, "condition": condition}
            assert GAME._next_parent(replace(state, values=now)) == 1 - parent


# 5.4 The end of a round


def test_used_cards_become_the_next_field() -> None:
    moves = [(1, 10), (20, 22), (30, 25), (5, 12)]
    state = played(4, 3, moves).state
    assert field(state) == (1, 20, 30, 5)
    for seat, (used, gained) in enumerate(moves):
        assert card(gained) in state.cards[f"hand/{seat}"]
        assert card(used) not in state.cards[f"hand/{seat}"]
        assert state.cards[f"used/{seat}/1"] == state.cards[f"gained/{seat}/1"] == ()
        assert state.values[f"difference/{seat}/1"] == 0


def test_used_cards_of_two_become_the_next_field_too() -> None:
    moves = [(1, 10), (20, 22), (30, 25), (5, 12)]
    state = played(2, 3, moves).state
    assert field(state) == (1, 20, 30, 5)
    assert {card(10), card(25)} < set(state.cards["hand/0"])
    assert {card(22), card(12)} < set(state.cards["hand/1"])


def test_in_the_second_half_gained_cards_are_housed() -> None:
    moves = [(1, 10), (20, 22), (30, 25), (5, 12)]
    state = played(2, 5, moves).state
    assert ranks(state.cards["house/0"]) == (10, 25)
    assert ranks(state.cards["house/1"]) == (12, 22)
    assert len(state.cards["hand/0"]) == len(state.cards["hand/1"]) == 8


@pytest.mark.parametrize("seats", SEATS)
def test_the_condition_turns_after_every_round(seats: int) -> None:
    """PS-08"""
    state, sides, parents = new(seats), [], []
    for number in range(1, 9):
        state = to_round(state, number)
        sides.append(state.values["condition"])
        parents.append(state.values["parent"])
    assert sides == ["Close", "Far"] * 4
    stays = played(4, 3, [(1, 2), (10, 15), (20, 26), (30, 36)], condition="Close").state
    assert (stays.values["parent"], stays.values["condition"]) == (0, "Far")


# 5.5, 6.5 The end of the contest


@pytest.mark.parametrize("seats", SEATS)
def test_the_end_opens_everything_that_scores(seats: int) -> None:
    state = to_round(new(seats), 8)
    while state.values["turn"] != FIELD[seats]:
        state = turn(state)
    table = answer(GAME, state, to_move(state), any_trade(state))
    state = table.state
    assert state.result is not None
    assert all(field(state))  # PS-10: the last used cards are the field
    assert any("makes {seat} the parent" in text for text in sentences(table))  # PS-10
    for seat in range(seats):
        assert len(state.cards[f"house/{seat}"]) == 8
        assert state.cards[f"hand/{seat}"] == state.cards[f"stack/{seat}"] == ()
        if seats == 2:
            assert len(state.cards[f"guard/{seat}"]) == 2
        assert state.values[f"score/{seat}"] == state.result.scores[seat]


# 7 Scoring


def test_scoring_turns_the_pages_of_the_manual() -> None:
    """7: category by category; harvesters light up brightly, all others that produce too."""
    table = scored(
        4,
        {
            "hand/0": EXAMPLE_HOUSE,
            "hand/1": (3, 4, 6, 7, 9, 10, 12, 13),
            "hand/2": (14, 15, 16, 17, 18, 20, 21, 23),
            "hand/3": (24, 25, 26, 29, 32, 33, 34, 35),
        },
        (5, 1, 2, 8),
    )
    words = Words("en", KIT, [Player(name) for name in ("Ann", "Ben", "Cho", "Dai")])
    pages = [each for each in table.events if isinstance(each, Said) and "bright" in each.args]
    assert [str(page.args["word_category"]) for page in pages] == [*CATEGORIES, *CATEGORIES]
    assert words.log_line(pages[3]).replace("\u00a0", " ") == (
        "House, two-passion warriors: Ann 8 ((3−1)×2×2), Ben 18 ((4−1)×3×2), "
        "Cho 12 ((4−1)×2×2), Dai 4 ((3−1)×1×2)."
    )
    assert (
        words.log_line(pages[10])
        .replace("\u00a0", " ")
        .startswith("Field, one-passion warriors: Ann 20 (4×1×5), Ben")
    )

    def lit(page: int, of: tuple[int, ...]) -> tuple[set[int], set[int]]:
        """The ranks among these that light up brightly, and the others that light up."""
        bright = int(pages[page].args["bright"])
        shown = pages[page].cards
        return set(ranks(shown[:bright])) & {*of}, set(ranks(shown[bright:])) & {*of}

    assert lit(0, EXAMPLE_HOUSE) == ({30, 22, 28, 36}, set())
    assert lit(3, EXAMPLE_HOUSE) == ({22, 28}, {36})
    assert lit(4, EXAMPLE_HOUSE) == ({11}, {27, 19, 31})
    assert lit(5, EXAMPLE_HOUSE) == ({19, 31}, {27, 11, 30, 22, 28, 36})
    assert lit(6, (*EXAMPLE_HOUSE, 5, 1, 2, 8)) == ({1, 2, 8}, {30, 22, 28, 36})
    assert lit(11, (5, 1, 2, 8)) == (set(), set())
    told = [each for each in table.events if isinstance(each, ValueSet)]
    assert [each.value for each in told if each.key == "score/0"] == [
        18,
        42,
        50,
        65,
        113,
        131,
        143,
        147,
        167,
    ]


def test_the_sheet_has_twelve_lines_which_add_up() -> None:
    for seats in SEATS:
        scratch = SimulationTable(new(seats), FastRng(seats))
        playout(GAME, scratch)
        result = scratch.result
        assert [line.text for line in result.sheet] == ["House: {word_category}"] * 6 + [
            "Field: {word_category}"
        ] * 6
        assert [line.args["word_category"] for line in result.sheet] == [*CATEGORIES, *CATEGORIES]
        assert tuple(map(sum, zip(*(line.points for line in result.sheet), strict=True))) == (
            result.scores
        )
        assert all(len(line.formulas) == seats for line in result.sheet)


def test_the_field_serves_all_and_guardians_only_their_owner() -> None:
    """7.6"""
    houses = {"house/0": (1, 2, 3, 6, 7, 10, 12, 13), "house/1": (4, 5, 8, 9, 11, 14, 15, 16)}
    last = (18, 20, 21, 22)
    guards = {"hand/0": (24, 25), "hand/1": (29, 34)}
    result = final(2, houses | guards, last)
    for seat in (0, 1):
        house = cards(*houses[f"house/{seat}"])
        own = cards(*last, *guards[f"hand/{seat}"])
        expected = [*GAME.home(house), *GAME.field(house, own)]
        assert [line.points[seat] for line in result.sheet] == [s.points for s in expected]
    food = result.sheet[6]
    assert food.formulas == ("13×6×1", "1×4×1")


def test_no_category_of_a_house_is_negative() -> None:
    """PS-12: all pairs and all runs of eight, which have empty categories of every kind."""
    for one in range(36):
        for other in range(one):
            assert min(score.points for score in GAME.home((other, one))) >= 0
        assert min(score.points for score in GAME.home(tuple(range(one, min(one + 8, 36))))) >= 0
    assert [score.points for score in GAME.home(())] == [0] * 6
    assert GAME.home(cards(4))[0].formula == "0×(0−1)×1"


def test_what_counts_for_the_warriors() -> None:
    """PS-13"""
    two, one = 3, 4
    assert GAME.deck.production(cards(2))[two] == 1  # two round kinds are two kinds
    assert GAME.deck.harvesters(cards(2))[two] == 0
    assert GAME.deck.harvesters(cards(3))[two] == 1
    for number in (two, one):
        assert GAME.deck.production(cards(30))[number] == 0
        assert GAME.deck.harvesters(cards(30))[number] == 0
    assert GAME.deck.production(cards(35))[one] == 1  # having it four times is still one kind
    assert GAME.deck.production(cards(31))[one] == 1
    assert GAME.deck.harvesters(cards(31))[one] == 0
    assert GAME.deck.harvesters(cards(11))[one] == 1


def test_collectors_count_kinds_once() -> None:
    assert GAME.deck.production(cards(1, 10, 18, 24))[5] == 1
    assert GAME.deck.production(cards(1, 5, 28, 31))[5] == 3
    assert GAME.deck.harvesters(cards(4, 14, 19, 26, 31, 1))[5] == 5


# 8 Who wins


def test_equal_scores_share_the_victory() -> None:
    """PS-11: the first two houses are alike, card by card."""
    result = final(
        3,
        {
            "hand/0": (2, 3, 17, 10, 4, 20, 21, 5),
            "hand/1": (12, 13, 27, 18, 14, 25, 28, 34),
            "hand/2": (1, 7, 8, 9, 11, 15, 19, 22),
        },
        (24, 29, 30),
    )
    assert result.scores[0] == result.scores[1] > result.scores[2]
    assert result.winners == (0, 1)
    assert result.decided == "Equal scores share the victory."


@pytest.mark.parametrize(("seats", "mean"), [(2, 194), (3, 150), (4, 165)])
def test_random_players_score_as_simulated_elsewhere(seats: int, mean: int) -> None:
    luck, total, games = FastRng("mean"), 0, 400
    for number in range(games):
        scratch = SimulationTable(new(seats, str(number % 20)), luck)
        playout(GAME, scratch)
        total += sum(scratch.result.scores)
    assert abs(total / games / seats - mean) < 6


# Why not


def refusal_of(state: State, move: Move, paragraph: str) -> str:
    """The refusal of a move by the waiting player."""
    ask = asked(state, to_move(state))
    with pytest.raises(Illegal) as error:
        submit(GAME, state, ask.seat, replace(move, ask=ask.id), "test")
    assert error.value.reason.paragraph == paragraph
    return error.value.reason.text


def test_every_refusal_names_its_paragraph() -> None:
    state = turn(to_round(new(2), 6))
    seat, hand = to_move(state), state.cards[f"hand/{to_move(state)}"]
    empty = next(f"field/{p}" for p, rank in enumerate(field(state)) if not rank)
    full = next(f"field/{p}" for p, rank in enumerate(field(state)) if rank)
    other = 1 - seat
    assert "already" in refusal_of(state, Move(0, "trade", hand[:1], empty), "5.2")
    assert "lay it on" in refusal_of(state, Move(0, "trade", hand[:1], f"used/{other}/1"), "5.2")
    assert "lay a card" in refusal_of(state, Move(0, "trade", state.cards[full], full), "5.2")
    used = state.cards[f"used/{other}/1"]
    assert "Used cards stay" in refusal_of(state, Move(0, "trade", used, full), "5.2")
    gained = state.cards[f"gained/{other}/1"]
    assert "Gained cards stay" in refusal_of(state, Move(0, "trade", gained, full), "5.4")
    housed = state.cards[f"house/{seat}"][:1]
    assert "house" in refusal_of(state, Move(0, "trade", housed, full), "6.4")
    theirs = state.cards[f"hand/{other}"][:1]
    assert "own hand" in refusal_of(state, Move(0, "trade", theirs, full), "5.2")
    assert "own hand" in refusal_of(state, Move(0, "trade", (), full), "5.2")


def test_why_says_nothing_of_what_is_allowed() -> None:
    state = new(4)
    ask = asked(state, to_move(state))
    hand = state.cards[f"hand/{ask.seat}"][0]
    assert GAME.why(state, ask, hand, "field/0") is None
    assert GAME.why(state, ask, hand, "") is None


# Previews


def notes(state: State, move: Move) -> list[str]:
    ask = asked(state, to_move(state))
    preview = GAME.preview(mask(state, ask.seat), ask, replace(move, ask=ask.id))
    return [note.text.format(**note.args) for note in preview.notes]


def test_a_preview_tells_the_difference_and_who_leads() -> None:
    state = to_round(new(4), 3)
    seat = to_move(state)
    state = dealt(
        state,
        {
            f"hand/{seat}": (10, 20, 30),
            f"hand/{(seat + 1) % 4}": (1, 2, 3),
            **{f"field/{place}": (rank,) for place, rank in enumerate((12, 25, 31, 5))},
        },
    )
    assert notes(state, trade(30, 2))[:2] == [
        "Difference: 1.",
        "As it stands, you will be the next start player.",
    ]
    ask = asked(state, seat)
    preview = GAME.preview(state, ask, trade(30, 2))
    assert preview.values == {f"difference/{seat}/1": 1}
    assert preview.notes[0].zones == ("field/2",)
    after = turn(state, trade(30, 2))
    assert notes(after, trade(1, 3))[1] == f"As it stands, {seat} will be the next start player."
    assert notes(after, trade(1, 1))[0] == "Difference: 24."


def test_a_preview_follows_the_side_that_lies_up() -> None:
    state = to_round(new(2), 2)
    seat = to_move(state)
    state = dealt(
        state,
        {
            f"hand/{seat}": (1, 10, 20, 30),
            f"hand/{1 - seat}": (2, 11, 21, 31),
            **{f"field/{place}": (rank,) for place, rank in enumerate((12, 25, 32, 6))},
        },
    )
    assert state.values["condition"] == "Far"
    after = turn(state, trade(20, 2))  # 12
    assert notes(after, trade(2, 1))[1] == "As it stands, you will be the next start player."
    assert notes(after, trade(11, 0))[1] == f"As it stands, {seat} will be the next start player."
    assert notes(turn(after, trade(2, 1)), trade(1, 0))[1] == (  # 12 and 11 against 23
        f"As it stands, {1 - seat} will be the next start player."
    )


def test_the_score_helper_counts_the_house_before_and_after() -> None:
    state = to_round(new(4, helper="on"), 8)
    seat = to_move(state)
    state = dealt(
        state,
        {f"hand/{seat}": (27, 11, 19, 31, 30, 22, 28, 1), "field/1": (36,)},
    )
    told = notes(state, trade(1, 1))[2:]
    assert told == [
        "House: 96 → 113 points.",
        "food lovers: 18 → 18 (6×(4−1)×1)",
        "plant lovers: 6 → 24 (6×(3−1)×2)",
        "animal lovers: 0 → 0 (1×(1−1)×4)",
        "two-passion warriors: 4 → 8 ((3−1)×2×2)",
        "one-passion warriors: 20 → 15 ((4−1)×1×5)",
        "collectors: 48 → 48 ((7−1)×2×4)",
    ]


def test_the_score_helper_for_two_waits_for_the_second_half() -> None:
    early = to_round(new(2, helper="on"), 4)
    assert len(notes(early, any_trade(early))) == 2
    state = to_round(new(2, helper="on"), 7)
    seat = to_move(state)
    house = state.cards[f"house/{seat}"]
    state = turn(turn(state))
    gained = state.cards[f"gained/{seat}/1"]
    move = any_trade(state)
    before = sum(score.points for score in GAME.home(house + gained))
    after = sum(score.points for score in GAME.home(house + gained + state.cards[move.target]))
    assert notes(state, move)[2] == f"House: {before} → {after} points."


def test_the_score_helper_is_off_at_first() -> None:
    assert catalogue.options(KIT)["helper"] == "off"
    assert len(notes(new(4), any_trade(new(4)))) == 2
    state = new(4, helper="on")
    assert len(notes(state, any_trade(state))) == 9


def test_there_are_eight_rounds_and_nothing_is_ever_planned() -> None:
    state, rounds = new(3), []
    while state.result is None:
        rounds.append(int(state.values["round"]))
        assert state.agenda == ()
        state = turn(state)
    assert sorted(set(rounds)) == list(range(1, 9))
    assert all(after - before in (0, 1) for before, after in pairwise(rounds))


# The table


@pytest.mark.parametrize("size", [(960, 740), (1280, 800), (2560, 1440), (1024, 600)])
@pytest.mark.parametrize("seats", SEATS)
def test_every_card_lies_on_the_table_and_inside_it(seats: int, size: tuple[int, int]) -> None:
    state = new(seats)
    while True:
        for viewer in range(AUDIENCE, seats):
            setting = geometry.lay_out_table(KIT.layouts, mask(state, viewer), size)
            for zone, held in state.cards.items():
                if held:
                    spread = setting.zones[zone]
                    assert len(spread.slots) == len(held)
                    assert all(
                        setting.surface_rect.contains(slot.bounds, 0.01) for slot in spread.slots
                    )
        if state.result is not None:
            return
        state = turn(state)


def test_field_places_are_as_wide_as_their_cards() -> None:
    for seats in SEATS:
        setting = geometry.lay_out_table(KIT.layouts, new(seats), (960, 740))
        for place in range(FIELD[seats]):
            spread = setting.zones[f"field/{place}"]
            assert spread.rect.w == pytest.approx(spread.slots[0].width, abs=0.01)
