"""Pages of all games: every question to a seat can be answered from its page alone.

`TABLETOP_LONG=1` plays whole games at every number of seats, otherwise at the least of each box and
a part of one at the most.
"""

import json
import random
import re
import zlib
from itertools import chain
from typing import Any

import msgspec
import pytest
from msgspec.structs import replace

from tabletop.catalogue import catalogue
from tabletop.catalogue.catalogue import GameKit
from tabletop.engine.model import AUDIENCE, NO_CARD, Move, Offer, Reason, Result
from tabletop.engine.teams import teams_at
from tabletop.language.words import Words
from tabletop.match.match import SYMBOLS, Match, Player
from tabletop.match.seat import Seat
from tabletop.protocol.messages import Pause, SeatConfig, SeatInfo, TableInfo, TablePlan
from tabletop.protocol.seat_access import can_answer
from tabletop.web.answer_steps import AnswerSteps
from tabletop.web.arrangement_taps import apply_arrangement_tap
from tabletop.web.page import build_page, page_remark, page_result, preview_move
from tabletop.web.page_context import PageContext
from tabletop.web.wire import ArrangeRequest
from tests.net.loopback import LONG
from tests.ui.random_matches import match_until
from tests.web import thumb

TABLES = [
    (kit.id, seats)
    for kit in catalogue.load_all().games
    for seats in (kit.box.seats if LONG else sorted({kit.box.seats[0], kit.box.seats[-1]}))
]
PAGES = 400 if LONG else 60
SMALL = 8 * 1024
"""Bytes that a page may take on the wire."""


def table(name: str, seats: int, seed: str = "page") -> tuple[GameKit, Match, PageContext]:
    """A match, and what its pages know beside their seats."""
    kit = catalogue.load(name)
    players = tuple(Player(f"Player {n + 1}", SYMBOLS[n]) for n in range(seats))
    match = Match(kit, players, catalogue.options(kit), seed)
    return kit, match, PageContext(kit=kit, players=players)


def offers_of(match: Match) -> list[Offer]:
    """All that the first player may answer."""
    return [offer for offers in match.offers(0).values() for offer in offers]


def verbs(match: Match) -> set[str]:
    return {offer.verb for offer in offers_of(match)}


def decoded(seat: Seat, context: PageContext, words: Words) -> dict[str, Any]:
    """The page as a browser has it."""
    told: dict[str, Any] = json.loads(msgspec.json.encode(build_page(seat, context, words)))
    return told


def puts(seat: Seat, context: PageContext, words: Words) -> thumb.Put:
    """The gateway's answer to the cards that are put together."""

    def put(tap: thumb.Json) -> thumb.Json | None:
        message = msgspec.convert({"n": 1, "kind": "together", **tap}, ArrangeRequest, strict=False)
        told: thumb.Json | None = json.loads(
            msgspec.json.encode(apply_arrangement_tap(AnswerSteps(seat, context, words), message))
        )
        return told

    return put


HERE = (SeatInfo("person", "here", "Hinata"), SeatInfo("person", "here", "Kaname"))
CANNOT_ANSWER: dict[str, dict[str, Any]] = {
    "somebody is waited for": {"pause": Pause((1,), 60.0)},
    "the match has ended": {"ended": Reason("The host ended the match.")},
    "a bot plays at the seat": {"sitters": (SeatInfo("person", "bot", "Hinata"), HERE[1])},
}


@pytest.mark.parametrize("why", ["", *CANNOT_ANSWER])
def test_a_page_admits_an_answer_when_a_window_does(why: str) -> None:
    kit, match, context = table("sun", 2)
    plan = TablePlan(kit.id, (SeatConfig("open"),) * 2, options=catalogue.options(kit))
    info = replace(TableInfo("t", plan, HERE, "playing"), **CANNOT_ANSWER.get(why, {}))
    shown = build_page(Seat.at_table(match, 0), replace(context, info=info), Words("en", kit))
    admits = any(card.playable for card in shown.cards.values()) or shown.actions
    assert bool(admits) == can_answer(info, 0) == (not why)
    assert can_answer(info) == (not why or why == "a bot plays at the seat"), "of the other seat"


def test_a_hand_of_ones_own_begins_with_a_capital() -> None:
    kit, match, context = table("sun", 2)
    shown = decoded(Seat.at_table(match, 0), context, Words("en", kit, context.players))
    labels = {zone["zone"]: zone["label"] for zone in shown["zones"]}
    assert labels["hand/0"] == "Your hand"


