"""Chains, sentence by sentence of the rulebook and reading by reading, on constructed tables."""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

import pytest
from msgspec.structs import replace

from tabletop.catalogue.catalogue import UnknownGame, options
from tabletop.engine.mask import mask
from tabletop.engine.model import NO_CARD, Ask, Move, Reason, State
from tabletop.engine.play import Illegal, playout, submit
from tabletop.engine.scratch import FastRng, SimulationTable
from tabletop.games.chains.places import NUMBERS, POINTS
from tabletop.games.chains.rules import cut_off_limit
from tests.games.chains_tables import (
    KIT,
    NUMBER,
    RULES,
    Lies,
    begin,
    do,
    finished,
    found,
    numbers,
    offered,
    seat_asked,
    table,
    targets,
)


def why(state: State, card: int, to: str = "") -> tuple[str, str]:
    """The paragraph and the sentence of the refusal to the asked seat."""
    (ask,) = state.asks
    reason = RULES.why(mask(state, ask.seat), ask, card, to)
    return reason.paragraph, Illegal(reason).args[0]


def notes(state: State, move: Move) -> list[tuple[str, str]]:
    (ask,) = state.asks
    preview = RULES.preview(mask(state, ask.seat), ask, move)
    return [(note.paragraph, note.text.format(**note.args)) for note in preview.notes]


def previewed(state: State, move: Move) -> Mapping[str, object]:
    (ask,) = state.asks
    preview = RULES.preview(mask(state, ask.seat), ask, move)
    return preview.values


# 2 The cards, 3 set-up


def test_ten_decks_of_n_copies_of_n() -> None:
    assert len(KIT.deck) == 550
    assert len(KIT.back_names) == len(set(KIT.back_names)) == 10
    for back in range(10):
        deck = [NUMBER[card] for card, own in enumerate(KIT.backs) if own == back]
        assert Counter(deck) == {number: number for number in NUMBERS}


@pytest.mark.parametrize("seats", range(1, 11))
def test_set_up(seats: int) -> None:
    state = begin(seats)
    for seat in range(seats):
        for number in NUMBERS:
            assert numbers(state, f"terminal/{seat}/{number}") == [number]
        pile = numbers(state, f"pile/{seat}")
        assert len(pile) == 45
        assert Counter(pile) == {number: number - 1 for number in NUMBERS if number > 1}
        for place in ("work/{}", "slot/{}/1", "slot/{}/5", "done/{}", "flushed/{}"):
            assert numbers(state, place.format(seat)) == []
        assert {state.backs[card] for card in state.cards[f"pile/{seat}"]} == {seat}
    assert len(state.cards["box"]) == 55 * (10 - seats)
    assert "flip" in offered(state)


def test_piles_are_shuffled_each_for_itself() -> None:
    state = begin(3)
    assert len({tuple(numbers(state, f"pile/{seat}")) for seat in range(3)}) == 3


@pytest.mark.parametrize("seats", range(1, 11))
def test_the_first_seat_begins(seats: int) -> None:
    """The players settle the first seat before, by lot if they like."""
    assert seat_asked(begin(seats)) == 0


def test_only_the_order_of_piles_is_secret() -> None:
    view = mask(begin(2), 0)
    hidden = {zone for zone, cards in view.cards.items() if any(card < 0 for card in cards)}
    assert hidden == {"pile/0", "pile/1"}
    for number in NUMBERS:
        assert view.values[f"unseen/1/{number}"] == number - 1


# 4 Turns


def test_a_turn_passes_after_a_slot_or_a_chain() -> None:
    state = table(Lies(work=[10], slots=[[8]], pile=[9, 5]), Lies(), Lies())
    kept = do(state, "flip")  # 5: only a slot takes it
    assert numbers(kept, "slot/0/2") == [5]
    assert seat_asked(kept) == 1
    after = do(table(Lies(work=[10], pile=[9]), Lies()), "complete", 9)
    assert seat_asked(after) == 1
    linked = do(table(Lies(work=[10, 9], slots=[[8]]), Lies()), "link", 8)
    assert seat_asked(linked) == 0
    flipped = table(Lies(work=[10, 9, 8], slots=[[2], [3], [4], [5], [6]], pile=[7]), Lies())
    assert seat_asked(do(flipped, "flip")) == 0


def test_the_turn_goes_to_the_left_past_those_who_have_left() -> None:
    state = table(Lies(pile=[5]), Lies(out="stuck"), Lies(out="spent"), Lies())
    assert seat_asked(do(state, "flip")) == 3
    state = table(Lies(), Lies(out="stuck"), Lies(out="spent"), Lies(pile=[5]), turn=3)
    assert seat_asked(do(state, "flip")) == 0


