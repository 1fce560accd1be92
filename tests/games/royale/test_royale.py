"""Sister Royale: every ruling, every window with its order and its askees, every effect."""

from collections import Counter
from itertools import product

import pytest
from msgspec.structs import replace

from tabletop.engine.events import Rolled, Said, Shuffled
from tabletop.engine.heuristic import some
from tabletop.engine.mask import mask, masked
from tabletop.engine.model import AUDIENCE, NO_CARD, Ask, Move, Offer, Sight, State, hidden_card
from tabletop.engine.play import Illegal, answer, determinized, playout, proceed, start, submit
from tabletop.engine.scratch import FastRng, SimulationTable
from tabletop.games.royale.areas import (
    CELLS,
    IN_LINE,
    NEIGHBOURS,
    adjacent_areas,
    areas_on_map,
    walkable_areas,
)
from tabletop.games.royale.attack import count_hitting_rolls
from tabletop.games.royale.bot.expected_damage import ExpectedDamage
from tabletop.games.royale.deck import TIMINGS, BrokenDeck, Deck
from tabletop.games.royale.effects import Effect
from tabletop.games.royale.places import (
    AT,
    CHARACTER,
    CHARACTER_PILE,
    DEATHS,
    DOUBLE,
    EX_DISCARD,
    EX_PILE,
    HAND,
    ITEM_DISCARD,
    ITEM_PILE,
    ITEMS,
    KILLS,
    REMOVED,
    RETIRED,
    SPENT,
    STAMINA,
    STATUS,
)
from tabletop.games.royale.places import POOL as MIXED
from tabletop.games.royale.rules import OFFERS_BY_QUESTION
from tabletop.games.royale.steps import Action, Initiative, Intermission, Limit, Phase, Start, Turn
from tabletop.match.history import Entry, History
from tests.games.golden.playthrough import FOLDER, replayed
from tests.games.royale.playthroughs import effects, themes, windows
from tests.games.royale.tables import (
    ART,
    DECK,
    ESCALATOR,
    FOUNTAIN,
    GAME,
    GATE,
    GYM,
    HAUNTED,
    KIT,
    LIBRARY,
    LOST,
    MUSIC,
    NAME,
    NURSE,
    OBSERVATORY,
    POOL,
    RADIO,
    ROPEWAY,
    SCIENCE,
    SHOP,
    SISTERS,
    STALL,
    TRACK,
    WALKWAY,
    Stage,
    action,
    battle,
    character,
)

ALL = (2, 3, 4, 6, 8, 9, 12)


def new(seats: int, seed: str = "test", **options: int) -> State:
    return start(GAME, seats, seed, KIT.backs, {"length": 21} | options).state


def played(seats: int, seed: str, **options: int) -> SimulationTable:
    """A whole random game."""
    scratch = SimulationTable(new(seats, seed, **options), FastRng(seed))
    playout(GAME, scratch)
    return scratch


def pass_up_to(stage: Stage, seat: int, what: str) -> None:
    """Pass until this is asked."""
    while stage.asked != (seat, what):
        stage.do("pass")


# 2 The deck


def test_the_deck_has_88_cards() -> None:
    counts = Counter(face["kind"] for face in KIT.deck)
    assert counts == {"character": 12, "item": 30, "ex": 25, "area": 21}


def test_s1_codes_are_the_21_throws_of_two_dice() -> None:
    assert len(DECK.code) == 21
    throws = Counter(tuple(sorted(throw)) for throw in product(range(1, 7), repeat=2))
    assert {code: throws[code] for code in DECK.code} == dict(throws)


def broken(**changes: object) -> list[dict[str, object]]:
    """The deck with some keys of the first card that has the id changed."""
    ident = changes.pop("id")
    faces = [dict(face) for face in KIT.deck]
    face = next(face for face in faces if face["id"] == ident)
    face.update(changes)
    return faces


EFFECT_TIMING = ["intermission"]


@pytest.mark.parametrize(
    ("changes", "wrong"),
    [
        ({"id": "C01", "rank": 2}, r"ranks \[2, 2"),
        ({"id": "R12", "code": [1, 1]}, "21 throws"),
        ({"id": "I01", "kind": "ex"}, "29 cards of the kind item instead of 30"),
        (
            {"id": "R12", "effect": {"type": "salvage", "timing": ["area"]}},
            "ordinary area 1-2 has an effect",
        ),
        ({"id": "I21", "single_use": False}, "without being used up"),
        (
            {"id": "I20", "effect": {"type": "draw_ex", "timing": EFFECT_TIMING, "n": 1}},
            "draws EX cards in the intermission",
        ),
        (
            {"id": "X24", "effect": {"type": "peek", "timing": EFFECT_TIMING}},
            "for the intermission",
        ),
        (
            {
                "id": "I01",
                "effect": {
                    "type": "attack",
                    "timing": ["means"],
                    "category": "melee",
                    "perf": {"snipe": [1, 1, 1]},
                },
            },
            "melee means that snipe",
        ),
        (
            {
                "id": "I01",
                "effect": {
                    "type": "attack",
                    "timing": ["means"],
                    "category": "melee",
                    "perf": {"far": [1, 1, 1]},
                    "on_hit": "steal",
                },
            },
            "steal elsewhere than near",
        ),
        ({"id": "X17", "effect": {"type": "dodge", "timing": ["later"]}}, r"moments \['later'\]"),
        ({"id": "X17", "text": "Something else."}, 'the text "Something else." instead of "When'),
    ],
)
def test_a_broken_deck_is_told_of(changes: dict[str, object], wrong: str) -> None:
    with pytest.raises(BrokenDeck, match=wrong):
        Deck(broken(**changes))


def test_every_moment_has_its_cards() -> None:
    assert {timing for timing in TIMINGS if not DECK.at[timing]} == set()


# 2.4 The map


def test_the_map_is_five_by_five_without_corners() -> None:
    assert len(CELLS) == 21
    assert sum(len(there) for there in NEIGHBOURS.values()) == 2 * 32
    assert "area/1,1" not in CELLS
    state = new(4)
    assert all(len(state.cards[cell]) == 1 for cell in CELLS)
    assert new(4, "a").cards[CELLS[0]] != new(4, "b").cards[CELLS[0]]


def test_s2_eight_areas_have_a_line_on_a_fixed_side() -> None:
    assert Counter(face.get("blocked", "") for face in KIT.deck if face["kind"] == "area") == {
        "": 13, "N": 2, "E": 2, "S": 2, "W": 2
    }  # fmt: skip


def reached(at: str, seat: int = 0, **kwargs: object) -> set[str]:
    """Where seat 0 may walk to."""
    stage = Stage(action(), at=(at, ""), **kwargs)
    return set(walkable_areas(DECK, stage.state, seat))


def test_s5_adjacent_areas_share_an_edge_and_are_on_the_map() -> None:
    stage = Stage(action(), at=(GYM, ""), closed=(NURSE,))
    assert set(adjacent_areas(stage.state, GYM)) == {GATE, STALL, POOL}
    assert len(areas_on_map(stage.state)) == 20


def test_s6_a_line_blocks_both_sides_and_leaves_with_its_card() -> None:
    for here, there in ((WALKWAY, STALL), (HAUNTED, POOL), (MUSIC, SCIENCE), (RADIO, OBSERVATORY)):
        assert there not in one_step(here)
        assert here not in one_step(there)
    assert HAUNTED in one_step(STALL), "an area with a line on another edge"
    assert reached(WALKWAY, closed=(POOL,)) == {MUSIC, HAUNTED}


def test_s6_a_line_does_not_bar_a_snipe() -> None:
    stage = Stage(action(), at=(WALKWAY, STALL), items={0: ["Water Pistol"]})
    assert stage.offer("snipe").targets == (character(1),)


def one_step(at: str, **kwargs: object) -> set[str]:
    """Where a Move card leads seat 0."""
    stage = Stage(action(), at=(at, ""), hands={0: ["Move"]}, **kwargs)
    return set(stage.offer("move").targets)


def test_s7_the_escalator_spans_row_and_column_over_gaps() -> None:
    assert one_step(ESCALATOR, closed=(STALL, HAUNTED)) == set(IN_LINE[ESCALATOR]) - {
        STALL,
        HAUNTED,
    }
    assert RADIO in one_step(ESCALATOR, closed=(STALL, HAUNTED, TRACK))
    assert RADIO in reached(ESCALATOR, closed=(STALL, HAUNTED, TRACK))
    stage = Stage(action(), at=(ESCALATOR, ""), dice=[1])
    assert len(stage.do("search", to=ESCALATOR).held(ITEMS[0])) == 1


def test_s8_home_is_no_step_and_only_the_end_counts() -> None:
    assert GYM not in reached(GYM)
    one, two = {GATE, STALL, NURSE, POOL}, {ESCALATOR, FOUNTAIN, HAUNTED, LIBRARY, SHOP, LOST}
    assert reached(GYM) == one | two
    stage = Stage(Phase(0), at=(GYM, POOL), hands={1: ["Move"]})
    stage.do("walk", to=LOST)  # through seat 1's area, or round it
    assert stage.asked == (1, "near"), "asked for where the walk ended"
    assert stage.ask.args == (0, LOST)


def test_strides_and_the_spare_key() -> None:
    assert reached(GYM) < reached(GYM, sisters=("Hinata", "Minato"))
    assert reached(GYM) < reached(GYM, up={0: ["Roller Skates"]})
    assert reached(GYM) == reached(GYM, items={0: ["Roller Skates"]}), "face-down counts nothing"
    assert STALL in reached(WALKWAY, up={0: ["Caretaker's Spare Key"]})
    assert STALL in one_step(WALKWAY, up={0: ["Caretaker's Spare Key"]})


# 3 Set-up


@pytest.mark.parametrize("seats", range(2, 13))
def test_setting_up(seats: int) -> None:
    state = new(seats)
    assert len(state.cards[CHARACTER_PILE]) == 12 - seats
    assert len(state.cards[ITEM_PILE]) == 30 - seats
    assert len(state.cards[EX_PILE]) == 25 - (2 if seats < 9 else 1) * seats
    for seat in range(seats):
        assert len(state.cards[ITEMS[seat]]) == 1
        assert state.zones[ITEMS[seat]].sight is Sight.OWNER
        assert state.zones[HAND[seat]].loose
    assert state.values["turn"] == 1


def test_s3_the_highest_throw_is_the_parent_and_ties_throw_again() -> None:
    for seed in range(60):
        table = start(GAME, 3, str(seed), KIT.backs, {"length": 21})
        throws = [
            sum(e.faces) for e in table.events if isinstance(e, Rolled) and e.what == "parent"
        ]
        best = [seat for seat in range(3) if throws[seat] == max(throws[:3])]
        parent = table.state.values["parent"]
        if len(best) == 1:
            assert parent == best[0]
            assert len(throws) == 3
        else:
            assert len(throws) >= 3 + len(best)
            assert parent in best


