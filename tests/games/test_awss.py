"""AWSSterra: its rulebook paragraph by paragraph, and our readings of it (A1 to A30).

Cards go by the ids of cards.toml; boards are written as `awss_tables.board` reads them.
"""

from collections import Counter
from collections.abc import Mapping, Sequence
from copy import deepcopy
from typing import Any

import msgspec
import pytest
from msgspec.structs import replace

from tabletop.catalogue import catalogue
from tabletop.engine.events import Ended, Moved, Rolled, Said, Shown, ValueSet
from tabletop.engine.mask import mask, masked
from tabletop.engine.model import AUDIENCE, NO_CARD, Move, Offer, Result, State, hidden_card
from tabletop.engine.play import Illegal, start, submit
from tabletop.engine.play import answer as engine_answer
from tabletop.engine.steps import to_record
from tabletop.engine.table import SeededRng, Table
from tabletop.games.awss import judging
from tabletop.games.awss.board import (
    BOARD,
    CELL_OF,
    CELLS,
    NEEDLES,
    ROTATIONS,
    TILT,
    is_revealed,
    read_board,
)
from tabletop.games.awss.deck import BrokenDeck
from tabletop.games.awss.effects import SEASONS, parse_creature
from tabletop.games.awss.rules import Rules
from tabletop.games.awss.scoring import season_parts, total_points, victory_points
from tabletop.games.awss.steps import Before, Check, Marks, Score
from tabletop.games.awss.texts import card_text
from tabletop.studio.translation.translation_check import translated_texts
from tests.games.awss_tables import (
    DECK,
    GAME,
    KIT,
    Loaded,
    asking,
    begin,
    card,
    cell,
    declared,
    down,
    points,
    position,
    resumed,
    scores,
    targets,
    turned,
    use,
    where,
)
from tests.games.game_driver import answer, asked, of_kind, offered, sentences

# 1, 2, 3: what is on the table


def test_1_sixty_creatures_in_two_decks() -> None:
    """A1."""
    sorts = Counter((f["season"], f["pile"], f["stars"]) for f in KIT.deck if "id" in f)
    assert sorts == {
        (season, pile, stars): count
        for season in SEASONS
        for pile, stars, count in (("draw", 1, 6), ("draw", 2, 6), ("public", 3, 3))
    }
    assert len(DECK.draw) == 48 == 4 * 3 * 4
    assert len(DECK.public) == 12


def test_1_all_creatures_share_one_back() -> None:
    """A8: a ★★★ card cannot be recognised on a hidden board."""
    assert {KIT.backs[n] for n in range(60)} == {0}
    assert {KIT.backs[n] for n in DECK.needles} == {1}


def test_2_only_autumn_bears_a_ring() -> None:
    for n in range(60):
        assert (DECK.moment[n] == "◎") <= (DECK.season[n] == 0)


@pytest.mark.parametrize("language", ["en", "ja"])
def test_2_the_text_of_a_card_is_that_of_its_effects(language: str) -> None:
    japanese = translated_texts(KIT.folder, "ja")
    for face in KIT.deck[:60]:
        written = face["text"] if language == "en" else japanese.get(face["text"], "")
        assert written == card_text(parse_creature(face).effects, language), face["id"]


@pytest.mark.parametrize(
    ("change", "fault"),
    [
        ({"A01": {"season": "winter"}}, "5 cards autumn ★ draw instead of 6"),
        ({"A01": {"stars": 4}}, "cards autumn ★★★★ draw, which the game has not"),
        ({"A01": {"id": "A02"}}, "two cards of one id"),
        ({"A04": {"text": "+9."}}, "A04 says something else than it does"),
        (
            {
                "A04": {
                    "effects": [
                        {"type": "bonus_per", "count": {"zone": "same_position"}, "points": 1}
                    ]
                }
            },
            "A04 looks at other boards while all are hidden",
        ),
        (
            {
                "A04": {
                    "effects": [
                        {
                            "type": "bonus_if",
                            "cond": {"sel": {"zone": "same_position"}, "min": 1},
                            "points": 1,
                        }
                    ]
                }
            },
            "A04 looks at other boards while all are hidden",
        ),
        (
            {"S07": {"effects": [{"type": "aura", "who": {"zone": "same_position"}, "points": 1}]}},
            "S07 gives points to what are no cards of the own board",
        ),
        ({"U01": {"effects": [{"type": "depart", "mark": "◎"}]}}, "U01 bears ◎ in summer"),
        (
            {"A04": {"effects": [{"type": "turn_self", "mark": "◆", "when": "pre"}]}},
            "A04 bears ◆ in autumn",
        ),
        (
            {"A09": {"effects": [{"type": "flip", "mark": "◆", "who": "same_row_one"}]}},
            "A09 bears the wrong mark",
        ),
        (
            {"U01": {"effects": [{"type": "turn_self", "mark": "◆", "when": "pre"}] * 2}},
            "U01 is used for two effects",
        ),
        (
            {"U01": {"effects": [{"type": "stay_up", "through": "winter"}]}},
            "U01 stays up until before it is scored",
        ),
    ],
)
def test_2_a_deck_that_is_not_this_games_is_refused(
    change: Mapping[str, Mapping[str, Any]], fault: str
) -> None:
    """A1, A23, A29."""
    faces = deepcopy(list(KIT.deck))
    for face in faces:
        face.update(change.get(str(face.get("id")), {}))
    with pytest.raises(BrokenDeck) as broken:
        Rules(faces)
    assert fault in str(broken.value)


def test_2_needles_are_counted() -> None:
    with pytest.raises(BrokenDeck, match="71 needles instead of 72"):
        Rules(KIT.deck[:-1])


@pytest.mark.parametrize(
    "effect",
    [
        {"type": "explode"},
        {"type": "flip", "mark": "★", "who": "own_tips_all"},
        {"type": "rotate", "mark": "◆", "who": "own_tips_all"},
        {"type": "aura", "who": {"zone": "moon"}, "points": 1},
        {"type": "no_negative", "points": 1},
    ],
)
def test_2_the_vocabulary_is_closed(effect: Mapping[str, Any]) -> None:
    faces = [dict(face, effects=[effect]) if face.get("id") == "A04" else face for face in KIT.deck]
    with pytest.raises(msgspec.ValidationError):
        Rules(faces)


def test_2_wordings_that_no_card_of_ours_needs() -> None:
    few = {"type": "bonus_if", "cond": {"sel": {"zone": "row"}, "max": 1}, "points": 1}
    effects = parse_creature(dict(KIT.deck[0], effects=[few])).effects
    assert (
        card_text(effects, "en") == "+1 if there are at most 1 face-up cards elsewhere in its row."
    )
    assert card_text(effects, "ja") == "同じ横列のほかの表向きのカードが1枚以下なら+1点。"


@pytest.mark.parametrize("seats", [3, 4])
def test_3_set_up(seats: int) -> None:
    state = begin(seats)
    for seat in range(seats):
        assert len(state.cards[f"hand/{seat}"]) == 4
        assert len(state.cards[NEEDLES[seat]]) == 18
    assert len(state.cards["deck"]) == 48 - 4 * seats
    assert len(state.cards["wonders"]) == 10
    assert all(len(state.cards[zone]) == 1 for zone in ("public/1", "public/2"))
    assert len(state.cards["box"]) == 18 * (4 - seats)
    assert state.values["year"] == state.values["round"] == 1


# 5.2 to 5.4: picks


def pick(state: State, *choices: str) -> Table:
    """All answer in seat order: "" picks the first card of the hand, "1" and "2" claim with it."""
    table = None
    for seat, wanted in enumerate(choices):
        first = state.cards[f"hand/{seat}"][0]
        move = Move(0, "claim", (first,), f"public/{wanted}")
        if not wanted:
            move = Move(0, "pick", (first,), f"picks/{seat}")
        table = answer(GAME, state, seat, move)
        state = table.state
    assert table is not None
    return table