def test_no_voluntary_pass_or_leaving() -> None:
    assert set(offered(begin(2))) == {"flip"}
    assert set(offered(table(Lies(work=[10], slots=[[9]])))) == {"flip", "link", "complete"}


# 5 The four actions


def test_the_flipped_card_is_seen_by_all() -> None:
    state = do(table(Lies(pile=[10]), Lies()), "flip")
    (ask,) = state.asks
    assert ask.what == "place"
    card = state.cards["pile/0"][-1]
    for viewer in (-1, 0, 1):
        assert mask(state, viewer).cards["pile/0"][-1] == card
    assert state.values["unseen/0/10"] == 8


def test_both_possible_is_a_free_choice_at_once() -> None:
    state = do(table(Lies(work=[10], slots=[[9], [8]], pile=[9])), "flip")
    assert offered(state) == {"link": [9], "keep": [9]}  # no 3 or 4 in between: CH-05
    assert numbers(do(state, "link", 9), "work/0") == [10, 9]
    assert numbers(do(state, "keep", 9), "slot/0/1") == [9, 9]
    slot = state.cards["slot/0/1"][0]
    assert why(state, slot, "work/0")[0] == "5.1"


def test_one_place_only_is_taken_at_once() -> None:
    assert numbers(do(table(Lies(pile=[3])), "flip"), "slot/0/1") == [3]
    state = do(table(Lies(slots=[[2], [3], [4], [5], [6]], pile=[10])), "flip")
    assert numbers(state, "work/0") == [10]


def test_the_workspace_takes_only_the_next_number() -> None:
    for length in range(9):
        need = 10 - length
        state = table(Lies(work=range(10, need, -1), slots=[[n] for n in (6, 7, 8, 9, 10)]))
        assert offered(state).get("link", [need]) == [need]
    state = do(table(Lies(work=[10], pile=[8])), "flip")
    assert numbers(state, "work/0") == [10]


def test_a_slot_holds_copies_of_one_number() -> None:
    state = do(table(Lies(slots=[[2], [7, 7]], pile=[7])), "flip")
    assert numbers(state, "slot/0/2") == [7, 7, 7]
    state = do(table(Lies(slots=[[2], [], [4]], pile=[7])), "flip")
    assert numbers(state, "slot/0/2") == [7]


def test_linking_from_a_slot_takes_the_next_number_only() -> None:
    state = table(Lies(work=[10, 9], slots=[[8, 8], [7], [9]]))
    assert offered(state)["link"] == [8]
    after = do(state, "link", 8)
    assert numbers(after, "work/0") == [10, 9, 8]
    assert numbers(after, "slot/0/1") == [8]
    assert after.values["need/0"] == 7
    assert offered(after)["link"] == [7]


def test_completing_a_chain() -> None:
    state = table(Lies(work=[10, 9, 8]), Lies(), Lies())
    assert offered(state)["complete"] == [7]
    after = do(state, "complete", 7)
    assert numbers(after, "done/0") == [10, 9, 8, 7]
    assert numbers(after, "work/0") == []
    assert numbers(after, "terminal/0/7") == []
    assert after.values["score/0"] == 2
    assert after.values["need/0"] == 10
    assert after.values["took/0"] == "7"


@pytest.mark.parametrize("length", range(1, 10))
def test_only_the_next_number_of_the_own_terminals(length: int) -> None:
    last = 10 - length
    state = table(Lies(work=range(10, last, -1)), Lies(), Lies())
    assert offered(state)["complete"] == [last]
    (ask,) = state.asks
    (offer,) = (o for o in RULES.offers(state, ask) if o.verb == "complete")
    assert offer.cards == state.cards[f"terminal/0/{last}"]


def test_a_card_with_no_place_stays_open_and_the_turn_goes_on() -> None:
    full = [[2], [3], [4], [5], [8]]
    state = do(table(Lies(work=[10, 9], slots=full, pile=[7]), Lies(), Lies()), "flip")
    assert seat_asked(state) == 0
    assert offered(state) == {"link": [8], "complete": [8]}  # 3 and 4; no second flip
    assert mask(state, 1).cards["pile/0"][-1] == state.cards["pile/0"][-1]
    linked = do(state, "link", 8)  # now the open card fits both
    assert offered(linked) == {"link": [7], "keep": [7], "complete": [7]}
    assert seat_asked(do(linked, "link", 7)) == 0
    kept = do(linked, "keep", 7)
    assert numbers(kept, "slot/0/5") == [7]
    assert seat_asked(kept) == 1
    # 4 passes the turn, the card stays open
    done = do(state, "complete", 8)
    assert seat_asked(done) == 1
    assert done.cards["pile/0"][-1] in done.shown
    assert numbers(done, "pile/0")[-1] == 7