# 4 A turn


def test_s4_a_start_player_without_character_rolls() -> None:
    stage = Stage(
        Phase(6),
        Turn(),
        seats=3,
        sisters=("", "Minato", "Shiori"),
        at=("", GYM, GYM),
        closed=(GATE,),
        retired=["Haguru"],
        values={"status/0": "out", "status/1": "waiting"},
        dice=[1, 2],  # the gate is closed: the parent chooses
    )
    assert stage.asked == (0, "close")
    stage.do("close", to=FOUNTAIN)
    while stage.asked[1] in ("limit", "break"):
        stage.do("pass")
    assert stage.value("parent") == 1
    assert stage.value("status/1") == "in"


def test_s4_the_parent_passes_over_those_who_are_out() -> None:
    stage = Stage(
        Limit(0),
        seats=3,
        sisters=("Matsuri", "", "Shiori"),
        values={"status/1": "out"},
        closed=(GATE,),
    )
    stage.all_pass()
    assert stage.value("parent") == 2
    assert stage.value("turn") == 3


def test_s21_an_empty_pile_gives_nothing() -> None:
    hands = {0: [NAME[card] for card in DECK.ex[:-3]]}
    stage = Stage(
        Turn(),
        seats=3,
        sisters=("Minato", "Shiori", ""),
        hands=hands,
        values={"status/2": "out"},
    )
    assert len(stage.state.cards[HAND[0]]) == 24
    assert len(stage.state.cards[HAND[1]]) == 1
    assert len(stage.state.cards[HAND[2]]) == 0
    assert stage.state.cards[EX_PILE] == ()


def test_start_positions_go_by_the_code_from_the_parent_on() -> None:
    stage = Stage(
        Start(0),
        Action(0),
        dice=[3, 1, 6, 6],
        values={"parent": 1},
    )
    assert stage.value(AT[1]) == FOUNTAIN
    assert stage.value(AT[0]) == ROPEWAY


def test_a_closed_start_area_is_chosen_freely() -> None:
    stage = Stage(Start(0), Action(0), dice=[2, 1], closed=(GATE,))
    assert stage.asked == (0, "stand")
    assert set(stage.offer("place").targets) == set(CELLS) - {GATE}
    stage.do("place", to=MUSIC, dice=[3, 1])
    assert stage.value(AT[0]) == MUSIC


def test_the_start_window_asks_whoever_could_have_the_map() -> None:
    steps = (Start(0), Action(0))
    stage = Stage(*steps, items={0: ["Festival Map"]}, dice=[2, 1])
    assert stage.asked == (0, "start")
    stage.do("again", "Festival Map", dice=[3, 3, 4, 4])
    assert stage.value(AT[0]) == SHOP, "once per turn: no second question"
    assert mask(stage.state, AUDIENCE).cards[ITEMS[0]] == stage.state.cards[ITEMS[0]]
    bluff = Stage(*steps, items={0: ["Pot Lid"]})
    assert bluff.verbs == ["pass"]
    assert Stage(*steps, up={0: ["Pot Lid"]}).asked == (0, "action")
    known = Stage(*steps, items={0: ["Pot Lid"]}, discards=["Festival Map"])
    assert known.asked == (0, "action")
    assert Stage(*steps, up={0: ["Festival Map"]}).asked == (0, "start")


def test_two_rounds_of_phases_from_the_parent_on() -> None:
    stage = Stage(Phase(0), seats=3, at=(ESCALATOR, MUSIC, ROPEWAY), values={"parent": 1})
    order = []
    while len(order) < 6:
        assert stage.ask.what == "walk"
        order.append((stage.ask.seat, stage.value("phase")))
        stage.do("stay").do("nothing")
    assert [seat for seat, _ in order] == [1, 2, 0, 1, 2, 0]
    assert [name for _, name in order] == ["first"] * 3 + ["second"] * 3
    assert stage.value("turn") == 2


def test_s9_the_forbidden_area_harms_nobody_inside() -> None:
    stage = Stage(Phase(4), at=(GATE, GYM), values={"parent": 0}, dice=[1, 2])
    stage.all_pass()
    assert stage.held(REMOVED) == ["Main Gate Arch"]
    assert stage.value(STATUS[0]) == "in"
    assert stage.value("turn") == 2


def test_the_forbid_window_goes_round_from_the_parent() -> None:
    steps = (Phase(8),)
    stage = Stage(
        *steps,
        seats=4,
        at=(GYM,) * 4,
        hands={0: ["Rest"], 1: ["Rest"], 3: ["Committee Notice"]},
        values={"parent": 1, "status/0": "waiting"},
    )
    assert stage.asked == (1, "forbid")
    assert stage.verbs == ["pass"]
    stage.do("pass")
    assert stage.asked == (3, "forbid"), "2 has no card, 0 does not take part"
    assert set(stage.offer("forbid").targets) == set(CELLS)
    stage.do("forbid", "Committee Notice", to=SHOP)
    assert stage.held(REMOVED) == ["School Shop"]
    assert not [e for e in stage.table.events if isinstance(e, Rolled) and e.what == "forbidden"]


def test_the_first_notice_decides() -> None:
    stage = Stage(Phase(4), at=(GYM, GYM), hands={0: ["Rest"], 1: ["Rest"]},
                  discards=["Committee Notice"])  # fmt: skip
    assert "forbid" not in [what for _, what in stage.questions]
    stage = Stage(Phase(4), at=(GYM, GYM), hands={0: ["Committee Notice"], 1: ["Rest"]})
    stage.do("forbid", "Committee Notice", to=SHOP)
    assert [what for _, what in stage.questions].count("forbid") == 1


def test_s23_down_to_one_ex_card_or_none_from_the_parent_on() -> None:
    stage = Stage(
        Limit(0),
        seats=3,
        hands={0: ["Rest", "Rest", "Move"], 1: ["Move"], 2: ["Sidestep", "Move"]},
        values={"parent": 2, "status/0": "waiting"},
        discards=["Do-Over"],
    )
    assert stage.asked == (2, "limit")
    stage.do("discard", "Move")
    assert stage.asked == (0, "limit")
    offer = stage.offer("discard")
    assert (offer.least, offer.most) == (2, 3)
    stage.do("discard", "Rest", "Rest", "Move")
    assert stage.held(EX_DISCARD) == []
    (pile,) = [e.cards for e in stage.table.events if isinstance(e, Shuffled)]
    assert len(pile) == 25 - 2


def test_s24_markers_leave_and_the_waiting_come_back() -> None:
    stage = Stage(Limit(0), at=(GYM, GYM), values={"status/1": "waiting", SPENT[0]: 1})
    assert stage.value("turn") == 2
    assert stage.value(STATUS[1]) == "in"
    assert stage.value(SPENT[0]) == 0


# 4.6 The intermission


def rest_time(**kwargs: object) -> Stage:
    return Stage(Intermission(0), Action(0), at=(GYM, GYM), **kwargs)


def test_s27_only_effective_answers_are_offered() -> None:
    assert rest_time().ask.what not in ("break",)
    bluff = rest_time(items={0: ["Paper Fan"]}, values={STAMINA[0]: 3})
    assert bluff.asked == (0, "break")
    assert bluff.verbs == ["pass"]
    assert rest_time(up={0: ["Paper Fan"]}).ask.what != "break"
    assert rest_time(up={0: ["Corner Mirror"]}).ask.what != "break", "nobody has an item"
    assert rest_time(up={0: ["Raffle Tickets"]}).ask.what != "break", "no EX card to trade"


def test_healing_items_in_the_intermission() -> None:
    stage = rest_time(items={0: ["Flask of Cocoa", "Homemade Lunch"]}, values={STAMINA[0]: 3})
    assert stage.names("refresh") == ["Flask of Cocoa", "Homemade Lunch"]
    stage.do("refresh", "Flask of Cocoa")
    assert stage.value(STAMINA[0]) == 5
    stage.do("refresh", "Homemade Lunch")
    assert stage.value(STAMINA[0]) == 6, "S18: never above the printed stamina"
    assert stage.held(ITEM_DISCARD) == ["Flask of Cocoa", "Homemade Lunch"], "S14"


def test_the_horoscope_works_once() -> None:
    stage = rest_time(sisters=("Sayo", "Minato"))
    assert stage.verbs == ["pass", "prepare"]
    stage.do("prepare", "Sayo")
    assert len(stage.state.cards[HAND[0]]) >= 1
    assert stage.ask.what != "break"
    everything = [NAME[card] for card in DECK.ex]
    assert rest_time(sisters=("Sayo", "Minato"), discards=everything).ask.what != "break"


def test_the_double_is_built_once() -> None:
    stage = rest_time(sisters=("Haguru", "Minato"))
    stage.do("prepare", "Haguru")
    assert stage.value(DOUBLE[0]) == 1
    assert rest_time(sisters=("Haguru", "Minato"), values={DOUBLE[0]: 1}).ask.what != "break"


def test_raffle_tickets_trade_again_and_again() -> None:
    stage = rest_time(items={0: ["Raffle Tickets"]}, hands={0: ["Move", "Rest"]})
    stage.do("trade", "Move")
    assert stage.held(EX_DISCARD) == ["Move"]
    assert len(stage.state.cards[ITEMS[0]]) == 2
    stage.do("trade", "Rest")
    assert len(stage.state.cards[ITEMS[0]]) == 3
    assert stage.ask.seat != 0 or stage.ask.what != "break" or "trade" not in stage.verbs


def test_the_corner_mirror_shows_the_peeker_alone() -> None:
    stage = rest_time(items={0: ["Corner Mirror"], 1: ["Paper Fan", "Water Pistol"]}, seats=3)
    assert stage.offer("peek").targets == (ITEMS[1],)
    stage.do("peek", "Corner Mirror", to=ITEMS[1])
    fan, pistol = stage.state.cards[ITEMS[1]]
    assert mask(stage.state, 0).cards[ITEMS[1]] == (fan, pistol)
    assert mask(stage.state, 2).cards[ITEMS[1]] == (hidden_card(1), hidden_card(1))
    assert stage.ask.seat != 0 or "peek" not in stage.verbs, "nothing more to see"


def test_a_second_look_keeps_the_first() -> None:
    stage = rest_time(items={0: ["Corner Mirror"], 1: ["Paper Fan"]}, seats=3)
    (fan,) = stage.state.cards[ITEMS[1]]
    stage.table.show(ITEMS[1], fan, (2,))
    stage.do("peek", "Corner Mirror", to=ITEMS[1])
    assert stage.state.shown[fan] == (0, 2)


