"""A first game: a lesson comes when its rule matters, goes once it was used, is in the book."""

import re
from collections import Counter
from collections.abc import Callable, Iterator
from functools import cache

import pytest

from tabletop.bots.random_bot import RandomBot
from tabletop.catalogue import catalogue
from tabletop.catalogue.catalogue import GameKit
from tabletop.engine.events import Said
from tabletop.engine.heuristic import some
from tabletop.engine.model import Ask, Move
from tabletop.engine.scratch import FastRng
from tabletop.language.words import Words
from tabletop.match import tutorial
from tabletop.match.match import Match, Player
from tabletop.match.seat import Seat
from tabletop.match.tutorial import (
    LEARNER,
    MAX_ANSWERS_SHOWN,
    Course,
    FirstGame,
    Lesson,
    SubjectSpec,
)
from tests.net.loopback import LONG

KITS = [kit for kit in catalogue.shelf() if tutorial.load_first_game(kit)]
GAMES = 80 if LONG else 40
"""So many games with other choices on the same deal are played to meet every lesson; in every
second one everybody is fierce."""
OFTEN = GAMES // 20
"""A first game has to teach the rules that so many of them meet."""
FIERCE = ("attack", "strike", "negotiate", "snipe", "chain", "counter")
"""The actions of fierce players wherever they can."""


class FierceBot:
    """Fights whenever it can."""

    def __init__(self, seed: int) -> None:
        self._luck, self._else = FastRng(seed), RandomBot(seed)

    def answer(self, seat: Seat, ask: Ask) -> Move:
        fights = tuple(offer for offer in seat.offers[ask.id] if offer.verb in FIERCE)
        return some(fights, ask.id, self._luck) if fights else self._else.answer(seat, ask)


def begun(kit: GameKit, written: FirstGame) -> Match:
    players = [Player("Mio"), *[Player(f"Bot {n}", kind="bot") for n in range(1, written.seats)]]
    options = catalogue.options(kit, written.options)
    return Match(kit, players, options, written.seed)


def go_on(match: Match, bot: RandomBot | FierceBot) -> bool:
    """One answer of somebody; False once nobody is asked any more."""
    for number in range(len(match.players)):
        for ask in match.asks(number):
            seat = Seat.at_table(match, number)
            seat.send(bot.answer(seat, ask))
            seat.close()
            return True
    return False


def written_of(kit: GameKit) -> FirstGame:
    written = tutorial.load_first_game(kit)
    assert written is not None
    return written


class Met:
    """The rules that the learners of all these games have met, and in how many games."""

    def __init__(self, kit: GameKit) -> None:
        self.told: Counter[str] = Counter()
        """The texts of lessons."""
        self.paragraphs: Counter[str] = Counter()
        """On which questions rest."""
        self.asks: Counter[tuple[str, str]] = Counter()
        """Questions, and the verbs of their answers."""
        self.said: Counter[str] = Counter()
        """Sentences of the log."""
        self.longest = 0
        """At so many questions one after the other the same lesson stood."""
        self.astray: set[str] = set()
        """Lessons that pointed at nothing although something was to be pointed at."""
        for game in range(GAMES):
            self._play(kit, FierceBot(game) if game % 2 else RandomBot(game))

    def _play(self, kit: GameKit, bot: RandomBot | FierceBot) -> None:
        match = begun(kit, written_of(kit))
        course = tutorial.make_course(match)
        told, asks, paragraphs = set(), set(), set()
        stood: Counter[str] = Counter()
        going = True
        while going:
            lesson = course.current_lesson()
            for ask in match.asks(LEARNER):
                wording = kit.words.asks[ask.what]
                paragraphs.add(wording.paragraph_for(match.view(LEARNER).values))
                asks |= {(ask.what, offer.verb) for offer in match.offers(LEARNER)[ask.id]}
            if lesson is not None:
                told.add(lesson.text)
                spoken = course.resolve_subject(lesson)
                if not (spoken.zones or spoken.cards or spoken.plaques or spoken.drawings):
                    self.astray.add(lesson.text)
            answers = _answers(match)
            going = go_on(match, bot)
            if lesson is not None and _answers(match) > answers:
                stood[lesson.text] += 1
        self.longest = max([self.longest, *stood.values()])
        self.told.update(told)
        self.paragraphs.update(paragraphs)
        self.asks.update(asks)
        said = {e.text for ply in match.plies for e in ply.events if isinstance(e, Said)}
        self.said.update(said)


def _answers(match: Match) -> int:
    return sum(entry.seat == LEARNER for entry in match.record)


@cache
def met_in(game: str) -> Met:
    return Met(catalogue.load(game))


def met(kit: GameKit) -> Met:
    return met_in(kit.id)


