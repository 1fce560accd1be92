"""The positions of a recorded match, one after each move, for viewers.

If the installed rules have the recorded version, the moves are replayed. Otherwise the positions
are rebuilt from the recorded events, and the match can be watched but not continued.
"""

from collections.abc import Iterable

from tabletop.catalogue.catalogue import GameKit
from tabletop.engine.events import Event, fold
from tabletop.engine.model import AUDIENCE, State
from tabletop.engine.play import Illegal, start
from tabletop.engine.state_check import fits_deck, is_plausible
from tabletop.files.errors import BadFile, RulesMismatch
from tabletop.match.history import Entry, History, Ply
from tabletop.match.replaying import refuse_unplayable
from tabletop.storage.record import (
    Record,
    check_playable,
    check_replays_alike,
    illegal_move_error,
    kit_for,
    validate_options,
)
from tabletop.storage.record_lines import (
    HEADER_LINE,
    EventLists,
    damaged_line_error,
    deck_fingerprint,
    events_from_lists,
)


def plies(record: Record) -> tuple[Ply, ...]:
    """Return the plies of `record`, without undone moves.

    Raises:
        BadFile: the game isn't installed, a line is invalid, or the rules have another version and
            the record has no events.
    """
    kit = kit_for(record)
    if record.header.hidden == "stripped":
        return _plies_of_public_record(record, kit)
    try:
        return _plies_from_rules(record, kit)
    except RulesMismatch:
        if record.deal is None:
            raise
        return plies_from_events(record, kit, record.deal)


def _check_same_cards(record: Record, kit: GameKit) -> None:
    """Check that the game's cards haven't changed, because events identify cards by number.

    Raises:
        BadFile: the cards are different.
    """
    if record.header.cards == deck_fingerprint(kit):
        return
    if record.header.rules == kit.box.rules:
        raise BadFile(
            '"{file}" was played with other cards than “{game}” has now, so it can\'t be shown.',
            HEADER_LINE,
            file=record.path.name,
            game=kit.box.title,
        )
    raise BadFile(
        '"{file}" was played by version {theirs} of the rules and with other cards; this '
        "program has version {ours}.",
        HEADER_LINE,
        file=record.path.name,
        theirs=record.header.rules,
        ours=kit.box.rules,
    )


def is_playable(record: Record) -> bool:
    """Return whether the rules of the installed game can replay `record`."""
    try:
        check_playable(record, kit_for(record))
    except RulesMismatch:
        return False
    return True


def permitted_viewers(record: Record, last: State) -> tuple[int | None, ...]:
    """Return the viewers whose view may be shown to anyone who opens `record`.

    A viewer is a seat, AUDIENCE, or None, who sees all cards. If the match is sealed and
    unfinished, only the audience and a single local player are permitted. `last`: the last state.
    """
    players = record.header.players
    if record.header.hidden == "stripped":
        return (AUDIENCE,)
    if not record.secret or last.result is not None:
        return (*range(len(players)), AUDIENCE, None)
    people = [seat for seat, player in enumerate(players) if player.kind == "person"]
    return (*(people if len(people) == 1 else ()), AUDIENCE)


def _plies_from_rules(record: Record, kit: GameKit) -> tuple[Ply, ...]:
    head, game = record.header, kit.rules
    options = validate_options(record, kit)
    try:
        with refuse_unplayable():
            table = start(game, len(head.players), head.seed, kit.backs, options)
    except Illegal as error:
        raise damaged_line_error(record.path.name, HEADER_LINE) from error
    history = History(table.state, table.events)
    for line, entry in zip(record.lines, record.entries, strict=True):
        try:
            with refuse_unplayable():
                history.play(game, entry, head.seed)
        except Illegal as error:
            raise illegal_move_error(record, kit, line) from error
    check_replays_alike(record, kit, history.plies)
    return tuple(history.plies)


def plies_from_events(record: Record, kit: GameKit, deal: EventLists) -> tuple[Ply, ...]:
    """Return the plies rebuilt from the recorded events, without using the rules.

    Raises:
        BadFile: the events are impossible.
    """
    return _fold_lines(
        record, kit, deal, zip(record.lines, record.entries, record.events, strict=True)
    )


def _plies_of_public_record(record: Record, kit: GameKit) -> tuple[Ply, ...]:
    """Return the plies of a stripped record, as the audience saw them."""
    if record.deal is None:
        raise damaged_line_error(record.path.name, HEADER_LINE)
    numbered = enumerate(record.public_events, start=HEADER_LINE + 2)
    lines = ((line, Entry(seat), events) for line, (seat, events) in numbered)
    return _fold_lines(record, kit, record.deal, lines, AUDIENCE)


def _fold_lines(
    record: Record,
    kit: GameKit,
    deal: EventLists,
    lines: Iterable[tuple[int, Entry, EventLists]],
    viewer: int | None = None,
) -> tuple[Ply, ...]:
    """Return the plies that result from the deal and the following lines.

    `lines`: the line number, the entry and the events of each.
    """
    head = record.header
    _check_same_cards(record, kit)
    blank = State(len(head.players), kit.backs, head.options, viewer)
    history = History(*_fold_line(record, blank, HEADER_LINE + 1, deal))
    for line, entry, events in lines:
        if not entry.undo:
            history.add(entry, *_fold_line(record, history.state, line, events, entry))
            continue
        try:
            with refuse_unplayable():
                history.undo(entry)
        except Illegal as error:
            raise damaged_line_error(record.path.name, line) from error
    return tuple(history.plies)


def _fold_line(
    record: Record, state: State, line: int, lists: EventLists, entry: Entry | None = None
) -> tuple[State, tuple[Event, ...]]:
    """Apply the events of a line to `state`; return the new state and the decoded events."""
    try:
        with refuse_unplayable():
            events = events_from_lists(lists, entry)
            fits = fits_deck(state.backs, events)
            state = fold(state, events) if fits else state
            fits = fits and is_plausible(state)
    except Illegal as error:
        raise damaged_line_error(record.path.name, line) from error
    if not fits:
        raise damaged_line_error(record.path.name, line)
    return state, events