def test_52_everybody_chooses_at_once_and_unseen() -> None:
    """A3: only what all have locked counts; before, nobody learns what was chosen."""
    state = begin()
    assert [(ask.seat, ask.what, ask.sealed) for ask in state.asks] == [
        (seat, "pick", True) for seat in range(3)
    ]
    table = pick(state, "1", "")
    assert not of_kind(table, Moved)
    for viewer in (AUDIENCE, 2):
        assert set(mask(table.state, viewer).answers.values()) == {None}
    with pytest.raises(Illegal, match="already answered"):
        submit(GAME, table.state, 0, Move(0, "pick", (0,)), "x")


def test_52_a_normal_pick_stays_secret() -> None:
    state = begin()
    table = pick(state, "", "", "")
    first = state.cards["hand/0"][0]
    assert table.state.cards["picks/0"] == (first,)
    assert mask(table.state, 1).cards["picks/0"] == (hidden_card(0),)
    assert sentences(table) == ["{seat} picks from the hand."] * 3


def begin_open() -> State:
    return start(GAME, 3, "test", KIT.backs, catalogue.options(KIT, {"wishes": "open"})).state


def lay(state: State, seat: int, what: str, verb: str, card: int = -1, target: str = "") -> State:
    """Answer this question of the seat's: several are open to it."""
    ask = next(ask for ask in state.asks if ask.seat == seat and ask.what == what)
    cards = (card,) if card >= 0 else ()
    return submit(GAME, state, seat, Move(ask.id, verb, cards, target), "x").state


def test_52_open_wishes_change_until_all_lock() -> None:
    """A3: the wish is seen, the card is not; who changes has to lock again."""
    state = begin_open()
    hand = state.cards["hand/0"]
    state = lay(state, 0, "pick", "claim", hand[0], "public/2")
    assert mask(state, 1).cards["claim/2/0"] == (hidden_card(0),)
    state = lay(state, 0, "lock", "lock")
    assert state.values["locked/0"] == 1
    state = lay(state, 0, "again", "claim", hand[0], "public/1")
    assert (state.cards["claim/1/0"], state.cards["claim/2/0"]) == ((hand[0],), ())
    assert state.values["locked/0"] == 0
    state = lay(state, 0, "lock", "pick", hand[1], "picks/0")
    assert state.cards["laid/0"] == (hand[1],)
    assert hand[0] in state.cards["hand/0"]
    others = {}
    for seat in (1, 2):
        others[seat] = state.cards[f"hand/{seat}"][0]
        state = lay(state, seat, "pick", "pick", others[seat], f"picks/{seat}")
        state = lay(state, seat, "lock", "lock")
    assert state.values["round"] == 1, "one has not locked"
    state = lay(state, 0, "lock", "lock")
    assert state.values["round"] == 2
    assert [state.cards[f"picks/{seat}"] for seat in range(3)] == [
        (hand[1],),
        (others[1],),
        (others[2],),
    ]
    assert {ask.what for ask in state.asks} == {"pick"}
    assert not any(state.values[f"locked/{seat}"] for seat in range(3))


def test_52_what_lies_there_already_is_no_other_pick() -> None:
    state = begin_open()
    card = state.cards["hand/0"][0]
    state = lay(state, 0, "pick", "claim", card, "public/1")
    with pytest.raises(Illegal, match="It's already there"):
        lay(state, 0, "lock", "claim", card, "public/1")
    with pytest.raises(Illegal, match="from your own hand"):
        lay(state, 0, "lock", "pick", state.cards["hand/1"][0], "picks/0")
    assert lay(state, 0, "lock", "pick", card, "picks/0").cards["laid/0"] == (card,)


def test_52_the_last_card_of_a_hand_may_still_change_its_place() -> None:
    state = begin_open()
    hands = {f"hand/{seat}": state.cards[f"hand/{seat}"][:1] for seat in range(3)}
    rest = tuple(card for seat in range(3) for card in state.cards[f"hand/{seat}"][1:])
    cards = state.cards | hands | {"deck": state.cards["deck"] + rest}
    state = replace(state, cards=cards, values=state.values | {"round": 4})
    (card,) = state.cards["hand/0"]
    state = lay(state, 0, "pick", "pick", card, "picks/0")
    state = lay(state, 0, "lock", "claim", card, "public/2")
    assert state.cards["claim/2/0"] == (card,)


@pytest.mark.parametrize(("year", "way"), [(1, 1), (2, -1), (3, 1)])
@pytest.mark.parametrize("seats", [3, 4])
def test_53_hands_go_left_right_left(year: int, way: int, seats: int) -> None:
    """A2."""
    state = begin(seats)
    state = replace(state, values=state.values | {"year": year})
    after = pick(state, *[""] * seats).state
    for seat in range(seats):
        kept = state.cards[f"hand/{seat}"][1:]
        assert after.cards[f"hand/{(seat + way) % seats}"] == kept
    assert after.values["round"] == 2


def test_53_hands_pass_before_public_picks_settle() -> None:
    """A4."""
    state = begin()
    table = pick(state, "1", "", "")
    zones = [
        (event.source.split("/")[0], event.target.split("/")[0]) for event in of_kind(table, Moved)
    ]
    assert zones.index(("hand", "next")) < zones.index(("public", "picks"))
    assert zones.index(("claim", "public")) < zones.index(("next", "hand"))
    heard = masked(pick(state, "1", "").state, table.events, 1)
    seen = [e.card >= 0 for e in heard if isinstance(e, Moved) and e.target == "next/1"]
    assert seen == [False] * 3, "the receiver sees nothing while hands pass"
    seen = [e.card >= 0 for e in heard if isinstance(e, Moved) and e.target == "next/2"]
    assert seen == [True] * 3, "the giver knows what goes"
    taken = [e.card >= 0 for e in heard if isinstance(e, Moved) and e.target == "hand/1"]
    assert taken == [True] * 3


def test_54_a_lone_claim_succeeds() -> None:
    """A6, A8: both cards of a success are open; the declared one takes the slot."""
    state = begin()
    wanted, declared = state.cards["public/1"][0], state.cards["hand/0"][0]
    table = pick(state, "1", "", "")
    after = table.state
    assert after.cards["picks/0"] == (wanted,)
    assert after.cards["public/1"] == (declared,)
    assert not of_kind(table, Rolled)
    gained = [said.cards for said in of_kind(table, Said) if "gains" in said.text]
    assert gained == [(wanted,)]
    assert card_of_offer(after, 1, "claim").targets == ("public/1", "public/2")


def card_of_offer(state: State, seat: int, verb: str) -> Offer:
    return next(offer for offer in offered(GAME, state, seat) if offer.verb == verb)


def test_54_a_contest_loser_keeps_the_declared_card() -> None:
    """A5: only those who tie for the highest roll again. A8: what failed stays secret."""
    state = pick(begin(4), "1", "2", "1").state
    declared = [state.cards[f"hand/{seat}"][0] for seat in range(4)]
    wanted = state.cards["public/1"][0]
    table = Table(state, Loaded([70, 70, 70, 8, 99, 99, 30, 31]))
    ask = asked(state, 3)
    engine_answer(GAME, table, ask, Move(ask.id, "claim", (declared[3],), "public/1"))
    rolls = [event.faces for event in of_kind(table, Rolled)]
    assert rolls == [(70, 70, 70), (8, 99, 99), (30, 31)]
    after = table.state
    assert wanted in after.cards["picks/3"]
    assert after.cards["public/1"] == (declared[3],)
    for loser in (0, 2):
        assert after.cards[f"picks/{loser}"] == (declared[loser],)
        assert mask(after, AUDIENCE).cards[f"picks/{loser}"] == (hidden_card(0),)
    assert len(after.cards["picks/1"]) == 1, "the other slot is settled for itself"