def test_with_an_open_card_and_nothing_possible_one_is_stuck() -> None:
    state = do(table(Lies(slots=[[2], [3], [4], [5], [8]], pile=[7]), Lies()), "flip")
    assert state.values["out/0"] == "stuck"
    assert seat_asked(state) == 1
    assert len(state.shown) == 1


def test_an_open_card_waits_for_the_next_turn() -> None:
    full = [[2], [3], [4], [5], [6]]
    lies = Lies(work=[10], slots=full, pile=[7], open=True)
    state = do(table(lies, Lies(pile=[4]), Lies()), "complete", 9)
    state = do(state, "flip")
    assert seat_asked(state) == 2
    again = replace(state, asks=(Ask(state.asked, 0, "act"),), asked=state.asked + 1)
    assert "flip" not in offered(again)


# 6 Terminal cards


def test_the_ten_only_after_another_terminal_of_ones_own() -> None:
    assert offered(table(Lies(), Lies(taken=[9]))) == {"flip": []}
    assert offered(table(Lies(taken=[9]), Lies(), Lies()))["complete"] == [10]
    after = do(table(Lies(taken=[9]), Lies(), Lies()), "complete", 10)
    assert numbers(after, "done/0") == [10, 9, 10]
    assert after.values["score/0"] == 2


def test_solitaire_knows_no_restriction_of_the_ten() -> None:
    assert offered(begin(1)) == {"flip": []} | {"complete": [10]}


@pytest.mark.parametrize(
    ("seats", "taken"),
    [(1, 0), (2, 1), (3, 2), (4, 3), (5, 3), (6, 4), (7, 5), (8, 5), (9, 6), (10, 6)],
)
def test_the_table_of_cut_offs(seats: int, taken: int) -> None:
    assert cut_off_limit(seats) == taken == begin(seats).values["limit"]
    if seats > 2:
        assert taken / seats >= 0.6 > (taken - 1) / seats


@pytest.mark.parametrize("seats", range(2, 11))
def test_cut_off_at_the_last_one_and_not_before(seats: int) -> None:
    limit = cut_off_limit(seats)
    for before in (limit - 2, limit - 1):
        if before < 0:
            continue
        lies = [Lies(taken=[7]) if 0 < seat <= before else Lies() for seat in range(seats)]
        lies[0] = Lies(work=[10, 9, 8])
        after = do(table(*lies), "complete", 7)
        assert after.values["cut/7"] == (before == limit - 1)
        assert after.values["cut/8"] == after.values["cut/6"] == 0


def test_what_is_cut_off_can_be_taken_by_nobody() -> None:
    state = table(Lies(work=[10, 9]), Lies(work=[10, 9]))
    after = do(state, "complete", 8)
    assert after.values["cut/8"] == 1
    assert "complete" not in offered(after)
    assert numbers(after, "terminal/1/8") == [8]  # it stays lying there, turned over


def test_who_has_left_still_counts_for_the_cut_off() -> None:
    lies = [Lies(work=[10, 9]), Lies(taken=[8], out="stuck"), Lies(out="stuck"), Lies(out="spent")]
    after = do(table(*lies), "complete", 8)
    assert after.values["limit"] == 3
    assert after.values["cut/8"] == 0
    assert numbers(after, "terminal/2/8") == [8]


def test_solitaire_knows_no_cut_off() -> None:
    after = do(table(Lies(work=[10, 9])), "complete", 8)
    assert after.values["cut/8"] == 0


# 7 A chain that can no longer score


def test_a_cut_off_ends_the_chain_of_another() -> None:
    # seat 1 has come down to 4; its 3 is cut off now, and no 3 is left for the way to the 2
    mine = Lies(work=range(10, 3, -1))
    theirs = Lies(work=range(10, 3, -1), slots=[[2]], pile=[10, 9, 8, 7], only=True)
    after = do(table(mine, theirs), "complete", 3)
    assert numbers(after, "work/1") == []
    assert numbers(after, "flushed/1")[-7:] == [10, 9, 8, 7, 6, 5, 4]
    assert after.values["need/1"] == 10
    assert after.values["score/1"] == 0
    assert after.values["out/1"] == ""
    assert seat_asked(after) == 1


