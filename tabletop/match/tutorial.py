"""Lessons of a first game, each shown when its rule first matters and hidden once it is used.

A game's first.toml contains the lessons and the deal that they are written for:

    seed = "a fixed deal"       # a match with this seed is a first game, even after a resume
    seats = 2                   # the learner has seat 0, bots have the others
    options = {}                # options that differ from the defaults

    [[lesson]]                  # in order of priority; only one is shown at a time
    text = "Every card turns the ghost."
    paragraph = "6.2"           # of the rulebook
    # Conditions, all optional:
    ask = "place"               # the learner is asked this question
    verb = "place"              # an offer of that question has this verb
    values = { phase = "siege" }  # these public values hold
    said = "No magic."          # this text was logged recently
    until = ["place"]           # learned by an answer with one of these verbs; default: any answer
    # The subject, all optional:
    at.zones = ["pile/0", "{ghost/cell}"]  # zones, or the zone that a public value names
    at.cards = "place"          # the cards in offers with this verb
    at.targets = "place"        # the targets of offers with this verb
    at.plaques = [0]            # the nameplates of seats
    at.drawings = ["sun/track.svg"]
    at.showing = ["sword", "cup"]  # only cards there and in hand with such a field

An unused lesson disappears after `MAX_ANSWERS_SHOWN` answers, and a lesson about a log entry is
shown only while the entry is fresh, so lessons never pile up. Progress isn't saved, because it
follows from the moves made.
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
"""The learner's seat."""
MAX_ANSWERS_SHOWN = 2
"""The number of the learner's answers after which a lesson disappears, used or not."""
MAX_LOG_AGE_ANSWERS = 2
"""A log entry counts as recent until the learner has given this many further answers."""


class SubjectSpec(Struct, frozen=True, forbid_unknown_fields=True):
    """The subject of a lesson as written in first.toml."""

    zones: tuple[str, ...] = ()
    """Zone names; "{value}" stands for the zone that a public value names."""
    cards: str = ""
    """A verb; the cards in the offers with this verb are the subject."""
    targets: str = ""
    """A verb; the target zones of the offers with this verb are the subject."""
    plaques: tuple[int, ...] = ()
    drawings: tuple[str, ...] = ()
    showing: tuple[str, ...] = ()
    """If set, the subject is only the cards in the zones and offers with one of these field values.
    """


class ResolvedSubject(Struct, frozen=True):
    """The subject of a lesson on the current table."""

    zones: tuple[str, ...] = ()
    cards: tuple[int, ...] = ()
    plaques: tuple[int, ...] = ()
    drawings: tuple[str, ...] = ()


class Lesson(Struct, frozen=True, forbid_unknown_fields=True):
    """A rule of the game, shown while its conditions hold."""

    text: str
    paragraph: str = ""
    ask: str = ""
    verb: str = ""
    values: dict[str, Value] = {}
    said: str = ""
    until: tuple[str, ...] = ()
    at: SubjectSpec = SubjectSpec()


class FirstGame(Struct, frozen=True, forbid_unknown_fields=True):
    """The contents of a game's first.toml."""

    seed: str
    seats: int
    lesson: tuple[Lesson, ...]
    options: dict[str, Value] = {}


def load_first_game(kit: GameKit) -> FirstGame | None:
    """Return the game's first.toml, or None if it has none.

    Raises:
        BrokenFile: first.toml has an error.
    """
    written = kit.read_text("first.toml")
    return TomlFile("first.toml", written).read(FirstGame) if written else None


def make_course(match: Match, shown: Callable[[], MatchSnapshot] | None = None) -> "Course | None":
    """Return the learner's course in `match`, or None if `match` isn't a first game.

    `shown` returns the part of the match that the learner has already seen; by default all of it.
    """
    game = load_first_game(match.kit)
    guided = game is not None and match.seed == game.seed and _learns(match.players)
    return Course(game, match, shown) if guided and game else None