def test_54_the_second_slot_is_settled_after_the_first() -> None:
    """A6."""
    table = pick(begin(), "2", "1", "")
    order = [e.source for e in of_kind(table, Moved) if e.source.startswith("public")]
    assert order == ["public/1", "public/2"]


def test_54_the_fourth_pick_offers_both_kinds() -> None:
    """A7: the only card left may be laid down too; failing would leave that very card."""
    state = begin()
    for _ in range(3):
        state = pick(state, "", "", "").state
    assert [offer.verb for offer in offered(GAME, state, 0)] == ["pick", "claim"]
    last = state.cards["hand/0"]
    assert len(last) == 1
    after = pick(state, "1", "1", "").state
    assert after.values["phase"] == "appeal"
    assert all(not after.cards[f"hand/{seat}"] for seat in range(3))


# 5.5: appeal


def to_appeal(seats: int = 3, seed: str = "test") -> State:
    state = begin(seats, seed)
    for _ in range(4):
        state = pick(state, *[""] * seats).state
    return state


def test_55_a_public_pick_leaves_and_the_slots_are_discarded() -> None:
    """A30."""
    state = begin()
    for wanted in ("1", "", "", ""):
        state = pick(state, wanted, "", "").state
    assert len(state.cards["discard"]) == 2
    assert not state.cards["public/1"]
    assert len(state.cards["picks/0"]) == 4


def test_55_one_of_this_years_picks_any_cell_either_way() -> None:
    """A9, A10."""
    state = to_appeal()
    (offer,) = offered(GAME, state, 0)
    assert offer.cards == state.cards["picks/0"]
    assert offer.targets == BOARD[0]
    assert offer.choices == ROTATIONS


def appeal(state: State, cells: Sequence[int], way: str = "↑") -> Table:
    table = None
    for seat, number in enumerate(cells):
        first = state.cards[f"picks/{seat}"][0]
        table = answer(GAME, state, seat, Move(0, "appeal", (first,), cell(seat, number), way))
        state = table.state
    assert table is not None
    return table


def test_55_nobody_knows_cell_or_way_up_before_the_reveal() -> None:
    """A9."""
    state = to_appeal()
    first, other = (appeal(state, [n], way).state for n, way in ((0, "↑"), (8, "↓")))
    for viewer in (AUDIENCE, 1, 2):
        assert mask(first, viewer) == mask(other, viewer)


def test_55_the_reveal_opens_card_and_way_up_to_all() -> None:
    state = to_appeal()
    table = appeal(state, [0, 4, 8], "↓")
    after = table.state
    for seat, number in enumerate((0, 4, 8)):
        shown = state.cards[f"picks/{seat}"][0]
        assert mask(after, AUDIENCE).cards[cell(seat, number)] == (shown,)
        assert read_board(mask(after, AUDIENCE), seat).turned[number]
        assert after.values[f"appeal/{seat}/{number}"] == 1
        assert len(after.cards[f"older/{seat}"]) == 3
        assert not after.cards[f"picks/{seat}"]
    assert after.values["year"] == 2
    assert len(after.cards["wonders"]) == 8


def test_55_earlier_picks_can_never_be_presented() -> None:
    """A9, A21: a card there keeps its cell."""
    state = appeal(to_appeal(), [0, 0, 0]).state
    for _ in range(4):
        state = pick(state, "", "", "").state
    (offer,) = offered(GAME, state, 0)
    assert not set(offer.cards) & set(state.cards["older/0"])
    assert cell(0, 0) not in offer.targets


# 6: order


def to_order(seats: int = 3) -> State:
    state = begin(seats)
    for year in range(3):
        for _ in range(4):
            state = pick(state, *[""] * seats).state
        state = appeal(state, [year] * seats).state
    return state


def test_6_six_of_nine_picks_fill_the_free_cells() -> None:
    """A11, A12."""
    state = to_order()
    (offer,) = offered(GAME, state, 0)
    assert len(offer.cards) == 9
    assert (offer.least, offer.most) == (6, 6)
    assert offer.spots == BOARD[0][3:]
    assert len(set(offer.choices)) == 64
    with pytest.raises(Illegal, match="Fill all six free cells"):
        answer(GAME, state, 0, Move(0, "order", offer.cards[:5], "", "↑" * 6))


def choose_order(state: State, ways: Sequence[str]) -> State:
    for seat, way in enumerate(ways):
        picks = state.cards[f"older/{seat}"][:6]
        state = answer(GAME, state, seat, Move(0, "order", picks, "", way)).state
    return state


def test_6_cards_lie_as_their_owner_says_hidden_from_others() -> None:
    """A11, A12: the owner alone knows the cards and their ways up; three are left over."""
    state = to_order()
    after = choose_order(state, ["↓↑↑↓↓↑"] * 3)
    assert [after.cards[cell(0, n)][0] for n in range(3, 9)] == list(state.cards["older/0"][:6])
    assert after.cards["older/0"] == state.cards["older/0"][6:]
    own = read_board(mask(after, 0), 0)
    assert own.turned[3:] == (True, False, False, True, True, False)
    for viewer in (AUDIENCE, 1, 2):
        view = mask(after, viewer)
        assert {view.cards[cell(0, n)] for n in range(3, 9)} == {(hidden_card(0),)}
        assert {view.cards[TILT[0][n]] for n in range(3, 9)} == {(hidden_card(1), hidden_card(1))}
        assert view.cards["older/0"] == (hidden_card(0),) * 3


def test_6_ways_up_tell_others_nothing_while_they_are_laid() -> None:
    state = to_order()
    told = []
    for ways in ("↑↑↑↑↑↑", "↓↓↓↓↓↓"):
        first = choose_order(state, ["↑" * 6, ways])
        picks = state.cards["older/2"][:6]
        table = answer(GAME, first, 2, Move(0, "order", picks, "", "↑" * 6))
        told.append((masked(first, table.events, 0), mask(table.state, 0)))
    assert told[0] == told[1]


def test_6_the_preview_counts_the_seasons() -> None:
    state = to_order()
    ask = asked(state, 0)
    picks = state.cards["older/0"][:6]
    told = GAME.preview(mask(state, 0), ask, Move(ask.id, "order", picks, "", "↑↓↑↓↑↓"))
    after = choose_order(state, ["↑↓↑↓↑↓", "↑" * 6, "↑" * 6])
    board = read_board(after, 0)
    sums = {}
    for n, season in enumerate(SEASONS):  # 7.6: what was closed before is blank by then
        up = tuple(c if c >= 0 and DECK.closes[c] >= n else -1 for c in board.cards)
        sums[season] = total_points(season_parts(DECK, board._replace(cards=up), n, ()))
    assert told.notes[0].args == sums
    assert told.values == {f"strength/{season}": points for season, points in sums.items()}


def id_of(number: int) -> str:
    return str(KIT.deck[number]["id"])


def changing_places(state: State, one: str, other: str) -> State:
    """The table with two creatures in each other's place, open where the other was."""
    names = {card(one): card(other), card(other): card(one)}
    cards = {
        zone: tuple(sorted(new) if state.zones[zone].loose else new)
        for zone, held in state.cards.items()
        for new in [[names.get(number, number) for number in held]]
    }
    shown = {names.get(number, number): seen for number, seen in state.shown.items()}
    return replace(state, cards=cards, shown=shown)


