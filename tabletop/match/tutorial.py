"""A first game: lessons shown at the moment when their rule first matters, gone once it is used.

The lessons are in the first.toml of a game, with the deal they are written for:

    seed = "a fixed deal"       # a match with this seed is a first game, also when it is resumed
    seats = 2                   # the learner sits at the first, bots at the others
    options = {}                # where they differ from the usual

    [[lesson]]                  # in the order of showing; only one is shown at a time
    text = "Every card turns the ghost."
    paragraph = "6.2"           # of the rulebook
    ask = "place"               # shown while the learner is asked this ...
    verb = "place"              # ... and an offer has this verb ...
    values = { phase = "siege" }  # ... and these values are public ...
    said = "No magic."          # ... and the log has just said this; all four may be left out
    until = ["place"]           # learnt by an answer with one of these verbs; left out: by any
    at.zones = ["pile/0", "{ghost/cell}"]  # its subject: zones (or the one a value names) ...
    at.cards = "place"          # ... the cards that may do this ...
    at.targets = "place"        # ... the places to which this may go ...
    at.plaques = [0]            # ... the plaques of seats ...
    at.drawings = ["sun/track.svg"]  # ... and drawings; at may be left out
    at.showing = ["sword", "cup"]  # of the cards there and in hand, only those with such a field

A lesson that stays unused goes by itself after `PATIENCE` answers, and a lesson on a log entry is
shown only while that is fresh, so lessons never pile up. No progress is saved: it follows from the
moves that were made.
"""

from collections import Counter
from collections.abc import Callable, Collection, Mapping
from itertools import pairwise

from msgspec import Struct

from tabletop.catalogue.catalogue import GameKit
from tabletop.engine.events import Said
from tabletop.engine.mask import mask
from tabletop.engine.model import Move, Offer, State, Value, is_face
from tabletop.games.typed_toml import TomlFile
from tabletop.match.match import Match, MatchSnapshot, Player

LEARNER = 0
"""The seat of the learner."""
PATIENCE = 2
"""The answers during which a lesson is shown; then it goes, used or not."""
FRESH = 2
"""The learner's answers during which a log entry is still news."""


class Pointing(Struct, frozen=True, forbid_unknown_fields=True):
    """The subject of a lesson, as it is written."""

    zones: tuple[str, ...] = ()
    """Zones by name; "{value}" is the one that a public value names."""
    cards: str = ""
    """The cards that offers of this verb admit."""
    targets: str = ""
    """The places that offers of this verb admit."""
    plaques: tuple[int, ...] = ()
    drawings: tuple[str, ...] = ()
    showing: tuple[str, ...] = ()
    """What cards there and in hand must have in a field to be spoken of; empty: nothing."""


class Spoken(Struct, frozen=True):
    """The subject of a lesson at this moment."""

    zones: tuple[str, ...] = ()
    cards: tuple[int, ...] = ()
    plaques: tuple[int, ...] = ()
    drawings: tuple[str, ...] = ()


class Lesson(Struct, frozen=True, forbid_unknown_fields=True):
    """One rule, shown while its conditions hold."""

    text: str
    paragraph: str = ""
    ask: str = ""
    verb: str = ""
    values: dict[str, Value] = {}
    said: str = ""
    until: tuple[str, ...] = ()
    at: Pointing = Pointing()


class FirstGame(Struct, frozen=True, forbid_unknown_fields=True):
    """The first game of a kit."""

    seed: str
    seats: int
    lesson: tuple[Lesson, ...]
    options: dict[str, Value] = {}


def first_game(kit: GameKit) -> FirstGame | None:
    """The first game in the box, if any.

    Raises:
        BrokenFile: its first.toml has an error.
    """
    written = kit.read_text("first.toml")
    return TomlFile("first.toml", written).read(FirstGame) if written else None


def course(match: Match, shown: Callable[[], MatchSnapshot] | None = None) -> "Course | None":
    """The lessons of this match; None where it is no first game. `shown`: returns the match as far
    as the learner sees it, if that isn't all of it."""
    game = first_game(match.kit)
    guided = game is not None and match.seed == game.seed and _learns(match.players)
    return Course(game, match, shown) if guided and game else None


