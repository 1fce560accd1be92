"""Collects what a file of another program has besides cards: the table's picture, dice, counters,
and the things that aren't imported.
"""

from collections import Counter
from collections.abc import Iterable

from tabletop.engine.model import Reason
from tabletop.studio.exchange.found_game import MAX_NAME_CHARS, FoundCounter, FoundDice
from tabletop.studio.exchange.pictures import FoundPictures
from tabletop.text.normalisation import TooManyMarks, check_marks, normalise
from tabletop.text.phrases import phrase
from tabletop.text.plain_text import plain_line

MAX_DICE_SETS, MAX_COUNTERS, MAX_LEFT_OUT = 12, 12, 60
"""The maximum numbers of sets of dice, of counters, and of sentences about what isn't imported."""
MAX_DICE, MAX_SIDES, MAX_COUNT = 100, 1_000, 1_000_000
"""The limits of a free table: dice in a set, sides of a die, and a counter's value."""
_KIND = phrase("Not imported: {kind} ({n})")
_MORE = phrase("Not imported: {n} more kinds of objects")
_BOARD = phrase('The table has one picture, so "{name}" isn\'t imported.')
_NO_BOARD = phrase("The table's picture \"{name}\" isn't in the file, or can't be read.")
_COUNTER = phrase('The counter "{name}" isn\'t imported: a table has at most {n}.')
_DICE = phrase('The dice "{name}" aren\'t imported: a table has at most {n} sets.')


class ComponentCollector:
    """Collects the components of a file within the limits of a free table."""

    def __init__(self, pictures: FoundPictures) -> None:
        self._pictures = pictures
        self.board = ""
        """The name of the table's picture, or ""."""
        self._dice: Counter[tuple[str, int]] = Counter()
        self._counters: dict[str, FoundCounter] = {}
        self._kinds: Counter[str] = Counter()
        self._sentences: dict[str, Reason] = {}

    def add_board(self, wanted: str, name: str = "") -> None:
        """Use the picture `wanted` for the table, unless it has one. `name` is for messages."""
        called = _displayable(name) or _displayable(wanted.replace("\\", "/").rpartition("/")[2])
        if not wanted:
            return
        if not self._pictures.has(wanted):
            self.leave_out(Reason(_NO_BOARD).with_args(name=called))
        elif self.board:
            self.leave_out(Reason(_BOARD).with_args(name=called))
        elif found := self._pictures.load_board(wanted):
            self.board = found
        else:
            self.leave_out(Reason(_NO_BOARD).with_args(name=called))

    def add_die(self, name: str, sides: int) -> None:
        """Add a die. Dice with the same name and number of sides are thrown together."""
        if 2 <= sides <= MAX_SIDES:
            self._dice[_displayable(name), sides] += 1
        else:
            self.leave_out_kind(_displayable(name) or "Dice")

    def add_counter(self, name: str, start: int = 0, of_seats: bool = False) -> None:
        """Add a counter, unless `of_seats` and the players already have one with that name."""
        called = first = _displayable(name)
        if of_seats and called in self._counters:
            return
        number = 1
        while called in self._counters and number <= MAX_COUNTERS:
            number += 1
            called = f"{first} {number}".strip()
        start = min(max(start, -MAX_COUNT), MAX_COUNT)
        if len(self._counters) < MAX_COUNTERS:
            self._counters[called] = FoundCounter(called, start, of_seats)
        else:
            self.leave_out(Reason(_COUNTER).with_args(name=first, n=MAX_COUNTERS))

    def leave_out_kind(self, kind: str, count: int = 1) -> None:
        """Report `count` objects of a kind, in the other program's words, as not imported."""
        if count > 0:
            self._kinds[_displayable(kind) or "?"] += count

    def leave_out(self, sentence: Reason) -> None:
        """Report something as not imported."""
        self._sentences.setdefault(repr(sentence), sentence)

    def dice(self) -> tuple[FoundDice, ...]:
        """Return the dice. Further sets are reported as not imported."""
        sets = [
            FoundDice(name, sides, min(count, MAX_DICE))
            for (name, sides), count in self._dice.items()
        ]
        for each in sets[MAX_DICE_SETS:]:
            called = each.name or f"d{each.sides}"
            self.leave_out(Reason(_DICE).with_args(name=called, n=MAX_DICE_SETS))
        return tuple(sets[:MAX_DICE_SETS])

    def counters(self) -> tuple[FoundCounter, ...]:
        """Return the counters."""
        return tuple(self._counters.values())

    def left_out(self) -> tuple[Reason, ...]:
        """Return what wasn't imported. Call it after `dice`."""
        return limit_sentences([*self._sentences.values(), *self._kind_sentences()])

    def _kind_sentences(self) -> Iterable[Reason]:
        for kind, count in self._kinds.most_common():
            yield Reason(_KIND).with_args(kind=kind, n=count)


def limit_sentences(sentences: list[Reason]) -> tuple[Reason, ...]:
    """Return `sentences`, of which those above the limit are replaced with their number."""
    if len(sentences) <= MAX_LEFT_OUT:
        return tuple(sentences)
    more = len(sentences) - MAX_LEFT_OUT + 1
    return (*sentences[: MAX_LEFT_OUT - 1], Reason(_MORE).with_args(n=more))


def _displayable(text: str) -> str:
    """Return `text` on one line without control characters, cut to a name's length."""
    try:
        plain = plain_line(normalise("NFC", text, 8 * MAX_NAME_CHARS), MAX_NAME_CHARS).strip()
        check_marks(plain)
    except TooManyMarks:
        return ""
    return plain