def test_6_the_preview_counts_the_open_appeal_cards_of_others() -> None:
    """U07 loses 3 for each summer card that is presented at its position."""
    state = begin()
    for year in range(3):
        for _ in range(4):
            state = pick(state, "", "", "").state
        state = appeal(state, [year, year + 3, year + 6]).state
    state = changing_places(state, "U07", id_of(state.cards["older/0"][0]))
    own = {id_of(n) for zone in (*BOARD[0], "older/0") for n in state.cards[zone]}
    sums = []
    for season in ("winter", "summer"):
        rival = next(
            str(face["id"])
            for face in KIT.deck
            if face.get("season") == season and face["id"] not in own
        )
        there = changing_places(state, rival, id_of(state.cards[cell(1, 3)][0]))
        ask = asked(there, 0)
        rest = [n for n in there.cards["older/0"] if n != card("U07")][:5]
        move = Move(ask.id, "order", (card("U07"), *rest), "", "↑" * 6)  # cell 3 is the first free
        told = GAME.preview(mask(there, 0), ask, move)
        sums.append([int(told.values[f"strength/{season}"]) for season in SEASONS])
    assert [a - b for a, b in zip(*sums, strict=True)] == [0, 0, 0, 3]


# 7.1, 7.2: autumn, victory points


def test_71_the_true_sum_is_all_that_can_be_declared() -> None:
    state = choose_order(to_order(), ["↑" * 6] * 3)
    (offer,) = offered(GAME, mask(state, 0), 0)
    assert offer == Offer("declare", choices=(str(scores(state, 0, "autumn")),))
    table = answer(GAME, state, 0, Move(0, "declare", choice=offer.choices[0]))
    assert table.state.values["points/autumn/0"] == int(offer.choices[0])
    assert not of_kind(table, Shown), "declared from hidden boards"


@pytest.mark.parametrize(
    ("declared", "full", "literal"),
    [
        ([17, 2, 9], (15, 0, 0), (15, 0, 0)),
        ([17, 17, 9], (8, 8, 0), (8, 8, 0)),
        ([5, 5, 5], (0, 0, 0), (0, 0, 0)),
        ([5, 5, 0], (0, 0, 0), (0, 0, 0)),
        ([7, 0, -3], (7, 0, 0), (0, 0, 0)),
        ([0, -1, -2], (0, 0, 0), (0, 0, 0)),
    ],
)
def test_72_first_minus_last_among_the_positive(
    declared: list[int], full: tuple[int, ...], literal: tuple[int, ...]
) -> None:
    """A16."""
    assert victory_points(declared, literal=False) == full
    assert victory_points(declared, literal=True) == literal


@pytest.mark.parametrize(("choice", "gained"), [("full", 3), ("literal", 0)])
def test_10_the_agreement_on_a_sole_scorer(choice: str, gained: int) -> None:
    state = position("W02 . . . . . . . .", sole_scorer=choice)
    after = resumed(replace(state, values=state.values | {"phase": "winter"}), Score(1)).state
    assert after.values["victory/winter/0"] == after.values["score/0"] == gained


def test_8_sums_may_be_negative() -> None:
    """A15."""
    state = position("~W01 W02 . . . . . . .", counters={"W02": -9})
    assert scores(state, 0, "winter") == -6
    after = resumed(state, Score(1)).state
    assert after.values["points/winter/0"] == -6
    assert after.values["score/0"] == 0


# 7.3: ◎


def in_turn(*sums: int, rolls: Sequence[int] = ()) -> list[int]:
    """The order in which ◎ are used."""
    table = Table(declared(*sums), Loaded(rolls))
    judging.plan_turns(table, 0, Marks)
    return [int(step.args[0]) for step in reversed(table.state.agenda)]


@pytest.mark.parametrize(
    ("sums", "rolls", "seats"),
    [
        ([5, 3, 9, -2], [], [3, 1, 0, 2]),
        ([4, 9, 4, 4], [], [0, 3, 2, 1]),  # seats 2, 3, 0 sit 1, 2, 3 to the left of the first
        ([9, 9, 1, 1], [20, 80], [3, 2, 0, 1]),
        ([9, 9, 1, 1], [80, 20], [3, 2, 1, 0]),
        ([-4, -1, -4, -4], [], [0, 3, 2, 1]),  # nobody above 0: the highest raw sum
        ([0, 0, 0], [5, 6, 6, 9, 2], [0, 2, 1]),
    ],
)
def test_73_from_the_fewest_points_up(sums: list[int], rolls: list[int], seats: list[int]) -> None:
    """A17."""
    assert in_turn(*sums, rolls=rolls) == seats


def test_73_all_own_rings_one_by_one_in_any_order_then_the_next() -> None:
    """A18, A19: passing is no choice as long as a ◎ is left."""
    state = asking(position("A09 . . . A12 . . . .", "W02 . . . W03 . . . ."), "marks")
    verbs = [(o.verb, o.cards) for o in offered(GAME, state, 0)]
    assert verbs == [("aim", (card("A09"),)), ("aim", (card("A12"),))]
    state = answer(GAME, state, 0, use("A12", cell(1, 4))).state
    assert [o.cards for o in offered(GAME, state, 0)] == [(card("A09"),)]
    state = answer(GAME, state, 0, use("A09", cell(1, 0))).state
    assert offered(GAME, state, 0) == (Offer("none"),)
    assert not answer(GAME, state, 0, Move(0, "none")).state.asks


def test_73_a_ring_turned_down_before_its_use_is_lost() -> None:
    """A18."""
    boards = "A09 . . . . . . . .", "A12 . . . . . . . ."
    state = answer(GAME, asking(position(*boards), "marks"), 0, use("A09", cell(1, 0))).state
    again = replace(state, asks=(), agenda=())
    assert offered(GAME, asking(again, "marks", 1), 1) == (Offer("none"),)


def test_73_using_a_hidden_ring_shows_it_but_not_its_target() -> None:
    """A19, A20."""
    boards = "A09 . . . . . . . .", "W02 . . . . . . . ."
    state = asking(position(*boards, opened=False), "marks")
    assert mask(state, 1).cards[cell(0, 0)] == (hidden_card(0),)
    after = answer(GAME, state, 0, use("A09", cell(1, 0))).state
    assert mask(after, 1).cards[cell(0, 0)] == (card("A09"),)
    assert mask(after, 0).cards[cell(1, 0)] == (hidden_card(0),)
    assert down(after, 1) == [*range(9)]


def test_73_a_ring_without_a_target_is_shown_and_does_nothing() -> None:
    """A19."""
    state = asking(position("A09 . . . . . . . .", opened=False), "marks")
    assert targets(state, 0, "A09") == ("",)
    table = answer(GAME, state, 0, use("A09"))
    assert "It has no effect." in sentences(table)
    assert is_revealed(table.state, 0, 0)


# 7.4: board check


def test_74_all_face_up_cards_open_and_autumn_closes() -> None:
    """A22, A24, A27."""
    state = position("A01 W02↓ ~A03 S01 . . . . .", opened=False)
    state = replace(state, agenda=(to_record(Check()),))
    table = Table(state, SeededRng("x"))
    GAME.resume(table, Check())
    view = mask(table.state, 1)
    assert view.cards[cell(0, 0)] == (card("A01"),)
    assert view.cards[cell(0, 1)] == (card("W02"),)
    assert read_board(view, 0).turned[1]
    assert view.cards[cell(0, 2)] == (hidden_card(0),), "turned down before anybody saw it"
    assert mask(table.state, 0).cards[cell(0, 2)] == (card("A03"),), "its owner may look"
    assert down(table.state, 0)[:2] == [0, 2]
    assert 1 not in down(table.state, 0)