@pytest.mark.parametrize(("name", "seats"), TABLES)
def test_a_whole_game_is_played_from_its_pages_alone(name: str, seats: int) -> None:
    kit, match, context = table(name, seats)
    sitting = [Seat.at_table(match, number) for number in range(seats)]
    words = Words("ja", kit, context.players)
    chance = random.Random(f"{name} {seats}")
    largest = 0
    whole = LONG or seats == kit.box.seats[0]
    while match.state.result is None and (whole or match.state.ply < PAGES):
        open_asks = [ask for ask in match.state.asks if ask.id not in match.state.answers]
        number = chance.choice(open_asks).seat
        shown = decoded(sitting[number], context, words)
        largest = max(largest, len(zlib.compress(json.dumps(shown, ensure_ascii=False).encode())))
        assert all(zone["label"] != zone["zone"] for zone in shown["zones"])  # all have names
        assert not re.search(r"\{\w+\}", json.dumps(shown))  # every sentence is whole
        move = thumb.some_answer(shown, chance, puts(sitting[number], context, words))
        assert move is not None, (number, shown["prompt"])
        match.submit(number, msgspec.convert(move, Move))
    assert largest <= SMALL
    for seat in (*sitting, Seat.at_table(match, AUDIENCE)) if whole else ():
        shown = decoded(seat, context, words)
        assert shown["phase"] == "over"
        result = shown["result"]
        assert result["text"]
        _, _, (_, *rows), *_ = result["sheet"]
        assert all(len(row) == len(teams_at(match.state)) + 2 for row in rows)
        assert not thumb.some_answer(shown, chance, puts(seat, context, words))


@pytest.mark.parametrize(
    ("name", "seats"), [(kit.id, kit.box.seats[-1]) for kit in catalogue.load_all().games]
)
def test_taps_lead_to_every_move_that_is_offered(name: str, seats: int) -> None:
    kit, match, context = table(name, seats, "taps")
    sitting = [Seat.at_table(match, number) for number in range(seats)]
    words = Words("en", kit, context.players)
    chance = random.Random(name)
    looked_at = 0
    while match.state.result is None and looked_at < PAGES:
        open_asks = [ask for ask in match.state.asks if ask.id not in match.state.answers]
        number = chance.choice(open_asks).seat
        seat = sitting[number]
        shown = decoded(seat, context, words)
        put = puts(seat, context, words)
        found = (*thumb.answers(shown), *thumb.put_together(shown, put))
        tapped = {msgspec.convert(move, Move) for move in found}
        for ask, offers in seat.offers.items():
            for offer in offers:
                if offer.most <= 1 and not offer.spots:
                    assert set(offer.moves(ask)) <= tapped
                else:
                    assert any(move.verb == offer.verb for move in tapped)
        for move in tapped:
            assert any(offer.admits(move) for offer in seat.offers[move.ask]), move
        looked_at += 1
        drawn = thumb.some_answer(shown, chance, put)
        assert drawn is not None
        match.submit(number, msgspec.convert(drawn, Move))


@pytest.mark.parametrize("name", [kit.id for kit in catalogue.shelf()])
def test_a_page_says_what_it_offers(name: str) -> None:
    kit = catalogue.load(name)
    kit, match, context = table(name, kit.box.seats[-1])
    words = Words("ja", kit, context.players)
    seat = next(ask.seat for ask in match.state.asks)
    shown = decoded(Seat.at_table(match, seat), context, words)
    assert shown["prompt"]["text"]
    assert shown["prompt"]["paragraph"]
    assert shown["prompt"]["active"]
    assert shown["heading"] == words.heading(match.view(seat))
    lying = [card for zone in shown["zones"] for card in zone["cards"]]
    assert lying
    for card in lying:
        face = shown["faces"][shown["cards"][str(card)]["face"]]
        assert face["name"]
    for move in thumb.answers(shown):
        assert move["verb"]
    steps = [card["step"] for card in shown["cards"].values() if card.get("step")]
    while steps:
        step = steps.pop()
        assert step["sentence"] if step["move"] else step["steps"]
        assert all(further["label"] for further in step["steps"])
        steps += step["steps"]
    names = [words.seat(number) for number in range(match.state.seats)]
    assert [each["name"] for each in shown["others"]] == names


