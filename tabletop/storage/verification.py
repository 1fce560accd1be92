"""Verification that replaying the moves of a record reproduces everything else in it."""

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
from tabletop.storage.plies import plies, plies_from_events
from tabletop.storage.record import (
    Record,
    apply_stand_ins,
    changed_game_error,
    illegal_move_error,
    kit_for,
    replay,
)
from tabletop.storage.record_lines import (
    HEADER_LINE,
    End,
    EventLists,
    damaged_line_error,
    deck_fingerprint,
    end_of,
    event_lists_from,
)

UNVERIFIABLE = '"{file}" could not be verified: what it holds makes no match.'


def verify_record(record: Record) -> tuple[Ply, ...]:
    """Verify `record` and return its plies, without undone moves.

    Raises:
        RulesMismatch: the record was played with another version of the game, so it can't be
            verified.
        Damaged: the record contradicts its moves.
        BadFile: the game isn't installed.
    """
    try:
        return _verify_or_raise(record)
    except Damaged as error:
        if record.header.hidden != "stripped" and record.header.may_differ_from(kit_for(record)):
            raise changed_game_error(record, kit_for(record)) from error
        raise
    except BadFile:
        raise
    except Exception as error:  # a forged file may cause any error in the rules
        raise Damaged(UNVERIFIABLE, file=record.path.name) from error


def _verify_or_raise(record: Record) -> tuple[Ply, ...]:
    name = record.path.name
    if record.torn:
        raise Damaged('The last line of "{file}" is cut off.', file=name)
    if record.unknown is not None:
        raise Damaged(record.unknown.text, HEADER_LINE, **record.unknown.args)
    if record.header.hidden == "stripped":
        tables = plies(record)
    else:
        kit = kit_for(record)
        tables = _check_events(record, kit)
        _check_cards(record, kit, tables)
    _check_end(record, tables[-1].state.result)
    moves = max(len(record.entries), len(record.public_events))
    for at in record.comments:
        if at > moves:
            raise Damaged('"{file}" has a comment on move {n}, which it has not.', file=name, n=at)
    return tables


def _check_events(record: Record, kit: GameKit) -> tuple[Ply, ...]:
    """Replay the record, compare its events with those in the file, and return its plies."""
    head, name = record.header, record.path.name
    same_version = head.rules == kit.box.rules and not kit.is_external
    if same_version and head.cards not in ("", deck_fingerprint(kit)):
        raise damaged_line_error(name, HEADER_LINE)
    match = replay(record, 0)
    if len(head.languages) > len(head.players):
        raise damaged_line_error(name, HEADER_LINE)
    in_these_words = head.program == __version__ and not record.undigested
    other_deal = record.deal is not None and not _are_equal(record.deal, match.plies[0].events)
    if in_these_words and other_deal:
        raise Damaged('"{file}" has another deal than its seed gives.', HEADER_LINE + 1, file=name)
    taken_back = _undone_entries(record)
    for at, entry in enumerate(record.entries):
        line, recorded = record.lines[at], record.events[at]
        apply_stand_ins(record, match)
        try:
            with refuse_unplayable():
                match.restore(entry)
        except Illegal as error:
            raise illegal_move_error(record, kit, line) from error
        left_out = not recorded and at in taken_back
        events = () if entry.undo else match.plies[-1].events
        if in_these_words and not left_out and not _are_equal(recorded, events):
            raise _event_mismatch_error(record, line)
    apply_stand_ins(record, match)
    for line, change in record.stand_ins:
        if change.level not in ("", *LEVELS):
            raise damaged_line_error(name, line)
    return tuple(match.plies)


def _check_cards(record: Record, kit: GameKit, tables: Sequence[Ply]) -> None:
    """Check the recorded positions of cards, even if the events have another wording.

    Raises:
        Damaged: a card or the result differs after replaying.
    """
    if record.deal is None:
        return  # a record of format 1, which has no events
    for recorded, played in zip(plies_from_events(record, kit, record.deal), tables, strict=True):
        if _cards_and_result(recorded.state) != _cards_and_result(played.state):
            raise _event_mismatch_error(
                record, record.lines[played.at - 1] if played.at else HEADER_LINE + 1
            )


def _cards_and_result(state: State) -> tuple[dict[str, tuple[int, ...]], End | None]:
    """Return the cards in each zone that isn't empty, and the end of the match."""
    cards = {zone: held for zone, held in state.cards.items() if held}
    return cards, end_of(state.result) if state.result else None


def _undone_entries(record: Record) -> set[int]:
    """Return the indexes of undone entries, whose events may be missing from a save."""
    standing: list[int] = []
    gone: set[int] = set()
    for at, entry in enumerate(record.entries):
        if entry.undo:
            gone.update(standing[-entry.undo :])
            del standing[-entry.undo :]
        else:
            standing.append(at)
    return gone


def _are_equal(lists: EventLists, events: Sequence[Event]) -> bool:
    return msgspec.json.encode(lists) == msgspec.json.encode(event_lists_from(events))


def _event_mismatch_error(record: Record, line: int) -> Damaged:
    return Damaged(
        'Line {line} of "{file}" has other events than its move brings about.',
        line,
        line=line,
        file=record.path.name,
    )


def _check_end(record: Record, result: Result | None) -> None:
    """Check that the recorded end matches the replayed result, and that it isn't missing.

    Raises:
        Damaged: the end is different or missing.
    """
    name = record.path.name
    if record.end is not None and (result is None or record.end != end_of(result)):
        raise Damaged('"{file}" has another end than its match came to.', file=name)
    if record.end is None and record.header.hidden == "open":
        raise Damaged('The end of "{file}" is missing.', file=name)
