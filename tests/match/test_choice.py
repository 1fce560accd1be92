"""A player's choice: what is picked up, put together and aimed at. No window."""

import subprocess
import sys

import pytest

from tabletop.catalogue import catalogue
from tabletop.engine.model import Move, Reason
from tabletop.engine.refusals import NOT_ASKED
from tabletop.engine.scratch import Luck
from tabletop.laws.random_games import some_answer
from tabletop.match import offer_matching as offered
from tabletop.match.choice import PlayerChoice
from tabletop.match.link import Local
from tabletop.match.match import Match, Player
from tabletop.match.tentative_cards import TentativeCards

SUN = catalogue.load("sun")


class FarLink(Local):
    """A link whose table takes its time: what is sent is only kept."""

    def send(self, move: Move) -> None:
        self.kept = move


def begun(name: str = "sun") -> Match:
    kit = catalogue.load(name)
    players = [Player(f"P{seat}") for seat in range(kit.box.seats[0])]
    return Match(kit.game, kit.backs, players, catalogue.options(kit), seed="choice")


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


def choice_at(match: Match, seat: int | None = None, far: bool = False) -> PlayerChoice:
    choice = PlayerChoice(catalogue.load(match.game.id))
    choice.sit(
        (FarLink if far else Local)(match, match.state.asks[0].seat if seat is None else seat)
    )
    choice.gathering.renew(choice.link.view)
    return choice


def filled(choice: PlayerChoice) -> list[int]:
    """Put cards together until they are an answer."""
    arrangement = choice.gathering.arrangement
    cards = []
    for card in arrangement.chance.offer.cards:
        if not choice.gathering.ready:
            choice.toggle(card)
            cards.append(card)
    assert choice.gathering.ready
    return cards


def test_until_a_far_table_has_answered_nothing_can_be_done() -> None:
    choice = choice_at(begun(), far=True)
    (move, *_) = choice.legal()
    choice.play(move)
    assert choice.sent == move
    assert choice.legal() == []
    assert choice.targets == []
    assert choice.why(move.cards[0]) == NOT_ASKED
    choice.refuse(Reason("Not now."))
    assert choice.sent is None
    assert choice.legal()
    choice.play(move)
    choice.hear(choice.link.offers)
    assert choice.sent is None
    assert move in choice.legal()


def test_a_refusal_is_told_and_nothing_is_lost() -> None:
    choice, refused = choice_at(begun()), []
    choice.refused.add(refused.append)
    choice.play(Move(next(iter(choice.offers)), "juggle"))
    assert refused
    assert choice.sent is None
    assert choice.legal()


def test_a_held_table_accepts_nothing() -> None:
    choice = choice_at(begun())
    choice.hold(True)
    choice.hear(choice.link.offers)
    assert choice.offers == {}
    choice.hold(False)
    assert choice.offers == choice.link.offers


def test_a_card_that_is_picked_up_goes_where_its_moves_go() -> None:
    choice = choice_at(begun(), far=True)
    move = choice.legal()[0]
    choice.pick(move.cards[0])
    assert choice.card == move.cards[0]
    assert choice.targets == [each.target for each in choice.legal_of(move.cards[0])]
    assert choice.act(move.target)
    assert choice.sent == move
    assert choice.card is None


def test_a_card_that_can_do_nothing_is_not_picked_up() -> None:
    choice, refused, unable = choice_at(begun()), [], []
    choice.refused.add(refused.append)
    choice.unable.add(unable.append)
    playable = offered.playable(choice.offers)
    own = next(
        cards for zone, cards in choice.link.view.cards.items() if choice.owns(zone) and cards
    )
    idle = next(card for card in own if card not in playable)
    choice.pick(idle)
    assert choice.card is None
    assert unable == [idle]
    assert len(refused) == 1