class Course:
    """The learner's progress through the lessons in a match."""

    def __init__(
        self,
        written: FirstGame,
        match: Match,
        shown: Callable[[], MatchSnapshot] | None = None,
    ) -> None:
        self._deck, self._game = match.kit.deck, match.kit.rules
        self._get_snapshot = shown or match.snapshot
        self.lessons = written.lesson
        self._dismissed: set[int] = set()
        """The lessons that the learner closed. They may reappear after a resume."""
        self._reset()

    def _reset(self) -> None:
        self._learned: set[int] = set()
        self._answers_shown: Counter[int] = Counter()
        """For each lesson, the number of answers during which it was shown."""
        self._logged_at: dict[str, int] = {}
        """For each log entry, the learner's answer count when it was logged."""
        self._answer_count = self._entries_done = self._plies_done = 0
        """The numbers of the learner's answers, record entries and plies processed so far."""

    def current_lesson(self) -> Lesson | None:
        """Return the lesson to show now, or None."""
        self._process_new_plies()
        number = self._due_lesson(*self._view_and_offers(self._get_snapshot().state))
        return None if number is None else self.lessons[number]

    def is_done(self, lesson: Lesson) -> bool:
        """Return whether the learner has used or dismissed `lesson`."""
        self._process_new_plies()
        return self.lessons.index(lesson) in self._learned | self._dismissed

    def dismiss(self, lesson: Lesson) -> None:
        """Permanently hide `lesson`."""
        self._dismissed.add(self.lessons.index(lesson))

    def dismiss_all(self) -> None:
        """Permanently hide all lessons."""
        self._dismissed.update(range(len(self.lessons)))

    def resolve_subject(self, lesson: Lesson) -> ResolvedSubject:
        """Return the subject of `lesson` on the current table."""
        view, offers = self._view_and_offers(self._get_snapshot().state)
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
            cards = [card for card in seen if self._has_feature(card, at.showing)]
            zones = []
        return ResolvedSubject(
            tuple(dict.fromkeys(zone for zone in zones if zone in view.zones)),
            tuple(dict.fromkeys(cards)),
            at.plaques,
            at.drawings,
        )

    def _has_feature(self, card: int, wanted: Collection[str]) -> bool:
        """Return whether any field on the face of `card` contains one of the values in `wanted`."""
        if not is_face(card):
            return False
        fields = self._deck[card].values()
        return any(set(wanted) & set(field) for field in fields if isinstance(field, dict | list))

    def _process_new_plies(self) -> None:
        """Process the plies since the last call, or all plies again if some were undone."""
        shown = self._get_snapshot()
        match = shown.match
        if any(entry.undo for entry in match.record[self._entries_done : shown.entries]):
            self._reset()
        for before, ply in pairwise(match.plies[self._plies_done : shown.plies]):
            if ply.seat == LEARNER and ply.entry is not None and ply.entry.move is not None:
                self._count_answer(before.state, ply.entry.move)
            for event in ply.events:
                if isinstance(event, Said):
                    self._logged_at[event.text] = self._answer_count
        self._entries_done, self._plies_done = shown.entries, shown.plies - 1

    def _count_answer(self, state: State, move: Move) -> None:
        due = self._due_lesson(*self._view_and_offers(state))
        self._answer_count += 1
        if due is not None:
            self._answers_shown[due] += 1
            until = self.lessons[due].until
            if not until or move.verb in until or self._answers_shown[due] == MAX_ANSWERS_SHOWN:
                self._learned.add(due)

    def _view_and_offers(self, state: State) -> tuple[State, dict[int, tuple[Offer, ...]]]:
        """Return the learner's view of `state` and the learner's offers, by ask ID."""
        view = mask(state, LEARNER)
        asks = [ask for ask in view.asks if ask.seat == LEARNER and ask.id not in view.answers]
        return view, {ask.id: self._game.offers(view, ask) for ask in asks}

    def _due_lesson(self, view: State, offers: Mapping[int, tuple[Offer, ...]]) -> int | None:
        behind = self._learned | self._dismissed
        return next(
            (
                number
                for number, lesson in enumerate(self.lessons)
                if number not in behind
                and (not lesson.said or self._is_fresh(lesson.said))
                and _holds(lesson, view, offers)
            ),
            None,
        )

    def _is_fresh(self, text: str) -> bool:
        return (
            text in self._logged_at
            and self._answer_count - self._logged_at[text] < MAX_LOG_AGE_ANSWERS
        )


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
