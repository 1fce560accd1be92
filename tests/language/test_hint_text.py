"""Hints in sentences."""

import pytest

from tabletop.bots.hint import Hint
from tabletop.engine.model import Remark
from tabletop.language.hint_text import describe_advice, describe_second_best
from tabletop.language.words import Words
from tests.bots.asked_pool import dealt


@pytest.mark.parametrize(
    ("language", "lead", "told"),
    [
        ("en", 0.06, "Second best: {move}. Chance of winning: 6% less."),
        ("en", 0.004, "Second best: {move}. About as good."),
        ("ja", 0.06, "次によい手は「{move}」。勝率は6ポイント下がります。"),
        ("ja", 0.0, "次によい手は「{move}」。勝率はほぼ同じです。"),
    ],
)
def test_the_second_best_move(language: str, lead: float, told: str) -> None:
    seat = dealt()
    words = Words(language)
    (number,) = seat.offers
    best, second, *_ = (m for offer in seat.offers[number] for m in offer.moves(number))
    move = words.move(second, seat.number, seat.view)
    hint = Hint(best, Remark("It is near."), second, lead)
    assert describe_second_best(hint, seat, words) == told.format(move=move)
    assert describe_second_best(Hint(best), seat, words) == ""
    assert describe_advice(Hint(best), seat, words)[1] == ""
