"""Night Garden: hands that all but their owners see, and a game that all lose together."""

from pathlib import Path

import pytest

from tabletop.bots.plain_heuristic import PlainHeuristic
from tabletop.catalogue import catalogue
from tabletop.engine.events import Ended
from tabletop.engine.mask import mask, seen_faces
from tabletop.engine.model import AUDIENCE, Move, Result, State
from tabletop.engine.play import determinized, start
from tabletop.engine.scratch import FastRng
from tabletop.engine.teams import lost
from tabletop.language import table_text
from tabletop.language.words import Words
from tabletop.match.match import Match, Player
from tabletop.match.seat import Seat
from tabletop.storage import statistics
from tabletop.storage.record_lines import end_of
from tabletop.web.page import build_page
from tabletop.web.page_context import PageContext

KIT = catalogue.load("night_garden")
RULES = KIT.rules
PEOPLE = (Player("Ann", "sun"), Player("Ben", "moon"))


def begun() -> Match:
    return Match(KIT, PEOPLE, seed="garden")


def failed() -> Match:
    """A match that is lost: every flower is planted too early."""
    match = begun()
    while match.state.result is None:
        (ask,) = match.state.asks
        hand, wanted = match.state.cards[f"hand/{ask.seat}"], len(match.state.cards["bed"]) + 1
        wrong = next(n for n, card in enumerate(hand) if RULES.value[card] != wanted)
        match.submit(ask.seat, Move(ask.id, "plant", choice=str(wrong + 1)))
    return match


def test_everybody_but_the_owner_sees_a_hand() -> None:
    state = start(RULES, 3, "garden", KIT.backs).state
    for seat in range(3):
        seen = seen_faces(mask(state, seat), seat)
        for other in range(3):
            assert (set(state.cards[f"hand/{other}"]) <= seen) is (other != seat)
    assert not seen_faces(mask(state, AUDIENCE), AUDIENCE)


def test_a_lit_flower_is_known_to_its_owner() -> None:
    match = begun()
    (ask,) = match.state.asks
    card = match.state.cards["hand/1"][1]
    match.submit(0, Move(ask.id, "light", (card,)))
    first = RULES.value[card] == 1
    for viewer in (1, AUDIENCE):
        worlds = [determinized(RULES, match.view(viewer), FastRng(number)) for number in range(40)]
        lit = {RULES.value[world.cards["hand/1"][1]] for world in worlds}
        assert lit == {1} if first else 1 not in lit
        assert len({world.cards["hand/1"] for world in worlds}) > 1


def test_a_page_shows_the_backs_of_the_own_hand() -> None:
    match = begun()
    shown = build_page(
        Seat.at_table(match, 0), PageContext(kit=KIT, players=PEOPLE), Words("en", KIT, PEOPLE)
    )
    zones = {zone.zone: zone for zone in shown.zones}
    assert zones["hand/0"].hand
    assert zones["hand/0"].hidden == 3
    assert sorted(zones["hand/1"].cards) == sorted(match.state.cards["hand/1"])


@pytest.mark.parametrize(("language", "text"), [("en", "Everyone loses"), ("ja", "全員の負け")])
def test_a_lost_game_is_a_loss_wherever_it_is_told(language: str, text: str) -> None:
    match = failed()
    result = match.state.result
    assert result is not None
    words = Words(language, KIT, PEOPLE)
    assert table_text.winner_text(result, 2, words) == text
    shown = build_page(Seat.at_table(match, 0), PageContext(kit=KIT, players=PEOPLE), words)
    assert shown.result.text == text
    assert table_text.outcome_text(result, words).startswith(
        {"en": "Everyone lost"}.get(language, text)
    )
    assert end_of(result).lost
    assert isinstance(match.plies[-1].events[-1], Ended)


def test_a_loss_is_worth_nothing_and_counts_as_a_loss(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("TABLETOP_HOME", str(tmp_path))
    state: State = failed().state
    assert list(PlainHeuristic(RULES).worth(state)) == [0.0, 0.0]
    with statistics.open_statistics() as counted:
        counted.add_match("garden", KIT.id, PEOPLE, state.result)
        totals = [counted.totals(player.name) for player in PEOPLE]
    assert [(each.played, each.won) for each in totals] == [(1, 0), (1, 0)]


def test_nobody_wins_a_draw_among_rivals() -> None:
    draw = Result((), (1, 1))
    assert table_text.winner_text(draw, 2, Words("en")) == "A draw"
    assert not end_of(draw).lost
    assert not lost((), ((0,), (1,)))