def test_74_a_card_once_open_stays_known_when_it_is_turned_down() -> None:
    """A22."""
    state = asking(position("A09 . . . . . . . .", "!W02 . . . . . . . ."), "marks")
    after = answer(GAME, state, 0, use("A09", cell(1, 0))).state
    assert mask(after, 2).cards[cell(1, 0)] == (card("W02"),)


# 7.5: ◆, and what is scored


def test_75_only_holders_are_asked_before_scoring_all_in_secret() -> None:
    """A23: the boards are open, so everybody knows who can."""
    boards = "W07 . . . S01 . . . .", "U09 . . . . . . . .", "W10 . . . S04 . . . ."
    state = resumed(position(*boards), Before(1)).state
    assert [(ask.seat, ask.sealed) for ask in state.asks] == [(0, True), (2, True)]
    first = answer(GAME, state, 0, use("W07", cell(0, 4)))
    assert not of_kind(first, ValueSet)
    assert not of_kind(first, Moved)
    second = answer(GAME, first.state, 2, Move(0, "pass"))
    assert 4 in down(second.state, 0)
    assert second.state.values["points/winter/0"] == 4 + 4


def test_75_seasons_continue_where_nobody_has_a_diamond() -> None:
    table = resumed(position("W02 S04 U03 . . . . . ."), Before(1))
    result = table.state.result
    assert result.scores == (3 + 3 + 4, 0, 0)
    told = [said.args["points"] for said in of_kind(table, Said) if "declares" in said.text]
    assert len(told) == 9


def test_75_every_scored_card_is_explained() -> None:
    table = resumed(position("W02 S04 . . . . . . ."), Score(1))
    lines = [said for said in of_kind(table, Said) if said.text.startswith("{card} scores")]
    assert [s.cards for s in lines] == [(card("W02"),), (card("S04"),)]
    assert [(s.args["points"], s.args["formula"]) for s in lines] == [(3, "3"), (3, "3")]
    table = resumed(position(EXAMPLE), Score(2))
    told = {s.cards[0]: s.args for s in of_kind(table, Said) if s.text.startswith("{card} scores")}
    assert told[card("S05")]["formula"] == "2 ▲+1 ✦+2"
    assert told[card("S05")]["lit"] == "board/0/0 board/0/4 board/0/0"


EXAMPLE = "S05 . S03 . S01 . . . ."


def test_75_after_scoring_the_order_is_that_of_the_season() -> None:
    """A23: of the winter points, one player after the other; nothing is asked of who cannot."""
    boards = "W12 . . . . . . . .", "W14 . . . . . . . W02", "S02 . . . . . . . ."
    state = resumed(position(*boards), Score(1)).state
    assert [ask.seat for ask in state.asks] == [0]
    state = answer(GAME, state, 0, Move(0, "pass")).state
    assert [ask.seat for ask in state.asks] == [1]
    state = answer(GAME, state, 1, use("W14", cell(2, 0))).state
    assert 0 in down(state, 2)
    assert state.result is not None


def test_75_a_roll_settles_ties_only_if_somebody_can_act() -> None:
    quiet = resumed(position("W02 . . . . . . . .", "W04 . . . . . . . ."), Score(1))
    assert not of_kind(quiet, Rolled)
    boards = "W12 . . . . . . . .", "W04 . . . . . . . .", "S01 . . . . . . . ."
    table = resumed(position(*boards), Score(1), rolls=[3, 60])
    assert [event.faces for event in of_kind(table, Rolled)] == [(3, 60)]
    assert [ask.seat for ask in table.state.asks] == [0]


def test_75_diamonds_of_other_seasons_wait() -> None:
    """A23."""
    state = asking(position("S12 . . . . . . . .", "S01 . . . . . . . ."), "after", 0, "winter")
    assert offered(GAME, state, 0) == (Offer("pass"),)
    state = resumed(position("U09 . . . . . . . ."), Before(1)).state
    assert [ask.args for ask in state.asks] == [("summer",)]


# 7.6: closing


def test_76_cards_that_stay_up_close_with_their_season() -> None:
    """A24: arrows and effects go on, nothing is scored twice."""
    state = position("A06 A13 . . W02 . . . .")
    closed = Table(state, SeededRng("x"))
    judging.close_season(GAME.deck, closed, 0)
    assert not set(down(closed.state, 0)) & {0, 1, 4}
    judging.close_season(GAME.deck, closed, 1)
    assert 0 in down(closed.state, 0)
    assert 1 not in down(closed.state, 0)
    assert 4 in down(closed.state, 0)
    state = position("A13 . . . S04 . . . .")
    assert scores(state, 0, "spring") == 3 + 1


# 8.2, 8.3: what cards score


@pytest.mark.parametrize(
    ("name", "boards", "expected"),
    [
        # printed, arrows (A13: whatever the season, also from corners without an arrow)
        ("W02", ["W02 . . . . . . . ."], 3),
        ("W02", ["W02 . . . S02 . . . ."], 4),
        ("W02", ["W02 . . . S04 . . . ."], 3),
        ("W02", ["W02 . . . S04↓ . . . ."], 4),
        ("W02", [". . . . W02 . . . U08"], 2),
        ("W02", [". . . . W02 . . . U08↓"], 3),
        ("W02", ["W02 . . . ~S02 . . . ."], 3),
        # bonus_if
        ("A04", [". A04 . . . . . . ."], 3),
        ("A04", ["A04 . . . . . . . ."], 2),
        ("W03", [". . W03 . . . . . ."], 5),
        ("W03", [". . . . W03 . . . ."], 3),
        ("U05", [". . . . U05 . . . ."], 8),
        ("U05", [". . . U05 . . . . ."], 4),
        ("U02", ["U02↓ . . . . . . . ."], 5),
        ("U02", ["U02 . . . . . . . ."], 4),
        ("U15", ["!U15 . . . . . . . ."], 9),
        ("U15", ["U15 . . . . . . . ."], 6),
        ("A05", ["A05 A01 A02 A03 . . . . ."], 4),
        ("A05", ["A05 A01 A02 ~A03 . . . . ."], 2),
        ("U12", ["U12 . . . W03 . . . ."], 6),
        ("U12", ["U12 . . . . . . . ."], 2),
        # bonus_per
        ("W05", ["W05 . . . . . . . ."], 5),
        ("W05", [". . . . W05 . . . ."], 7),
        ("W06", ["W06 S01 U03 A01 . . . . ."], 6),
        ("W09", ["W09 S07 . . S04 . . . ."], 5),
        ("W09", ["W09 . . . W03 . . . ."], 3),
        ("S06", ["S06 . . . W03 . . . ."], 5),
        ("S06", ["S06 . . . S07 . . . ."], 4),
        ("S10", ["S10 . . S03 . . S05 . ."], 6),
        ("U04", [". . . . U04 . . . ."], -2),
        ("U11", ["U11 . . . W03 . . . ."], 9),
        ("U07", ["U07 . . . . . . . .", "U03 . . . . . . . .", "U10 . . . . . . . ."], 1),
        ("U07", ["U07 . . . . . . . .", "~U03 . . . . . . . .", "W03 . . . . . . . ."], 7),
        # auras
        ("S09", ["S07 S09 . . . . . . ."], 5),
        ("S09", ["S07 . . S09 . . . . ."], 4),
        ("U06", ["U14 . . . U06 . . . ."], 5 - 1 + 1),
        ("U06", ["~U14 . . . U06 . . . ."], 5),
        # points_from_tip: printed points only, capped
        ("W08", ["W08 . . . S07 . . . ."], 5),
        ("W08", ["W08 . . . U07 . . . ."], 6),
        ("W08", ["W08 . . . . . . . ."], 2),
        # no_negative
        ("S06", ["S06 . . . U08 . . . ."], 4),
        ("S05", ["S05 . . . U08 . . . ."], 1),
    ],
)
def test_83_what_a_card_scores(name: str, boards: list[str], expected: int) -> None:
    assert points(name, *boards) == expected