SAID: dict[str, dict[str, str]] = {
    "chains": {
        "{seat} flips {card}.": "4",
        "{seat} links {card}.": "5.1",
        "{seat} puts {card} into slot {slot}.": "5.5",
        "{seat} completes the chain with {card}.": "5.4",
        "{card} fits nowhere: it stays open on {seat}'s pile.": "5.6",
        "Terminal {number} is cut off.": "6.2",
        "{seat} can do nothing more and leaves the game.": "8",
        "{seat} begins.": "4",
    },
    "sun": {
        "{seat} places {card} on {zone}.": "5.1",
        "Direct magic: {word_colour} {count}.": "6.2",
        "Radiating magic: {word_colour} {count}.": "6.4",
        "No magic: the ghost swallows the card.": "6.3",
        "{seat} acquires {card}.": "6.5",
        "{seat} analyses a card of the shield: {card}.": "6.5",
        "The ghost is surrounded. The analysis begins.": "6.1",
        "The siege begins.": "5.1",
        "{seat} draws {cards}.": "5.1",
        "The analysis is over. The squads are formed in secret.": "7.1",
        "Attack {n}: {seat} {sum}, {seat_other} {sum_other}.": "7.3",
    },
    "sisters": {
        "{seat} uses {card}.": "5.2",
        "{seat} gains {card}: difference {n}.": "5.2",
        "The smallest difference makes {seat} the parent, who turns the card to Far.": "5.3",
        "The largest difference makes {seat} the parent, who turns the card to Close.": "5.3",
        "Round {n}: {word_condition}.": "5.4",
        "{seat} is the first parent.": "5.3",
        "{seat} opens the hand.": "7",
        "{seat}: house {home} + field {field} = {score} points.": "7",
        "House, {word_category}: {seat_0} {sum_0}, {seat_1} {sum_1}, {seat_2} {sum_2}.": "7.2",
        "Field, {word_category}: {seat_0} {sum_0}, {seat_1} {sum_1}, {seat_2} {sum_2}.": "7.6",
    },
    "awss": {
        "{seat} picks from the hand.": "5.2",
        "{seat} wants {card}.": "5.4",
        "{seat} gains {card}.": "5.4",
        "{seat} rolls {die}.": "5.4",
        "{seat} fails and picks the declared card.": "5.4",
        "{seat} presents {card} on {zone}.": "5.5",
        "The boards are filled in secret.": "6",
        "{seat} declares {points} for {word_season}.": "7.1",
        "{seat} gains {points} victory points.": "7.2",
        "{seat} uses {card}.": "7.3",
        "{seat} uses {card}: {zone}.": "7.3",
        "Year {n} begins.": "5",
        "{seat} lays {card} open for it.": "5.4",
        "{seat} is ready.": "6",
        "All face-up cards are opened.": "7",
        "The card on {zone} is turned round.": "8.4",
        "The cards on {zone_one} and {zone_other} change places.": "8.4",
        "{seat} replaces {card} by an unused pick.": "8.4",
        "It has no effect.": "7.3",
        "{card} keeps it off.": "7.3",
        "{card} scores {points}: {formula}.": "8.2",
        "▲ {n}: arrow of {card}": "8.2",
        "✦ {n}: own effect": "8.2",
        "❋ {n}: effect of {card}": "8.2",
        "● {n}: counters": "8.2",
        "◆ {n}: sacrifice": "8.2",
        "The card on {zone} is turned face-down.": "8.6",
        "Counters {n} on {zone}.": "8.7",
    },
    "royale": {
        "{seat} rolls {a} and {b} for the start.": "4.2",
        "{seat} goes to {card}.": "5.2",
        "{seat} answers with {card}.": "5.3",
        "{seat} searches {card}.": "5.7",
        "{seat} attacks {seat_other}.": "5.5",
        "{seat} snipes at {seat_other}.": "5.6",
        "{seat} chooses the range: {word_range}.": "6.1",
        "{seat} declares: {word_action}.": "6.3",
        "Initiative: {seat} rolls {a}, {seat_other} {b}.": "6.4",
        "{own} {modifier} + {a}×{b} = {total} ≥ {need}: a hit.": "6.7",
        "{own} {modifier} + {a}×{b} = {total} < {need}: a miss.": "6.7",
        "{seat} loses {n} stamina.": "6.8",
        "{card} retires.": "7",
        "{card} is closed.": "4.4",
        "{seat} discards {cards}.": "4.5",
        "{seat} proposes to negotiate with {seat_other}: {card}.": "5.8",
        "{seat} and {seat_other} mix their items.": "5.8",
        "Turn {n}. {seat} is the parent.": "4",
        "{seat} draws {cards}.": "4",
        "{seat} starts at {card}.": "4.2",
        "{seat} stays.": "5.2",
        "{seat} plays {card}.": "5.4",
        "{seat} does nothing.": "5.9",
        "{seat} rests: {card}.": "5.9",
        "{seat} rolls {n} for the search.": "5.7",
        "{seat} rolls {n}.": "5.7",
        "{seat} rolls again with {card}: {dice}.": "5.7",
        "{seat} finds nothing.": "5.7",
        "{seat} rolls {a}, {seat_other} {b}.": "5.8",
        "{seat} refuses: the dice decide.": "5.8",
        "{seat} takes {cards}.": "5.8",
        "{seat} agrees to negotiate.": "5.8",
        "{seat} turns up {cards}.": "6.2",
        "{seat} acts first.": "6.4",
        "{seat} defends: {a} and {b} give {n} more evasion.": "6.5",
        "{seat} attacks with {card}.": "6.6",
        "{seat} uses {card}.": "6.6",
        "{seat} lets the attack go.": "6.6",
        "{seat} rolls {a} and {b}.": "6.7",
        "A double six: the damage counts twice.": "6.7",
        "{seat} dodges: {card}.": "6.8",
        "{seat} rolls {a} and {b} to close an area.": "4.4",
        "{seat} recovers {n} stamina.": "4.6",
        "The festival is over. {seat} wins with {n} points.": "9",
    },
}
"""The paragraph of an event, by its sentence."""


