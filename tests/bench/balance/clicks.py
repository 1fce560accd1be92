"""How much people at one shared screen must do: clicks and hand-overs, by how they are asked.

Greedy people play Sister Royale; what a screen would ask of them is worked out with the functions
that the window uses (`ui.screens.turns`, `tabletop.reactions`), without a window. An answer costs a
click for each card, place and choice it names, at least one; a bar one; a hand-over is one click on
"Hand over" (none from the open table) and one held curtain. `matter` counts the clicks of answers
that had more than one possibility: the rest is what the program makes of a chance that is none.
"""

from collections import Counter
from collections.abc import Iterator, Sequence

from tabletop.engine.mask import mask
from tabletop.engine.model import AUDIENCE, Ask, Move, State
from tabletop.engine.play import start, submit
from tabletop.engine.scratch import Luck
from tabletop.reactions import PASS, WAYS, Way, care, is_chance
from tests.bench.figures import Figure, figure
from tests.games.royale.players import greedy
from tests.games.royale.tables import GAME, KIT
from ui.match.hot_seat import bar, needs_curtain, next_viewer, round_of

SEATS = (2, 4, 6, 12)
GAMES = 3


class Screen:
    """One screen that all players share, all of whom wish to be asked in the same way."""

    def __init__(self, seats: int, way: Way, seed: str) -> None:
        self.state = _begun(seats, seed)
        self.seed = seed
        self.luck = Luck(seed)
        self.ways: Sequence[Way] = [way] * seats
        self.people = range(seats)
        self.looking = AUDIENCE
        self.counts: Counter[str] = Counter()
        self.phases = 0

    def play(self) -> None:
        """The whole game."""
        while self.state.result is None:
            asked = round_of(KIT, self.state, self.people, self.looking)
            shown = bar(KIT, self.state, asked, self.ways)
            if shown.passed:
                for ask in shown.passed:
                    self._pass(ask)
            elif shown.asks:
                self._anyone(shown.asks, shown.stays)
            else:
                self._own()

    def _anyone(self, asks: Sequence[Ask], stays: bool) -> None:
        """The public bar: the first who reacts is called, or all pass."""
        self.counts["pauses"] += not stays
        if stays:
            self.looking = AUDIENCE
        for expected in asks:
            ask = self._open(expected.seat)
            if self._answer(ask).verb != PASS:
                self.counts["clicks"] += 1
                self.counts["bar clicks"] += 1
                self.counts["matter"] += 1
                self._look(ask.seat)
                return
            self._pass(ask)
        self.counts["clicks"] += stays
        self.counts["bar clicks"] += stays

    def _own(self) -> None:
        """A question to who looks, after a hand-over where somebody else must look."""
        following = next_viewer(self.state, self.people, self.looking)
        if following != self.looking:
            self._look(following)
        ask = self._open(following)
        offers = GAME.offers(self.state, ask)
        move = self._answer(ask)
        if is_chance(KIT.meaning, ask, offers):
            cared = care(KIT.meaning, self.state, ask, offers, self.ways[ask.seat])
            if cared.passed:
                self.counts["pauses"] += cared.paced
                self._pass(ask)
                return
        cost = max(1, len(move.cards) + bool(move.target) + bool(move.choice))
        self.phases += ask.what == "walk" and move.verb != "gear"
        several = sum(1 for offer in offers for _ in offer.moves(0)) > 1
        self.counts["matter"] += cost * several
        self.counts["clicks"] += cost
        self._submit(ask, move)

    def _look(self, seat: int) -> None:
        views = {s: mask(self.state, s) for s in self.people}
        if needs_curtain(views, self.looking, seat):
            self.counts["clicks"] += self.looking != AUDIENCE
            self.counts["hand-overs"] += 1
        self.looking = seat

    def _open(self, seat: int) -> Ask:
        return next(ask for ask in self.state.asks if ask.seat == seat)

    def _answer(self, ask: Ask) -> Move:
        offers = GAME.offers(self.state, ask)
        return greedy(self.state, ask, offers, Luck(f"{self.seed}/{self.state.ply}"))

    def _pass(self, ask: Ask) -> None:
        ask = self._open(ask.seat)
        self._submit(ask, Move(ask.id, PASS))

    def _submit(self, ask: Ask, move: Move) -> None:
        self.state = submit(GAME, self.state, ask.seat, move, self.seed).state


def _begun(seats: int, seed: str) -> State:
    return start(GAME, seats, seed, KIT.backs, {"length": 21}).state


def report() -> Iterator[Figure]:
    for seats in SEATS:
        for way in WAYS:
            screens = [Screen(seats, way, f"clicks {seats} {number}") for number in range(GAMES)]
            for screen in screens:
                screen.play()
            counts = sum((screen.counts for screen in screens), Counter[str]())
            phases = sum(screen.phases for screen in screens)
            rounds = sum(int(screen.state.values["turn"]) for screen in screens)
            each = {name: count / phases for name, count in counts.items()}
            here = f"{seats} players, {way}"
            for what in ("clicks", "matter", "bar clicks", "pauses", "hand-overs"):
                yield figure(f"{here}: {what} a phase", "", each.get(what, 0.0))
            for what in ("clicks", "hand-overs"):
                yield figure(f"{here}: {what} a turn of all", "", counts[what] / rounds)