def test_a_move_with_a_choice_left_waits_for_that() -> None:
    match, luck = begun(), Luck(2)
    while True:
        seat = match.state.asks[0].seat
        turning = [
            offer
            for each in match.offers(seat).values()
            for offer in each
            if len(offer.choices) > 1
        ]
        if turning and turning[0].most == 1 and turning[0].targets:
            break
        ask, move = some_answer(match.game, match.state, luck)
        match.submit(ask.seat, move)
    choice = choice_at(match, seat, far=True)
    card, target = turning[0].cards[0], turning[0].targets[0]
    choice.pick(card)
    choice.act(target)
    assert choice.sent is None
    assert choice.laid == (card, target)
    assert choice.choosing
    assert choice.targets == []
    assert choice.decides
    last = choice.options.moves[-1]
    choice.step(-1)
    assert choice.options.moves[choice.options.pointed] == last
    choice.cancel()
    assert choice.laid is None
    assert not choice.choosing
    choice.pick(card)
    choice.act(target)
    choice.choose(len(choice.options.moves) - 1)
    assert choice.sent == last


def test_cards_are_put_together_for_a_question() -> None:
    match, seat = forming()
    choice = choice_at(match, seat, far=True)
    gathering = choice.gathering
    arrangement = gathering.arrangement
    assert not gathering.renew(match.view(seat)), "the same question"
    assert gathering.joins(arrangement.chance.offer.cards[0]) is arrangement
    assert not gathering.ready
    cards = filled(choice)
    choice.toggle(cards[-1])
    assert not gathering.ready
    choice.toggle(cards[-1])
    choice.commit()
    assert choice.sent.cards == arrangement.cards


def test_what_was_sent_lies_where_it_goes_until_it_is_opened() -> None:
    match, seat = forming()
    choice = choice_at(match, seat, far=True)
    view = match.view(seat)
    assert choice.tentative(view).shown == view
    filled(choice)
    arrangement = choice.gathering.arrangement
    assert choice.tentative(view).shown == arrangement.applied(view)
    (move,) = choice.gathering.moves()
    choice.commit()
    assert not choice.gathering.active, "once it is sent"
    assert choice.gathering.moves() == [move], "but it still lies there"
    waiting = choice.tentative(view).waiting
    assert [card for card, _ in waiting] == [card for card in move.cards if move.target]
    assert TentativeCards(view, SUN).waiting == []


# Advice


@pytest.mark.parametrize("name", catalogue.names())
def test_whatever_is_advised_all_targets_stay_legal(name: str) -> None:
    match, luck, kit = begun(name), Luck(name), catalogue.load(name)
    for _ in range(60):
        if match.state.result is not None:
            break
        choice = choice_at(match, far=True, kit=kit)
        before = set(choice.targets)
        for move in choice.legal()[:8]:
            choice.advise(move)
            assert choice.card is None
            assert before <= set(choice.targets), move
            for target in before:
                sent = choice_at(match, far=True, kit=kit)
                sent.advise(move)
                assert sent.act(target), (move, target)
                assert sent.sent is not None or sent.choosing
        ask, answer = some_answer(match.game, match.state, luck)
        match.submit(ask.seat, answer)


def test_a_hint_between_two_clicks_leaves_the_own_choice_alone() -> None:
    choice = choice_at(begun(), far=True)
    moves = choice.legal()
    mine, advised = moves[0], next(move for move in moves if move.cards != moves[0].cards)
    choice.pick(mine.cards[0])
    choice.advise(advised)
    assert choice.card == mine.cards[0]
    assert choice.act(mine.target)
    assert choice.sent == mine


def test_a_click_where_the_hint_leads_plays_it() -> None:
    choice = choice_at(begun(), far=True)
    move = choice.legal()[-1]
    choice.advise(move)
    assert choice.sent is None
    choice.act(move.target)
    assert choice.sent == move


def test_a_hint_is_over_once_something_else_is_done() -> None:
    choice = choice_at(begun())
    first, *_, last = choice.legal()
    choice.advise(last)
    choice.pick(first.cards[0])
    assert choice.advice is None
    choice.cancel()
    choice.advise(last)
    choice.cancel()
    assert choice.advice is None


def test_none_of_this_needs_qt() -> None:
    program = """
import sys
sys.modules["PySide6"] = None
from tabletop.match import choice, gathering, offer_matching, tentative_cards
"""
    subprocess.run([sys.executable, "-c", program], check=True, timeout=60)
