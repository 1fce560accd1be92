"""What is shown decides nothing: whatever a hint, a list or a log line lights, all that is legal
can still be done by a click, and a choice that was begun is left alone."""

from collections.abc import Iterator

import pytest
from PySide6.QtCore import QPointF

from tabletop.catalogue import catalogue
from tabletop.engine.events import Said
from tabletop.engine.model import Move
from tabletop.engine.refusals import NOT_OFFERED
from tabletop.engine.scratch import FastRng
from tabletop.match import offer_matching as offered
from tabletop.match.match import Match, Player
from tests.match.far_match import FarMatch
from tests.net.loopback import LONG
from tests.ui.random_matches import some_answer
from tests.ui.table_driver import Table, asked
from ui.table.input.targets import target_at, target_rect

pytestmark = pytest.mark.usefixtures("qapp")
GAMES = ("awss", "chains", "royale", "sisters", "sun")
MOST = 12 if LONG else 5
"""Positions of a game that are looked at; each offers something else."""
GRID = [(n + 0.5) / 9 for n in range(9)]


def positions(name: str) -> Iterator[Table]:
    """Tables of a random game at which somebody may bring something to a place. What is sent from
    them is only kept."""
    kit = catalogue.load(name)
    players = [Player(f"P{seat}") for seat in range(kit.box.seats[0])]
    match = Match(kit, players, catalogue.options(kit), seed=f"advice {name}")
    table, luck, seen = Table(match, 0, kit=kit), FastRng(name), set[tuple[str, ...]]()
    while match.state.result is None and len(seen) < MOST:
        seat = asked(match)
        verbs = tuple(each.offer.verb for each in offered.iter_offers(match.offers(seat)))
        if verbs not in seen and any(o.targets for a in match.offers(seat).values() for o in a):
            seen.add(verbs)
            table.sit(seat)
            table.seat.authority = FarMatch(match)
            yield table
        match.submit(*some_answer(match, luck))
    table.seat.close()
    assert seen


def spot(table: Table, zone: str) -> QPointF | None:
    """A point where a press means this place, and no card or list over it."""
    scene = table.scene
    rect = target_rect(scene.stage, zone)
    for y in GRID if rect is not None else ():
        for x in GRID:
            point = QPointF(rect.x() + x * rect.width(), rect.y() + y * rect.height()).toPoint()
            item = scene.gesture.card_at(QPointF(point))
            chooser = scene.selection_view.chooser
            if chooser is not None and chooser.contains(QPointF(point)):
                continue
            if item is not None and item.is_known and scene.choice.is_playable_alone(item.card):
                continue
            if target_at(scene.stage, scene.choice.targets, QPointF(point)) == zone:
                return QPointF(point)
    return None


def sent(table: Table) -> Move | None:
    """The answer that was sent, or the first of those that are listed; taken back again."""
    choice = table.scene.choice
    listed = choice.options.moves[0] if choice.listed_verb and choice.options else None
    move = table.seat.pending or listed
    if table.seat.pending is not None:
        table.seat.refuse(NOT_OFFERED)
    table.scene.cancel()
    table.scene.cancel()
    return move


@pytest.mark.parametrize("name", GAMES)
def test_every_legal_place_can_be_clicked_after_a_hint(name: str) -> None:
    clicked = 0
    for table in positions(name):
        choice = table.scene.choice
        bare = dict.fromkeys(
            z for c in offered.cardless_offers(choice.offers) for z in c.offer.targets
        )
        for advised in choice.legal_moves()[:5]:
            own = (
                {move.target for move in offered.single_card_moves(choice.offers, advised.cards[0])}
                if advised.cards
                else ()
            )
            for zone in (*bare, *(own if len(advised.cards) == 1 else ())):
                choice.show_advice(advised)
                if (point := spot(table, zone)) is not None:
                    table.click(point)
                    move = sent(table)
                    assert move is not None, (advised, zone)
                    assert move.target == zone
                    clicked += 1
                table.scene.cancel()
    assert clicked


@pytest.mark.parametrize("name", GAMES)
def test_a_hint_between_two_clicks_changes_nothing(name: str) -> None:
    clicked = 0
    for table in positions(name):
        choice = table.scene.choice
        moves = [move for move in choice.legal_moves() if len(move.cards) == 1 and move.target]
        for move in moves[:5]:
            choice.pick_or_toggle(move.cards[0])
            if choice.picked_up is None or (point := spot(table, move.target)) is None:
                table.scene.cancel()
                continue
            before = choice.targets
            for advised in choice.legal_moves()[-3:]:
                choice.show_advice(advised)
            assert choice.picked_up == move.cards[0]
            assert choice.targets == before
            assert set(table.scene.selection_view.target_lights.lit_zones) == {
                z for z in before if is_laid(table, z)
            }
            table.click(point)
            played = sent(table)
            assert played is not None
            assert (played.cards, played.target) == (move.cards, move.target)
            clicked += 1
    assert clicked


def is_laid(table: Table, zone: str) -> bool:
    return target_rect(table.scene.stage, zone) is not None


def test_a_hint_in_the_middle_of_a_drag_lets_it_go_on() -> None:
    table = next(positions("sun"))
    first, *_, last = table.scene.choice.legal_moves()
    item = table.scene.stage.item_of(first.cards[0])
    grip = table.lift(item)
    table.scene.choice.show_advice(last)
    assert item.is_held
    to = table.middle(first.target) + grip - item.pos() + QPointF(0, -30)
    table.move(to)
    table.release(to)
    assert table.seat.pending == first


def test_a_log_line_lights_cards_and_forbids_nothing() -> None:
    table = next(positions("sun"))
    first, *_, last = table.scene.choice.legal_moves()
    table.click(table.grip(table.scene.stage.item_of(first.cards[0])))
    assert table.scene.highlight_log_line(Said("", (last.cards[0],), {}))
    table.click(table.middle(first.target))
    assert table.seat.pending == first


def test_a_hint_shows_one_move_and_plays_none() -> None:
    table = next(positions("sun"))
    move = table.scene.choice.legal_moves()[3]
    table.scene.choice.show_advice(move)
    assert table.scene.selection_view.target_lights.lit_zones == table.scene.choice.targets
    assert table.scene.selection_view.ghost_hand is not None
    assert table.scene.selection_view.ghost_hand.move == move
    assert [item.card for item in table.hand if item.is_selected] == list(move.cards)
    assert table.seat.pending is None
    table.scene.cancel()
    assert table.scene.selection_view.ghost_hand is None
    assert not any(item.is_selected for item in table.hand)