class Course:
    """The learner's progress in a match."""

    def __init__(
        self,
        written: FirstGame,
        match: Match,
        shown: Callable[[], MatchSnapshot] | None = None,
    ) -> None:
        self._deck, self._game = match.kit.deck, match.kit.rules
        self._shown_match = shown or match.snapshot
        self.lessons = written.lesson
        self._read: set[int] = set()
        """Lessons closed by hand; after a resume they may come once more."""
        self._begin_again()

    def _begin_again(self) -> None:
        self._used: set[int] = set()
        self._shown: Counter[int] = Counter()
        """The number of answers during which each lesson was shown."""
        self._heard: dict[str, int] = {}
        """The log entries, with the number of the learner's answers until then."""
        self._answers = self._seen = self._gone = 0
        """Answers of the learner, entries of the record, and plies processed so far."""

    def current_lesson(self) -> Lesson | None:
        """The lesson for this moment."""
        self._catch_up()
        number = self._due_lesson(*self._see(self._shown_match().state))
        return None if number is None else self.lessons[number]

    def knows(self, lesson: Lesson) -> bool:
        """Whether this lesson is behind the learner."""
        self._catch_up()
        return self.lessons.index(lesson) in self._used | self._read

    def put_aside(self, lesson: Lesson) -> None:
        """The learner has read this one."""
        self._read.add(self.lessons.index(lesson))

    def put_all_aside(self) -> None:
        """The learner wants no more lessons."""
        self._read.update(range(len(self.lessons)))

    def speaks_of(self, lesson: Lesson) -> Spoken:
        """Return the lesson's subject on the current table."""
        view, offers = self._see(self._shown_match().state)
        at = lesson.at
        every = [offer for each in offers.values() for offer in each]
        zones = [
            str(view.values.get(zone[1:-1], "")) if zone.startswith("{") else zone
            for zone in at.zones
        ]
        for offer in every:
            if offer.verb == at.targets:
                zones += [*offer.targets, *offer.spots]
        cards = [card for offer in every if offer.verb == at.cards for card in offer.cards]
        if at.showing:
            spots = [card for zone in zones for card in view.cards.get(zone, ())]
            seen = (*cards, *(card for offer in every for card in offer.cards), *spots)
            cards = [card for card in seen if self._shows(card, at.showing)]
            zones = []
        return Spoken(
            tuple(dict.fromkeys(zone for zone in zones if zone in view.zones)),
            tuple(dict.fromkeys(cards)),
            at.plaques,
            at.drawings,
        )

    def _shows(self, card: int, wanted: Collection[str]) -> bool:
        """Whether the face of a card has one of these in a field."""
        if not is_face(card):
            return False
        fields = self._deck[card].values()
        return any(set(wanted) & set(field) for field in fields if isinstance(field, dict | list))

    def _catch_up(self) -> None:
        """Go through the answers given since; from the start where some were undone."""
        shown = self._shown_match()
        match = shown.match
        if any(entry.undo for entry in match.record[self._seen : shown.entries]):
            self._begin_again()
        for before, ply in pairwise(match.plies[self._gone : shown.plies]):
            if ply.seat == LEARNER and ply.entry is not None and ply.entry.move is not None:
                self._note_answer(before.state, ply.entry.move)
            for event in ply.events:
                if isinstance(event, Said):
                    self._heard[event.text] = self._answers
        self._seen, self._gone = shown.entries, shown.plies - 1

    def _note_answer(self, state: State, move: Move) -> None:
        due = self._due_lesson(*self._see(state))
        self._answers += 1
        if due is not None:
            self._shown[due] += 1
            until = self.lessons[due].until
            if not until or move.verb in until or self._shown[due] == PATIENCE:
                self._used.add(due)

    def _see(self, state: State) -> tuple[State, dict[int, tuple[Offer, ...]]]:
        """Return the learner's view of a table, and their offers."""
        view = mask(state, LEARNER)
        asks = [ask for ask in view.asks if ask.seat == LEARNER and ask.id not in view.answers]
        return view, {ask.id: self._game.offers(view, ask) for ask in asks}

    def _due_lesson(self, view: State, offers: Mapping[int, tuple[Offer, ...]]) -> int | None:
        behind = self._used | self._read
        return next(
            (
                number
                for number, lesson in enumerate(self.lessons)
                if number not in behind
                and (not lesson.said or self._is_news(lesson.said))
                and _holds(lesson, view, offers)
            ),
            None,
        )

    def _is_news(self, text: str) -> bool:
        return text in self._heard and self._answers - self._heard[text] < FRESH


def _holds(lesson: Lesson, view: State, offers: Mapping[int, tuple[Offer, ...]]) -> bool:
    if any(view.values.get(key) != value for key, value in lesson.values.items()):
        return False
    asked = {ask.id: ask.what for ask in view.asks if ask.id in offers}
    return any(
        (not lesson.ask or expected == lesson.ask)
        and (not lesson.verb or any(offer.verb == lesson.verb for offer in offers[number]))
        for number, expected in asked.items()
    )


def _learns(players: tuple[Player, ...]) -> bool:
    return [player.kind for player in players[:1]] == ["person"] and all(
        player.kind == "bot" for player in players[1:]
    )