# 5 A phase


def test_s10_gear_then_walk_then_moves_then_one_action() -> None:
    stage = Stage(
        Phase(0),
        at=(GYM, SCIENCE),
        items={0: ["Roller Skates", "Caretaker's Spare Key", "Pot Lid"]},
        hands={0: ["Move", "Move"]},
    )
    assert stage.verbs == ["stay", "walk", "gear"]
    assert stage.names("gear") == ["Roller Skates", "Caretaker's Spare Key"]
    before = set(stage.offer("walk").targets)
    stage.do("gear", "Roller Skates")
    assert before < set(stage.offer("walk").targets)
    stage.do("walk", to=NURSE)
    assert "move" in stage.verbs
    stage.do("move", "Move", to=SHOP).do("move", "Move", to=ART)
    assert "move" not in stage.verbs
    stage.do("nothing")
    assert stage.asked == (1, "walk")


def test_s11_near_asks_clockwise_who_is_in_the_area_or_beside_it() -> None:
    stage = Stage(
        Phase(0),
        seats=6,
        at=(ESCALATOR, POOL, GYM, ROPEWAY, GYM, NURSE),
        hands={1: ["Rest"], 2: ["Rest"], 3: ["Rest"], 5: ["Sidestep"]},
    )
    stage.do("walk", to=GYM)
    stage.all_pass()
    near = [seat for seat, what in stage.questions if what == "near"]
    assert near == [1, 2, 5], "3 is too far, 4 has no EX card"


def test_s11_nobody_is_asked_when_all_moves_are_discarded() -> None:
    stage = Stage(Phase(0), at=(ESCALATOR, GYM), hands={1: ["Rest"]}, discards=["Move"] * 5)
    stage.do("walk", to=GYM)
    assert stage.asked == (0, "action")


def test_s11_a_move_answers_a_move_before_the_outer_window() -> None:
    stage = Stage(
        Phase(0),
        seats=4,
        at=(NURSE, LIBRARY, LIBRARY, ROPEWAY),
        hands={0: ["Move"], 1: ["Move", "Move"], 2: ["Rest"], 3: ["Move"]},
    )
    stage.do("walk", to=LIBRARY)
    assert stage.asked == (1, "near")
    stage.do("answer", "Move", to=NURSE)
    assert stage.asked == (2, "near"), "clockwise from 1's left: 2 is beside the nurse"
    assert stage.ask.args == (1, NURSE)
    stage.do("pass")
    assert stage.asked == (0, "near"), "whose movement was answered"
    stage.do("answer", "Move", to=NURSE)  # pursuit
    assert stage.asked == (1, "near")
    assert stage.ask.args == (0, NURSE)
    stage.do("answer", "Move", to=FOUNTAIN)
    assert stage.asked[0] != 0, "0 has no EX card any more"
    stage.all_pass()
    assert stage.asked == (0, "action")
    libraries = [q for q in stage.table.events if getattr(q, "ask", None) and hasattr(q.ask, "args")
                 and q.ask.args == (0, LIBRARY)]  # fmt: skip
    assert len(libraries) == 1, "the outer window stops: its mover is no longer there"


def test_s11_the_outer_window_goes_on_when_its_mover_stays() -> None:
    stage = Stage(
        Phase(0),
        seats=3,
        at=(NURSE, LIBRARY, LIBRARY),
        hands={1: ["Move"], 2: ["Rest"]},
    )
    stage.do("walk", to=LIBRARY).do("answer", "Move", to=NURSE)
    assert stage.asked == (2, "near")
    assert stage.ask.args == (1, NURSE)
    stage.do("pass")
    assert stage.asked == (2, "near")
    assert stage.ask.args == (0, LIBRARY)
    assert stage.do("pass").asked == (0, "action")


def test_pursuit_asks_the_answered_player_wherever_she_is() -> None:
    stage = Stage(
        Phase(0),
        at=(NURSE, ESCALATOR),
        hands={0: ["Move"], 1: ["Move"]},
    )
    stage.do("walk", to=GATE).do("answer", "Move", to=RADIO)
    assert stage.asked == (0, "near"), "far away by the escalator, and asked all the same"
    stage.do("answer", "Move", to=ESCALATOR)
    assert stage.asked == (0, "action")


def test_a_player_with_nowhere_to_go_is_not_asked() -> None:
    stage = Stage(
        Phase(0),
        at=(LOST, RADIO),
        hands={1: ["Move"]},
        closed=[c for c in CELLS if c not in (LOST, TRACK, RADIO, OBSERVATORY, ROPEWAY)],
    )
    stage.do("walk", to=OBSERVATORY)
    assert stage.asked == (1, "near")
    lonely = Stage(
        Phase(0),
        at=(LOST, RADIO),
        hands={1: ["Move"]},
        closed=[c for c in CELLS if c not in (LOST, RADIO, OBSERVATORY)],
    )
    lonely.do("walk", to=OBSERVATORY)
    assert lonely.asked == (0, "action"), "a line bars the only way"


# 5.5 to 5.9


def test_what_an_action_may_be() -> None:
    stage = Stage(
        action(),
        seats=4,
        at=(STALL, STALL, GYM, MUSIC),
        items={0: ["Paper Plane", "Homemade Lunch"]},
        hands={0: ["Negotiate", "Rest", "Move"]},
        values={STAMINA[0]: 5},
    )
    assert set(stage.verbs) == {"nothing", "move", "attack", "negotiate", "snipe", "search", "rest"}
    assert stage.offer("attack").targets == (character(1),)
    assert stage.offer("snipe").targets == (character(2),)
    assert stage.offer("negotiate").targets == (character(1),)
    assert stage.names("rest") == ["Rest", "Homemade Lunch"]
    well = Stage(action(), at=(STALL, STALL), hands={0: ["Rest"]})
    assert "rest" not in well.verbs, "S18"
    assert "snipe" not in well.verbs


def test_resting_with_a_card_an_item_and_an_ability() -> None:
    def tired(**kwargs: object) -> Stage:
        return Stage(action(), at=(GYM, ""), values={STAMINA[0]: 4}, **kwargs)

    stage = tired(hands={0: ["Rest"]}).do("rest", "Rest")
    assert stage.value(STAMINA[0]) == 5
    assert stage.held(EX_DISCARD) == ["Rest"]
    stage = tired(items={0: ["Homemade Lunch"]}).do("rest", "Homemade Lunch")
    assert stage.value(STAMINA[0]) == 6
    assert stage.held(ITEM_DISCARD) == ["Homemade Lunch"]
    stage = tired(sisters=("Komugi", "Minato")).do("rest", "Komugi")
    assert stage.value(STAMINA[0]) == 5
    assert stage.value(SPENT[0]) == 1
    stage.table.then(Action(0))
    proceed(GAME, stage.table)
    assert "rest" not in stage.verbs, "once per turn"


def search(at: str, dice: tuple[int, ...] = (), **kwargs: object) -> Stage:
    return Stage(action(), Action(1), at=(at, ""), dice=dice, **kwargs).do("search", to=at)


def test_searching_an_ordinary_area() -> None:
    assert len(search(GYM, (1,)).state.cards[ITEMS[0]]) == 1
    miss = search(GYM, (2,))
    assert miss.state.cards[ITEMS[0]] == ()
    assert miss.said[-1] == "{seat} finds nothing."
    shiori = ("Shiori", "Minato")
    assert len(search(GYM, (3,), sisters=shiori).state.cards[ITEMS[0]]) == 1
    assert len(search(GYM, (4,), sisters=shiori).state.cards[ITEMS[0]]) == 0


def test_the_search_window_asks_the_searcher() -> None:
    stage = search(GYM, hands={0: ["Great Find"]})
    assert stage.asked == (0, "search")
    stage.do("find", "Great Find")
    assert len(stage.state.cards[ITEMS[0]]) == 1
    assert not [e for e in stage.table.events if isinstance(e, Rolled) and e.what == "search"]
    bluff = search(GYM, hands={0: ["Rest"]})
    assert bluff.asked == (0, "search")
    assert bluff.verbs == ["pass"]
    bluff.do("pass", dice=[1])
    assert bluff.asked == (0, "own_roll")
    assert search(GYM, hands={0: ["Rest"]}, discards=["Great Find"]).ask.what != "search"
    assert search(SHOP, hands={0: ["Great Find"]}).ask.what != "search", "ordinary areas only"


def test_searching_special_areas() -> None:
    assert search(NURSE, values={STAMINA[0]: 4}).value(STAMINA[0]) == 6
    assert len(search(SHOP).state.cards[ITEMS[0]]) == 1
    assert len(search(RADIO).state.cards[HAND[0]]) == 1
    lost = search(LOST, discards=["Paper Fan", "Pot Lid"])
    assert lost.asked == (0, "salvage")
    lost.do("salvage", "Pot Lid")
    assert lost.held(ITEMS[0]) == ["Pot Lid"]
    ride = search(ROPEWAY)
    assert set(ride.offer("ride").targets) == set(CELLS) - {ROPEWAY}
    assert ride.do("ride", to=MUSIC).value(AT[0]) == MUSIC


def test_the_ropeway_can_be_answered() -> None:
    stage = Stage(action(), at=(ROPEWAY, MUSIC), hands={1: ["Move"]})
    stage.do("search", to=ROPEWAY).do("ride", to=MUSIC)
    assert stage.asked == (1, "near")


def test_a_search_that_would_change_nothing_is_not_offered() -> None:
    for at in (NURSE, LOST):
        assert "search" not in Stage(action(), at=(at, "")).verbs
    everything = [NAME[card] for card in DECK.ex]
    assert "search" not in Stage(action(), at=(RADIO, ""), discards=everything).verbs
    items = {0: [NAME[card] for card in DECK.items]}
    assert "search" not in Stage(action(), at=(SHOP, ""), items=items).verbs
    for at in (GYM, ESCALATOR):
        assert "search" not in Stage(action(), at=(at, ""), items=items).verbs
        assert "search" in Stage(action(), at=(at, ""), discards=["Pot Lid"]).verbs
    alone = [cell for cell in CELLS if cell != ROPEWAY]
    assert "search" not in Stage(action(), at=(ROPEWAY, ""), closed=alone).verbs


