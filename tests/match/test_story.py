"""The story of a seat: every act of the others since its last turn, from its own news alone."""

from collections.abc import Iterator

import msgspec
import pytest

from tabletop.catalogue import catalogue
from tabletop.engine.events import Moved, Said, Shown
from tabletop.engine.mask import mask
from tabletop.engine.model import AUDIENCE, State, is_face
from tabletop.engine.scratch import FastRng
from tabletop.games.game_semantics import GameSemantics
from tabletop.language.story_text import act_text
from tabletop.language.words import Words
from tabletop.match.match import Match, Player, Update
from tabletop.match.seat import Seat
from tabletop.match.story import PlayerAct, Story, acts_in_updates
from tests.ui.random_matches import some_answer

GAMES = ["sun", "sisters", "chains", "awss", "royale"]
MOST = 150
"""Answers of a match."""


def match_of(game: str, seats: int = 3) -> Match:
    kit = catalogue.load(game)
    count = max(kit.box.seats[0], min(seats, kit.box.seats[-1]))
    players = [Player(f"P{n}") for n in range(count)]
    return Match(kit, players, catalogue.options(kit), f"story of {game}")


def played(match: Match, luck: FastRng, most: int = MOST) -> Iterator[int]:
    """Play on; gives the seat of each answer."""
    for _ in range(most):
        if match.state.result is not None:
            return
        seat, move = some_answer(match, luck)
        match.submit(seat, move)
        yield seat


def said(seat: int | None = None, tag: str = "", text: str = "", **args: object) -> Said:
    known = {"seat": seat} if seat is not None else {}
    return Said(text or "{seat} acts.", (), {**known, **args}, tag)


# What an act is


def test_lines_of_one_player_are_one_act() -> None:
    told = acts_in_updates(
        [[said(1), said(None, text="It rains.")], [said(1)], [said(2)]], 0, GameSemantics(), {}
    )
    assert [(act.seat, len(act.lines), act.first_update, act.last_update) for act in told] == [
        (1, 3, 0, 1),
        (2, 1, 2, 2),
    ]


def test_players_who_act_at_once_have_each_one() -> None:
    told = acts_in_updates([[said(1), said(2), said(0), said(1), said(2)]], 0, GameSemantics(), {})
    assert [(act.seat, len(act.lines)) for act in told] == [(1, 2), (2, 2)]


def test_all_players_are_told_of_and_not_the_last_alone() -> None:
    told = acts_in_updates([[said(seat)] for seat in range(1, 10)], 0, GameSemantics(), {})
    assert [act.seat for act in told] == list(range(1, 10))


def test_what_was_done_to_the_viewer_is_marked() -> None:
    meaning = GameSemantics(suffered=("lose",))
    theft, loss = said(1, seat_other=0), said(0, "lose")
    elsewhere = said(1, seat_other=2)
    (first,) = acts_in_updates([[theft]], 0, meaning, {})
    (second,) = acts_in_updates([[said(1)], [said(0)], [loss]], 0, meaning, {})
    (third,) = acts_in_updates([[elsewhere]], 0, meaning, {})
    assert first.concerns_viewer
    assert second.concerns_viewer
    assert second.lines[-1] is loss
    assert not third.concerns_viewer


def test_what_comes_of_an_own_act_is_no_act_of_others() -> None:
    meaning = GameSemantics(suffered=("lose",))
    own = [said(0), said(None, text="A hit."), said(2, "lose")]
    assert acts_in_updates([own], 0, meaning, {}) == ()
    assert len(acts_in_updates([own], AUDIENCE, meaning, {})) == 1


def test_the_player_is_named_once() -> None:
    kit = catalogue.load("royale")
    act = PlayerAct(
        1,
        (
            Said("{seat} stays.", (), {"seat": 1}),
            Said("{seat} does nothing.", (), {"seat": 1}),
            Said("{seat} and {seat_other} mix their items.", (), {"seat": 1, "seat_other": 0}),
        ),
        0,
        0,
    )
    players = [Player("Mio"), Player("Ren")]
    assert act_text(act, 0, Words("en", kit, players)) == (
        "Ren stays. Does nothing. Ren and Mio mix their items."
    )
    assert act_text(act, 0, Words("ja", kit, players)).count("Ren") == 2


def test_the_player_is_named_again_after_another() -> None:
    kit = catalogue.load("royale")
    lines = tuple(Said("{seat} stays.", (), {"seat": seat}) for seat in (1, 0, 1, 1))
    act = PlayerAct(1, lines, 0, 0)
    text = act_text(act, 2, Words("en", kit, [Player("Mio"), Player("Ren"), Player("Aoi")]))
    assert text == "Ren stays. Mio stays. Ren stays. Stays."


# Since the last turn


@pytest.mark.parametrize("game", GAMES)
def test_a_story_begins_anew_when_the_turn_ends(game: str) -> None:
    """Nothing from before the end of the last own turn is left, nothing after it is missing."""
    match, kit, luck = match_of(game), catalogue.load(game), FastRng(game)
    seat = Seat.at_table(match, 0)
    story = Story(kit, seat)
    emptied = told = 0
    heard = list(seat.log)
    for mover in played(match, luck):
        before = len(heard)
        heard = list(seat.log)
        news = heard[before:]
        lines = [line for act in story.acts for line in act.lines]
        others = [line for line in news if line.args.get("seat") not in (None, 0)]
        others = [line for line in others if line.tag not in kit.meaning.suffered]
        assert all(any(line is one for one in lines) for line in others)
        told += bool(others)
        emptied += mover == 0 and not story.updates
        assert len(lines) <= len(heard)
    assert told
    if game != "awss":  # where all act at once, what comes of it is the next story's beginning
        assert emptied


