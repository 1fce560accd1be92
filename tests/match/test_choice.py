"""A player's choice: what is picked up, put together and aimed at. No window."""

import subprocess
import sys

import pytest

from tabletop.catalogue import catalogue
from tabletop.catalogue.catalogue import GameKit
from tabletop.engine.model import Reason
from tabletop.engine.refusals import NOT_ASKED
from tabletop.engine.scratch import FastRng
from tabletop.match import offer_matching as offered
from tabletop.match.choice import PlayerSelection
from tabletop.match.match import Match, Player
from tabletop.match.seat import Seat
from tabletop.match.tentative_cards import TentativeCards
from tabletop.studio.laws.random_games import random_answer
from tests.match.far_match import FarMatch

SUN = catalogue.load("sun")


def begun(name: str = "sun") -> Match:
    kit = catalogue.load(name)
    players = [Player(f"P{seat}") for seat in range(kit.box.seats[0])]
    return Match(kit, players, catalogue.options(kit), seed="choice")


def forming() -> tuple[Match, int]:
    """A match in which this seat is to put several cards together."""
    match, luck = begun(), FastRng(1)
    while True:
        for seat in (0, 1):
            if offered.multi_card_offers(match.offers(seat)):
                return match, seat
        seat = match.state.asks[0].seat
        number, offers = next(iter(match.offers(seat).items()))
        match.submit(seat, offers[0].sample(number, luck))


def choice_at(match: Match, seat: int | None = None, kit: GameKit = SUN) -> PlayerSelection:
    """The choice at a seat (the first that is asked) of a table that takes its time."""
    choice = PlayerSelection(kit)
    choice.set_seat(
        Seat.at_table(FarMatch(match), match.state.asks[0].seat if seat is None else seat)
    )
    choice.multi_selection.update_draft(choice.seat.view)
    return choice


def filled(choice: PlayerSelection) -> list[int]:
    """Put cards together until they are an answer."""
    arrangement = choice.multi_selection.draft
    cards = []
    for card in arrangement.asked.offer.cards:
        if not choice.multi_selection.is_complete:
            choice.toggle_card(card)
            cards.append(card)
    assert choice.multi_selection.is_complete
    return cards


def test_until_a_far_table_has_answered_nothing_can_be_done() -> None:
    choice, refused = choice_at(begun()), []
    choice.refused.add(refused.append)
    (move, *_) = choice.legal_moves()
    choice.play(move)
    assert choice.seat.pending == move
    assert choice.legal_moves() == []
    assert choice.targets == []
    assert choice.explain_refusal(move.cards[0]) == NOT_ASKED
    choice.seat.refuse(Reason("Not now."))
    assert [reason.text for reason in refused] == ["Not now."]
    assert move in choice.legal_moves()


def test_a_held_table_accepts_nothing() -> None:
    choice = choice_at(begun())
    choice.set_blocked(True)
    assert choice.offers == {}
    assert choice.explain_refusal(0) == NOT_ASKED
    choice.set_blocked(False)
    assert choice.offers == choice.seat.offers


def test_a_choice_that_got_up_hears_nothing_of_its_seat() -> None:
    choice, refused = choice_at(begun()), []
    choice.refused.add(refused.append)
    left = choice.seat
    choice.set_seat(None)
    left.refuse(Reason("Not now."))
    assert not refused
    assert choice.legal_moves() == []
    assert choice.targets == []


def test_a_card_that_is_picked_up_goes_where_its_moves_go() -> None:
    choice = choice_at(begun())
    move = choice.legal_moves()[0]
    choice.pick_or_toggle(move.cards[0])
    assert choice.picked_up == move.cards[0]
    assert choice.targets == [
        each.target for each in offered.single_card_moves(choice.offers, move.cards[0])
    ]
    assert choice.play_to(move.target)
    assert choice.seat.pending == move
    assert choice.picked_up is None


def idle_cards(choice: PlayerSelection) -> list[int]:
    """Own cards that no offer takes."""
    held = choice.seat.view.cards.items()
    own = [card for zone, cards in held if choice.owns_zone(zone) for card in cards]
    return [card for card in own if card not in offered.playable_cards(choice.offers)]


def test_a_card_that_can_do_nothing_is_not_picked_up() -> None:
    match, luck = begun(), FastRng(3)
    while not idle_cards(choice_at(match)):
        ask, move = random_answer(match.kit.rules, match.state, luck)
        match.submit(ask.seat, move)
    choice, refused, unable = choice_at(match), [], []
    choice.refused.add(refused.append)
    choice.card_refused.add(unable.append)
    idle = idle_cards(choice)[0]
    choice.pick_or_toggle(idle)
    assert choice.picked_up is None
    assert unable == [idle]
    assert len(refused) == 1