@pytest.mark.parametrize(
    ("at", "reason"),
    [
        (NURSE, "You haven't lost any stamina."),
        (LOST, "There are no discarded items."),
        (RADIO, "There is no EX card left to draw."),
        (SHOP, "There is no item left to draw."),
        (GYM, "There is no item left to draw."),
        (ESCALATOR, "There is no item left to draw."),
    ],
)
def test_a_refused_search_says_what_is_missing(at: str, reason: str) -> None:
    items = {1: [NAME[card] for card in DECK.items]}
    everything = [NAME[card] for card in DECK.ex]
    stage = Stage(action(), at=(at, MUSIC), items=items, discards=everything)
    refusal = GAME.why(mask(stage.state, 0), stage.ask, NO_CARD, at)
    assert refusal is not None
    assert (refusal.text, refusal.paragraph) == (reason, "5.7")


def test_a_great_find_needs_an_item_to_draw() -> None:
    stage = search(GYM, hands={0: ["Great Find"]})
    assert stage.verbs == ["find", "pass"]
    cards = stage.state.cards
    bare = replace(stage.state, cards={**cards, ITEM_PILE: (), ITEMS[1]: cards[ITEM_PILE]})
    assert [offer.verb for offer in GAME.offers(bare, stage.ask)] == ["pass"]


def test_bots_see_no_worth_in_areas_that_yield_nothing() -> None:
    prospects = ExpectedDamage(DECK)
    items = {1: [NAME[card] for card in DECK.items]}
    everything = [NAME[card] for card in DECK.ex]
    stage = Stage(action(), at=(GYM, ""), items=items, discards=everything)
    assert prospects.draws(stage.state, 0, (GYM, SHOP, LOST, RADIO, NURSE)) == [0.0] * 5
    full = Stage(action(), at=(GYM, ""))
    assert min(prospects.draws(full.state, 0, (SHOP, RADIO))) > 0


def test_old_playthroughs_with_useless_moves_stay_playable() -> None:
    """Until 0.3.0, a search with no item left was offered, and a card to find one."""
    backs, options = KIT.backs, {"length": 21}
    kinds: Counter[str] = Counter()
    for trial in range(6):
        seed = f"no items {trial}"
        table = start(GAME, 12, seed, backs, options)
        history, luck = History(table.state, table.events), FastRng(seed)
        state = table.state
        while state.result is None and not {"search", "find"} <= {*kinds}:
            ask = next(ask for ask in state.asks if ask.id not in state.answers)
            former = [o for o in GAME.former_offers(state, ask) if not _is_offered(state, ask, o)]
            offers = former or GAME.offers(state, ask)
            move = some(offers, ask.id, luck)
            if former:
                kinds[move.verb] += 1
                with pytest.raises(Illegal):
                    submit(GAME, state, ask.seat, move, seed)
            history.play(GAME, Entry(ask.seat, move), seed)
            state = history.state
    assert {"search", "find"} <= {*kinds}


def _is_offered(state: State, ask: Ask, former: Offer) -> bool:
    verbs = {offer.verb for offer in GAME.offers(state, ask)}
    return former.verb in verbs or former.verb == "pass"


def negotiation(*dice: int, seats: int = 3, **kwargs: object) -> Stage:
    settings: dict[str, object] = {"hands": {0: ["Negotiate"]}} | kwargs
    steps = action(), Action(1)
    return Stage(*steps, at=(STALL,) * seats, seats=seats, dice=dice, **settings)


def test_s25_a_negotiation_needs_an_item() -> None:
    stage = negotiation()
    assert "negotiate" not in stage.verbs
    card = NAME.index("Negotiate")
    (former,) = [o for o in GAME.former_offers(stage.state, stage.ask) if o.verb == "negotiate"]
    old = Move(stage.ask.id, "negotiate", (card,), character(1))
    assert former.admits(old), "records contain such moves"
    answer(GAME, stage.table, stage.ask, old)
    assert stage.do("agree").said[-1] == "Neither of them has an item."
    stage = negotiation()
    refusal = GAME.why(mask(stage.state, 0), stage.ask, card, character(1))
    assert refusal is not None
    assert refusal.text == "Neither of you has an item to negotiate for."
    partners = (character(1), character(2))
    assert negotiation(items={0: ["Pot Lid"]}).offer("negotiate").targets == partners
    assert negotiation(items={2: ["Pot Lid"]}).offer("negotiate").targets == partners[1:]


def test_s25_an_agreed_negotiation_mixes_all_items() -> None:
    stage = negotiation(
        items={0: ["Paper Fan"], 1: ["Pot Lid", "Body Pillow"]}, up={1: ["Long Mop"]}
    )
    stage.do("negotiate", "Negotiate", to=character(1))
    assert stage.asked == (1, "proposal")
    assert stage.held(EX_DISCARD) == ["Negotiate"]
    stage.do("agree")
    assert stage.asked == (0, "take")
    assert len(stage.state.cards[MIXED]) == 4
    for seat in (0, 1):
        assert min(mask(stage.state, seat).cards[MIXED]) >= 0
    for viewer in (AUDIENCE, 2):
        assert max(mask(stage.state, viewer).cards[MIXED]) < 0
    takers = []
    for name in ("Long Mop", "Paper Fan", "Pot Lid", "Body Pillow"):
        takers.append(stage.ask.seat)
        stage.do("take", name)
    assert takers == [0, 1, 0, 1]
    assert stage.held(ITEMS[0]) == ["Long Mop", "Pot Lid"]
    assert not stage.state.shown, "all face-down"


def test_s25_a_refused_one_needs_the_higher_die() -> None:
    for dice, mixed in (((4, 3), True), ((3, 3), False), ((2, 3), False)):
        stage = negotiation(*dice, items={1: ["Pot Lid"]})
        stage.do("negotiate", "Negotiate", to=character(1)).do("refuse")
        stage.all_pass()
        assert (stage.ask.what == "take") is mixed


def test_both_may_throw_their_negotiation_die_again() -> None:
    stage = negotiation(3, 3, items={1: ["Pot Lid"]},
                        hands={0: ["Negotiate", "Do-Over"], 1: ["Do-Over"]})  # fmt: skip
    stage.do("negotiate", "Negotiate", to=character(1)).do("refuse")
    assert stage.asked == (0, "own_roll"), "who proposed is asked first"
    assert (stage.value("dice/1"), stage.value("dice/2")) == (3, 3), "both dice lie open"
    stage.do("reroll", "Do-Over", dice=[5])
    assert stage.value("dice/1") == 5
    assert stage.asked == (1, "own_roll")
    stage.do("reroll", "Do-Over", dice=[6])
    assert stage.value("dice/2") == 6
    assert stage.ask.what != "take"


def test_the_presidents_request() -> None:
    chitose = ("Chitose", "Minato", "Shiori")
    stage = negotiation(3, 3, items={1: ["Pot Lid"]}, hands={}, sisters=chitose)
    stage.do("negotiate", "Chitose", to=character(1)).do("refuse")
    assert stage.ask.what == "take", "+1 on its die"
    assert stage.value(SPENT[0]) == 1
    items = {1: ["Pot Lid"]}
    again = negotiation(items=items, hands={}, sisters=chitose, values={SPENT[0]: 1})
    assert "negotiate" not in again.verbs
    refusal = GAME.why(mask(again.state, 0), again.ask, NAME.index("Chitose"), character(1))
    assert refusal is not None
    assert refusal.text == "You have used this ability already."


# 5.6 Snipes


def sniping(*dice: int, **kwargs: object) -> Stage:
    settings: dict[str, object] = {"items": {0: ["Paper Plane"]}, "at": (STALL, GYM)} | kwargs
    return Stage(action(), Action(1), dice=dice, **settings)


def test_s18c_a_snipe_is_one_attack_without_answers() -> None:
    stage = sniping(5, 4, hands={1: ["Counter Attack"]})
    stage.do("snipe", to=character(1))
    assert stage.asked == (0, "gear"), "the plane is face-down, and might be gear"
    stage.do("pass")
    assert stage.asked == (0, "strike")
    assert stage.names("strike") == ["Paper Plane"]
    stage.do("strike", "Paper Plane")
    assert stage.said[-1] == "{own} {modifier} + {a}×{b} = {total} ≥ {need}: a hit."
    assert stage.asked == (1, "hit_suffered")
    stage.do("pass")
    assert stage.value(STAMINA[1]) == 6
    assert stage.asked == (1, "action")
    assert stage.value("battle") == ""


def test_s18c_a_sniped_character_loses_her_items_to_the_discards() -> None:
    stage = sniping(6, 6, values={STAMINA[1]: 1}, up={1: ["Pot Lid", "Paper Fan"]})
    stage.do("snipe", to=character(1)).all_pass()
    stage.do("strike", "Paper Plane")
    assert stage.value(KILLS[0]) == 1
    assert stage.value(DEATHS[1]) == 1
    assert "Pot Lid" in stage.held(ITEM_DISCARD)
    assert stage.held(ITEMS[0]) == ["Paper Plane"]


def test_binoculars_and_hiding() -> None:
    stage = sniping(items={0: ["Paper Plane", "Binoculars"], 1: ["Cardboard Box"]})
    stage.do("snipe", to=character(1))
    assert stage.asked == (1, "targeted")
    assert stage.names("evade") == ["Cardboard Box"]
    stage.do("evade", "Cardboard Box")
    assert stage.value("battle") == ""
    assert stage.asked == (1, "action"), "the action is spent"
    assert stage.held(ITEM_DISCARD) == ["Cardboard Box"]
    stage = sniping(1, 2, items={0: ["Paper Plane", "Binoculars"]})
    stage.do("snipe", to=character(1)).do("gear", "Binoculars")
    stage.do("strike", "Paper Plane")
    own = next(e.args["own"] for e in stage.table.events if isinstance(e, Said) and "own" in e.args)
    assert own == 4 + 4


def test_a_smoke_ball_does_not_hide_and_a_box_does_not_escape() -> None:
    stage = sniping(items={0: ["Paper Plane"], 1: ["Flour Smoke Ball"]})
    assert stage.do("snipe", to=character(1)).verbs == ["pass"]
    fight = Stage(action(), at=(STALL, STALL), items={1: ["Cardboard Box", "Flour Smoke Ball"]})
    assert fight.do("attack", to=character(1)).names("evade") == ["Flour Smoke Ball"]
    fight.do("evade", "Flour Smoke Ball")
    assert fight.value("battle") == ""


def test_abilities_and_forgone_snipes() -> None:
    stage = sniping(items={}, sisters=("Minato", "Matsuri"))
    stage.do("snipe", to=character(1))
    assert stage.names("strike") == ["Minato"]
    stage.do("forgo")
    assert stage.asked == (1, "action")
    assert stage.value("battle") == ""