def test_82_counters_and_a_sacrifice_count() -> None:
    """A26."""
    assert points("W02", "W02 . . . . . . . .", counters={"W02": -2}) == 1
    assert points("W07", "W07 . . . . . . . .", used=["W07"]) == 8
    assert points("W12", "W12 . . . . . . . .", used=["W12"]) == 3, (
        "a used card gains nothing by it"
    )


def test_86_a_face_down_card_is_blank() -> None:
    """A14."""
    state = position("~S02 . . . S03 . . . .")
    assert scores(state, 0, "spring") == 2
    state = asking(position("A14 . . . . . . . .", "W01 ~W02 W03 . . . . . ."), "marks")
    assert targets(state, 0, "A14") == (cell(1, 0), cell(1, 2))


# 8.4: ◎: success, no target, ward

RIVAL = "S04 S01 W02 . W03 . . . ."


def test_84_flip_same_position() -> None:
    state = asking(position("A09 . . . . . . . .", RIVAL, "U03 . . . . . . . ."), "marks")
    assert targets(state, 0, "A09") == (cell(1, 0), cell(2, 0))
    after = answer(GAME, state, 0, use("A09", cell(2, 0))).state
    assert 0 in down(after, 2)
    assert 0 not in down(after, 1)


def test_84_flip_in_the_same_row() -> None:
    state = asking(position(". . A14 . . . . . .", RIVAL), "marks")
    assert targets(state, 0, "A14") == (cell(1, 0), cell(1, 1), cell(1, 2))
    after = answer(GAME, state, 0, use("A14", cell(1, 1))).state
    assert 1 in down(after, 1)
    state = asking(position(". . . . . . . . A14", RIVAL), "marks")
    assert targets(state, 0, "A14") == ("",)


def test_84_flip_may_turn_an_appeal_card_down() -> None:
    """A21."""
    state = asking(position("A09 . . . . . . . .", "!S04 . . . . . . . ."), "marks")
    assert 0 in down(answer(GAME, state, 0, use("A09", cell(1, 0))).state, 1)


@pytest.mark.parametrize(
    ("name", "warded"),
    [("A09", "W11"), ("A09", "S11"), ("A14", "W11"), ("A12", "W11")],
)
def test_84_a_hidden_ward_is_shown_and_keeps_it_off(name: str, warded: str) -> None:
    """A20."""
    boards = f"{name} . . . . . . . .", f"{warded} . . . . . . . ."
    state = asking(position(*boards, opened=False), "marks")
    assert targets(state, 0, name) == (cell(1, 0),)
    table = answer(GAME, state, 0, use(name, cell(1, 0)))
    assert "{card} keeps it off." in sentences(table)
    assert mask(table.state, AUDIENCE).cards[cell(1, 0)] == (card(warded),)
    assert 0 not in down(table.state, 1)
    assert not table.state.values.get("counters/1/0")


@pytest.mark.parametrize(("name", "warded"), [("A09", "W11"), ("A12", "W11"), ("A08", "U12")])
def test_84_a_ward_that_all_see_cannot_be_chosen(name: str, warded: str) -> None:
    """A20."""
    boards = f"{name} . . . . . . . .", f"{warded} S01 . . . . . . ."
    assert targets(asking(position(*boards), "marks"), 0, name) == ("",)


def test_84_a_ward_is_only_against_what_it_names() -> None:
    state = asking(position("A12 . . . . . . . .", "S11 . . . . . . . ."), "marks")
    after = answer(GAME, state, 0, use("A12", cell(1, 0))).state
    assert after.values["counters/1/0"] == -3


def test_84_a_ward_does_not_stand_against_its_owner() -> None:
    state = asking(position("W11 . . . A07 . . . ."), "marks")
    after = answer(GAME, state, 0, use("A07", cell(0, 0))).state
    assert after.values["counters/0/0"] == 2


def test_84_a_ward_works_only_face_up() -> None:
    state = asking(position("A10 . . . . . . . .", "~U12 . . . . . . . ."), "marks")
    table = answer(GAME, state, 0, use("A10"))
    assert "{card} keeps it off." not in sentences(table)
    assert not turned(table.state, 1, 0)


def test_84_rotate_all_others() -> None:
    """A10, A14, A20, A21: appeals stay, a ward is shown and stays, the rest turns in the dark."""
    boards = (
        "A10 . . . . . . . .",
        "S04 . . . . . . . .",
        "!S01 . . . . . . . .",
        "U12 . . . . . . . .",
    )
    state = asking(position(*boards, opened=False), "marks")
    assert targets(state, 0, "A10") == ("",)
    after = answer(GAME, state, 0, use("A10")).state
    assert [turned(after, seat, 0) for seat in range(4)] == [False, True, False, False]
    assert mask(after, 0).cards[cell(1, 0)] == (hidden_card(0),)
    assert mask(after, 0).cards[TILT[1][0]] == (hidden_card(1), hidden_card(1))
    assert is_revealed(after, 3, 0)
    assert is_revealed(after, 2, 0)


def test_84_an_open_card_is_turned_in_the_open() -> None:
    state = asking(position("A10 . . . . . . . .", "S04↓ . . . . . . . ."), "marks")
    after = answer(GAME, state, 0, use("A10")).state
    assert not turned(after, 1, 0)
    assert not read_board(mask(after, AUDIENCE), 1).turned[0]
    assert hidden_card(1) not in mask(after, AUDIENCE).cards[TILT[1][0]]


def test_84_rotate_reaches_nobody_where_all_lie_face_down() -> None:
    state = asking(position("A10 . . . . . . . ."), "marks")
    after = answer(GAME, state, 0, use("A10")).state
    assert not turned(after, 1, 0)
    assert offered(GAME, after, 0) == (Offer("none"),)


def test_84_counters_on_an_own_tip() -> None:
    state = asking(position("S01 S02 . . A07 . . . ~S04"), "marks")
    assert targets(state, 0, "A07") == (cell(0, 0),)
    after = answer(GAME, state, 0, use("A07", cell(0, 0))).state
    assert after.values["counters/0/0"] == 2
    state = asking(position(". S02 . . A07 . . . ."), "marks")
    assert targets(state, 0, "A07") == ("",)


def test_84_counters_on_all_own_tips() -> None:
    state = asking(position("S01 S02 W02 . A15 . . . ~S04"), "marks")
    after = answer(GAME, state, 0, use("A15")).state
    assert {k: v for k, v in after.values.items() if k.startswith("counters")} == {
        "counters/0/0": 1,
        "counters/0/2": 1,
    }
    alone = asking(position(". . . . A15 . . . ."), "marks")
    after = answer(GAME, alone, 0, use("A15")).state
    assert not any(key.startswith("counters") for key in after.values)


def test_84_minus_counters_on_the_same_position_add_up() -> None:
    """A21: an appeal card may carry counters."""
    boards = "A12 . . . . . . . .", "!S04 . . . . . . . ."
    state = asking(position(*boards, counters={"S04": 2}), "marks")
    after = answer(GAME, state, 0, use("A12", cell(1, 0))).state
    assert after.values["counters/1/0"] == -1
    assert scores(after, 1, "spring") == 2


