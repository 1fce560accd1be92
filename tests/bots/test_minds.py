"""Minds think in processes of their own, from a view alone, and a table never hangs on them."""

import time
from concurrent.futures import CancelledError

import pytest

from tabletop.bots.minds import Minds
from tabletop.bots.thought import LEVELS
from tabletop.bots.worker import Bring
from tabletop.engine.mask import mask
from tabletop.engine.model import State
from tabletop.games import catalogue
from tabletop.link import Local
from tabletop.match import Match, Player
from tests.bots import strange

WAIT = 60


def dealt(name: str = "sun") -> Local:
    """The link of the seat that begins a new match."""
    kit = catalogue.load(name)
    match = Match(
        kit.game, kit.backs, [Player("")] * kit.box.seats[0], catalogue.options(kit), "minds"
    )
    return Local(match, match.state.asks[0].seat)


def asked(minds: Minds, link: Local, level: str, name: str = "sun", **how):
    ask = next(ask for ask in link.view.asks if ask.seat == link.seat)
    return minds.think(name, level, link.view, link.offers, ask, **how)


@pytest.fixture
def thinking():
    opened: list[Minds] = []

    def begin(bring: Bring = catalogue.bring, grace: float = 20.0) -> Minds:
        opened.append(Minds(bring, workers=1, grace=grace))
        return opened[-1]

    yield begin
    for minds in opened:
        minds.close()


def test_every_level_answers_in_another_process(thinking):
    minds = thinking()
    for name in ("sun", "awss", "_blank"):
        link = dealt(name)
        for level in LEVELS:
            thought = asked(minds, link, level, name, tries=20, seed="1").result(WAIT)
            assert thought.level == level
            assert not thought.trouble
            offers = link.offers[thought.move.ask]
            assert any(offer.admits(thought.move) for offer in offers)
            if thought.estimates:
                assert thought.estimates[0].move == thought.move


def test_only_the_view_of_the_asked_seat_crosses(thinking):
    link = dealt()
    whole = link._match.state
    (ask,) = whole.asks
    for wrong in (whole, mask(whole, 1), mask(whole, -1), State(2, ())):
        with pytest.raises(ValueError, match="whose view"):
            thinking().think("sun", "hard", wrong, link.offers, ask)


@pytest.mark.parametrize(
    ("bring", "told"),
    [
        (strange.stumbling, "ArithmeticError: how good is that?"),
        (strange.dying, "EOFError"),
        (strange.sleeping, "Overrun"),
    ],
    ids=["raises", "dies", "overruns"],
)
def test_whoever_fails_is_replaced_by_the_easy_one_for_that_move(thinking, bring, told):
    minds = thinking(bring, grace=2.0 if bring is strange.sleeping else 20.0)
    link = dealt()
    thought = asked(minds, link, "hard", seconds=0.1).result(WAIT)
    assert thought.level == "easy"
    assert told in thought.trouble
    assert any(offer.admits(thought.move) for offer in link.offers[thought.move.ask])
    again = asked(minds, link, "easy").result(WAIT)
    assert not again.trouble


def test_a_broken_instinct_leaves_some_legal_move(thinking):
    link = dealt()
    thought = asked(thinking(strange.cheating), link, "hard").result(WAIT)
    assert thought.level == "easy"
    assert "NoLegalAnswer" in thought.trouble
    assert any(offer.admits(thought.move) for offer in link.offers[thought.move.ask])


def test_what_is_cancelled_stops_and_leaves_room_for_the_next(thinking):
    minds = thinking()
    link = dealt()
    long = asked(minds, link, "hard", seconds=1000)
    waiting = asked(minds, link, "hard", seconds=1000)
    time.sleep(0.2)
    assert waiting.cancel()
    assert long.cancel()
    assert not asked(minds, link, "easy").result(WAIT).trouble


def test_closing_ends_everything(thinking):
    minds = thinking()
    link = dealt()
    futures = [asked(minds, link, "hard", seconds=1000) for _ in range(3)]
    minds.close()
    for future in futures:
        with pytest.raises(CancelledError):
            future.result(0)
    assert asked(minds, link, "easy").cancelled()
    for thread in minds._threads:
        thread.join(WAIT)
        assert not thread.is_alive()