def test_a_card_for_the_way_on_keeps_the_chain_alive() -> None:
    mine = Lies(work=range(10, 3, -1))
    for where in ({"slots": [[3]]}, {"pile": [3]}):
        theirs = Lies(work=range(10, 3, -1), only=True, **where)
        after = do(table(mine, theirs), "complete", 3)
        assert numbers(after, "work/1") == [10, 9, 8, 7, 6, 5, 4]


def test_an_open_card_belongs_to_the_supply() -> None:
    mine = Lies(work=range(10, 3, -1))
    theirs = Lies(work=range(10, 3, -1), pile=[3], open=True, only=True)
    after = do(table(mine, theirs), "complete", 3)
    assert len(after.cards["work/1"]) == 7


def test_a_gap_on_the_way_is_the_end() -> None:
    # live is only the 1; from 4 on the 3 is there but no 2
    mine = Lies(work=range(10, 3, -1))
    theirs = Lies(work=range(10, 3, -1), slots=[[3, 3]], only=True)
    after = do(table(mine, theirs, cut=[2]), "complete", 3)
    assert numbers(after, "work/1") == []


def test_one_may_doom_ones_own_chain_and_goes_on() -> None:
    # only 8 is live for this chain; linking the 8 goes past it, and no 7 to 2 brings anything
    lies = Lies(work=[10, 9], slots=[[8], [10]], pile=[10, 9, 8], only=True)
    state = table(lies, Lies(), Lies(), cut=[7])
    move = found(state, "link", 8)
    assert notes(state, move) == [("7", "Your chain can then no longer score and is turned over.")]
    after = do(state, "link", 8)
    assert numbers(after, "flushed/0")[-3:] == [10, 9, 8]
    assert seat_asked(after) == 0
    assert after.values["need/0"] == 10
    assert previewed(state, move) == {"need/0": 10}
    assert offered(after) == {"flip": [], "link": [10]}


def test_slots_and_order_of_the_pile_do_not_count_as_certainty() -> None:
    """CH-09: full slots of small numbers, and the 8 at the very bottom: the chain lives."""
    lies = Lies(work=[10, 9], slots=[[2], [3], [4], [5], [6]], pile=[8, 7], only=True)
    after = do(table(lies, Lies(), cut=[8]), "flip")
    assert numbers(after, "work/0") == [10, 9]


def test_flushed_cards_are_out_of_the_supply_and_worth_nothing() -> None:
    lies = Lies(work=[10, 9], slots=[[8]], pile=[10], only=True)
    state = table(lies, Lies(pile=[5]), Lies(), cut=[9, 8, 7])
    after = do(state, "link", 8)
    # neither a new chain: no 9 is left in the supply, and the ten is not his to take
    assert after.values["out/0"] == "spent"
    assert after.values["score/0"] == 0
    assert seat_asked(after) == 1


# 8 Leaving


def test_leaving_with_nothing_to_score_in_anothers_turn() -> None:
    mine, theirs = Lies(work=[10, 9]), Lies(slots=[[9]], pile=[10], only=True)
    state = table(mine, theirs, cut=[9])
    after = do(state, "complete", 8)
    assert after.values["out/1"] == "spent"
    assert seat_asked(after) == 0


def test_the_ten_alone_is_something_only_after_another_one() -> None:
    mine = Lies(work=[10])
    bare = Lies(pile=[5, 4], only=True)
    after = do(table(mine, bare), "complete", 9)
    assert after.values["out/1"] == "spent"
    after = do(table(mine, Lies(pile=[5, 4], only=True, taken=[6]), cut=[6]), "complete", 9)
    assert after.values["out/1"] == ""
    # and one that may still come: the 9 needs a 10 in the supply
    after = do(table(mine, Lies(pile=[10], only=True), Lies()), "complete", 9)
    assert after.values["out/1"] == ""


def test_taking_the_last_scoring_card_ends_ones_part() -> None:
    lies = Lies(work=[10], pile=[5], only=True, taken=[10, 8])
    after = do(table(lies, Lies(), Lies()), "complete", 9)
    assert after.values["out/0"] == "spent"
    assert seat_asked(after) == 1


def test_stuck_with_the_pile_used_up() -> None:
    """The 9 he needs lies under a 2, and nothing can be done about it."""
    lies = Lies(work=[10], slots=[[9, 2]], only=True)
    state = table(lies, Lies(pile=[5]), turn=1, cut=[9], slots="pile")
    state = do(state, "flip")
    assert state.values["out/0"] == "stuck"
    assert seat_asked(state) == 1