def test_a_move_is_weighed_and_a_card_that_cannot_go_says_why() -> None:
    kit, match, context = table("sun", 2)
    words = Words("en", kit, context.players)
    seat = Seat.at_table(match, match.state.asks[0].seat)
    shown = decoded(seat, context, words)
    move = msgspec.convert(next(thumb.answers(shown)), Move)
    told = preview_move(seat, context, words, move)
    assert told.sentence == words.move(move, seat.number, seat.view)
    card = seat.view.cards[f"hand/{seat.number}"][0]
    told = page_remark(seat.explain_refusal(card, "pile"), words, seat)
    assert told.text
    other = Seat.at_table(match, 1 - seat.number)
    assert page_remark(other.explain_refusal(card), words, other).text == "It's not your turn."
    assert preview_move(other, context, words, move) is None


def test_an_answer_that_waits_is_laid_where_it_would_go() -> None:
    kit, match, context = table("awss", 3)
    words = Words("en", kit, context.players)
    ask = next(ask for ask in match.state.asks if ask.sealed)
    seat = Seat.at_table(match, ask.seat)
    shown, put = decoded(seat, context, words), puts(seat, context, words)
    move = msgspec.convert(next(chain(thumb.answers(shown), thumb.put_together(shown, put))), Move)
    match.submit(ask.seat, move)
    shown = decoded(seat, context, words)
    laid = shown["cards"][str(move.cards[0])]["laid"]
    assert any(move.cards[0] in z.get("cards", []) for z in shown["zones"] if z["zone"] == laid)
    for other in (number for number in range(3) if number != ask.seat):
        shown = decoded(Seat.at_table(match, other), context, words)
        assert str(move.cards[0]) not in shown["cards"]


def test_a_board_is_filled_in_its_own_rows_and_columns() -> None:
    """The three cells that a draft has filled are shown with their cards."""
    shown, _ = board()
    (page_board,) = shown["gatherings"]
    cells = [int(name.rpartition("/")[2]) for name in page_board["spots"]]
    assert page_board["grid"] == [f"{cell // 3 + 1} / {cell % 3 + 1}" for cell in cells]
    assert len(page_board["lain"]) == 9 - len(cells) > 0
    assert not set(page_board["lain"]) & set(page_board["grid"])
    assert all(str(card) in shown["cards"] for card in page_board["lain"].values())


def test_where_nothing_was_scored_there_is_no_score_sheet() -> None:
    """As when somebody has conceded."""
    told = page_result(Result((0,), ()), 2, Words("en", catalogue.load("sun")))
    assert told.text
    assert told.sheet is None


def board() -> tuple[thumb.Json, thumb.Put]:
    """The page of a seat that is to fill the spots of a board, and what comes of its taps."""
    kit, match, context = table("awss", 3)
    seats, words = (
        [Seat.at_table(match, seat) for seat in range(3)],
        Words("en", kit, context.players),
    )
    chance = random.Random(1)
    while True:
        seat = next(ask.seat for ask in match.state.asks if ask.id not in match.state.answers)
        shown, put = decoded(seats[seat], context, words), puts(seats[seat], context, words)
        if any(each["spots"] for each in shown["gatherings"]):
            return shown, put
        match.submit(seat, msgspec.convert(thumb.some_answer(shown, chance, put), Move))


def test_cards_on_a_board_change_places_and_are_taken_back() -> None:
    shown, put = board()
    cards = [int(card) for card, lying in shown["cards"].items() if lying.get("together")]
    count = len(shown["gatherings"][0]["spots"])
    stands: thumb.Json | None = {}
    for card in cards[:count]:
        stands = put(thumb.tap(stands, does="card", card=card))
    assert stands["spots"] == cards[:count]
    (move,) = thumb.leaves(stands["step"])
    assert move["cards"] == cards[:count]

    stands = put(thumb.tap(stands, does="spot", spot=0))
    assert stands["held"] == 0
    stands = put(thumb.tap(stands, does="spot", spot=1))
    assert (stands["held"], stands["spots"][:2]) == (None, [cards[1], cards[0]])

    stands = put(thumb.tap(stands, does="card", card=cards[1]))
    stands = put(thumb.tap(stands, does="take"))
    assert cards[1] not in stands["spots"]
    assert stands["step"] is None
    assert stands["begun"]["cards"].count(NO_CARD) == 1


@pytest.mark.parametrize("first", ["card", "empty"])
def test_a_card_on_a_board_changes_places_with_an_empty_spot(first: str) -> None:
    shown, put = board()
    card = next(int(card) for card, lying in shown["cards"].items() if lying.get("together"))
    count = len(shown["gatherings"][0]["spots"])
    stands = put(thumb.tap({}, does="card", card=card))
    assert stands["spots"] == [card, *[None] * (count - 1)]
    taps = [0, count - 1] if first == "card" else [count - 1, 0]
    for spot in taps:
        stands = put(thumb.tap(stands, does="spot", spot=spot))
    assert stands["spots"] == [*[None] * (count - 1), card]
    assert stands["held"] is None


