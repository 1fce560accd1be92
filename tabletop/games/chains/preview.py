"""Previews of moves: the odds of a flip, the reach of a chain, and the players who are cut off."""

from tabletop.engine.dry_run import DryRunTable, tried
from tabletop.engine.model import Ask, Move, Preview, Remark, TableReader, Value
from tabletop.engine.play import GameRules
from tabletop.games.chains.openings import Openings
from tabletop.games.chains.places import (
    CUT,
    DONE,
    NEED,
    NUMBERS,
    OUT,
    PILE,
    SCORE,
    SLOTS,
    SPENT,
    TERMINAL,
    TOOK,
    UNSEEN,
    WORK,
)
from tabletop.text.phrases import phrase


def preview_move(
    game: GameRules, openings: Openings, state: TableReader, ask: Ask, move: Move
) -> Preview | None:
    """Return the preview of a move; None if there is nothing to show."""
    seat = ask.seat
    match move.verb:
        case "flip":
            return Preview({}, _flip_odds(openings, state, seat))
        case "keep":
            return Preview({}, (Remark("Your turn ends.", {}, (), "5.2"),))
        case "link":
            return _preview_link(openings, tried(game, state, ask, move), seat)
        case _:
            number = openings.number[move.cards[0]]
            return _preview_chain(state, tried(game, state, ask, move), seat, number)


def _flip_odds(openings: Openings, state: TableReader, seat: int) -> tuple[Remark, ...]:
    """Return remarks on how many cards in the pile could be placed where after a flip."""
    pile = state.cards[PILE[seat]]
    fit = stuck = 0
    for number in NUMBERS:
        count = UNSEEN.of(state, seat, number)
        if openings.fits(state, seat, number):
            fit += count
        elif not openings.slots_for(state, seat, number):
            stuck += count
    args: dict[str, Value] = {"fit": fit, "stuck": stuck, "count": len(pile)}
    return (
        Remark("Cards in your pile you can link: {fit} of {count}.", args, (WORK[seat],), "5.1"),
        Remark("Unplayable cards in your pile: {stuck} of {count}.", args, SLOTS[seat], "5.6")
        if stuck
        else Remark("Nothing in your pile is unplayable.", {}, SLOTS[seat], "5.6"),
    )


def _preview_link(openings: Openings, after: DryRunTable, seat: int) -> Preview:
    """Return the preview of a link: the number that comes next,
    and whether the chain can still score.
    """
    need = NEED.of(after, seat)
    notes: list[Remark] = []
    if not after.cards[WORK[seat]]:
        text = phrase("Your chain can then no longer score and is turned over.")
        notes.append(Remark(text, {}, (WORK[seat],), "7"))
        if OUT.of(after, seat) == SPENT:
            notes.append(Remark("You can then score no more and leave the game.", {}, (), "8"))
    elif openings.is_terminal_live(after, seat, need):
        args: dict[str, Value] = {"number": need}
        zones = (TERMINAL[seat][need],)
        notes.append(Remark("Terminal {number} can then end the chain.", args, zones, "5.4"))
    return Preview({NEED[seat]: need}, tuple(notes))


def _preview_chain(state: TableReader, after: DryRunTable, seat: int, number: int) -> Preview:
    """Return the preview of completing a chain: its points, and the players whom it cuts off."""
    points = SCORE.of(after, seat) - SCORE.of(state, seat)
    values: dict[str, Value] = {
        key: after.values[key] for key in (NEED[seat], SCORE[seat], TOOK[seat])
    }
    notes = [Remark("Points: {points}. Your turn ends.", {"points": points}, (DONE[seat],), "9.2")]
    if CUT.of(after, number):
        values[CUT[number]] = after.values[CUT[number]]
        lost = tuple(
            TERMINAL[other][number]
            for other in range(state.seats)
            if other != seat and state.cards[TERMINAL[other][number]]
        )
        notes.append(
            Remark("Terminal {number} is cut off after this.", {"number": number}, lost, "6.2")
        )
        notes += [
            Remark("{seat}'s chain can then no longer score.", {"seat": other}, (WORK[other],), "7")
            for other in range(state.seats)
            if other != seat and state.cards[WORK[other]] and not after.cards[WORK[other]]
        ]
    return Preview(values, tuple(notes))