def test_a_stuck_player_leaves_with_the_workspace() -> None:
    lies = Lies(work=[10], slots=[[2], [3], [4], [5], [6]], pile=[9, 8])
    state = do(table(lies, Lies(), cut=[9]), "flip")
    assert state.values["out/0"] == "stuck"
    assert numbers(state, "work/0") == [10]
    assert numbers(state, "flushed/0") == []
    assert seat_asked(state) == 1


def test_leaving_after_a_doomed_link_passes_the_turn() -> None:
    lies = Lies(work=[10], slots=[[9]], only=True)
    state = table(lies, Lies(), Lies(), cut=[8])
    move = found(state, "link", 9)
    assert [paragraph for paragraph, _ in notes(state, move)] == ["7", "8"]
    after = do(state, "link", 9)
    assert after.values["out/0"] == "spent"
    assert seat_asked(after) == 1


# 9 The end, points, who wins


def test_it_ends_when_everybody_has_left() -> None:
    state = finished(Lies(taken=[9]), Lies())
    assert state.result is not None
    assert state.values["out/0"] == "stuck"
    assert state.asks == ()


def test_the_example_of_the_rulebook() -> None:
    state = finished(Lies(taken=[8, 9]), Lies(taken=[1, 4, 8, 9]))
    assert state.result.scores == (2, 10)
    assert state.result.winners == (1,)
    assert state.result.decided == ""
    sheet = [(line.points[1], line.formulas[1]) for line in state.result.sheet]
    assert sheet == [(5, "1×5 (1)"), (3, "1×3 (4)"), (0, ""), (2, "2×1 (8, 9)")]
    assert [Illegal(Reason(line.text, line.args)).args[0] for line in state.result.sheet] == [
        "Terminal cards 1: 5 each",
        "Terminal cards 2, 3, 4: 3 each",
        "Terminal cards 5, 6, 7: 2 each",
        "Terminal cards 8, 9, 10: 1 each",
    ]


def test_points_of_every_terminal_card() -> None:
    assert POINTS[1:] == (5, 3, 3, 3, 2, 2, 2, 1, 1, 1)
    assert sum(POINTS) == 23


def test_a_tie_goes_to_the_higher_lowest_card_not_taken() -> None:
    state = finished(Lies(taken=[1]), Lies(taken=[2, 5]))
    assert state.result.scores == (5, 5)
    assert state.result.winners == (0,)  # lacks the 2; the other lacks the 1
    assert state.result.decided.startswith("Equal points: the lowest")
    assert state.result.sheet[-1].formulas == ("2", "1")
    assert state.result.sheet[-1].points == (0, 0)


def test_a_shared_victory() -> None:
    state = finished(Lies(taken=[5]), Lies(taken=[6]), Lies(taken=[9]))
    assert state.result.scores == (2, 2, 1)
    assert state.result.winners == (0, 1)
    assert "shared victory" in state.result.decided


def test_a_perfect_player_lacks_nothing() -> None:
    """Two perfect players share; the sheet shows a dash for them."""
    everything = Lies(taken=NUMBERS, out="perfect")
    lies = Lies(slots=[[2], [3], [4], [5], [6]], pile=[7])
    state = do(table(lies, everything, everything), "flip")
    assert state.result.scores == (0, 23, 23)
    assert state.result.winners == (1, 2)
    assert state.result.sheet[-1].formulas == ("1", "–", "–")


# 10 Solitaire


def test_a_perfect_solitaire_is_won_move_by_move() -> None:
    """The ten chains one after the other, from a pile that lies in just the right order."""
    order = [number for last in range(9, 0, -1) for number in range(10, last, -1)]
    state = table(Lies(pile=order[::-1], only=True))
    assert len(state.cards["pile/0"]) == 45
    assert not state.cards["flushed/0"]
    state = do(state, "complete", 10)
    for last in range(9, 0, -1):
        for number in range(10, last, -1):
            state = do(do(state, "flip"), "link", number)
        state = do(state, "complete", last)
    assert state.values["out/0"] == "perfect"
    assert state.result.winners == (0,)
    assert state.result.scores == (23,)
    assert state.result.decided == "All ten chains: won."
    assert len(state.cards["done/0"]) == 55