def test_a_selected_spot_of_a_board_is_deselected_or_filled() -> None:
    shown, put = board()
    cards = [int(card) for card, lying in shown["cards"].items() if lying.get("together")]
    stands = put(thumb.tap({}, does="spot", spot=1))
    assert stands["held"] == 1
    again = put(thumb.tap(stands, does="spot", spot=1))
    assert again["held"] is None
    other = put(thumb.tap(stands, does="spot", spot=0))
    assert (other["held"], set(other["spots"])) == (0, {None}), "two empty spots swap nothing"
    filled = put(thumb.tap(stands, does="card", card=cards[0]))
    assert (filled["held"], filled["spots"][:2]) == (None, [None, cards[0]])
    beyond = put(thumb.tap(filled, does="spot", spot=99))
    assert beyond["spots"] == filled["spots"]
    moved = put(thumb.tap(filled, does="spot", spot=0))
    moved = put(thumb.tap(moved, does="card", card=cards[0]))
    assert moved["spots"][:2] == [cards[0], None], "a tapped card moves to the selected spot"


def test_only_allowed_cards_of_a_combination_stay() -> None:
    """A page that is not of the present question, or false, brings nothing about."""
    shown, put = board()
    (mine,) = [int(card) for card, lying in shown["cards"].items() if lying.get("together")][:1]
    other = next(int(card) for card, lying in shown["cards"].items() if not lying.get("together"))
    stands = put(
        {"does": "", "at": 7, "spots": [mine, other, mine], "held": 150, "turns": {other: 3}}
    )
    assert [card for card in stands["spots"] if card is not None] == [mine]
    assert (stands["at"], stands["held"], stands["turns"]) == (0, None, {})
    assert put({**stands, "does": "card", "card": other}) == stands


def test_cards_that_fit_several_verbs_leave_the_choice_of_one() -> None:
    kit, match, context = table("sun", 2)
    words = Words("en", kit, context.players)
    seat = Seat.at_table(match, 0)
    cards = seat.view.cards["hand/0"][:3]
    pair = {"cards": cards, "least": 2, "most": 2}
    seat.open_offers = {1: (Offer("swap", **pair), Offer("show", **pair))}
    put = puts(seat, context, words)
    stands = put({"does": "card", "card": cards[1]})
    assert stands["step"] is None
    stands = put(thumb.tap(stands, does="card", card=cards[0]))
    assert stands["step"]["asks"] == "way"
    moves = [(move["verb"], move["cards"]) for move in thumb.leaves(stands["step"])]
    assert moves == [("swap", [*cards[:2]]), ("show", [*cards[:2]])]
    stands = put(thumb.tap(stands, does="card", card=cards[2]))
    assert stands["chosen"] == [cards[1], cards[0]]  # there is room for no third one


def test_a_reroll_is_one_tap() -> None:
    match = match_until("royale", lambda match: "reroll" in verbs(match))
    kit = catalogue.load("royale")
    words = Words("en", kit, match.players)
    shown = decoded(Seat.at_table(match, 0), PageContext(kit=kit, players=match.players), words)
    rerolls = [step for step in shown["actions"] if step["label"].startswith("Reroll with")]
    assert shown["prompt"]["text"].endswith("Reroll?")
    assert len({step["label"] for step in rerolls}) == len(rerolls) > 0
    for step in rerolls:
        assert step["odds"]
        assert any(o.admits(msgspec.convert(step["move"], Move)) for o in offers_of(match))


def test_a_half_made_move_has_a_question_of_its_own() -> None:
    """A card laid in the analysis: how far the ghost turns."""

    def turning(match: Match) -> bool:
        return match.state.values["phase"] == "analysis" and any(
            len(offer.choices) > 2 for offer in offers_of(match)
        )

    match = match_until("sun", turning)
    kit = catalogue.load("sun")
    words = Words("en", kit, match.players)
    shown = decoded(Seat.at_table(match, 0), PageContext(kit=kit, players=match.players), words)
    offer = next(offer for offer in offers_of(match) if len(offer.choices) > 2)
    step = shown["cards"][str(offer.cards[0])]["step"]
    asked = [each["prompt"] for each in (step, *step["steps"]) if each["asks"] == "choice"]
    assert asked
    assert set(asked) == {"Choose how far the ghost turns"}
