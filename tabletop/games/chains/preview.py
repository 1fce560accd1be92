"""Preview of a move: the odds of a flip, the reach of a chain, the players cut off."""

from tabletop.engine.model import Ask, Look, Move, Preview, Remark, Value, as_number
from tabletop.games.chains.openings import Openings
from tabletop.games.chains.places import (
    CUT,
    DONE,
    NEED,
    NUMBERS,
    OUT,
    PILE,
    POINTS,
    SCORE,
    SLOTS,
    TEN,
    TERMINAL,
    TOOK,
    UNSEEN,
    WORK,
    takers,
)


def preview(openings: Openings, state: Look, ask: Ask, move: Move) -> Preview | None:
    """Return the effect of the move, as far as open cards show it."""
    seat = ask.seat
    if move.verb == "flip":
        return Preview({}, _odds(openings, state, seat))
    if move.verb == "keep":
        return Preview({}, (Remark("Your turn ends.", {}, (), "5.2"),))
    number = openings.number[move.cards[0]]
    if move.verb == "link":
        return _after_link(openings, state, seat, number)
    return _after_chain(openings, state, seat, number)


def _odds(openings: Openings, state: Look, seat: int) -> tuple[Remark, ...]:
    """Return the odds of a flip: how many cards of the pile can go where."""
    pile = state.cards[PILE[seat]]
    fit = stuck = 0
    for number in NUMBERS:
        count = as_number(state.values[UNSEEN[seat][number]])
        if openings.fits(state, seat, number):
            fit += count
        elif not openings.slots_for(state, seat, number):
            stuck += count
    args: dict[str, Value] = {"fit": fit, "stuck": stuck, "count": len(pile)}
    return (
        Remark("Cards in your pile you can link: {fit} of {count}.", args, (WORK[seat],), "5.1"),
        Remark(
            "Cards in your pile that fit nowhere: {stuck} of {count}.", args, SLOTS[seat], "5.6"
        ),
    )


def _after_link(openings: Openings, state: Look, seat: int, number: int) -> Preview:
    supply = openings.supply(state, seat)
    supply[number] -= 1
    if openings.reaches(state, seat, number, supply):
        notes = []
        if openings.is_live(state, seat, number - 1):
            zones = (TERMINAL[seat][number - 1],)
            args: dict[str, Value] = {"number": number - 1}
            notes.append(Remark("Terminal {number} can then end the chain.", args, zones, "5.4"))
        return Preview({NEED[seat]: number - 1}, tuple(notes))
    lost = Remark("Your chain can then no longer score and is turned over.", {}, (WORK[seat],), "7")
    if openings.reaches(state, seat, TEN + 1, supply):
        return Preview({NEED[seat]: TEN}, (lost,))
    leave = Remark("You can then score no more and leave the game.", {}, (), "8")
    return Preview({NEED[seat]: TEN}, (lost, leave))


def _after_chain(openings: Openings, state: Look, seat: int, number: int) -> Preview:
    points = POINTS[number]
    values: dict[str, Value] = {
        NEED[seat]: TEN,
        SCORE[seat]: as_number(state.values[SCORE[seat]]) + points,
        TOOK[seat]: f"{state.values[TOOK[seat]]} {number}".strip(),
    }
    notes = [Remark("Points: {points}. Your turn ends.", {"points": points}, (DONE[seat],), "9.2")]
    if takers(state, number) + 1 == state.values["limit"]:
        values[CUT[number]] = 1
        lost = tuple(
            TERMINAL[other][number]
            for other in range(state.seats)
            if other != seat and state.cards[TERMINAL[other][number]]
        )
        notes.append(Remark("Terminal {number} is cut off.", {"number": number}, lost, "6.2"))
        notes += _killed(openings, state, seat, number)
    return Preview(values, tuple(notes))


def _killed(openings: Openings, state: Look, seat: int, cut: int) -> list[Remark]:
    """The other seats whose chain could no longer score after this number is cut off."""
    return [
        Remark("{seat}'s chain can then no longer score.", {"seat": other}, (WORK[other],), "7")
        for other in range(state.seats)
        if other != seat
        and not state.values[OUT[other]]
        and state.cards[WORK[other]]
        and not openings.reaches(
            state,
            other,
            TEN + 1 - len(state.cards[WORK[other]]),
            openings.supply(state, other),
            cut,
        )
    ]