def test_84_swap_changes_two_cells_of_one_board() -> None:
    """A28: way up, counters and use go along; hidden cards stay hidden, open ones open."""
    boards = "A08 . . . . . . . .", "S04↓ . . . A09 . . . ."
    state = asking(position(*boards, opened=False, counters={"S04": 2}, used=["A09"]), "marks")
    assert targets(state, 0, "A08") == (cell(1, 4),)
    after = answer(GAME, state, 0, use("A08", cell(1, 4))).state
    assert where(after, "S04") == cell(1, 4)
    assert where(after, "A09") == cell(1, 0)
    assert turned(after, 1, 4)
    assert not turned(after, 1, 0)
    assert (after.values["counters/1/4"], after.values["counters/1/0"]) == (2, 0)
    assert (after.values["used/1/4"], after.values["used/1/0"]) == (0, 1)
    assert mask(after, 0).cards[cell(1, 4)] == (hidden_card(0),)
    after = answer(GAME, asking(position(*boards), "marks"), 0, use("A08", cell(1, 4))).state
    assert mask(after, 2).cards[cell(1, 4)] == (card("S04"),)
    assert read_board(mask(after, 2), 1).turned[4]


def test_84_swap_needs_two_cards_that_may_move() -> None:
    """A14, A19, A21."""
    alone = asking(position("A08 . . . . . . . .", "S04 . . . . . . . ."), "marks")
    assert targets(alone, 0, "A08") == ("",)
    appealed = asking(position("A08 . . . . . . . .", "!S04 S01 . . . . . . ."), "marks")
    assert targets(appealed, 0, "A08") == ("",)
    other = asking(position("A08 . . . . . . . .", "S04 !S01 W02 . . . . . ."), "marks")
    assert targets(other, 0, "A08") == (cell(1, 2),)


@pytest.mark.parametrize("rival", ["U12 S01 . . . . . . .", "S01 U12 . . . . . . ."])
def test_84_swap_fails_at_a_hidden_ward(rival: str) -> None:
    """A20: the card that keeps it off is shown, the other one not."""
    state = asking(position("A08 . . . . . . . .", rival, opened=False), "marks")
    after = answer(GAME, state, 0, use("A08", cell(1, 1))).state
    assert where(after, "U12") == where(state, "U12")
    view = mask(after, 0)
    assert [view.cards[cell(1, n)] for n in (0, 1)].count((hidden_card(0),)) == 1
    assert is_revealed(after, *CELL_OF[where(after, "U12")])


def test_84_a_swap_that_meets_two_hidden_wards_shows_both() -> None:
    """A20: neither can be moved, and both stay where they lie."""
    wards = [n for n in range(60) if "move" in DECK.wards[n]]
    one, other = map(id_of, wards[:2])
    rival = f"{one} {other} . . . . . . ."
    state = asking(position("A08 . . . . . . . .", rival, opened=False), "marks")
    table = answer(GAME, state, 0, use("A08", cell(1, 1)))
    assert sentences(table).count("{card} keeps it off.") == 2
    for number, name in enumerate((one, other)):
        assert where(table.state, name) == cell(1, number)
        assert mask(table.state, 2).cards[cell(1, number)] == (card(name),)


def test_84_depart_brings_an_unused_pick_either_way_up() -> None:
    """A12, A18, A26: hidden, and a ◎ that comes in has to be used too."""
    board_0 = "A11 . . . . . . . ."
    state = asking(
        position(board_0, RIVAL, opened=False, older={0: "A09 S02 U01"}, counters={"A11": 2}),
        "marks",
    )
    (offer,) = offered(GAME, state, 0)
    assert offer.verb == "depart"
    assert set(offer.cards) == {card("A09"), card("S02"), card("U01")}
    assert (offer.targets, offer.choices) == ((cell(0, 0),), ROTATIONS)
    after = answer(GAME, state, 0, Move(0, "depart", (card("A09"),), cell(0, 0), "↓")).state
    assert where(after, "A11") == "older/0"
    assert where(after, "A09") == cell(0, 0)
    assert turned(after, 0, 0)
    assert mask(after, 1).cards[cell(0, 0)] == (hidden_card(0),)
    assert mask(after, 1).cards[TILT[0][0]] == (hidden_card(1), hidden_card(1))
    assert after.values["counters/0/0"] == 0
    assert targets(after, 0, "A09") == (cell(1, 0),)


def test_84_depart_tells_nobody_which_way_up() -> None:
    board_0 = "A11 . . . . . . . ."
    state = asking(position(board_0, opened=False, older={0: "S01 S02 U01"}), "marks")
    told = []
    for way in ROTATIONS:
        table = answer(GAME, state, 0, Move(0, "depart", (card("S01"),), cell(0, 0), way))
        told.append((masked(state, table.events, 1)[1:], mask(table.state, 1)))
    assert told[0] == told[1]


def test_84_an_appeal_card_never_departs() -> None:
    """A21."""
    state = asking(position("!A11 . . . . . . . ."), "marks")
    assert targets(state, 0, "A11") == ("",)
    table = answer(GAME, state, 0, use("A11"))
    assert "It has no effect." in sentences(table)
    assert where(table.state, "A11") == cell(0, 0)


# 8.5: ◆


def before(*boards: str, season: str = "winter", **more: Any) -> State:
    return asking(position(*boards, **more), "before", 0, season)


def test_85_sacrifice() -> None:
    state = before(". . . . W07 . ~S02 . S01")
    assert targets(state, 0, "W07") == (cell(0, 8),)
    after = answer(GAME, state, 0, use("W07", cell(0, 8))).state
    assert 8 in down(after, 0)
    assert after.values["points/winter/0"] == 8
    none = before(". S01 . . W07 . . . .")
    assert offered(GAME, none, 0) == (Offer("pass"),)


def test_85_a_sacrifice_may_take_an_appeal_card_or_a_warded_one() -> None:
    """A21; wards stand against others only."""
    state = before("!S01 . W11 . W13 . . . .")
    assert targets(state, 0, "W13") == (cell(0, 0), cell(0, 2))
    after = answer(GAME, state, 0, use("W13", cell(0, 2))).state
    assert after.values["points/winter/0"] == 4 + 3 + 0


def test_85_turn_self() -> None:
    state = before("U09 . . . U03 . . . .", season="summer")
    after = answer(GAME, state, 0, use("U09")).state
    assert after.values["points/summer/0"] == (4 + 2) + (4 + 1)
    assert turned(after, 0, 0)
    appealed = before("!U09 . . . . . . . .", season="summer")
    assert offered(GAME, appealed, 0) == (Offer("pass"),)


def test_85_swap_self_with_another_own_card_also_a_face_down_one() -> None:
    """A14, A21, A22: a face-down card goes where the swap puts it, unseen as it was."""
    state = before("W10 ~S01 !S02 . . . . . .")
    assert targets(state, 0, "W10") == tuple(cell(0, n) for n in (1, *range(3, 9)))
    table = answer(GAME, state, 0, use("W10", cell(0, 1)))
    after = table.state
    assert where(after, "W10") == cell(0, 1)
    assert where(after, "S01") == cell(0, 0)
    assert after.values["down/0/0"] == 1
    assert mask(after, 1).cards[cell(0, 0)] == (hidden_card(0),)
    appealed = before("!W10 S01 . . . . . . .")
    assert offered(GAME, appealed, 0) == (Offer("pass"),)


def test_85_several_are_one_choice_in_ones_own_order() -> None:
    """A23: swap first and the sacrifice reaches other tips."""
    state = before("W10 . . . W07 . . . S01")
    rests = {
        (offer.cards[0], offer.targets[0]): offer.choices
        for offer in offered(GAME, state, 0)
        if offer.verb == "combine"
    }
    assert "1>9" in rests[card("W07"), cell(0, 8)]
    swap = (card("W10"), cell(0, 4))
    assert "1>5" in rests[swap], "W10 took the centre, W07 the corner"
    assert all(rest[0] == "alone" and "," not in "".join(rest) for rest in rests.values())
    chosen = Move(0, "combine", swap[:1], swap[1], "1>5")
    after = answer(GAME, state, 0, chosen).state
    assert where(after, "W10") == cell(0, 4)
    assert 4 in down(after, 0)
    assert after.values["points/winter/0"] == 4 + 4


