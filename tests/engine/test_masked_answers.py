"""An answer is known to the seat that gave it, and to nobody else."""

from tabletop.engine.events import Answered
from tabletop.engine.mask import mask_event
from tabletop.engine.model import AUDIENCE
from tabletop.engine.scratch import FastRng
from tests.review.matches import dealt, open_ask


def test_an_answer_is_seen_by_the_seat_that_gave_it_alone() -> None:
    match = dealt("sun", 2, "answers")
    ask = open_ask(match)
    move = match.offers(ask.seat)[ask.id][0].sample(ask.id, FastRng("answers"))
    event = Answered(ask.id, move)
    assert mask_event(match.state, event, ask.seat).move == move
    for viewer in (1 - ask.seat, AUDIENCE):
        assert mask_event(match.state, event, viewer).move is None