def test_every_finished_game_on_the_shelf_has_a_first_game() -> None:
    finished = [kit for kit in catalogue.shelf() if not kit.is_draft]
    assert [kit.id for kit in finished if not tutorial.load_first_game(kit)] == []
    assert {"sun", "sisters", "chains", "awss", "royale"} <= {kit.id for kit in finished}


every_kit: Callable[[Callable[[GameKit], None]], Callable[[GameKit], None]] = (
    pytest.mark.parametrize("kit", KITS, ids=lambda kit: kit.id)
)


@every_kit
def test_every_lesson_is_met_on_its_deal(kit: GameKit) -> None:
    told = met(kit).told
    assert [each.text for each in written_of(kit).lesson if each.text not in told] == []


@every_kit
def test_the_first_lesson_says_what_winning_is(kit: GameKit) -> None:
    written = written_of(kit)
    match = begun(kit, written)
    course = tutorial.make_course(match)
    while not match.asks(LEARNER):
        go_on(match, RandomBot(1))
    assert course.current_lesson() == written.lesson[0]
    assert re.search(r"\bwins?\b", written.lesson[0].text)
    assert "勝ち" in Words("ja", kit)(written.lesson[0].text)


@every_kit
def test_every_question_that_a_first_game_asks_is_taught(kit: GameKit) -> None:
    lessons = written_of(kit).lesson
    missing = {
        (what, verb)
        for (what, verb), games in met(kit).asks.items()
        if games >= OFTEN
        and not any(lesson.ask == what and lesson.verb in ("", verb) for lesson in lessons)
    }
    assert missing == set()


@every_kit
def test_every_paragraph_that_a_first_game_rests_on_is_taught(kit: GameKit) -> None:
    taught = set(within(lesson.paragraph for lesson in written_of(kit).lesson))
    asked = {number for number, games in met(kit).paragraphs.items() if games >= OFTEN}
    assert asked - taught == set()


@every_kit
def test_whatever_often_happens_is_taught(kit: GameKit) -> None:
    taught = set(within(lesson.paragraph for lesson in written_of(kit).lesson))
    assert set(SAID[kit.id].values()) <= taught
    happened = {
        text.replace("\N{NO-BREAK SPACE}", " ")
        for text, games in met(kit).said.items()
        if games >= OFTEN
    }
    assert happened <= SAID[kit.id].keys()


def within(numbers: Iterator[str]) -> Iterator[str]:
    """The paragraphs, and those that they are part of."""
    for number in numbers:
        while number:
            yield number
            number = number.rpartition(".")[0]


@every_kit
def test_no_lesson_stays_longer_than_one_reads(kit: GameKit) -> None:
    assert 1 <= met(kit).longest <= MAX_ANSWERS_SHOWN


@every_kit
def test_every_lesson_speaks_of_something(kit: GameKit) -> None:
    assert met(kit).astray <= {
        lesson.text for lesson in written_of(kit).lesson if lesson.at.cards or lesson.at.showing
    }, "only where no card can do it"
    assert all(lesson.at != SubjectSpec() for lesson in written_of(kit).lesson)


@every_kit
def test_what_a_lesson_waits_for_is_said_by_the_rules(kit: GameKit) -> None:
    said = {lesson.said for lesson in written_of(kit).lesson if lesson.said}
    assert said <= met(kit).said.keys()


