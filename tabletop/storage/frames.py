"""The tables of a record one after the other, for those who only watch.

Rules of the same version play the record through. A record of other rules is told by the events
that stand in it: nobody can play on there, but what happened can be seen.
"""

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from tabletop.engine.events import Event, apply
from tabletop.engine.model import AUDIENCE, State
from tabletop.engine.play import Illegal, start
from tabletop.games.catalogue import Kit
from tabletop.match import Entry, after, standing
from tabletop.storage.lines import HEADER, Told, damaged, events_of, fingerprint
from tabletop.storage.record import Record, agreed, kit_for, misfit
from tabletop.storage.trouble import BadFile, OtherRules


class Frame(Struct, frozen=True):
    """The whole table after a move that stands: whose, and what it brought about."""

    state: State
    seat: int | None
    events: tuple[Event, ...]
    entry: int = -1
    """The number of its entry in the record; -1 for the table as it was laid out."""


def frames(record: Record) -> tuple[Frame, ...]:
    """Every table of the match; moves that were taken back are left out.

    Raises:
        BadFile: the record is of a game that this program has not, of other rules without telling
            what happened, or a line of it does not fit.
    """
    kit = kit_for(record)
    if record.header.hidden == "stripped":
        return _heard(record, kit)
    try:
        return _played(record, kit)
    except OtherRules:
        if record.deal is None:
            raise
        _same_cards(record, kit)
        return _told(record, kit, record.deal)


def _same_cards(record: Record, kit: Kit) -> None:
    """Events name cards by number: without the same cards they say nothing."""
    if record.header.cards != fingerprint(kit):
        raise BadFile(
            '"{file}" was played by version {theirs} of the rules and with other cards; this '
            "program has version {ours}.",
            HEADER,
            file=record.path.name,
            theirs=record.header.rules,
            ours=kit.box.rules,
        )


def playable(record: Record) -> bool:
    """Whether this program's rules are those of the record, and it holds what they need."""
    try:
        agreed(record, kit_for(record))
    except OtherRules:
        return False
    return True


def viewers(record: Record, last: State) -> tuple[int | None, ...]:
    """Whose eyes may be lent to whoever opens the record; None sees everything.

    As long as a sealed match is not over, these are the audience and the one person who plays it at
    this computer, if no other does.
    """
    players = record.header.players
    if record.header.hidden == "stripped":
        return (AUDIENCE,)
    if not record.secret or last.result is not None:
        return (*range(len(players)), AUDIENCE, None)
    people = [seat for seat, player in enumerate(players) if player.kind == "person"]
    return (*(people if len(people) == 1 else ()), AUDIENCE)


def _played(record: Record, kit: Kit) -> tuple[Frame, ...]:
    head, game = record.header, kit.game
    options = agreed(record, kit)
    table = start(game, len(head.players), head.seed, kit.backs, options)
    stack = [Frame(table.state, None, tuple(table.events))]
    takebacks = 0
    given_up = False
    for number, entry in enumerate(record.entries):
        try:
            if entry.undo:
                if not entry.undo < len(stack) or given_up:
                    raise misfit(record, record.lines[number])
                del stack[len(stack) - entry.undo :]
                takebacks += entry.undo
                continue
            table = after(game, stack[-1].state, entry, head.seed, takebacks)
        except Illegal as error:
            raise misfit(record, record.lines[number]) from error
        given_up = entry.concede
        seat = None if entry.withdraw else entry.seat
        stack.append(Frame(table.state, seat, tuple(table.events), number))
    return tuple(stack)


def _told(record: Record, kit: Kit, deal: Told) -> tuple[Frame, ...]:
    head = record.header
    if len(record.told) != len(record.entries):
        raise damaged(record.path.name, HEADER)
    blank = State(len(head.players), kit.backs, head.options)
    stack = [_frame(record, blank, deal, HEADER + 1)]
    for number in standing(record.entries):
        entry, line = record.entries[number], record.lines[number]
        stack.append(_frame(record, stack[-1].state, record.told[number], line, entry, number))
    return tuple(stack)


def _heard(record: Record, kit: Kit) -> tuple[Frame, ...]:
    """The tables of a stripped record, as the audience saw them."""
    if record.deal is None:
        raise damaged(record.path.name, HEADER)
    _same_cards(record, kit)
    head = record.header
    blank = State(len(head.players), kit.backs, head.options, viewer=AUDIENCE)
    stack = [_frame(record, blank, record.deal, HEADER + 1)]
    for number, (seat, heard) in enumerate(record.heard):
        line = HEADER + 2 + number
        stack.append(replace(_frame(record, stack[-1].state, heard, line), seat=seat, entry=number))
    return tuple(stack)


def _frame(
    record: Record,
    state: State,
    told: Told,
    line: int,
    entry: Entry | None = None,
    number: int = -1,
) -> Frame:
    try:
        events = events_of(told, entry)
        for event in events:
            state = apply(state, event)
    except (msgspec.ValidationError, LookupError, ValueError, TypeError) as error:
        raise damaged(record.path.name, line) from error
    if not _sound(state):
        raise damaged(record.path.name, line)
    return Frame(state, None if entry is None or entry.withdraw else entry.seat, events, number)


def _sound(state: State) -> bool:
    """Whether a told table can be one: each card once, nobody who does not sit there."""
    lying = sorted(card for held in state.cards.values() for card in held)
    if state.viewer is not None:
        backs = sorted(~card if card < 0 else state.backs[card] for card in lying)
        whole = backs == sorted(state.backs)
    else:
        whole = lying == list(range(len(state.backs)))
    result = state.result
    named = (
        *(ask.seat for ask in state.asks),
        *(zone.owner for zone in state.zones.values() if zone.owner is not None),
        *(result.winners if result else ()),
    )
    counted = [result.scores, *(line.points for line in result.sheet)] if result else []
    return (
        whole
        and all(seat in range(state.seats) for seat in named)
        and all(len(points) in (0, state.seats) for points in counted)
    )