def test_an_imperfect_solitaire_is_not_won() -> None:
    state = finished(Lies(taken=[10, 1]))
    assert state.result.winners == ()
    assert state.result.scores == (6,)
    assert state.result.decided == "Not all ten chains: not won."


def test_the_solitaire_turn_comes_back() -> None:
    state = do(begin(1), "complete", 10)
    assert seat_asked(state) == 0
    assert state.values["turn"] == 2


# 11 Options


def test_the_options_and_their_defaults() -> None:
    assert options(KIT) == {"slots": "stack", "flip": "stay"}
    with pytest.raises(UnknownGame):
        options(KIT, {"slots": "single"})


def test_piles_take_any_card_and_give_the_top_one() -> None:
    lies = Lies(work=[10], slots=[[2], [9, 3], [9], [5], [6]], pile=[7])
    state = table(lies, slots="pile")
    assert offered(state)["link"] == [9]
    buried = next(c for c in state.cards["slot/0/2"] if NUMBER[c] == 9)
    assert why(state, buried, "work/0") == ("11", "You can only take the top card of a slot.")
    state = do(state, "flip")
    assert targets(state, "keep") == tuple(f"slot/0/{place}" for place in range(1, 6))
    assert numbers(do(state, "keep", 7, "slot/0/2"), "slot/0/2") == [9, 3, 7]


@pytest.mark.parametrize("flip", ["stay", "out", "free"])
def test_every_flipped_card_has_a_pile(flip: str) -> None:
    """CH-06: so it is not offered (`only` in cards.toml); records that chose it all play alike."""
    lies = Lies(work=[10], slots=[[2], [3], [4], [5], [6]], pile=[7])
    state = do(table(lies, Lies(), slots="pile", flip=flip), "flip")
    assert targets(state, "keep") == tuple(f"slot/0/{place}" for place in range(1, 6))
    (hanging,) = [option for option in KIT.box.options if option.only]
    assert hanging.key == "flip"
    assert not hanging.applies(options(KIT, {"slots": "pile"}))


def test_of_empty_slots_the_first_one_for_piles_as_well() -> None:
    state = do(table(Lies(slots=[[2], [], [3]], pile=[7]), slots="pile"), "flip")
    assert targets(state, "keep") == ("slot/0/1", "slot/0/3", "slot/0/2")


def test_a_single_pile_slot_takes_the_first_card_at_once() -> None:
    assert numbers(do(table(Lies(pile=[7]), slots="pile"), "flip"), "slot/0/1") == [7]


def test_out_ends_the_game_for_who_flips_a_card_with_no_place() -> None:
    lies = Lies(work=[10], slots=[[2], [3], [4], [5], [6]], pile=[7])
    state = do(table(lies, Lies(), flip="out"), "flip")
    assert state.values["out/0"] == "stuck"  # though 4 would have been possible
    assert seat_asked(state) == 1


def test_free_means_no_flip_unless_a_slot_is_empty() -> None:
    lies = Lies(work=[10], slots=[[2], [3], [4], [5], [6]], pile=[9])
    state = table(lies, Lies(), flip="free")
    assert set(offered(state)) == {"complete"}
    assert why(state, NO_CARD)[0] == "11"
    assert "flip" in offered(table(Lies(slots=[[2], [3], [4], [5]]), flip="free"))
    everywhere = Lies(slots=[[2], [3], [4], [5], [6]])
    assert "flip" in offered(table(everywhere, flip="free", slots="pile"))


def test_free_leaves_only_the_last_slot() -> None:
    lies = Lies(slots=[[2], [3], [4], [5]], pile=[6])
    state = do(table(lies, Lies(pile=[9]), flip="free"), "flip")
    state = do(state, "flip")
    assert state.values["out/0"] == "stuck"


# Why not, and what would be


BEFORE_8 = Lies(work=[10, 9], slots=[[8, 8], [6]], taken=[7, 10])


@dataclass(frozen=True)
class Refused:
    zone: str
    to: str
    paragraph: str
    lies: Lies = BEFORE_8
    place: int = -1
    others: tuple[Lies, ...] = (Lies(), Lies())
    cut: Sequence[int] = field(default_factory=tuple)


FULL = [[2], [3], [4], [5], [6]]


