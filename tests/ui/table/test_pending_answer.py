"""A seat's state while it decides: its answer and the cards it puts together. No window."""

import subprocess
import sys

from tabletop.catalogue import catalogue
from tabletop.engine.refusals import NOT_ASKED
from tabletop.engine.scratch import Luck
from tabletop.match import offer_matching as offered
from tabletop.match import tentative_cards as laid_aside
from tabletop.match.match import Match, Player
from tabletop.match.seat import Seat
from tabletop.match.tentative_cards import TentativeCards
from ui.table.input.pending_answer import PendingAnswer

SUN = catalogue.load("sun")


class FarMatch:
    """A table that takes its time: what is sent to it is only kept."""

    def __init__(self, match: Match) -> None:
        self.players, self.reset, self.listen = match.players, match.reset, match.listen
        self.why, self.preview = match.why, match.preview
        self.submit = lambda seat, move: None


def begun() -> Match:
    return Match(SUN.game, SUN.backs, (Player("Hinata"), Player("Kaname")), seed="answer")


def forming() -> tuple[Match, int]:
    """A match in which this seat is to put several cards together."""
    match, luck = begun(), Luck(1)
    while True:
        for seat in (0, 1):
            if offered.gathered(match.offers(seat)):
                return match, seat
        seat = match.state.asks[0].seat
        number, offers = next(iter(match.offers(seat).items()))
        match.submit(seat, offers[0].sample(number, luck))


def answer_of(match: Match) -> PendingAnswer:
    answer = PendingAnswer()
    answer.link = Seat.of(match, match.state.asks[0].seat)
    return answer


def test_a_held_table_accepts_nothing() -> None:
    answer = answer_of(begun())
    answer.held = True
    assert answer.offers == {}
    assert answer.why(0) == NOT_ASKED
    answer.held = False
    assert answer.offers == answer.link.offers


def test_cards_are_gathered_for_a_question() -> None:
    match, seat = forming()
    answer = PendingAnswer()
    gathering = answer.gathering
    assert not gathering.take_up(None)
    answer.link = Seat.of(match, seat)
    assert gathering.take_up(match.view(seat))
    assert not gathering.take_up(match.view(seat)), "the same question"
    arrangement = gathering.arrangement
    cards = arrangement.chance.offer.cards
    assert gathering.wants(cards[0]) is arrangement
    assert not gathering.ready
    for card in cards:
        if not arrangement.ready:
            arrangement.toggle(card)
    assert gathering.ready
    assert gathering.moves()


def test_what_was_sent_lies_where_it_goes_until_it_is_opened() -> None:
    match, seat = forming()
    answer = PendingAnswer()
    gathering = answer.gathering
    answer.link = Seat.of(FarMatch(match), seat)
    view = match.view(seat)
    gathering.take_up(view)
    arrangement = gathering.arrangement
    for card in arrangement.chance.offer.cards:
        if not arrangement.ready:
            arrangement.toggle(card)
    before = laid_aside.shown(TentativeCards(view, SUN, seat))
    assert before == view
    shown = laid_aside.shown(TentativeCards(view, SUN, seat, arrangement=arrangement))
    assert shown == arrangement.applied(view)
    answer.link.send(gathering.moves()[0])
    assert not gathering.active, "once it is sent"
    assert gathering.moves(), "but it still lies there"
    sent = TentativeCards(view, SUN, seat, answer.pending, arrangement)
    assert [card for card, _ in laid_aside.waiting(sent)] == [
        card for card in gathering.moves()[0].cards if gathering.moves()[0].target
    ]


def test_none_of_this_needs_qt() -> None:
    program = """
import sys
sys.modules["PySide6"] = None
from tabletop.match import gathering, offer_matching, tentative_cards
from ui.table.input import pending_answer
"""
    subprocess.run([sys.executable, "-c", program], check=True, timeout=60)
