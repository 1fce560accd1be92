"""Law 14: the page that a browser shows of two worlds is byte for byte the same, where the seat
cannot tell them apart. It runs over every game folder, at every number of seats of its box.

`TABLETOP_LONG=1` looks at more games and more turns of each.
"""

from collections.abc import Callable
from functools import partial
from typing import Any

import msgspec
import pytest
from msgspec.structs import replace

from tabletop.catalogue import catalogue
from tabletop.engine.events import Said, apply
from tabletop.engine.model import AUDIENCE, Move, Offer, Preview, Reason, State
from tabletop.engine.refusals import NOT_OFFERED
from tabletop.engine.scratch import FastRng
from tabletop.language.words import Words
from tabletop.match.match import SYMBOLS, Player, Reset
from tabletop.match.seat import Seat
from tabletop.studio.laws.player_messages import indistinguishable_turns
from tabletop.studio.laws.random_games import (
    GameTable,
    PlayedTurn,
    open_asks,
    sample_answers,
    sample_moves,
    tables_of_game,
    turns,
)
from tabletop.web.answer_steps import AnswerSteps
from tabletop.web.arrangement_taps import apply_arrangement_tap
from tabletop.web.page import build_page, page_remark, preview_move
from tabletop.web.page_context import PageContext
from tabletop.web.wire import ArrangeRequest
from tests.net.loopback import LONG

TABLES = [setting for name in catalogue.names() for setting in tables_of_game(name)]
GAMES, TURNS = (2, 24) if LONG else (1, 6)
Shown = Callable[["Seen", PageContext, Words], bytes]


class Seen(Seat):
    """A seat at the table as it is after a turn, that nobody answers by."""

    def __init__(
        self, setting: GameTable, turn: PlayedTurn, viewer: int, whole: bool = False
    ) -> None:
        """`whole`: a seat that a program with a fault would make, which shows the whole table."""
        view = setting.mask(turn.after, viewer)
        if whole:
            view = replace(turn.after, viewer=viewer)
        asks = [ask for ask in open_asks(view) if ask.seat == viewer]
        offers = {ask.id: setting.game.offers(view, ask) for ask in asks}
        said = _said(setting, turn, viewer)
        super().__init__(viewer, players_of(setting), Reset(view, said, offers))
        self._game = setting.game

    def send(self, move: Move) -> None:
        raise AssertionError

    def undo(self) -> None:
        raise AssertionError

    def explain_refusal(self, card: int, to: str = "") -> Reason:
        asked = (each for each in self.view.asks if each.id in self.offers)
        reasons = (self._game.why(self.view, each, card, to) for each in asked)
        return next((reason for reason in reasons if reason is not None), NOT_OFFERED)

    def preview(self, move: Move) -> Preview | None:
        asked = next(each for each in self.view.asks if each.id == move.ask)
        return self._game.preview(self.view, asked, move)


def _said(setting: GameTable, turn: PlayedTurn, viewer: int) -> tuple[Said, ...]:
    state, heard = turn.before, []
    for event in turn.events:
        heard.append(setting.mask_event(state, event, viewer))
        state = apply(state, event)
    return tuple(event for event in heard if isinstance(event, Said))


def players_of(setting: GameTable) -> tuple[Player, ...]:
    """Twelve people at most, each with a symbol."""
    return tuple(Player(f"Player {n + 1}", SYMBOLS[n]) for n in range(setting.seats))


def shown(seat: Seen, context: PageContext, words: Words) -> bytes:
    """All that a browser is sent: the page, and what it may ask about cards and moves."""
    told: list[Any] = [build_page(seat, context, words)]
    chance = FastRng(0)
    for ask, offers in seat.offers.items():
        told += [preview_move(seat, context, words, m) for m in _some(offers, ask, chance)]
    answers = AnswerSteps(seat, context, words)
    for zone in list(seat.view.cards)[:6]:
        taps = [ArrangeRequest(n=1, does="card", card=c) for c in seat.view.cards[zone][:2]]
        told += [apply_arrangement_tap(answers, tap) for tap in taps]
        told += [
            page_remark(seat.explain_refusal(card, zone), words, seat)
            for card in seat.view.cards[zone][:2]
        ]
    return msgspec.json.encode(told)


def _some(offers: tuple[Offer, ...], ask: int, chance: FastRng) -> list[Move]:
    return [move for offer in offers for move in sample_moves(offer, ask, 3, chance)]


def compared(setting: GameTable, seed: str, seen: Callable[..., Seen] = Seen) -> int:
    """Compare the pages of both worlds all through a random game; gives how many were."""
    game = list(turns(setting, seed))
    kit = catalogue.load(setting.id.rpartition("-")[0])
    players, chance, pairs = players_of(setting), FastRng(seed), 0
    context = PageContext(kit=kit, players=players)
    for turn in sample_answers(game, TURNS):
        words = Words("ja" if turn.after.ply % 2 else "en", kit, players)
        for viewer in setting.some_viewers(seed):
            for pair, other in indistinguishable_turns(setting, turn, viewer, seed, chance):
                here = shown(seen(setting, turn, viewer), context, words)
                there = shown(seen(setting, other, viewer), context, words)
                assert here == there, (viewer, pair, turn.move)
                pairs += 1
    return pairs


def name_of(table: int) -> str:
    return "-".join([TABLES[table].id, *map(str, TABLES[table].options.values())])


@pytest.mark.parametrize("table", range(len(TABLES)), ids=name_of)
def test_a_page_tells_nothing_that_its_seat_does_not_know(table: int) -> None:
    pairs = sum(compared(TABLES[table], f"page {number}") for number in range(GAMES))
    hides = any(zone.sight != "all" for zone in _zones(TABLES[table]))
    assert pairs or not hides


def test_a_page_made_of_the_whole_table_is_caught() -> None:
    setting = next(each for each in TABLES if each.id == "royale-2")
    broken = partial(Seen, whole=True)
    with pytest.raises(AssertionError):
        sum(compared(setting, f"broken {number}", broken) for number in range(6))


def _zones(setting: GameTable) -> list[Any]:
    first = next(iter(turns(setting, "first")))
    state: State = first.after
    return list(state.zones.values())


def test_a_spectator_is_offered_nothing() -> None:
    setting = TABLES[0]
    *_, turn = (turn for turn in turns(setting, "watched"))
    kit = catalogue.load(setting.id.rpartition("-")[0])
    seen = build_page(Seen(setting, turn, AUDIENCE), PageContext(kit=kit), Words("en", kit))
    assert (seen.seat, seen.actions, seen.gatherings) == (AUDIENCE, (), ())