@pytest.mark.parametrize("kit", KITS, ids=lambda kit: kit.id)
def test_what_was_learnt_is_known_again_after_a_crash(kit: GameKit) -> None:
    written = tutorial.load_first_game(kit)
    assert written is not None
    match = begun(kit, written)
    course = tutorial.make_course(match)
    bot = RandomBot(1)
    for _ in range(60):
        if not go_on(match, bot):
            break
        now = course.current_lesson()
        again = begun(kit, written)
        for entry in match.record:
            again.restore(entry)
        resumed = tutorial.make_course(again)
        assert resumed.current_lesson() == now
        assert learnt(resumed) == learnt(course)


def learnt(course: Course) -> int:
    return sum(course.is_done(lesson) for lesson in course.lessons)


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
    assert course.current_lesson() == first
    match.submit(LEARNER, place(match))
    assert course.current_lesson() is None
    assert learnt(course) == 1


def test_what_is_taken_back_is_not_learnt() -> None:
    first = Lesson("First.", ask="place")
    match, course = sun(first)
    match.submit(LEARNER, place(match))
    assert course.current_lesson() is None
    match.undo(LEARNER)
    assert course.current_lesson() == first
    match.submit(LEARNER, place(match))
    assert learnt(course) == 1


def test_another_verb_teaches_nothing() -> None:
    first = Lesson("First.", ask="place", until=("acquire",))
    match, course = sun(first)
    match.submit(LEARNER, place(match))
    assert course.current_lesson() is None  # it is the bot's turn
    assert not course.is_done(first)


def test_a_lesson_that_stays_unused_goes_by_itself() -> None:
    first = Lesson("First.", ask="place", until=("acquire",))
    match, course = sun(first, Lesson("Second.", ask="place"))
    for answer in range(MAX_ANSWERS_SHOWN):
        answer_up_to_learner(match)
        assert course.current_lesson() == first, answer
        match.submit(LEARNER, place(match))
    answer_up_to_learner(match)
    assert course.current_lesson() == Lesson("Second.", ask="place")


def test_what_the_log_said_is_told_while_it_is_fresh() -> None:
    news = Lesson("News.", said="The siege begins.")
    usual = Lesson("Usual.", ask="place", until=("nothing of the kind",))
    match, course = sun(usual, news)
    assert course.current_lesson() == usual
    for _ in range(MAX_ANSWERS_SHOWN):
        match.submit(LEARNER, place(match))
        answer_up_to_learner(match)
    assert course.current_lesson() is None, "nobody tells old news"


def test_a_lesson_points_at_what_lies_there() -> None:
    first = Lesson(
        "First.",
        at=SubjectSpec(zones=("hand/0", "{ghost/cell}", "nowhere"), cards="place", targets="place"),
    )
    match, course = sun(first)
    spoken = course.resolve_subject(first)
    assert spoken.zones[:2] == ("hand/0", "grid/1,1")
    assert "nowhere" not in spoken.zones
    assert "grid/0,0" in spoken.zones
    assert set(spoken.cards) == set(match.view(LEARNER).cards["hand/0"])


def test_warriors_and_crowns_alone_are_pointed_at() -> None:
    kit = catalogue.load("sisters")
    written = written_of(kit)
    lessons = [lesson for lesson in written.lesson if lesson.at.showing]
    assert len(lessons) == 3
    match = begun(kit, written)
    course = tutorial.make_course(match)
    pointed = 0
    while go_on(match, RandomBot(2)):
        if not match.asks(LEARNER):
            continue
        view = match.view(LEARNER)
        near = [*view.cards["hand/0"], *(c for n in range(3) for c in view.cards[f"field/{n}"])]
        for lesson in lessons:
            spoken = course.resolve_subject(lesson)
            wanted = {c for c in near if set(kit.deck[c]["elements"]) & set(lesson.at.showing)}
            assert set(spoken.cards) == wanted
            assert not spoken.zones
            pointed += len(wanted)
    assert pointed


def answer_up_to_learner(match: Match) -> None:
    """The others play until the learner is asked."""
    while not match.asks(LEARNER):
        go_on(match, RandomBot(1))


def test_lessons_can_be_put_aside() -> None:
    first, second = Lesson("First.", ask="place"), Lesson("Second.", verb="place")
    _, course = sun(first, second, Lesson("Third."))
    assert not course.is_done(first)
    course.dismiss(first)
    assert course.is_done(first)
    assert course.current_lesson() == second
    course.dismiss_all()
    assert course.current_lesson() is None
    assert learnt(course) == 3


def test_only_one_person_among_bots_with_that_deal_is_taught() -> None:
    kit = catalogue.load("sun")
    written = tutorial.load_first_game(kit)
    two = Match(kit, (Player("Mio"), Player("Ren")), {}, written.seed)
    assert tutorial.make_course(two) is None
    other = Match(kit, begun(kit, written).players, {}, "another deal")
    assert tutorial.make_course(other) is None