def test_85_three_in_one_plan() -> None:
    state = before("W10 . S01 . W07 . S02 . W13")
    combining = [offer for offer in offered(GAME, state, 0) if offer.verb == "combine"]
    assert max(rest.count(",") for offer in combining for rest in offer.choices) == 1
    for offer in combining:
        assert len(set(offer.choices)) == len(offer.choices)
        for rest in offer.choices:  # every beginning is a choice too
            assert rest.rpartition(",")[0] in ("", *offer.choices)


def test_85_a_card_that_turns_itself_may_be_followed_by_another() -> None:
    state = before("U09 . . . U14 . U03 . .", season="summer")
    verbs = {offer.verb: offer for offer in offered(GAME, state, 0)}
    turning = verbs["combine_self"]
    assert turning.cards == (card("U09"),)
    chosen = Move(0, "combine_self", turning.cards, choice=turning.choices[-1])
    after = answer(GAME, state, 0, chosen).state
    used = {where(after, "U09"), where(after, "U14")}
    assert used == {cell(0, n) for n in CELLS if after.values.get(f"used/0/{n}")}


def test_85_previews_come_true() -> None:
    for state in (
        before("W10 . S01 . W07 . S02 . W13"),
        before("U09 . . . U14 . U03 . .", season="summer"),
    ):
        ask = asked(state, 0)
        season = ask.args[0]
        for offer in GAME.offers(state, ask):
            for move in [*offer.moves(ask.id)][::7]:
                told = GAME.preview(mask(state, 0), ask, move)
                after = answer(GAME, state, 0, move).state
                if move.verb == "pass":
                    assert told is None
                    continue
                args = told.notes[0].args
                assert args["points"] == after.values[f"points/{season}/0"]
                assert args["now"] == scores(state, 0, str(season))


@pytest.mark.parametrize(
    ("name", "season", "effect"),
    [("W12", "winter", -3), ("S12", "spring", -4), ("W14", "winter", None)],
)
def test_85_after_scoring_on_the_same_position(name: str, season: str, effect: int | None) -> None:
    state = asking(position(f"{name} . . . . . . . .", "U03 . . . . . . . ."), "after", 0, season)
    assert targets(state, 0, name) == (cell(1, 0),)
    after = answer(GAME, state, 0, use(name, cell(1, 0))).state
    if effect is None:
        assert 0 in down(after, 1)
    else:
        assert after.values["counters/1/0"] == effect
    assert not after.asks, "each once"


@pytest.mark.parametrize(
    "rival", [". . . . . . . . .", "W11 . . . . . . . .", "~U03 . . . . . . . ."]
)
@pytest.mark.parametrize("name", ["W12", "W14"])
def test_85_after_scoring_without_a_target(name: str, rival: str) -> None:
    """A23: a card that visibly keeps it off is no target; nobody is asked for nothing."""
    state = position(f"{name} . . . . . . . .", rival)
    after = resumed(state, Score(1)).state
    assert not [ask for ask in after.asks if ask.what == "after"]


def test_85_what_is_turned_down_is_not_scored_later() -> None:
    """A27."""
    state = position("W14 . . . . . . . .", "U03 U10 . . . . . . .")
    state = resumed(state, Score(1)).state
    state = answer(GAME, state, 0, use("W14", cell(1, 0))).state
    assert state.result is not None
    assert state.values["points/summer/1"] == 3


# 9: who wins


def ended(*won: tuple[int, int, int, int]) -> Result:
    """The result where the seats won so much in the four seasons."""
    state = position(*[". " * 9] * len(won))
    values = dict(state.values)
    for seat, seasons in enumerate(won):
        values[f"score/{seat}"] = sum(seasons)
        for season, gained in zip(SEASONS, seasons, strict=True):
            values[f"victory/{season}/{seat}"] = gained
            values[f"points/{season}/{seat}"] = gained + 2
    table = Table(replace(state, values=values), SeededRng("x"))
    judging.close_season(GAME.deck, table, 3)
    return of_kind(table, Ended)[0].result


def test_9_the_highest_sum_wins() -> None:
    result = ended((10, 0, 0, 0), (0, 5, 6, 0), (0, 0, 0, 9))
    assert result.winners == (1,)
    assert result.scores == (10, 11, 9)
    assert result.decided == ""
    assert result.sheet[0].formulas == ("12 − 2", "(2)", "(2)")
    assert result.sheet[0].points == (10, 0, 0)


def test_9_then_the_best_single_season_then_both() -> None:
    """A25."""
    result = ended((10, 0, 0, 0), (0, 5, 5, 0), (0, 0, 0, 9))
    assert result.winners == (0,)
    assert result.decided == "Equal victory points: the best single season decides."
    result = ended((6, 4, 0, 0), (0, 0, 4, 6), (0, 0, 0, 1))
    assert result.winners == (0, 1)
    assert "shared" in result.decided
    assert ended((0, 0, 0, 0), (0, 0, 0, 0), (0, 0, 0, 0)).winners == (0, 1, 2)


# Why not


def reason(state: State, seat: int, number: int, to: str = "") -> str:
    found = GAME.why(mask(state, seat), asked(state, seat), number, to)
    return found.text if found else ""


def test_why_not_in_the_draft() -> None:
    state = begin()
    own, public = state.cards["hand/0"][0], state.cards["public/1"][0]
    assert "lay a card from your hand beside it" in reason(state, 0, public)
    assert "own hand" in reason(state, 0, state.cards["hand/1"][0])
    assert "lay it beside a public card" in reason(state, 0, own, "discard")
    assert reason(state, 0, own, "public/1") == reason(state, 0, own) == ""


def test_why_not_in_the_appeal_and_the_order() -> None:
    state = appeal(to_appeal(), [0, 0, 0]).state
    for _ in range(4):
        state = pick(state, "", "", "").state
    own, older = state.cards["picks/0"][0], state.cards["older/0"][0]
    assert "this year's four picks" in reason(state, 0, older)
    assert "free cell" in reason(state, 0, own, cell(0, 0))
    assert "own board" in reason(state, 0, own, cell(1, 4))
    assert reason(state, 0, own, cell(0, 4)) == ""
    state = to_order()
    older = state.cards["older/0"][0]
    assert "nine picks" in reason(state, 0, state.cards[cell(0, 0)][0])
    assert "free cell" in reason(state, 0, older, cell(0, 0))
    assert "own board" in reason(state, 0, older, "discard")
    assert "six free cells" in reason(state, 0, older)
    assert reason(state, 0, older, cell(0, 5)) == ""


def test_why_not_when_declaring() -> None:
    state = choose_order(to_order(), ["↑" * 6] * 3)
    for number in (NO_CARD, state.cards[cell(0, 0)][0], state.cards[cell(1, 0)][0]):
        assert reason(state, 0, number) == "You can only declare the true total."


def test_why_not_with_marks() -> None:
    state = asking(position("A09 S01 . . . . . . .", RIVAL), "marks")
    assert "◎" in reason(state, 0, card("S01"))
    assert "doesn't reach" in reason(state, 0, card("A09"), cell(1, 1))
    assert reason(state, 0, card("A09"), cell(1, 0)) == reason(state, 0, card("A09")) == ""
    state = before("W07 S01 . . S04 . . . .")
    assert "◆" in reason(state, 0, card("S01"))
    assert "doesn't reach" in reason(state, 0, card("W07"), cell(0, 1))
    state = asking(position("W12 . . . . . . . .", RIVAL), "after", 0, "winter")
    assert "doesn't reach" in reason(state, 0, card("W12"), cell(1, 1))
