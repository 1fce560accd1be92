"""Verification of a record: its moves, replayed, must give everything else in the file."""

from collections.abc import Sequence

import msgspec

from tabletop import __version__
from tabletop.bots.decision import LEVELS
from tabletop.catalogue.catalogue import GameKit
from tabletop.engine.events import Event
from tabletop.engine.model import Result, State
from tabletop.engine.play import Illegal
from tabletop.files.errors import BadFile, Damaged
from tabletop.match.history import Ply
from tabletop.match.replaying import refuse_unplayable
from tabletop.storage.plies import plies, plies_of_events
from tabletop.storage.record import Record, kit_for, misfit, other_game, replay, seat_stand_ins
from tabletop.storage.record_lines import (
    HEADER,
    End,
    EventLists,
    damage_in,
    end_of,
    fingerprint,
    list_events,
)

UNVERIFIABLE = '"{file}" could not be verified: what it holds makes no match.'


def verify_record(record: Record) -> tuple[Ply, ...]:
    """Every table of a record that is whole; moves that were taken back are left out.

    Raises:
        OtherRules: these rules cannot play it, so there is nothing to hold its lines against.
        BadFile: of a game this program lacks; `Damaged` where something in it does not fit
            the rest.
    """
    try:
        return _verify(record)
    except Damaged as error:
        if record.header.hidden != "stripped" and record.header.may_be_another(kit_for(record)):
            raise other_game(record, kit_for(record)) from error
        raise
    except BadFile:
        raise
    except Exception as error:  # an invented file may raise anything in the rules
        raise Damaged(UNVERIFIABLE, file=record.path.name) from error


def _verify(record: Record) -> tuple[Ply, ...]:
    name = record.path.name
    if record.torn:
        raise Damaged('The last line of "{file}" is cut off.', file=name)
    if record.unknown is not None:
        raise Damaged(record.unknown.text, HEADER, **record.unknown.args)
    if record.header.hidden == "stripped":
        tables = plies(record)
    else:
        kit = kit_for(record)
        tables = _play(record, kit)
        _check_cards(record, kit, tables)
    _check_end(record, tables[-1].state.result)
    moves = max(len(record.entries), len(record.public_events))
    for at in record.comments:
        if at > moves:
            raise Damaged('"{file}" has a comment on move {n}, which it has not.', file=name, n=at)
    return tables


def _play(record: Record, kit: GameKit) -> tuple[Ply, ...]:
    """The tables that the rules make, checked against the events in the file."""
    head, name = record.header, record.path.name
    same_version = head.rules == kit.box.rules and not kit.is_external
    if same_version and head.cards not in ("", fingerprint(kit)):
        raise damage_in(name, HEADER)
    match = replay(record, 0)
    if len(head.languages) > len(head.players):
        raise damage_in(name, HEADER)
    in_these_words = head.program == __version__ and not record.undigested
    other_deal = record.deal is not None and not _are_same(record.deal, match.plies[0].events)
    if in_these_words and other_deal:
        raise Damaged('"{file}" has another deal than its seed gives.', HEADER + 1, file=name)
    taken_back = _taken_back(record)
    for at, entry in enumerate(record.entries):
        line, recorded = record.lines[at], record.events[at]
        seat_stand_ins(record, match)
        try:
            with refuse_unplayable():
                match.restore(entry)
        except Illegal as error:
            raise misfit(record, kit, line) from error
        left_out = not recorded and at in taken_back
        events = () if entry.undo else match.plies[-1].events
        if in_these_words and not left_out and not _are_same(recorded, events):
            raise _difference_in(record, line)
    seat_stand_ins(record, match)
    for line, change in record.stand_ins:
        if change.level not in ("", *LEVELS):
            raise damage_in(name, line)
    return tuple(match.plies)


def _check_cards(record: Record, kit: GameKit, tables: Sequence[Ply]) -> None:
    """Check that the cards lay where the record says, in whatever words.

    Raises:
        Damaged: they did not.
    """
    if record.deal is None:
        return  # a record of format 1, which has no events
    for recorded, played in zip(plies_of_events(record, kit, record.deal), tables, strict=True):
        if _cards_and_result(recorded.state) != _cards_and_result(played.state):
            raise _difference_in(record, record.lines[played.at - 1] if played.at else HEADER + 1)


def _cards_and_result(state: State) -> tuple[dict[str, tuple[int, ...]], End | None]:
    """The cards of each zone that has any, and how the match has ended."""
    cards = {zone: held for zone, held in state.cards.items() if held}
    return cards, end_of(state.result) if state.result else None


def _taken_back(record: Record) -> set[int]:
    """The undone entries, counted from 0: a save no longer has the events of them."""
    standing: list[int] = []
    gone: set[int] = set()
    for at, entry in enumerate(record.entries):
        if entry.undo:
            gone.update(standing[-entry.undo :])
            del standing[-entry.undo :]
        else:
            standing.append(at)
    return gone


def _are_same(lists: EventLists, events: Sequence[Event]) -> bool:
    return msgspec.json.encode(lists) == msgspec.json.encode(list_events(events))


def _difference_in(record: Record, line: int) -> Damaged:
    return Damaged(
        'Line {line} of "{file}" has other events than its move brings about.',
        line,
        line=line,
        file=record.path.name,
    )


def _check_end(record: Record, result: Result | None) -> None:
    """Check that a record ends as its match did, and that one of a finished match has its end.

    Raises:
        Damaged: it does not.
    """
    name = record.path.name
    if record.end is not None and (result is None or record.end != end_of(result)):
        raise Damaged('"{file}" has another end than its match came to.', file=name)
    if record.end is None and record.header.hidden == "open":
        raise Damaged('The end of "{file}" is missing.', file=name)
