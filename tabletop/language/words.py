"""Sentences about one table in one language, such as log lines, refusals, moves and questions."""

import re
from collections.abc import Iterable, Mapping, Sequence

from tabletop.catalogue.catalogue import GameKit
from tabletop.engine.events import Said
from tabletop.engine.model import (
    AUDIENCE,
    NO_CARD,
    Ask,
    Move,
    Reason,
    Remark,
    Result,
    ScoreLine,
    State,
    Value,
    is_face,
)
from tabletop.games.conditions import condition_values, conditions_hold
from tabletop.games.wording import ConditionalText, RaceCount
from tabletop.language.names import Names, find_entry
from tabletop.match.match import Player
from tabletop.text.phrases import GAP, fill_gaps
from tabletop.text.typography import capitalise

_SUBJECT = re.compile(r"\{seat\}(?: (?!and )|が|は)")
"""Matches the player at the start of a sentence, with the space or particle that follows."""

_FORMULA_WITH_LIST = re.compile(r"(.+) \((.+)\)")
"""A formula with a list in brackets: "2×3 (2, 4)"."""

CHOICE_GAP = "{choice}"
_LIST_GAPS = ("names", "numbers", "faces", "dice")
"""Placeholders for lists. Their arguments separate entries by ", "."""

_LABEL_END = re.compile(r"(: |：)$")
"""Matches the colon at the end of a label; the colon is dropped if the label stands alone."""