def test_a_move_with_a_choice_left_waits_for_that() -> None:
    match, luck = begun(), FastRng(2)
    while True:
        seat = match.state.asks[0].seat
        offers = [offer for each in match.offers(seat).values() for offer in each]
        turning = [offer for offer in offers if len(offer.choices) > 1]
        if turning and turning[0].most == 1 and turning[0].targets:
            break
        ask, move = random_answer(match.kit.rules, match.state, luck)
        match.submit(ask.seat, move)
    choice = choice_at(match, seat)
    card, target = turning[0].cards[0], turning[0].targets[0]
    choice.pick_or_toggle(card)
    choice.play_to(target)
    assert choice.seat.pending is None
    assert choice.undecided == (card, target)
    assert choice.listed_verb
    assert choice.targets == []
    assert choice.options_are_final
    shown, last = choice.options, choice.options.moves[-1]
    choice.show_advice(choice.legal_moves()[0])
    assert choice.options is shown, "a hint that comes meanwhile leaves the list open"
    choice.step_highlight(-1)
    assert choice.options.moves[choice.options.highlighted] == last
    choice.cancel()
    assert choice.undecided is None
    assert not choice.listed_verb
    choice.pick_or_toggle(card)
    choice.play_to(target)
    choice.choose_option(len(choice.options.moves) - 1)
    assert choice.seat.pending == last


def test_cards_are_put_together_for_a_question() -> None:
    match, seat = forming()
    choice = choice_at(match, seat)
    gathering = choice.multi_selection
    arrangement = gathering.draft
    assert not gathering.update_draft(match.view(seat)), "the same question"
    assert gathering.draft_accepting(arrangement.asked.offer.cards[0]) is arrangement
    assert not gathering.is_complete
    cards = filled(choice)
    choice.toggle_card(cards[-1])
    assert not gathering.is_complete
    choice.toggle_card(cards[-1])
    choice.send_selection()
    assert choice.seat.pending.cards == arrangement.cards


def test_what_was_sent_lies_where_it_goes_until_it_is_opened() -> None:
    match, seat = forming()
    choice = choice_at(match, seat)
    view = match.view(seat)
    assert choice.tentative_cards(view).shown == view
    filled(choice)
    arrangement = choice.multi_selection.draft
    assert choice.tentative_cards(view).shown == arrangement.apply_to(view)
    (move,) = choice.multi_selection.moves()
    choice.send_selection()
    assert not choice.multi_selection.is_active, "once it is sent"
    assert choice.multi_selection.moves() == [move], "but it still lies there"
    waiting = choice.tentative_cards(view).cards_on_targets
    assert [card for card, _ in waiting] == [card for card in move.cards if move.target]
    assert TentativeCards(view, SUN).cards_on_targets == []


# Advice


@pytest.mark.parametrize("name", catalogue.names())
def test_whatever_is_advised_all_targets_stay_legal(name: str) -> None:
    match, luck, kit = begun(name), FastRng(name), catalogue.load(name)
    for _ in range(60):
        if match.state.result is not None:
            break
        choice = choice_at(match, kit=kit)
        before = set(choice.targets)
        for move in choice.legal_moves()[:8]:
            choice.show_advice(move)
            assert choice.picked_up is None
            assert before <= set(choice.targets), move
            for target in before:
                sent = choice_at(match, kit=kit)
                sent.show_advice(move)
                assert sent.play_to(target), (move, target)
                assert sent.seat.pending is not None or sent.listed_verb
        ask, answer = random_answer(match.kit.rules, match.state, luck)
        match.submit(ask.seat, answer)


def test_a_hint_between_two_clicks_leaves_the_own_choice_alone() -> None:
    choice = choice_at(begun())
    moves = choice.legal_moves()
    mine, advised = moves[0], next(move for move in moves if move.cards != moves[0].cards)
    choice.pick_or_toggle(mine.cards[0])
    choice.show_advice(advised)
    assert choice.picked_up == mine.cards[0]
    assert choice.play_to(mine.target)
    assert choice.seat.pending == mine


def test_a_click_where_the_hint_leads_plays_it() -> None:
    choice = choice_at(begun())
    move = choice.legal_moves()[-1]
    choice.show_advice(move)
    assert choice.seat.pending is None
    choice.play_to(move.target)
    assert choice.seat.pending == move


def test_a_hint_is_over_once_something_else_is_done() -> None:
    choice = choice_at(begun())
    first, *_, last = choice.legal_moves()
    choice.show_advice(last)
    choice.pick_or_toggle(first.cards[0])
    assert choice.advice is None
    choice.cancel()
    choice.show_advice(last)
    choice.cancel()
    assert choice.advice is None


def test_a_players_choice_needs_no_qt() -> None:
    program = """
import sys
sys.modules["PySide6"] = None
from tabletop.match import choice, multi_selection, offer_matching, tentative_cards
"""
    subprocess.run([sys.executable, "-c", program], check=True, timeout=60)
