"""One seat: what it knows of a match, folded from its updates, and its one pending answer."""

import ast
import re
from pathlib import Path

import pytest
from msgspec import UNSET
from msgspec.structs import replace

from tabletop.bots.random_bot import RandomBot
from tabletop.catalogue import catalogue
from tabletop.engine.events import Moved, Said
from tabletop.engine.model import Move, Reason
from tabletop.engine.play import Illegal
from tabletop.engine.refusals import ALREADY_ANSWERED, NOT_ASKED, NOT_OFFERED
from tabletop.match.match import Match, Player, Reset, Update
from tabletop.match.seat import Seat


@pytest.mark.parametrize("name", catalogue.names())
def test_folding_what_is_told_is_being_shown_the_table_afresh(name: str):
    kit = catalogue.load(name)
    players = [Player(f"P{number}") for number in range(kit.box.seats[0])]
    match = Match(kit, players, seed="viewed")
    tables = {viewer: Seat.at_table(match, viewer) for viewer in match.viewers}
    seats, bot = (
        [Seat.at_table(match, number) for number in range(len(players))],
        RandomBot("viewed"),
    )
    while match.state.result is None and len(match.record) < 60:
        seat = next(seat for seat in seats if match.asks(seat.number))
        seat.send(bot.answer(seat, match.asks(seat.number)[0]))
        if len(match.record) % 7 == 2:
            match.undo(None)
        for viewer, table in tables.items():
            assert table.make_reset() == match.make_reset(viewer)
    assert match.undone_plies


class FarMatch:
    """A table that takes its time: what is sent to it is only kept."""

    def __init__(self, match: Match) -> None:
        self.players, self.make_reset, self.add_listener = (
            match.players,
            match.make_reset,
            match.add_listener,
        )
        self.explain_refusal, self.preview = match.explain_refusal, match.preview
        self.kept: list[Move] = []

    def submit(self, seat: int, move: Move) -> None:
        self.kept.append(move)


def begun() -> Match:
    kit = catalogue.load("sun")
    return Match(kit, [Player("Ann"), Player("Bea")], seed="answer")


def test_until_a_far_table_has_answered_nothing_more_can_be_done() -> None:
    match, refusals = begun(), []
    far = FarMatch(match)
    seat = Seat.at_table(far, match.state.asks[0].seat)
    seat.on_refusal(refusals.append)
    move = RandomBot("far").answer(seat, match.state.asks[0])
    seat.send(move)
    assert seat.pending == move
    assert seat.offers == {}
    assert seat.explain_refusal(move.cards[0]) == NOT_ASKED
    seat.send(move)
    assert refusals == [ALREADY_ANSWERED]
    assert far.kept == [move], "the second was not sent"
    seat.refuse(NOT_OFFERED)
    assert refusals == [ALREADY_ANSWERED, NOT_OFFERED]
    assert seat.pending is None
    assert seat.offers
    seat.send(move)
    match.submit(seat.number, move)
    assert seat.pending is None


def test_a_refusal_is_told_and_nothing_is_lost() -> None:
    match, refusals = begun(), []
    seat = Seat.at_table(match, match.state.asks[0].seat)
    seat.on_refusal(refusals.append)
    before = seat.offers
    seat.send(Move(next(iter(before)), "juggle"))
    assert len(refusals) == 1
    assert seat.pending is None
    assert seat.offers == before


def test_an_answer_of_another_leaves_ones_own_on_its_way() -> None:
    seat = Seat(0, (), replace(shown(), offers={7: (), 8: ()}), FarMatch(begun()))
    seat.send(Move(7, "wave"))
    seat.receive(Update(1, (), {7: (), 9: ()}))
    assert seat.pending == Move(7, "wave")
    seat.receive(Update(2, (), {9: ()}))
    assert seat.pending is None


def test_a_reset_forgets_the_answer_that_was_sent_before_it() -> None:
    match = begun()
    far = FarMatch(match)
    seat = Seat.at_table(far, match.state.asks[0].seat)
    move = RandomBot("far").answer(seat, match.state.asks[0])
    seat.send(move)
    seat.receive(match.make_reset(seat.number))
    assert seat.pending is None
    assert seat.offers, "the question can be answered again"
    seat.send(move)
    assert far.kept == [move, move]


def test_an_answer_that_cannot_be_recorded_can_be_sent_again() -> None:
    match = begun()
    far = FarMatch(match)
    seat = Seat.at_table(far, match.state.asks[0].seat)
    move = RandomBot("far").answer(seat, match.state.asks[0])

    def fail(number: int, move: Move) -> None:
        raise OSError("no space left")

    far.submit = fail
    with pytest.raises(OSError, match="no space"):
        seat.send(move)
    assert seat.pending is None
    assert seat.offers