class Words(Names):
    """All sentences about one table and its players.

    Without a game, only the program's sentences.
    """

    def __init__(
        self,
        language: str = "en",
        kit: GameKit | None = None,
        players: Sequence[Player] = (),
        reader: int = AUDIENCE,
    ) -> None:
        super().__init__(language, kit, players, reader)
        pieces = kit.layout.piece if kit is not None else ()
        self._turning = {p.turn.value: p.turn.step for p in pieces if p.turn and p.board}

    def describe(self, view: State, own: bool = True) -> list[str]:
        """Return sentences for the public values that are drawn on the table.

        {value} is a value as a word (0 and "" only if the game has a word for them). {zone} and
        {player} are the zone and the player that the value refers to. A value whose key contains
        {me} is shown only to the player it belongs to; `own=False` omits such values.
        """
        return list(self.descriptions(view, own).values())

    def descriptions(self, view: State, own: bool = True) -> dict[str, str]:
        """Return the sentences of `describe`, by the key of the public value."""
        entries = ((key, find_entry(self._wording.told, key)) for key in view.values)
        sentences = {
            key: self._description(view, key, *match)
            for key, match in entries
            if match is not None and (own or "me" not in match[1])
        }
        return {key: sentence for key, sentence in sentences.items() if sentence}

    def tells(self, key: str) -> bool:
        """Return whether words.toml has a sentence for the public value `key`."""
        return find_entry(self._wording.told, key) is not None

    def _description(self, view: State, key: str, text: str, gaps: Mapping[str, str]) -> str:
        value = self._as_seen(view, key)
        word = self.value(key, value)
        nothing = value in ("", AUDIENCE) or (word == "0" and "{player}" not in text)
        if nothing or gaps.get("me", str(view.viewer)) != str(view.viewer):
            return ""
        fillings = {name: self._fill_gap(name, part) for name, part in gaps.items()}
        fillings |= {"value": word, "zone": self.zone(str(value), view.viewer)}
        fillings |= {"player": self.seat(value)} if isinstance(value, int) else {}
        return self._fill(self._translate(text), fillings)

    def _as_seen(self, view: State, key: str) -> Value:
        """Return the public value `key`.

        If it is a piece's rotation, return it as the viewer sees it.
        """
        value, step = view.values[key], self._turning.get(key)
        if step is None or view.viewer != 1 or not self._turned or not isinstance(value, int):
            return value
        return (value + round(180 / step)) % round(360 / step)

    def log_line(self, line: Said, viewer: int | None = None, subject: bool = True) -> str:
        """Return a log line as a sentence.

        `subject`: whether to name the player; False if the previous line did.
        """
        addressed = self.language == "en" and line.args.get("seat") == self.reader != AUDIENCE
        bare = self._translate(line.text) if not (subject or addressed) else ""
        if rest := _SUBJECT.sub("", bare, count=1) if _SUBJECT.match(bare) else "":
            rest = self._fill_gaps(line.text, rest, line.args, viewer, line.cards)
            return capitalise(rest)
        return self._sentence(line.text, line.args, viewer, line.cards)

    def reason(self, reason: Reason, viewer: int | None = None) -> str:
        """Return a reason, such as that for a refusal, as a sentence."""
        return self._sentence(reason.text, reason.args, viewer)

    def note(self, note: Remark, viewer: int | None = None) -> str:
        """Return a remark about a move's consequence as a sentence."""
        return self._sentence(note.text, note.args, viewer)

    def line(self, line: ScoreLine) -> str:
        """Return the label of a score sheet line."""
        return self._sentence(line.text, line.args)

    def formula(self, line: ScoreLine, seat: int) -> str:
        """Return how the points of `seat` in `line` were calculated, or "" if unknown."""
        formula = line.formulas[seat] if seat < len(line.formulas) else ""
        noted = _FORMULA_WITH_LIST.fullmatch(formula)
        if noted is None:
            return formula
        return self.with_note(noted[1], self.join_list(noted[2].split(", ")))

    def tie_breaker(self, result: Result) -> str:
        """Return the tie-breaker as a sentence, or "" if the scores alone decided."""
        return self._sentence(result.decided, result.args)

    def move(self, move: Move, viewer: int | None = None, view: State | None = None) -> str:
        """Return a legal move as a sentence.

        {there} becomes the cards in the target zone if `view` shows any, else the zone's name.
        """
        text = self._move_text(move.verb)
        return self._fill(text, self._move_gaps(text, move, viewer, view))

    def move_button(self, move: Move, viewer: int | None = None, view: State | None = None) -> str:
        """Return the text of a move's own button.

        It is the verb's button text if that names the choice, else the whole sentence.
        """
        known = self._wording.verbs.get(move.verb)
        if known is None or CHOICE_GAP not in known.button:
            return self.move(move, viewer, view)
        text = self._translate(known.button)
        return capitalise(self._fill(text, self._move_gaps(text, move, viewer, view)))

    def moves(
        self, moves: Sequence[Move], viewer: int | None = None, view: State | None = None
    ) -> tuple[str, list[str]]:
        """Return the common text of moves of one verb, and a list of their differing parts.

        "…" in the common text marks where the parts differ. The parts are "" if all moves have the
        same text.
        """
        text = self._move_text(moves[0].verb)
        gapped = [self._move_gaps(text, move, viewer, view) for move in moves]
        own = [
            gap.span() for gap in GAP.finditer(text) if len({gaps[gap[1]] for gaps in gapped}) > 1
        ]
        if not own:
            return self._fill(text, gapped[0]), [""] * len(moves)
        first, last = own[0][0], own[-1][1]
        shared = fill_gaps(f"{_LABEL_END.sub('', text[:first])}…{text[last:]}", gapped[0])
        return shared, [fill_gaps(text[first:last], gaps) for gaps in gapped]

    def _move_text(self, verb: str) -> str:
        """Return the template of the sentence for moves of `verb`."""
        known = self._wording.verbs.get(verb)
        return self._translate(known.sentence) if known else verb

    def _move_gaps(
        self, text: str, move: Move, viewer: int | None, view: State | None
    ) -> dict[str, str]:
        """Return the values for the placeholders of `text`, as they apply to `move`."""
        gaps: dict[str, str] = {}
        for gap in GAP.findall(text):
            match gap:
                case "card":
                    gaps[gap] = self.cards(move.cards[:1])
                case "cards":
                    gaps[gap] = self.cards(move.cards)
                case "zone":
                    gaps[gap] = self.place(move.target, viewer)
                case "there":
                    lying = view.cards.get(move.target, ()) if view else ()
                    gaps[gap] = self.cards(lying) if lying else self.place(move.target, viewer)
                case "choice":
                    gaps[gap] = self.choice(move.choice)
        return gaps

    def prompt(
        self, ask: Ask, values: Mapping[str, Value], verbs: Iterable[str] = (), held: int = NO_CARD
    ) -> str:
        """Return the prompt that asks a player the question `ask`.

        {seat} is the player. {0} and {1} are the arguments of `ask`; {seat0}, {zone0}, {word0} and
        {card0} show an argument as a player, a zone, a word or a card. A public value's name is
        also a placeholder.

        Args:
            values: the public values of the table.
            verbs: the verbs that are offered.
            held: the card that the player has picked up.
        """
        asked = self._wording.asks.get(ask.what)
        text = asked.prompt_for(values) if asked else ask.what
        if asked is not None:
            text = asked.offered.get(", ".join(sorted(set(verbs))), text)
            text = asked.holding if asked.holding and is_face(held) else text
        args: dict[str, Value] = {key: values[key] for key in GAP.findall(text) if key in values}
        args["seat"] = ask.seat
        for number, arg in enumerate(ask.args):
            args |= {f"{kind}{number}": arg for kind in ("", "seat", "zone", "word")}
            args[f"card{number}"] = self.card(arg) if isinstance(arg, int) else arg
        args["card"] = self.cards((held,)) if is_face(held) else ""
        return self._sentence(text, args)

    def hint(self, move: Move) -> str:
        """Return the tooltip of a move's button, or "" if it has none."""
        known = self._wording.verbs.get(move.verb)
        text = known.hints.get(move.choice, "") if known else ""
        return self._translate(text) if text else ""

    def choosing_prompt(self, verb: str) -> str:
        """Return the prompt for completing an unfinished move of `verb`, or "" if it has none."""
        known = self._wording.verbs.get(verb)
        return self._translate(known.choose) if known and known.choose else ""

    def heading(self, view: State) -> str:
        """Return the game's progress as a line above the table: "Analysis, turn 12"."""
        others = (line.text for line in self._wording.headings if is_shown(line, view))
        return self.with_values(next(others, self._wording.heading), view)

    def round(self, view: State) -> str:
        """Return the name of the current round in a replay: "Round 3"."""
        return self.with_values(self._wording.round or self._wording.heading, view)

    def with_values(self, text: str, view: State) -> str:
        """Return a text of the game with its placeholders filled by the table's public values."""
        wording = self._translate(text)
        return self._fill(
            wording,
            {
                key: self.seat(value)
                if key.startswith("seat") and isinstance(value, int)
                else self.value(key, value)
                for key in GAP.findall(wording)
                if (value := view.values.get(key)) is not None
            },
        )

    def _sentence(
        self,
        text: str,
        args: Mapping[str, Value],
        viewer: int | None = None,
        cards: Sequence[int] = (),
    ) -> str:
        """Translate `text` and fill its placeholders as described in `Pen.say`."""
        sentence = self._fill_gaps(text, self._translate(text), args, viewer, cards)
        if self.language != "ja" and text.startswith(("{card", "{zone")):
            return capitalise(sentence)
        return sentence

    def _fill_gaps(
        self,
        text: str,
        translated: str,
        args: Mapping[str, Value],
        viewer: int | None,
        cards: Sequence[int],
    ) -> str:
        gaps = {name: self._read_argument(name, arg, viewer) for name, arg in args.items()}
        if cards:
            gaps |= {"card": self.cards(cards[:1]), "cards": self.cards(cards)}
        elif "{card" in text:  # no cards were left to draw
            gaps = dict.fromkeys(("card", "cards"), self.cards(())) | gaps
        return self._fill(translated, gaps)

    def _read_argument(self, name: str, arg: Value, viewer: int | None) -> str:
        """Return an argument as text. Its `name` determines its type."""
        match arg:
            case int() if name.startswith("seat"):
                return self.seat(arg)
            case str() if name.startswith("zone"):
                return self.zone(arg, viewer)
            case str() if name.startswith("word"):
                return self._translate(arg)
            case str() if name.startswith("sum"):
                return self._sum(arg)
            case str() if name == "why":
                return self.fault(arg)
            case str() if name in _LIST_GAPS:
                return self.join_list(arg.split(", "))
            case _:
                return self._localise(arg)

    def _sum(self, written: str) -> str:
        """Return points as text, with their formula last. `written` is "4×6 = 24", or "24"."""
        formula, equals, points = written.replace("\N{NO-BREAK SPACE}", " ").rpartition(" = ")
        if equals:
            return self("{sum} ({formula})", sum=points, formula=formula)
        return self._localise(points)


def is_shown(line: ConditionalText | RaceCount, view: State, seat: int = AUDIENCE) -> bool:
    """Return whether the conditions of `line` hold at this table.

    For a `RaceCount`, `seat` is its player.
    """
    if not line.when and not line.unless:
        return True
    return conditions_hold(line.when, line.unless, condition_values(view, ""), {"seat": seat})