@pytest.mark.parametrize(
    "case",
    [
        Refused("work/0", "slot/0/3", "5.1"),  # nothing goes back
        Refused("slot/0/2", "work/0", "5.1"),  # not the next number
        Refused("slot/0/2", "", "5.1"),
        Refused("slot/0/1", "slot/0/4", "5.3"),
        Refused("slot/0/1", "work/1", "5.3"),
        Refused("terminal/0/6", "work/0", "5.1"),
        Refused("terminal/0/8", "slot/0/3", "5.4"),
        Refused("terminal/0/8", "work/0", "6.2", cut=[8]),
        Refused("terminal/0/10", "work/0", "6.1", Lies()),
        Refused("terminal/1/8", "work/0", "2.1"),
        Refused("work/1", "work/0", "2.1", others=(Lies(work=[10]), Lies())),
        Refused("done/0", "work/0", "5.4"),
        Refused("flushed/0", "work/0", "7", Lies(only=True)),
        Refused("pile/0", "work/0", "5.1", Lies(work=[10], slots=FULL, pile=[7], open=True)),
        Refused("pile/0", "", "5.6", Lies(work=[10], slots=FULL, pile=[7], open=True)),
        Refused("pile/0", "slot/0/1", "5.5", Lies(work=[10], slots=FULL, pile=[7], open=True)),
        Refused("pile/0", "slot/0/1", "5.5", Lies(work=[10], slots=[[5]], pile=[7], open=True)),
        Refused("pile/0", "slot/0/3", "5.5", Lies(work=[10], slots=[[5]], pile=[7], open=True)),
        Refused("pile/0", "slot/0/2", "5.5", Lies(work=[10], slots=[[7]], pile=[7], open=True)),
        Refused("pile/0", "done/0", "5.1", Lies(work=[10], slots=[[5]], pile=[7], open=True)),
    ],
)
def test_a_refusal_names_its_paragraph(case: Refused) -> None:
    state = table(case.lies, *case.others, cut=case.cut)
    card = state.cards[case.zone][case.place]
    paragraph, sentence = why(state, card, case.to)
    assert paragraph == case.paragraph
    assert sentence.endswith(".")
    assert "{" not in sentence
    assert f"\n## {paragraph}" in KIT.read_text("rulebook.en.md")


def test_what_is_still_possible_counts_terminals_in_reach_alone() -> None:
    """A chain that has come down to 6 can't end with 9, 8 or 7, and there is no 9 for a new one."""
    lies = Lies(work=[10, 9, 8, 7, 6], slots=[[5], [4], [10]], only=True)
    figures = RULES.figures(table(lies))
    reached = (3, 4, 5, 9, 10)  # 9 and 10 by a new chain
    assert figures["left/0"] == sum(POINTS[number] for number in reached)
    fresh = Lies(slots=[[10], [9]], only=True)
    assert RULES.figures(table(fresh))["left/0"] == sum(POINTS[number] for number in (8, 9, 10))
    assert RULES.figures(table(Lies()))["left/0"] == sum(POINTS)


def test_why_nothing_can_be_flipped() -> None:
    lies = Lies(work=[10], slots=FULL, pile=[7], open=True)
    assert why(table(lies), NO_CARD) == (
        "5.6",
        "The face-up card on your pile has to go first.",
    )
    assert why(table(Lies(work=[10], only=True)), NO_CARD) == ("5.1", "Your pile is empty.")
    hidden = mask(begin(1), 0).cards["pile/0"][-1]
    assert why(begin(1), hidden, "slot/0/1") == (
        "5.1",
        "Flip the top card of your pile first, then place it.",
    )


def test_nothing_to_explain_where_the_move_is_legal() -> None:
    state = table(Lies(work=[10], slots=[[9]], pile=[7], open=True), Lies(), Lies())
    (ask,) = state.asks
    legal = [("slot/0/1", "work/0"), ("terminal/0/9", "work/0"), ("pile/0", "slot/0/2")]
    for zone, to in legal:
        for asked in (to, ""):
            assert RULES.why(state, ask, state.cards[zone][-1], asked) is None
    fits = table(Lies(work=[10], slots=FULL, pile=[9], open=True))
    for to in ("work/0", ""):
        assert RULES.why(fits, fits.asks[0], fits.cards["pile/0"][-1], to) is None


def test_a_refused_move_tells_why() -> None:
    state = table(Lies(work=[10, 9], slots=[[6]]), Lies())
    card = state.cards["slot/0/1"][0]
    with pytest.raises(Illegal, match="Your workspace needs 8 next"):
        submit(RULES, state, 0, Move(99, "link", (card,), "work/0"), "seed")