def test_nothing_is_undone_while_an_answer_is_pending() -> None:
    match, undone = begun(), []
    far = FarMatch(match)
    far.undo = undone.append
    seat = Seat.at_table(far, match.state.asks[0].seat)
    move = RandomBot("far").answer(seat, match.state.asks[0])
    seat.send(move)
    seat.undo()
    assert undone == []
    seat.refuse(NOT_OFFERED)
    seat.undo()
    assert undone == [seat.number]


def test_a_seat_concedes_for_itself_and_hears_why_not() -> None:
    match, conceded, refusals = begun(), [], []
    far = FarMatch(match)
    far.concede = conceded.append
    seat = Seat.at_table(far, 1)
    seat.on_refusal(refusals.append)
    seat.concede()
    assert conceded == [1]

    def refuse(number: int) -> None:
        raise Illegal(NOT_ASKED)

    far.concede = refuse
    seat.concede()
    seat.refuse_undo(NOT_OFFERED)
    assert refusals == [NOT_ASKED, NOT_OFFERED]


def test_the_first_reason_that_is_known_is_given() -> None:
    match, asked = begun(), []
    far = FarMatch(match)
    seat = Seat(0, (), replace(shown(), offers={7: (), 8: ()}), far)

    def explain(seat: int, ask: int, card: int, to: str) -> Reason | None:
        asked.append((seat, ask, card, to))
        return ALREADY_ANSWERED if ask == 8 and to else None

    far.explain_refusal = explain
    assert seat.explain_refusal(3, "row") == ALREADY_ANSWERED
    assert seat.explain_refusal(3) == NOT_OFFERED
    assert asked == [(0, 7, 3, "row"), (0, 8, 3, "row"), (0, 7, 3, ""), (0, 8, 3, "")]


def test_a_new_seat_begins_with_what_it_is_shown() -> None:
    redo = Move(7, "wave")
    seat = Seat(0, (), replace(shown(), redo=redo, undoable=True))
    assert (seat.redoable, seat.undoable) == (redo, True)
    assert Seat(0, (), replace(shown(), redo=UNSET)).redoable is None


def test_only_an_undone_move_is_replayed() -> None:
    match = begun()
    far = FarMatch(match)
    number = match.state.asks[0].seat
    seat = Seat.at_table(far, number)
    seat.redo()
    assert far.kept == []
    move = RandomBot("far").answer(seat, match.state.asks[0])
    match.submit(number, move)
    match.undo(number)
    assert seat.redoable is not None
    seat.redo()
    assert far.kept == [seat.redoable]
    reset = seat.make_reset()
    assert reset.redo == seat.redoable
    seat.receive(replace(reset, redo=UNSET, undoable=True))
    assert seat.redoable is None
    assert seat.undoable


def shown() -> Reset:
    kit = catalogue.load("sun")
    return Match(kit, [Player("Ann"), Player("Bea")], seed="shown").make_reset(0)


def test_an_update_of_another_table_changes_nothing():
    reset = shown()
    table, heard = Seat(0, (), reset), []
    table.on_update(heard.append)
    stray = Moved(0, "nowhere", "pile", 0, 0)
    with pytest.raises(KeyError):
        table.receive(Update(1, (Said("Before."), stray), {7: ()}, True))
    assert table.make_reset() == reset
    assert heard == []


def test_listeners_hear_once_it_is_folded_in_until_they_stop():
    table, heard = Seat(0, (), shown()), []
    stop = table.on_update(lambda message: heard.append((message, table.log[-1])))
    first, second = (Update(n, (Said(f"Line {n}."),)) for n in (1, 2))
    table.receive(first)
    stop()
    table.receive(second)
    assert heard == [(first, Said("Line 1."))]
    table.on_update(lambda message: heard.append((message, None)))
    table.close()
    table.receive(first)
    assert len(heard) == 1


LIKELY = re.compile(r"\._*(?:pending|sent)_*\b")


def holders_of_pending_answers(source: str) -> set[str]:
    """The classes of a module that keep an answer which was sent, by what they call it."""
    holders = set()
    for holder in (node for node in ast.walk(ast.parse(source)) if isinstance(node, ast.ClassDef)):
        for node in ast.walk(holder):
            kept = isinstance(node, ast.Attribute) and isinstance(node.ctx, ast.Store)
            if kept and node.attr.strip("_") in ("pending", "sent"):
                holders.add(holder.name)
    return holders


def test_a_pending_answer_is_one_attribute_of_one_class() -> None:
    home = Path(__file__).parents[2]
    files = (file for root in ("tabletop", "ui") for file in (home / root).rglob("*.py"))
    sources = (file.read_text("utf-8") for file in files)
    likely = (source for source in sources if LIKELY.search(source))  # to parse all takes seconds
    holders = {name for source in likely for name in holders_of_pending_answers(source)}
    assert holders == {"Seat"}


def test_another_holder_of_a_pending_answer_is_seen() -> None:
    second = "class Link:\n    def send(self, move):\n        self._sent: object = move\n"
    assert holders_of_pending_answers(second) == {"Link"}