@pytest.mark.parametrize("game", GAMES)
def test_an_act_is_played_back_from_where_it_began(game: str) -> None:
    match, kit, luck = match_of(game), catalogue.load(game), FastRng(game)
    seat = Seat.at_table(match, 0)
    story = Story(kit, seat)
    for _ in played(match, luck, 60):
        assert story.table_before(len(story.updates)) == seat.view
        for act in story.acts:
            assert 0 <= act.first_update <= act.last_update < len(story.updates)
            events = [
                e for u in story.updates[act.first_update : act.last_update + 1] for e in u.events
            ]
            assert all(any(line is event for event in events) for line in act.lines)


@pytest.mark.parametrize("game", GAMES)
def test_a_resumed_match_goes_on_with_its_story(game: str) -> None:
    match, kit, luck = match_of(game), catalogue.load(game), FastRng(game)
    stories = [Story(kit, Seat.at_table(match, seat)) for seat in range(match.state.seats)]
    for _ in played(match, luck, 40):
        pass
    for seat, story in enumerate(stories):
        again = Story(kit, Seat.at_table(match, seat), match.plies)
        assert again.acts == story.acts


@pytest.mark.parametrize("game", GAMES)
def test_who_comes_back_reads_what_was_done_meanwhile(game: str) -> None:
    """From the log alone: nothing else of that time is known at another computer."""
    match, kit, luck = match_of(game), catalogue.load(game), FastRng(game)
    read = 0
    for _ in played(match, luck, 60):
        if not match.state.ply:
            continue
        for viewer in range(match.state.seats):
            back = Story(kit, Seat.at_table(match, viewer))
            log = match.log(viewer)
            own = [
                n
                for n, line in enumerate(log)
                if line.args.get("seat") == viewer and line.tag not in kit.meaning.suffered
            ]
            since = log[own[-1] + 1 :] if own else log
            lines = [line for act in back.acts for line in act.lines]
            assert all(line in since for line in lines)
            others = [line for line in since if line.args.get("seat") not in (None, viewer)]
            others = [line for line in others if "bright" not in line.args]
            assert all(line in lines for line in others)
            assert back.table_before(len(back.updates)) == match.view(viewer)
            read += bool(lines)
    assert read


def test_a_line_that_breaks_leaves_the_story() -> None:
    match, kit, luck = match_of("chains"), catalogue.load("chains"), FastRng("breaks")
    far = Retold(0, match.players, Seat.at_table(match, 0).make_reset())
    story = Story(kit, far)
    movers = []
    for mover in played(match, luck):  # which the seat far away does not hear
        movers.append(mover)
        if movers[-2:] == [1, 2]:
            break
    far.receive(Seat.at_table(match, 0).make_reset())
    assert story.acts
    assert story.table_before(len(story.updates)) == match.view(0)


def test_an_undone_end_of_a_turn_brings_the_story_back() -> None:
    match, kit, luck = match_of("chains"), catalogue.load("chains"), FastRng("back")
    story = Story(kit, Seat.at_table(match, 0))
    for _ in played(match, luck, 30):
        if len(story.acts) == 2 and match.asks(0):
            break
    before = story.acts
    assert len(before) == 2
    while match.asks(0):
        ask = match.asks(0)[0]
        match.submit(0, match.offers(0)[ask.id][0].sample(ask.id, luck))
    assert story.acts == ()
    while not match.asks(0):
        match.undo(None)
    assert story.acts == before


def test_the_audience_is_told_the_present_turn_of_everybody() -> None:
    match, kit, luck = match_of("chains"), catalogue.load("chains"), FastRng("watch")
    story = Story(kit, Seat.at_table(match))
    seen = set()
    for mover in played(match, luck, 40):
        assert {act.seat for act in story.acts} <= {mover, AUDIENCE, *seen}
        seen |= {act.seat for act in story.acts}
        assert len({u.ply for u in story.updates}) == len(story.updates)
    assert seen >= {0, 1, 2}


# Secrets


class Retold(Seat):
    """A seat that hears nothing but copies of its messages, sent as text."""

    def hear(self, message: Update) -> None:
        self.receive(msgspec.json.decode(msgspec.json.encode(message), type=Update))


@pytest.mark.parametrize("game", GAMES)
def test_a_story_comes_from_the_seats_own_news_alone(game: str) -> None:
    """What a seat far away is sent is enough for its story, and each card in it is one that this
    seat was shown: the story of a seat is a function of its masked view."""
    match, kit, luck = match_of(game), catalogue.load(game), FastRng(game)
    viewers = (*range(match.state.seats), AUDIENCE)
    here = {viewer: Seat.at_table(match, viewer) for viewer in viewers}
    near = {viewer: Story(kit, seat) for viewer, seat in here.items()}
    far = {viewer: Retold(viewer, match.players, here[viewer].make_reset()) for viewer in viewers}
    told = {viewer: Story(kit, seat) for viewer, seat in far.items()}
    for viewer, seat in here.items():
        seat.on_update(far[viewer].hear)
    shown = {viewer: faces(here[viewer].view) for viewer in viewers}
    for _ in played(match, luck):
        for viewer in viewers:
            assert told[viewer].acts == near[viewer].acts
            shown[viewer] |= faces(mask(match.state, viewer))
            for event in near[viewer].updates[-1].events if near[viewer].updates else ():
                if isinstance(event, Moved | Shown) and is_face(event.card):
                    shown[viewer].add(event.card)
            lines = {id(line) for line in here[viewer].log}
            for act in near[viewer].acts:
                assert {id(line) for line in act.lines} <= lines
                assert set(act.cards) <= shown[viewer], "a card that this seat never saw"


def faces(view: State) -> set[int]:
    return {card for cards in view.cards.values() for card in cards if is_face(card)}