def test_a_fumble_ends_a_snipe() -> None:
    stage = sniping(1, 1, items={0: ["Ball Machine"]})
    stage.do("snipe", to=character(1)).all_pass().do("strike", "Ball Machine")
    assert stage.asked == (1, "action")
    assert len([e for e in stage.table.events if isinstance(e, Rolled) and e.what == "hit"]) == 1


# 6 Battle


def test_the_order_of_a_battle() -> None:
    stage = Stage(
        action(),
        at=(STALL, STALL),
        items={0: ["Paper Fan", "Pot Lid"], 1: ["Long Mop"]},
        hands={0: ["Rest"], 1: ["Rest"]},
        dice=[],
    )
    stage.do("attack", to=character(1))
    order = []
    while stage.state.values["round"] != 2:
        order.append(stage.asked)
        match stage.ask.what:
            case "range":
                stage.do("range", choice="near")
            case "declare":
                stage.do("declare", choice="attack")
            case "strike" if "strike" in stage.verbs:
                stage.loaded.faces += [3, 3]
                stage.do("strike", stage.names("strike")[0])
            case "initiative":
                stage.do("pass", dice=(6, 1) if stage.ask.seat == 1 else ())
            case _:
                stage.do("pass")
    assert order == [
        (1, "targeted"),
        (0, "range"),
        (0, "gear"),
        (1, "gear"),
        (0, "declare"),
        (1, "declare"),
        (0, "initiative"),
        (1, "initiative"),
        (0, "strike"),
        (0, "own_roll"),
        (1, "hit_suffered"),
        (0, "after_own_attack"),
        (1, "after_enemy_attack"),
        (1, "strike"),
        (1, "own_roll"),
        (1, "after_own_attack"),
        (0, "after_enemy_attack"),
    ]


def test_the_order_of_a_snipe() -> None:
    stage = sniping(
        6, 5, items={0: ["Paper Plane"], 1: ["Long Mop"]}, hands={0: ["Rest"], 1: ["Rest"]}
    )
    stage.do("snipe", to=character(1)).all_pass().do("strike", "Paper Plane").all_pass()
    assert stage.questions[1:-1] == [
        (1, "targeted"),
        (0, "gear"),
        (1, "gear"),
        (0, "strike"),
        (0, "own_roll"),
        (1, "hit_suffered"),
    ]


def test_nobody_without_cards_is_asked_in_a_battle() -> None:
    stage = battle("attack", "attack", up={0: ["Paper Fan"]})
    assert stage.questions == [
        (0, "action"), (0, "range"), (0, "declare"), (1, "declare"), (0, "strike")
    ]  # fmt: skip


def test_s12_the_defender_hears_the_attacker_first() -> None:
    stage = battle("defend")
    assert stage.asked == (1, "declare")
    assert stage.value("declared/0") == "defend"


def test_the_thief_is_answered_by_a_change_of_range() -> None:
    stage = battle("attack", "move", first=1, sisters=("Kohaku", "Minato"))
    assert stage.asked == (1, "range")
    stage.do("range", choice="far")
    assert stage.asked == (0, "strike")
    assert stage.verbs == ["forgo"], "S13: the declared attack is lost"
    stage.do("forgo")
    assert stage.asked == (0, "declare")
    assert stage.value("round") == 2
    armed = battle(
        "attack", "move", first=1, sisters=("Kohaku", "Minato"), items={0: ["Paper Plane"]}
    )
    armed.do("range", choice="far")
    assert armed.names("strike") == ["Paper Plane"], "other means may serve"


def test_a_declared_change_of_range_may_keep_the_range() -> None:
    stage = battle("attack", "move", first=1, up={0: ["Paper Fan"]})
    assert stage.asked == (1, "range")
    stage.do("range", choice="near")
    assert stage.value("range") == "near"
    assert stage.asked == (0, "strike")


def test_s13_a_forgone_attack_opens_no_window() -> None:
    stage = battle("attack", "defend", hands={0: ["Chain Attack"], 1: ["Counter Attack"]},
                   up={0: ["Paper Fan"]})  # fmt: skip
    stage.all_pass()
    stage.do("forgo")
    assert stage.asked == (0, "declare")


def test_initiative_is_rolled_until_the_dice_differ() -> None:
    stage = battle("attack", up={0: ["Paper Fan"]})
    stage.do("declare", choice="defend", dice=[3, 3, 2, 5, 4, 2])
    assert stage.said.count("Initiative: {seat} rolls {a}, {seat_other} {b}.") == 2
    assert stage.value("guard/1") == 4, "acting first: the higher die"
    assert stage.asked == (0, "strike")


def test_defending_second_gives_the_lower_die() -> None:
    stage = battle("attack", up={0: ["Paper Fan"]}, sisters=("Matsuri", "Yuzuha"))
    stage.do("declare", choice="defend", dice=[6, 1, 5, 2])
    assert stage.value("guard/1") == 2 + 3


def test_both_may_defend() -> None:
    stage = battle("defend")
    stage.do("declare", choice="defend", dice=[6, 1, 5, 2, 4, 3])
    assert (stage.value("guard/0"), stage.value("guard/1")) == (0, 0), "round 2 has begun"
    assert stage.value("round") == 2


def test_s17_after_me_goes_first_without_dice_and_two_cancel_out() -> None:
    stage = battle("attack", up={0: ["Paper Fan"]}, hands={0: ["Rest"], 1: ["After Me!"]})
    stage.do("declare", choice="move")
    assert stage.asked == (0, "initiative")
    assert stage.verbs == ["pass"]
    stage.do("pass").do("go_first", "After Me!")
    assert stage.asked == (1, "range")
    assert not [e for e in stage.table.events if isinstance(e, Rolled) and e.what == "initiative"]
    both = Stage(
        Initiative(2),
        at=(STALL, STALL),
        values={
            "battle": "battle",
            "attacker": 0,
            "target": 1,
            "first": "0 1",
            "declared/0": "move",
        },
        dice=[2, 6],
    )
    assert [e.what for e in both.table.events if isinstance(e, Rolled)] == ["initiative"]


def test_s17_do_over_replaces_the_dice_even_a_fumble_and_again() -> None:
    stage = battle("attack", "defend", up={0: ["Paper Fan"]}, hands={0: ["Do-Over", "Do-Over"]})
    stage.all_pass()
    stage.do("strike", "Paper Fan", dice=[1, 1])
    assert stage.asked == (0, "own_roll")
    stage.do("reroll", "Do-Over", dice=[1, 1])
    assert stage.asked == (0, "own_roll")
    stage.do("reroll", "Do-Over", dice=[6, 5])
    assert stage.value("dropped") == ""
    assert "{own} {modifier} + {a}×{b} = {total} ≥ {need}: a hit." in stage.said


def test_one_more_go_once_per_turn_for_hits_and_searches() -> None:
    matsuri = ("Matsuri", "Minato")
    stage = search(GYM, (6,), sisters=matsuri)
    assert stage.asked == (0, "own_roll")
    stage.do("reroll", "Matsuri", dice=[1])
    assert len(stage.state.cards[ITEMS[0]]) == 1
    assert stage.value(SPENT[0]) == 1
    assert search(GYM, (6,), sisters=matsuri, values={SPENT[0]: 1}).ask.what != "own_roll"
    talk = negotiation(1, 6, sisters=("Matsuri", "Minato", "Shiori"), items={1: ["Pot Lid"]})
    talk.do("negotiate", "Negotiate", to=character(1)).do("refuse")
    assert talk.ask.what != "own_roll", "not for negotiating"


def test_s17_sidestep_turns_a_hit_into_a_miss_before_the_damage() -> None:
    stage = battle("attack", "defend", up={0: ["Tickling Duster"]}, hands={1: ["Sidestep"]})
    stage.all_pass()
    stage.do("strike", "Tickling Duster", dice=[6, 6, 1, 2, 1, 2])
    assert stage.asked == (1, "hit_suffered")
    stage.do("dodge", "Sidestep")
    assert stage.value(STAMINA[1]) == 7
    assert len([e for e in stage.table.events if isinstance(e, Rolled) and e.what == "hit"]) == 3


def test_s15_the_sum_and_its_words() -> None:
    stage = battle("attack", "defend", up={0: ["Squeaky Hammer"]}, sisters=("Nadeshiko", "Watano"))
    stage.do("strike", "Squeaky Hammer", dice=[2, 3])
    said = next(e for e in stage.table.events if isinstance(e, Said) and "total" in e.args)
    guard = int(stage.value("guard/1")) if stage.value("round") == 1 else None
    assert said.args["own"] == 6
    assert said.args["modifier"] == "+ 3"
    assert said.args["total"] == 6 + 3 + 6
    assert guard is None or said.args["need"] == 13 + guard


def test_s15_a_fumble_drops_the_means_until_the_battle_is_over() -> None:
    stage = battle("attack", "defend", up={0: ["Tickling Duster", "Paper Fan"]})
    stage.do("strike", "Tickling Duster", dice=[1, 1])
    assert len([e for e in stage.table.events if isinstance(e, Rolled) and e.what == "hit"]) == 1
    stage.do("declare", choice="attack").do("declare", choice="defend", dice=[6, 1, 1, 1])
    assert stage.names("strike") == ["Paper Fan"]
    duster = next(card for card in stage.state.cards[ITEMS[0]] if NAME[card] == "Tickling Duster")
    reason = GAME.why(mask(stage.state, 0), stage.ask, duster, "")
    assert "dropped" in reason.text
    stage.do("forgo")
    assert stage.value("dropped") == ""


def test_a_sums_parts_stay_visible_until_the_next_action() -> None:
    stage = Stage(action(), action(1), at=(STALL, STALL), up={0: ["Paper Fan"]})
    stage.do("attack", to=character(1)).all_pass().do("range", choice="near").all_pass()
    stage.do("declare", choice="attack").do("declare", choice="defend", dice=(6, 1)).all_pass()
    stage.do("strike", "Paper Fan", dice=[6, 5]).all_pass()
    own, modifier, need = (int(stage.value(key)) for key in ("own", "modifier", "need"))
    assert (stage.value("dice/1"), stage.value("dice/2")) == (6, 5)
    assert (stage.value("throw"), stage.value("thrower")) == ("hit", 0)
    assert modifier == 5
    assert own + modifier + 30 >= need
    assert stage.value("outcome") == "hit"
    assert stage.value("damage") == 2
    assert NAME[int(stage.value("means"))] == "Paper Fan"
    while stage.value("battle"):
        stage.do(stage.verbs[-1], choice="defend" if "declare" in stage.verbs else "")
    assert stage.value("throw")
    assert stage.asked == (1, "action")
    stage.do("nothing")
    assert (stage.value("throw"), stage.value("outcome")) == ("", "")


