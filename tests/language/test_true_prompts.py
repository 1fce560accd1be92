"""Prompts and headings say what is true now: what is offered, what is held, what was played."""

import re

import pytest

from tabletop.catalogue import catalogue
from tabletop.engine.model import AUDIENCE, NO_CARD
from tabletop.language.prompt import game_prompt
from tabletop.language.table_status import HalfMade, TablePeople, TableStatus
from tabletop.language.words import Words
from tabletop.match.match import Match
from tabletop.match.seat import Seat
from tests.language.random_positions import begun, positions
from tests.ui.table_driver import asked

FIVE = ("sun", "sisters", "chains", "awss", "royale")
NAMED = {
    "chains": {
        "flip": ("Flip ", "めくるか|めくって|めくる、"),
        "link": ("ink", "つな"),
        "complete": ("[Cc]omplete", "完成"),
        "keep": ("slot", "スロット"),
    },
    "awss": {"none": ("no ◎", "もうありません")},
}
"""How the prompt of a game names a verb, in English and Japanese."""
ASKS = {"chains": ("act", "place"), "awss": ("marks",)}


def prompted(match: Match, game: str, language: str, held: int = NO_CARD) -> str:
    kit, seat = catalogue.load(game), asked(match)
    status = TableStatus(
        words=Words(language, kit, match.players),
        kit=kit,
        people=TablePeople(own=(seat,)),
        view=match.view(seat),
        offers=match.offers(seat),
        looking=seat,
        half_made=HalfMade(held=held),
    )
    return game_prompt(status).text


@pytest.mark.parametrize("game", ["chains", "awss"])
def test_a_prompt_offers_just_what_is_offered(game: str) -> None:
    kit = catalogue.load(game)
    seen = set()
    for seed in range(4):
        match = begun(kit, kit.box.seats[1], f"prompts {seed}")
        for state in positions(match, seed):
            if state.result is not None:
                break
            ask = match.asks(asked(match))[0]
            if ask.what not in ASKS[game]:
                continue
            verbs = {offer.verb for offer in match.offers(ask.seat)[ask.id]}
            seen.add((ask.what, frozenset(verbs)))
            for place, language in enumerate(("en", "ja")):
                text = prompted(match, game, language)
                for verb, names in NAMED[game].items():
                    assert bool(re.search(names[place], text)) is (verb in verbs), (text, verbs)
    assert len(seen) > 1


@pytest.mark.parametrize("game", FIVE)
def test_who_can_only_pass_is_not_asked_to_do_more(game: str) -> None:
    """Whatever is in the hand, the chance comes (S17): the prompt says that nothing can be done."""
    kit = catalogue.load(game)
    match = begun(kit, kit.box.seats[1] if game != "sun" else 2, "only a pass")
    passed = set()
    for state in positions(match):
        if state.result is not None:
            break
        for ask in match.asks(asked(match)):
            if {offer.verb for offer in match.offers(ask.seat)[ask.id]} == {"pass"}:
                passed.add(ask.what)
                for language in ("en", "ja"):
                    text = prompted(match, game, language)
                    assert not re.search("[?？]", text), text
    assert len(passed) > 3 or game != "royale"


@pytest.mark.parametrize("language", ["en", "ja"])
@pytest.mark.parametrize("game", ["sun", "sisters", "chains", "awss"])
def test_a_prompt_follows_the_card_that_was_chosen(game: str, language: str) -> None:
    kit = catalogue.load(game)
    match = begun(kit, kit.box.seats[-1])
    words = Words(language, kit, match.players)
    followed = set()
    for state in positions(match):
        if state.result is not None:
            break
        seat = asked(match)
        ask = match.asks(seat)[0]
        goes = [
            o.cards[0] for o in match.offers(seat)[ask.id] if o.targets and o.cards and not o.spots
        ]
        if goes and kit.words.asks[ask.what].holding:
            held = prompted(match, game, language, goes[0])
            assert words.cards(goes[:1]) in held
            assert held != prompted(match, game, language)
            followed.add(ask.what)
    assert followed


@pytest.mark.parametrize("language", ["en", "ja"])
def test_no_line_of_sisters_turns_a_card_that_stays(language: str) -> None:
    """The rules say after the last round, too, to what the card is turned, and old programs compare
    that sentence; as it is read it names the start player alone, in the rulebook's words."""
    match = begun("sisters", 3)
    (*_,) = positions(match)
    words = Words(language, catalogue.load("sisters"), match.players)
    seat = Seat.at_table(match, AUDIENCE)
    decided = [line for line in seat.log if "difference makes" in line.text]
    assert len(decided) == 8
    for line in seat.log:
        told = words.log_line(line)
        assert "parent" not in told
        assert line not in decided or not re.search("Close|Far", told), told


def test_after_the_last_round_of_sisters_far_was_played() -> None:
    kit = catalogue.load("sisters")
    match = begun(kit, 3)
    words = Words("en", kit, match.players)
    for state in positions(match):
        if state.result is None:
            far = "Far" if int(state.values["round"]) % 2 == 0 else "Close"
            assert words.heading(match.view(AUDIENCE)).endswith(f": {far}")
    assert words.heading(match.view(AUDIENCE)) == "Round 8 of 8: scoring"


@pytest.mark.parametrize("game", FIVE)
def test_a_heading_at_the_end_names_no_turn_that_never_was(game: str) -> None:
    kit = catalogue.load(game)
    options = {"length": "4"} if game == "royale" else {}
    match = begun(kit, kit.box.seats[-1] if game != "royale" else 3, **options)
    heads = []
    words = Words("en", kit, match.players)
    for _ in positions(match):
        heads.append(words.heading(match.view(AUDIENCE)))
    assert "{" not in heads[-1]
    if game == "sun":
        assert heads[-1] == "Extermination"
    if game == "sisters":
        assert "turn" not in heads[-1]
