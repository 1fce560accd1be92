"""A first game: a lesson comes when its rule matters, goes once it was used, stands in the book."""

import re

import pytest

from tabletop import tutorial
from tabletop.bots.random_bot import RandomBot
from tabletop.engine.model import Move
from tabletop.games import catalogue
from tabletop.games.catalogue import Kit
from tabletop.link import Local
from tabletop.match import Match, Player
from tabletop.tutorial import LEARNER, Course, FirstGame, Lesson

KITS = [kit for kit in catalogue.shelf() if tutorial.first(kit)]
GAMES = 12
"""So many games with other choices on the same deal are played to meet every lesson."""


def begun(kit: Kit, written: FirstGame) -> Match:
    players = [Player("Mio"), *[Player(f"Bot {n}", kind="bot") for n in range(1, written.seats)]]
    options = catalogue.options(kit, written.options)
    return Match(kit.game, kit.backs, players, options, written.seed)


def go_on(match: Match, bot: RandomBot) -> bool:
    """One answer of somebody; False once nobody is asked any more."""
    for seat in range(len(match.players)):
        for ask in match.asks(seat):
            link = Local(match, seat)
            link.send(bot.answer(link, ask))
            link.close()
            return True
    return False


def test_every_game_on_the_shelf_has_a_first_game() -> None:
    assert [kit.id for kit in catalogue.shelf() if not tutorial.first(kit)] == []


@pytest.mark.parametrize("kit", KITS, ids=lambda kit: kit.id)
def test_every_lesson_is_met_on_its_deal(kit: Kit) -> None:
    written = tutorial.first(kit)
    assert written is not None
    told: set[str] = set()
    for game in range(GAMES):
        match = begun(kit, written)
        course = tutorial.course(kit, match)
        assert course is not None
        bot = RandomBot(game)
        going = True
        while going:
            lesson = course.now()
            told |= {lesson.text} if lesson else set()
            going = go_on(match, bot)
    assert [each.text for each in written.lesson if each.text not in told] == []


@pytest.mark.parametrize("kit", KITS, ids=lambda kit: kit.id)
def test_every_lesson_names_a_paragraph_of_both_books(kit: Kit) -> None:
    written = tutorial.first(kit)
    assert written is not None
    for language in ("en", "ja"):
        book = kit.text(f"rulebook.{language}.md")
        paragraphs = set(re.findall(r"^#+ (\d+(?:\.\d+)*) ", book, re.MULTILINE))
        assert {lesson.paragraph for lesson in written.lesson} <= paragraphs


@pytest.mark.parametrize("kit", KITS, ids=lambda kit: kit.id)
def test_what_was_learnt_is_known_again_after_a_crash(kit: Kit) -> None:
    written = tutorial.first(kit)
    assert written is not None
    match = begun(kit, written)
    course = tutorial.course(kit, match)
    assert course is not None
    bot = RandomBot(1)
    for _ in range(60):
        if not go_on(match, bot):
            break
        now = course.now()
        again = begun(kit, written)
        for entry in match.record:
            again.restore(entry)
        resumed = tutorial.course(kit, again)
        assert resumed is not None
        assert resumed.now() == now
        assert resumed.learnt == course.learnt


def sun(*lesson: Lesson) -> tuple[Match, Course]:
    kit = catalogue.load("sun")
    written = FirstGame("a deal", 2, lesson)
    match = begun(kit, written)
    return match, Course(written, match)


def place(match: Match) -> Move:
    ask = match.asks(LEARNER)[0]
    return next(match.offers(LEARNER)[ask.id][0].moves(ask.id))


def test_a_lesson_waits_for_its_values_and_goes_with_its_verb() -> None:
    first = Lesson("First.", ask="place", values={"phase": "siege"}, until=("place",))
    later = Lesson("Later.", ask="place", values={"phase": "analysis"})
    match, course = sun(later, first)
    assert course.now() == first
    match.submit(LEARNER, place(match))
    assert course.now() is None
    assert course.learnt == 1


def test_what_is_taken_back_is_not_learnt() -> None:
    first = Lesson("First.", ask="place")
    match, course = sun(first)
    match.submit(LEARNER, place(match))
    assert course.now() is None
    match.undo(LEARNER)
    assert course.now() == first
    match.submit(LEARNER, place(match))
    assert course.learnt == 1


def test_another_verb_teaches_nothing() -> None:
    first = Lesson("First.", ask="place", until=("acquire",))
    match, course = sun(first)
    match.submit(LEARNER, place(match))
    assert course.now() is None  # it is the bot's turn
    assert course.learnt == 0
    assert not course.knows(first)


def test_lessons_can_be_put_aside() -> None:
    first, second = Lesson("First.", ask="place"), Lesson("Second.", verb="place")
    _, course = sun(first, second, Lesson("Third."))
    assert not course.knows(first)
    course.put_aside(first)
    assert course.knows(first)
    assert course.now() == second
    course.put_all_aside()
    assert course.now() is None
    assert course.learnt == 3


def test_only_one_person_among_bots_with_that_deal_is_taught() -> None:
    kit = catalogue.load("sun")
    written = tutorial.first(kit)
    assert written is not None
    two = Match(kit.game, kit.backs, (Player("Mio"), Player("Ren")), {}, written.seed)
    assert tutorial.course(kit, two) is None
    other = Match(kit.game, kit.backs, begun(kit, written).players, {}, "another deal")
    assert tutorial.course(kit, other) is None