@pytest.mark.parametrize(("die", "outcome"), [(1, "found"), (6, "nothing")])
def test_what_a_search_needed_lies_open(die: int, outcome: str) -> None:
    stage = Stage(action(), at=[POOL, GYM]).do("search", to=POOL, dice=[die])
    assert (stage.value("throw"), stage.value("dice/1"), stage.value("dice/2")) == (
        "search",
        die,
        0,
    )
    assert (stage.value("need"), stage.value("outcome")) == (1, outcome)


def test_s15_two_sixes_double_the_damage_only_if_they_hit() -> None:
    stage = battle("attack", "move", up={0: ["Paper Fan"]})
    stage.do("strike", "Paper Fan", dice=[6, 6])
    assert stage.value(STAMINA[1]) == 7 - 4
    high = battle("attack", "move", up={0: ["Paper Fan"]}, values={"guard/1": 0})
    high.table.set("guard/1", 40)
    high.do("strike", "Paper Fan", dice=[6, 6])
    assert high.value(STAMINA[1]) == 7


def test_gear_counts_for_both_sides() -> None:
    stage = Stage(
        action(),
        at=(STALL, STALL),
        items={0: ["Paper Fan", "Victory Headband"], 1: ["Pot Lid"]},
    )
    stage.do("attack", to=character(1)).all_pass()
    stage.do("range", choice="near")
    assert stage.asked == (0, "gear")
    stage.do("gear", "Victory Headband")
    assert stage.asked == (1, "gear")
    stage.do("gear", "Pot Lid")
    stage.do("declare", choice="attack").do("declare", choice="move", dice=[6, 1])
    stage.do("strike", "Paper Fan", dice=[1, 2])
    said = next(e for e in stage.table.events if isinstance(e, Said) and "total" in e.args)
    assert (said.args["own"], said.args["need"]) == (5 + 2, 15 + 2)


def test_s14_single_use_items_go_hit_or_not() -> None:
    for dice in ((1, 2), (6, 5), (1, 1)):
        stage = battle("attack", "move", items={0: ["Jumbo Party Popper"]})
        stage.do("strike", "Jumbo Party Popper", dice=dice).all_pass()
        assert stage.held(ITEM_DISCARD) == ["Jumbo Party Popper"]
    last = battle("attack", "move", items={0: ["Jumbo Party Popper"]}, values={STAMINA[1]: 1})
    last.do("strike", "Jumbo Party Popper", dice=[6, 5])
    assert last.held(ITEM_DISCARD) == ["Jumbo Party Popper"]


def test_s14_a_single_use_item_leaves_before_chain_and_spoils() -> None:
    chained = battle(
        "attack", "move", items={0: ["Jumbo Party Popper"]}, hands={0: ["Chain Attack"]}
    )
    chained.all_pass()
    chained.do("strike", "Jumbo Party Popper", dice=[1, 2])
    pass_up_to(chained, 0, "after_own_attack")
    assert chained.held(ITEM_DISCARD) == ["Jumbo Party Popper"]
    full = ["Jumbo Party Popper", "Body Pillow", "Long Mop"]
    spoils = battle(
        "attack",
        "move",
        items={0: full, 1: ["Pot Lid", "Paper Fan"]},
        values={STAMINA[1]: 1},
    )
    spoils.all_pass()
    spoils.do("strike", "Jumbo Party Popper", dice=[6, 5])
    assert spoils.held(ITEMS[0]) == sorted([*full[1:], "Pot Lid", "Paper Fan"])
    assert "discard" not in [what for seat, what in spoils.questions if seat == 0]


def test_ex_cards_are_means_too() -> None:
    stage = battle("attack", "move", hands={0: ["Cream-Pie Throw"]})
    stage.all_pass()
    assert stage.names("strike") == ["Cream-Pie Throw"]
    stage.do("strike", "Cream-Pie Throw", dice=[6, 5])
    assert stage.held(EX_DISCARD) == ["Cream-Pie Throw"]
    assert stage.value(STAMINA[1]) == 5


def test_s16_stealing_a_known_or_an_unknown_item() -> None:
    thief = {"sisters": ("Kohaku", "Minato"), "items": {1: ["Paper Fan"]}, "up": {1: ["Pot Lid"]}}
    stage = battle("attack", "move", **thief)
    stage.all_pass()
    stage.do("strike", "Kohaku", dice=[6, 5])
    assert stage.value(STAMINA[1]) == 6
    assert stage.names("steal") == ["Pot Lid"]
    assert stage.offer("grab").choices == ("1",)
    stage.do("steal", "Pot Lid")
    (lid,) = stage.state.cards[ITEMS[0]]
    assert AUDIENCE in stage.state.shown[lid], "it keeps its side"
    stage = battle("attack", "move", **thief)
    stage.all_pass()
    stage.do("strike", "Kohaku", dice=[6, 5]).do("grab", choice="1")
    assert stage.held(ITEMS[0]) == ["Paper Fan"]
    assert not stage.state.shown.get(stage.state.cards[ITEMS[0]][0])


def test_s16_a_peeked_item_counts_for_the_limit_at_once() -> None:
    full = ["Body Pillow", "Long Mop", "Giant Rice Paddle", "Fluffy Pillow"]
    stage = battle(
        "attack", "move", sisters=("Kohaku", "Minato"), items={0: full, 1: ["Paper Fan", "Pot Lid"]}
    )
    stage.all_pass()
    stage.table.show(ITEMS[1], stage.state.cards[ITEMS[1]][0], (0,))
    stage.do("strike", "Kohaku", dice=[6, 5])
    assert stage.names("steal") == ["Paper Fan"]
    assert stage.offer("grab").choices == ("2",)
    stage.do("steal", "Paper Fan")
    assert stage.asked == (0, "discard")
    assert len(stage.offer("discard").cards) == 5
    stage.do("discard", "Long Mop")
    assert len(stage.state.cards[ITEMS[0]]) == 4


# 6.9 Chain and counter


def test_chain_and_counter_against_each_other() -> None:
    stage = battle(
        "attack",
        "move",
        up={0: ["Paper Fan"], 1: ["Squeaky Hammer"]},
        hands={0: ["Chain Attack", "Counter Attack"], 1: ["Counter Attack", "Chain Attack"]},
    )
    stage.all_pass()

    def swing(name: str) -> tuple[int, str]:
        stage.do("strike", name, dice=[1, 2])
        while stage.ask.what == "own_roll":
            stage.do("pass")
        return stage.asked

    assert swing("Paper Fan") == (0, "after_own_attack")
    stage.do("chain", "Chain Attack")
    assert swing("Paper Fan") == (0, "after_own_attack"), "the chain opens its own window"
    stage.do("pass")
    assert stage.asked == (1, "after_enemy_attack"), "a counter against a chain"
    stage.do("counter", "Counter Attack")
    assert swing("Squeaky Hammer") == (1, "after_own_attack")
    stage.do("chain", "Chain Attack")
    assert swing("Squeaky Hammer")[1] in ("after_own_attack", "after_enemy_attack")
    stage.all_pass()
    assert stage.ask.what == "range", "each window closed by one card"


def test_s18b_a_defender_may_counter_and_a_counter_be_countered() -> None:
    stage = battle(
        "attack",
        "defend",
        up={0: ["Paper Fan"], 1: ["Squeaky Hammer"]},
        hands={0: ["Counter Attack"], 1: ["Counter Attack"]},
    )
    stage.all_pass()
    stage.do("strike", "Paper Fan", dice=[1, 2])
    while stage.asked != (1, "after_enemy_attack"):
        stage.do("pass")
    stage.do("counter", "Counter Attack")
    assert stage.asked == (1, "strike")
    stage.do("strike", "Squeaky Hammer", dice=[1, 2])
    while stage.ask.what in ("own_roll", "after_own_attack"):
        stage.do("pass")
    assert stage.asked == (0, "after_enemy_attack")
    stage.do("counter", "Counter Attack")
    assert stage.asked == (0, "strike")


def test_chain_and_counter_may_be_played_without_means_that_work() -> None:
    pie = "Cream-Pie Throw"
    for seat, card, verb in ((0, "Chain Attack", "chain"), (1, "Counter Attack", "counter")):
        hands = {0: [pie, card]} if seat == 0 else {0: [pie], 1: [card]}
        stage = battle("attack", "move", hands=hands)
        stage.all_pass()
        stage.do("strike", pie, dice=[1, 2])
        pass_up_to(stage, seat, "after_own_attack" if verb == "chain" else "after_enemy_attack")
        stage.do(verb, card)
        assert stage.asked == (seat, "strike")
        assert stage.verbs == ["forgo"]
        stage.do("forgo")
        assert stage.asked == (1, "range"), "the second player acts"


def test_two_chains_may_follow_each_other() -> None:
    stage = battle("attack", "move", up={0: ["Paper Fan"]}, hands={0: ["Chain Attack"] * 2})
    stage.all_pass()
    for _ in range(2):
        stage.do("strike", "Paper Fan", dice=[1, 2])
        while stage.ask.what != "after_own_attack":
            stage.do("pass")
        stage.do("chain", "Chain Attack")
    assert stage.asked == (0, "strike")


# 6.10 The double


def doubled(**kwargs: object) -> Stage:
    settings: dict[str, object] = {"sisters": ("Minato", "Haguru"), "values": {DOUBLE[1]: 1}}
    return Stage(action(), Action(1), at=(STALL, STALL), **(settings | kwargs))


def test_s26_the_double_fights_with_its_own_values() -> None:
    stage = doubled(up={0: ["Paper Fan"], 1: ["Squeaky Hammer"]})
    stage.do("attack", to=character(1))
    assert stage.asked == (1, "targeted")
    stage.do("stand_in", "Haguru").do("range", choice="near")
    stage.do("declare", choice="attack").do("declare", choice="attack", dice=[6, 1])
    stage.do("strike", "Paper Fan", dice=[2, 2])
    said = next(e for e in stage.table.events if isinstance(e, Said) and "total" in e.args)
    assert said.args["need"] == 13
    assert stage.value(STAMINA[1]) == 7
    assert stage.value("standing/stamina") == 1 if said.args["total"] >= 13 else 3
    stage.do("strike", "Squeaky Hammer", dice=[1, 2])
    stage.do("declare", choice="move").do("declare", choice="defend", dice=[6, 1])
    stage.do("range", choice="far")
    assert stage.value(DOUBLE[1]) == 0
    assert stage.value("standing") == 0