def test_what_a_flip_may_bring() -> None:
    state = table(Lies(work=[10], slots=FULL, pile=[9, 9, 7, 6], only=True))
    assert notes(state, found(state, "flip")) == [
        ("5.1", "Cards in your pile you can link: 2 of 4."),
        ("5.6", "Unplayable cards in your pile: 1 of 4."),
    ]
    state = table(Lies(work=[10], pile=[9, 9, 7, 6], only=True))
    assert notes(state, found(state, "flip"))[1] == ("5.6", "Nothing in your pile is unplayable.")


def test_what_a_link_brings() -> None:
    state = table(Lies(work=[10], slots=[[9]]), Lies(), Lies())
    move = found(state, "link", 9)
    assert previewed(state, move) == {"need/0": 8}
    assert notes(state, move) == [("5.4", "Terminal 8 can then end the chain.")]
    state = table(Lies(work=[10], slots=[[9]]), Lies(), Lies(), cut=[8])
    assert notes(state, found(state, "link", 9)) == []


def test_what_a_slot_brings() -> None:
    state = do(table(Lies(pile=[10]), Lies()), "flip")
    assert notes(state, found(state, "keep", 10)) == [("5.2", "Your turn ends.")]


def test_what_a_chain_brings() -> None:
    state = table(Lies(work=[10, 9]), Lies(), Lies())
    move = found(state, "complete", 8)
    assert previewed(state, move) == {"need/0": 10, "score/0": 1, "took/0": "8"}
    assert notes(state, move) == [("9.2", "Points: 1. Your turn ends.")]
    dead = Lies(work=[10, 9], slots=[[9]], only=True)
    state = table(Lies(work=[10, 9]), dead, Lies(work=[10, 9]), Lies(taken=[8]), Lies(taken=[8]))
    move = found(state, "complete", 8)
    assert notes(state, move)[1:] == [
        ("6.2", "Terminal 8 is cut off after this."),
        ("7", "1's chain can then no longer score."),
    ]
    assert previewed(state, move)["cut/8"] == 1
    (ask,) = state.asks
    preview = RULES.preview(state, ask, move)
    assert preview.notes[1].zones == ("terminal/1/8", "terminal/2/8")
    after = do(state, "complete", 8)  # and so it comes
    assert numbers(after, "work/1") == []
    assert numbers(after, "work/2") == [10, 9]


def test_previews_come_true() -> None:
    """On random games: the values a preview foretells are those after the move."""
    for seed in range(12):
        state = begin(1 + seed % 4, seed=str(seed))
        luck = FastRng(seed)
        while state.result is None:
            (ask,) = state.asks
            offers = RULES.offers(state, ask)
            move = offers[luck.below(len(offers))].sample(ask.id, luck)
            preview = RULES.preview(mask(state, ask.seat), ask, move)
            state = submit(RULES, state, ask.seat, move, "seed").state
            for key, value in preview.values.items():
                assert state.values[key] == value


# Whole games


@pytest.mark.parametrize("seats", range(1, 11))
@pytest.mark.parametrize(
    "chosen", [{}, {"slots": "pile"}, {"flip": "out"}, {"flip": "free"}], ids=str
)
def test_random_games_end(seats: int, chosen: dict[str, str]) -> None:
    state = begin(seats, **chosen)
    for seed in range(2):
        scratch = SimulationTable(state, FastRng(seed))
        playout(RULES, scratch)
        _is_a_fair_end(scratch.frozen())


def _is_a_fair_end(state: State) -> None:
    assert state.result is not None
    for seat in range(state.seats):
        assert state.values[f"out/{seat}"] in ("stuck", "spent", "perfect")
        left = [n for n in NUMBERS if state.cards[f"terminal/{seat}/{n}"]]
        took = [int(word) for word in str(state.values[f"took/{seat}"]).split()]
        assert sorted(took) == [n for n in NUMBERS if n not in left]
        points = sum(POINTS[n] for n in took)
        assert state.result.scores[seat] == state.values[f"score/{seat}"] == points
        done = numbers(state, f"done/{seat}")
        assert Counter(done)[10] == 10 - len(left)
        for number in NUMBERS:
            pile = Counter(numbers(state, f"pile/{seat}"))[number]
            open_cards = [c for c in state.shown if c in state.cards[f"pile/{seat}"]]
            pile -= sum(NUMBER[card] == number for card in open_cards)
            assert state.values[f"unseen/{seat}/{number}"] == pile
    for number in NUMBERS:
        limit = int(state.values["limit"])
        taken = sum(not state.cards[f"terminal/{s}/{number}"] for s in range(state.seats))
        assert not limit or taken <= limit
        assert state.values[f"cut/{number}"] == (taken == limit and limit > 0)
