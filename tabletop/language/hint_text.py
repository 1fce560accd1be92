"""Hints as sentences, for the window and for phones."""

from tabletop.bots.hint import Hint
from tabletop.language.words import Words
from tabletop.match.seat import Seat


def describe_advice(hint: Hint, seat: Seat, words: Words) -> tuple[str, str]:
    """Return (move, reason): the advised move and its reason as sentences.

    An unknown reason is "".
    """
    move = words.move(hint.move, seat.number, seat.view)
    return move, words.note(hint.reason, seat.number) if hint.reason else ""


def describe_second_best(hint: Hint, seat: Seat, words: Words) -> str:
    """Return a sentence about how much the second-best move lowers the chance of winning, or ""."""
    if hint.second is None:
        return ""
    move, less = words.move_button(hint.second, seat.number, seat.view), round(100 * hint.lead)
    if less < 1:
        return words("Second best: {move}. About as good.", move=move)
    return words("Second best: {move}. Chance of winning: {n}% less.", move=move, n=less)