def test_s26_a_thief_hitting_the_double_takes_its_owners_item() -> None:
    stage = doubled(sisters=("Kohaku", "Haguru"), up={1: ["Pot Lid"]})
    stage.do("attack", to=character(1)).do("stand_in", "Haguru").do("range", choice="near")
    stage.do("declare", choice="attack").do("declare", choice="move", dice=[6, 1])
    stage.do("strike", "Kohaku", dice=[5, 6])
    assert stage.value("standing/stamina") == 2
    stage.do("steal", "Pot Lid")
    assert stage.held(ITEMS[0]) == ["Pot Lid"]
    worn = doubled(sisters=("Kohaku", "Haguru"), up={1: ["Pot Lid"]})
    worn.do("attack", to=character(1)).do("stand_in", "Haguru")
    worn.table.set("standing/stamina", 1)
    worn.do("range", choice="near").do("declare", choice="attack")
    worn.do("declare", choice="move", dice=[6, 1]).do("strike", "Kohaku", dice=[5, 6])
    assert worn.value("battle") == ""
    assert worn.held(ITEMS[1]) == ["Pot Lid"]


def test_s26_a_worn_out_double_moves_no_points() -> None:
    stage = doubled(up={0: ["Paper Fan"], 1: ["Pot Lid"]})
    stage.do("attack", to=character(1)).do("stand_in", "Haguru").do("range", choice="near")
    stage.do("declare", choice="attack").do("declare", choice="move", dice=[6, 1])
    stage.do("strike", "Paper Fan", dice=[6, 6])
    assert stage.value("battle") == ""
    assert stage.value(KILLS[0]) == stage.value(DEATHS[1]) == stage.value("retired") == 0
    assert stage.held(ITEMS[1]) == ["Pot Lid"]
    assert stage.value(DOUBLE[1]) == 0
    assert stage.value(STAMINA[1]) == 7


def test_s26_the_kills_of_a_double_are_its_owners() -> None:
    stage = doubled(
        up={0: ["Paper Fan"], 1: ["Squeaky Hammer"]}, values={DOUBLE[1]: 1, STAMINA[0]: 1}
    )
    stage.do("attack", to=character(1)).do("stand_in", "Haguru").do("range", choice="near")
    stage.do("declare", choice="attack").do("declare", choice="attack", dice=[1, 6])
    stage.do("strike", "Squeaky Hammer", dice=[6, 5])
    assert stage.value(KILLS[1]) == 1
    assert "Paper Fan" in stage.held(ITEMS[1])
    assert stage.value(DOUBLE[1]) == 0


def test_the_double_is_sniped_at_too() -> None:
    stage = Stage(action(), Action(1), at=(STALL, GYM), sisters=("Minato", "Haguru"),
                  values={DOUBLE[1]: 1}, dice=[6, 6])  # fmt: skip
    stage.do("snipe", to=character(1)).do("stand_in", "Haguru").do("strike", "Minato")
    assert stage.value(DOUBLE[1]) == 0
    assert stage.value(STAMINA[1]) == 7


# 7 Retirement


def knocked_out(seats: int = 3, **kwargs: object) -> Stage:
    """Seat 1's character retires in a battle."""
    values = {STAMINA[1]: 1} | dict(kwargs.pop("values", {}))
    stage = Stage(
        action(),
        Action(0),
        seats=seats,
        at=(STALL,) * seats,
        values=values,
        **kwargs,
    )
    stage.do("attack", to=character(1)).all_pass()
    stage.do("range", choice="near").all_pass()
    stage.do("declare", choice="attack").do("declare", choice="move", dice=[6, 1]).all_pass()
    return stage.do("strike", "Paper Fan", dice=[6, 6]).all_pass()


def test_s22_points_items_then_the_next_character() -> None:
    stage = knocked_out(
        up={0: ["Paper Fan"], 1: ["Pot Lid"]}, items={1: ["Long Mop"]}, hands={1: ["Rest"]}
    )
    assert (stage.value(KILLS[0]), stage.value(DEATHS[1])) == (1, 1)
    assert (stage.value("score/0"), stage.value("score/1")) == (1, -2)
    assert stage.held(ITEMS[0]) == ["Long Mop", "Paper Fan", "Pot Lid"]
    up = {NAME[card] for card in stage.state.cards[ITEMS[0]] if card in stage.state.shown}
    assert up == {"Paper Fan", "Pot Lid"}
    assert stage.held(RETIRED) == ["Minato"]
    assert len(stage.state.cards[ITEMS[1]]) == 2, "DP + 1"
    assert stage.held(HAND[1]) == ["Rest"], "EX cards stay"
    assert stage.value(STATUS[1]) == "waiting"
    assert stage.value(AT[1]) == ""
    (card,) = stage.state.cards[CHARACTER[1]]
    assert stage.value(STAMINA[1]) == DECK.sister[card].stamina


def test_s22_the_winner_discards_before_the_next_character_comes() -> None:
    stage = knocked_out(
        up={0: ["Paper Fan", "Long Mop", "Body Pillow", "Fluffy Pillow"], 1: ["Pot Lid"]}
    )
    assert stage.asked == (0, "discard")
    assert stage.state.cards[CHARACTER[1]] == ()
    stage.do("discard", "Body Pillow")
    assert len(stage.state.cards[CHARACTER[1]]) == 1


def test_s22_many_items_for_the_next_character_are_limited_too() -> None:
    stage = knocked_out(up={0: ["Paper Fan"]}, values={DEATHS[1]: 4})
    assert stage.asked == (1, "discard")
    offer = stage.offer("discard")
    assert (len(offer.cards), offer.least) == (6, 2)


def test_s24_who_waits_has_no_phase_and_cannot_be_chosen() -> None:
    stage = Stage(
        Phase(0),
        seats=3,
        at=(STALL, "", STALL),
        hands={1: ["Move"]},
        values={STATUS[1]: "waiting"},
    )
    stage.do("stay")
    assert stage.offer("attack").targets == (character(2),)
    stage.do("nothing")
    assert stage.asked == (2, "walk")


def test_s24_without_a_pile_she_is_out_and_her_ex_cards_go() -> None:
    others = [*SISTERS[3:], "Hinata", "Sayo", "Kohaku", "Haguru"]
    stage = knocked_out(retired=others, up={0: ["Paper Fan"]}, hands={1: ["Rest"]})
    assert stage.value(STATUS[1]) == "out"
    assert stage.held(EX_DISCARD) == ["Rest"]
    assert stage.state.result is None


def test_s28_the_eleventh_ends_the_game_at_once() -> None:
    others = [*SISTERS[2:], "Hinata", "Sayo", "Kohaku", "Haguru"]
    stage = knocked_out(seats=2, retired=others, up={0: ["Paper Fan"], 1: ["Pot Lid"]})
    result = stage.state.result
    assert result.winners == (0,)
    assert result.scores == (1 + 5, -2)
    assert stage.held(ITEMS[0]) == ["Paper Fan", "Pot Lid"]
    assert [line.points for line in result.sheet] == [(1, 0), (0, -2), (5, 0)]


# 8 Items


@pytest.mark.parametrize(("seats", "limit"), [(8, 4), (9, 3)])
def test_s20_the_limit_hangs_on_the_number_of_players(seats: int, limit: int) -> None:
    sisters = [NAME[card] for card in DECK.characters]
    held = [NAME[card] for card in DECK.items[:limit]]
    stage = Stage(action(), seats=seats, sisters=sisters, at=(SHOP,), items={0: held})
    stage.do("search", to=SHOP)
    assert stage.asked == (0, "discard")
    assert stage.offer("discard").least == 1


def test_s20_discards_make_a_new_pile() -> None:
    names = [NAME[card] for card in DECK.items]
    stage = search(SHOP, items={1: names[:25]}, discards=names[25:])
    assert len(stage.state.cards[ITEMS[0]]) == 1
    assert len(stage.state.cards[ITEM_PILE]) == 4
    assert stage.held(ITEM_DISCARD) == []


# 9 The end


def test_s28_after_the_last_turn_without_an_intermission() -> None:
    closed = CELLS[:20]
    stage = Stage(Phase(4), at=(ROPEWAY, ROPEWAY), closed=closed, dice=[6, 6],
                  up={0: ["Corner Mirror"]}, items={1: ["Pot Lid"]})  # fmt: skip
    assert stage.state.result is not None
    assert not areas_on_map(stage.state), "the map is empty"
    assert "break" not in [what for _, what in stage.questions]


def test_s29_equal_points_are_settled_by_rank() -> None:
    stage = Stage(Limit(0), sisters=("Yuzuha", "Kohaku"), last=1)
    result = stage.state.result
    assert result.winners == (1,)
    assert result.scores == (0, 0)
    assert result.decided == "Equal points: the better rank decides."


def test_the_score_is_kills_less_twice_the_deaths() -> None:
    stage = Stage(Limit(0), last=1, values={KILLS[0]: 3, DEATHS[0]: 1, KILLS[1]: 2})
    result = stage.state.result
    assert result.scores == (1, 2)
    assert result.sheet[1].formulas == ("−2×1", "−2×0")
    assert result.decided == ""


def test_10_a_quick_game_ends_after_its_turns() -> None:
    for length in (8, 4):
        assert played(2, "quick", length=length).values["turn"] == length
    labels = {c.value: c.label for o in KIT.box.options for c in o.choices}
    assert list(labels) == ["21", "8", "4"]
    assert all("variant" in label for value, label in labels.items() if value != "21")


@pytest.mark.parametrize("seats", ALL)
def test_a_random_game_keeps_its_books(seats: int) -> None:
    luck = FastRng(f"books {seats}")
    scratch = SimulationTable(new(seats, f"books {seats}"), luck)
    limit = 3 if seats >= 9 else 4
    while scratch.result is None:
        (ask,) = scratch.asks
        values, cards = scratch.values, scratch.cards
        if ask.what == "walk":
            every = range(seats)
            assert all(len(cards[ITEMS[seat]]) <= limit for seat in every)
            assert sum(int(values[KILLS[seat]]) for seat in every) == values["retired"]
            assert sum(int(values[DEATHS[seat]]) for seat in every) == values["retired"]
            assert len(cards[RETIRED]) == values["retired"]
            assert len(cards[REMOVED]) == int(values["turn"]) - 1
            assert values["battle"] == ""
            assert not cards[MIXED]
            for seat in every:
                if values[STATUS[seat]] == "out":
                    assert not cards[CHARACTER[seat]] + cards[HAND[seat]]
                    continue
                (sister,) = cards[CHARACTER[seat]]
                assert 0 < int(values[STAMINA[seat]]) <= DECK.sister[sister].stamina
                assert bool(values[AT[seat]]) is (values[STATUS[seat]] == "in")
        offers = GAME.offers(scratch, ask)
        answer(GAME, scratch, ask, offers[luck.below(len(offers))].sample(ask.id, luck))
    turn, result = int(scratch.values["turn"]), scratch.result
    assert len(scratch.cards[REMOVED]) in (turn, turn - 1)
    assert turn <= 21
    assert (len(result.winners), len(result.scores)) == (1, seats)


# 11 Windows reveal nothing


def test_asking_does_not_tell_who_holds_a_fitting_card() -> None:
    """The same table with other faces in the hand asks the same players the same questions."""
    for mine in ("Move", "Rest", "Sidestep", "After Me!"):
        stage = Stage(Phase(0), at=(NURSE, LIBRARY), hands={1: [mine]})
        stage.do("walk", to=LIBRARY)
        assert stage.asked == (1, "near")
        assert ("answer" in stage.verbs) is (mine == "Move")
        stage.do("pass")
        assert stage.asked == (0, "action")


def test_what_others_hear_of_a_drawn_item() -> None:
    stage = search(SHOP)
    begun = Stage(action(), Action(1), at=(SHOP, ""))
    before = len(begun.table.events)
    state = begun.state
    begun.do("search", to=SHOP)
    told = masked(state, begun.table.events[before:], 1)
    drawn = next(e for e in told if isinstance(e, Said) and e.text == "{seat} draws {cards}.")
    assert drawn.cards == (hidden_card(1),)
    assert stage.state.cards[ITEMS[0]][0] >= 0


# Foresight and refusals


def notes(stage: Stage, move: Move) -> list[tuple[str, dict[str, int | str]]]:
    preview = GAME.preview(mask(stage.state, stage.ask.seat), stage.ask, move)
    return [(note.text, note.args) for note in preview.notes]


def test_the_chance_of_a_hit_is_told_before() -> None:
    needs = (4, 6, 8, 10, 12, 15, 18, 20, 24, 30, 36)
    percentages = [86, 72, 61, 53, 47, 36, 28, 22, 17, 8, 3]
    assert [round(count_hitting_rolls(n) / 36 * 100) for n in needs] == percentages
    stage = battle("attack", "move", up={0: ["Paper Fan"]}, sisters=("Nadeshiko", "Watano"))
    ((_, args),) = notes(stage, stage.move("strike", "Paper Fan"))
    assert args == {
        "word_means": "Paper Fan", "word_range": "near", "own": 6, "modifier": "+ 5", "evade": 13,
        "product": 2, "percent": 97, "attacks": 1, "damage": 2,
    }  # fmt: skip
    sisters = ("Nadeshiko", "Watano")
    back = Stage(action(), at=(STALL, STALL), items={0: ["Body Pillow"]}, sisters=sisters)
    told = notes(back, back.move("attack", to=character(1)))
    assert [(args["word_means"], args["word_range"], args["modifier"]) for _, args in told] == [
        ("Body Pillow", "near", "− 2"),
        ("Nadeshiko", "near", "+ 2"),
        ("Body Pillow", "mid", "+ 0"),
        ("Nadeshiko", "mid", "+ 2"),
    ]


def test_other_previews() -> None:
    stage = Stage(Phase(0), at=(GYM, LOST), hands={0: ["Move", "Negotiate", "Rest"]},
                  values={STAMINA[0]: 5})  # fmt: skip
    walk = GAME.preview(stage.state, stage.ask, stage.move("walk", to=LOST))
    assert walk.values == {AT[0]: LOST}
    assert walk.notes[0].args == {"n": 2}
    assert walk.notes[0].zones == (POOL, LOST)
    assert GAME.preview(stage.state, stage.ask, stage.move("stay")) is None
    stage.do("walk", to=POOL)
    move = GAME.preview(stage.state, stage.ask, stage.move("move", "Move", to=LOST))
    assert [note.text for note in move.notes] == ["Others in this area: {n}."]
    beside = GAME.preview(stage.state, stage.ask, stage.move("move", "Move", to=GYM))
    assert beside.notes == ()
    stage.table.set(AT[1], TRACK)
    beside = GAME.preview(stage.state, stage.ask, stage.move("move", "Move", to=LOST))
    assert [note.text for note in beside.notes] == ["Others next to it: {n}."]
    stage.table.set(AT[1], LOST)
    assert notes(stage, stage.move("search", to=POOL)) == [
        ("Roll {n} or less: {percent}%.", {"n": 1, "percent": 17})
    ]
    rest = GAME.preview(stage.state, stage.ask, stage.move("rest", "Rest"))
    assert rest.values == {STAMINA[0]: 6}
    shop = Stage(action(), at=(SHOP, ""))
    assert GAME.preview(shop.state, shop.ask, shop.move("search", to=SHOP)) is None
    talk = negotiation(seats=2, items={1: ["Pot Lid"]})
    ((_, args),) = notes(talk, talk.move("negotiate", "Negotiate", to=character(1)))
    assert args == {"percent": 42}
    snipe = sniping()
    assert len(notes(snipe, snipe.move("snipe", to=character(1)))) == 1
    fight = Stage(action(), at=(STALL, STALL), items={0: ["Paper Plane"]})
    fight.do("attack", to=character(1)).all_pass()
    ((text, _),) = notes(fight, fight.move("range", choice="near"))
    assert text == "None of your weapons works at this range."


def why(stage: Stage, name: str = "", to: str = "") -> str:
    """The sentence and the paragraph of a refusal."""
    card = NAME.index(name) if name else NO_CARD
    reason = GAME.why(mask(stage.state, stage.ask.seat), stage.ask, card, to)
    assert Illegal(reason).args[0]
    return f"{reason.text} ({reason.paragraph})"


def test_why_not_to_walk_there() -> None:
    walk = Stage(Phase(0), at=(WALKWAY, GYM), closed=(NURSE,), items={0: ["Pot Lid"]})
    assert why(walk, to=WALKWAY) == "You are already here. (5.2)"
    assert why(walk, to=STALL) == "A line blocks the way. (2.4)"
    assert why(walk, to=ROPEWAY) == "That is too far: you can go {n} at most. (5.2)"
    assert why(walk, to=NURSE) == "This area is closed. (4.4)"
    assert why(walk, "Paper Fan") == "You can only use your own cards. (2.5)"
    assert why(walk, "Pot Lid") == "Walk first, or stay where you are. (5.2)"
    assert GAME.why(walk.state, walk.ask, NO_CARD, MUSIC) is None


def test_why_not_a_face_down_card_of_a_pile() -> None:
    stage = Stage(Phase(0), at=(WALKWAY, GYM), hands={0: ["Move"]})
    for _ in range(2):  # the walk, then the action
        view = mask(stage.state, 0)
        for pile in (ITEM_PILE, EX_PILE, CHARACTER_PILE):
            for to in ("", WALKWAY, LIBRARY):
                reason = GAME.why(view, stage.ask, view.cards[pile][-1], to)
                assert reason is not None
                assert reason.text == "You can only use your own cards."
        stage.do("stay") if stage.ask.what == "walk" else None


def test_why_no_such_action() -> None:
    act = Stage(
        action(),
        seats=5,
        at=(STALL, GYM, ROPEWAY, "", STALL),
        hands={0: ["Move", "Rest", "Sidestep", "Cream-Pie Throw"]},
        items={0: ["Water Pistol"]},
        sisters=("Chitose", "Minato", "Shiori", "Matsuri", "Komugi"),
        values={STATUS[3]: "waiting"},
    )
    assert why(act, to=character(0)) == "Choose another player's character. (5.5)"
    far = "You can attack in your own area and snipe into the areas next to it. (5.6)"
    assert why(act, to=character(2)) == far
    assert why(act, to=character(3)) == "That character isn't in play right now. (7.2)"
    assert why(act, to=character(9)) == "That character isn't in play right now. (7.2)"
    assert why(act, "Move", ROPEWAY) == "That is too far: you can go {n} at most. (5.2)"
    assert why(act, "Move", character(1)) == "A Move card takes you one step. (5.4)"
    assert why(act, "Rest") == "You haven't lost any stamina. (5.9)"
    assert why(act, "Sidestep") == "You can't use this card now. (11)"
    assert why(act, "Water Pistol").startswith("Choose someone to attack or snipe first;")
    assert why(act, "Cream-Pie Throw").startswith("Choose someone to attack first;")
    assert why(act, to="nowhere") == "You can't do that as your action. (5.4)"


def test_why_not_without_means_or_company() -> None:
    unarmed = Stage(action(), seats=3, at=(STALL, GYM, ""), sisters=("Chitose", "Minato", "Sayo"))
    assert why(unarmed, to=character(1)) == "You have no weapon that can snipe. (5.6)"
    assert why(unarmed, "Chitose") == "You can only negotiate with someone in your area. (5.8)"
    fight = battle("attack", "move", items={0: ["Paper Plane"]})
    fight.all_pass()
    assert why(fight, "Paper Plane") == "This weapon doesn't work at this range. (6.6)"
    lost = search(LOST, discards=["Paper Fan"])
    assert why(lost, "Pot Lid") == "Take an item from the discards. (5.7)"


def test_an_adjacent_snipe_is_explained() -> None:
    stage = sniping()
    assert GAME.why(stage.state, stage.ask, NO_CARD, character(1)) is None, "a snipe is offered"
    view = mask(stage.state, 0)
    plane = stage.state.cards[ITEMS[0]][0]
    reason = GAME.why(view, stage.ask, plane, character(1))
    assert reason.paragraph == "5.6"


# Texts


def test_every_effect_type_is_on_some_card() -> None:
    kinds = {type(effect) for effect in DECK.effect if effect is not None}
    assert kinds == set(Effect.__args__)


def test_a_guessed_world_knows_what_lies_face_up() -> None:
    stage = Stage(action(), at=(STALL, STALL), up={1: ["Pot Lid"]}, items={1: ["Paper Fan"]})
    world = determinized(GAME, mask(stage.state, 0), FastRng(1))
    lid = stage.state.cards[ITEMS[1]][1]
    assert AUDIENCE in world.shown[lid]


# The playthroughs written down


def test_the_playthroughs_open_every_window_and_use_every_effect() -> None:
    files = sorted(FOLDER.glob("royale-*.txt"))
    stories = [replayed(file.read_text("utf-8")).turns for file in files]
    told = [turn for story in stories for turn in story]
    assert set(OFFERS_BY_QUESTION) - set().union(*(windows(events) for *_, events in told)) == set()
    kinds = {kind.__name__ for kind in Effect.__args__}
    assert kinds - set().union(*map(effects, told)) == set()
    assert set().union(*map(themes, stories)) >= {
        "a Move answered by a Move, and by a Move again",
        "the thief's attack answered by moving away",
        "a chain and then a counter",
        "a counter and then a chain",
        "the double steps in",
        "the double is worn out",
    }
