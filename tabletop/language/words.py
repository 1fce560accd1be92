"""Texts of the program in English or Japanese, without Qt: names, sentences, the log.

Every text is written in English, in the source or in the files of a game's folder; a ja.po beside
it holds the Japanese. A game's en.po has today's English for log lines whose templates old records
hold. `python3 -m tabletop.language.translation_check` lists texts without one.
"""

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import cache, cached_property, reduce
from gettext import NullTranslations
from importlib.resources import files
from importlib.resources.abc import Traversable
from string import ascii_uppercase
from typing import TypeVar

from msgspec.structs import replace

from tabletop.bots.personas import CHARACTERS
from tabletop.catalogue.catalogue import Kit
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
from tabletop.games import card_sheet
from tabletop.games.conditions import holds
from tabletop.games.wording import ConditionalText, RaceCount, Wording
from tabletop.language import labels
from tabletop.language.game_faults import translated_fault
from tabletop.match.match import Player
from tabletop.text.card_marks import without_marks
from tabletop.text.language_code import LANGUAGE_CODE
from tabletop.text.phrases import GAP, fill_gaps, phrase, screens
from tabletop.text.translations import translations
from tabletop.text.typography import capitalise

__all__ = ["LANGUAGES", "OWN_NAMES", "Words", "phrase"]

T = TypeVar("T")

OWN_NAMES = {"en": "English", "ja": "日本語"}
"""The languages, each as its readers call it."""
LANGUAGES = tuple(OWN_NAMES)

_CODES = re.compile(rf"({LANGUAGE_CODE.pattern})\.po")


def languages_in(folder: Traversable) -> tuple[str, ...]:
    """The codes of the languages that a game can be read in: those of the program, and those of
    columns of its spreadsheet and of po files in its folder."""
    sheet = card_sheet.find(folder)
    columns = card_sheet.columns(sheet) if sheet else ()
    files = (match[1] for each in folder.iterdir() if (match := _CODES.fullmatch(each.name)))
    own = sorted({*files, *(each.language for each in columns if each.language)})
    return tuple(dict.fromkeys((*LANGUAGES, *own)))


def languages_of(kit: Kit) -> tuple[str, ...]:
    """The codes of the languages that a game has texts in, and those of the program."""
    files = {match[1] for each in kit.folder.iterdir() if (match := _CODES.fullmatch(each.name))}
    return tuple(dict.fromkeys((*LANGUAGES, *sorted({*files, *kit.translations}))))


_STOPS = tuple(".!?…。！？")
"""The characters that end a sentence."""

_SUBJECT = re.compile(r"\{seat\}(?: (?!and )|が|は)")
"""The player of a sentence at its beginning, with what binds them to it."""

_OWNED = re.compile(r"(.*)\{seat\}(?:'s |の)(.+)")
"""The name of a player's place: what is before the player, and the place."""

_NOTED = re.compile(r"(.+) \((.+)\)")
"""A formula with a list in brackets: "2×3 (2, 4)"."""

_NEGATIVE = re.compile(r"-\d+(\.\d+)?")

_SEVERAL = ("names", "numbers", "faces", "dice")
"""The gaps for a list, whose argument has ", " between its entries."""

_NUMBERS = re.compile(r"\d+( \d+)+")
"""A value that is a list of numbers: "9 7 10"."""

_LABELLED = re.compile(r"(: |：)$")
"""The end of a label, which is dropped where nothing follows it."""

TEAM_LETTERS = ascii_uppercase
"""The sign of each team at a table, in the order of their first seats."""

MOST_TRANSLATED = 2000
"""Translations kept at hand; a game and its screens have some hundred texts."""

CELL = re.compile(r"(.+)/(\d+),(\d+)")
"""The name of a grid's cell: its grid, row and column."""


class Words:
    """The program's texts in one language, for one game (or none) and its players.

    A game may have texts in more languages than the program; what has none is English.
    """

    def __init__(
        self, language: str = "en", kit: Kit | None = None, players: Sequence[Player] = ()
    ) -> None:
        if not LANGUAGE_CODE.fullmatch(language):
            raise ValueError(f'"{language}" is not the code of a language such as "ja".')
        self.language = language
        self._kit = kit
        self._players = tuple(players)
        self._wording = kit.words if kit else Wording()
        own = (kit.folder,) if kit is not None else ()
        self._sheet = kit.translations.get(language, {}) if kit is not None else {}
        self._own = self._catalogues(own)
        self._translated: dict[str, str] = {}
        """Earlier translations: after each move a page says most things again."""
        self._mirrored = _mirror(self._wording.zones)
        self._turned = kit is not None and kit.layout.table.turned
        pieces = kit.layout.piece if kit is not None else ()
        self._turning = {p.turn.value: p.turn.step for p in pieces if p.turn and p.board}

    @cached_property
    def languages(self) -> tuple[str, ...]:
        """The codes of the languages that can be chosen where this game is played."""
        return languages_of(self._kit) if self._kit is not None else LANGUAGES

    def __call__(self, text: str, /, **args: object) -> str:
        """The text in this language, its gaps filled with the arguments as they are."""
        wording = self._translate(text)
        if not args:
            return wording
        return fill_gaps(wording, {name: self._localise(a) for name, a in args.items()})

    def percent(self, share: float, digits: int = 0) -> str:
        """A share of 1 as a percentage, as it is written in this language."""
        return self("{n}%", n=f"{100 * share:.{digits}f}")

    def _localise(self, arg: object) -> str:
        """An argument as it is; of a negative number, the language's minus."""
        said = str(arg)
        if not said.startswith("-"):
            return said
        minus = self("-{number}") if _NEGATIVE.fullmatch(said) else ""
        return minus.replace("{number}", said[1:]) if minus else said

    def seat(self, seat: int) -> str:
        """The player's name, or "Player 1" where it has none."""
        if 0 <= seat < len(self._players) and self._players[seat].name:
            player = self._players[seat]
            return player.name if player.kind != "bot" else self.player(player).name
        return self("Player {n}", n=seat + 1) if seat != AUDIENCE else self("the audience")

    def player(self, player: Player) -> Player:
        """The player; a bot that the program named has its name in this language."""
        own = _bot_names().get(player.name) if player.kind == "bot" else None
        return player if own is None else replace(player, name=self(own))

    def seats(self, seats: Iterable[int]) -> str:
        """Several players' names, as a sentence holds them: "Mio and Ren"."""
        return self.join_names([self.seat(seat) for seat in seats])

    @property
    def scores_are_ranks(self) -> bool:
        """Whether the scores of this game are only an order of elimination: nobody is points
        ahead."""
        return self._kit is not None and bool(self._kit.meaning.out)

    def team(self, number: int) -> str:
        """Return the name of the team of this number, from 0: "team A"."""
        return self("team {letter}", letter=TEAM_LETTERS[number])

    def card(self, card: int) -> str:
        """The card's name; of a hidden card, "a card", or "a die"."""
        return self._face(card, "name") or self.heap((card,))

    def face(self, card: int) -> str:
        """The print on a card except its name: figures and signs, then its text. The gaps in
        sentences of `faces` are fields of the card; a sentence with a missing one is left out."""
        if self._kit is None or not 0 <= card < len(self._kit.deck):
            return ""
        printed = {name: self._field(name, field) for name, field in self._kit.deck[card].items()}
        sentences = [
            fill_gaps(self._translate(text), printed)
            for text in self._wording.faces
            if all(printed.get(gap) for gap in GAP.findall(text))
        ]
        return self.sentences([*sentences, without_marks(self._face(card, "text"))])

    def _field(self, name: str, field: object) -> str:
        """A field of a card's entry, as it is read: {"tl": 1, "tr": 0} is "top left 1"."""
        if not isinstance(field, Mapping):
            return self.value(name, field) if isinstance(field, int | str) else ""
        entries = ((self.value(name, str(key)), value) for key, value in field.items() if value)
        return self.join_list(
            [self("{word} {value}", word=word, value=value) for word, value in entries]
        )

    def short_text(self, card: int) -> str:
        """Return the short text for a small card; "" for a hidden card."""
        return self._face(card, "short")

    def cards(self, cards: Sequence[int]) -> str:
        """The cards' names as a sentence holds them; several hidden cards are counted: "2
        cards"."""
        names = [self.card(card) for card in cards if is_face(card)]
        hidden_cards = [card for card in cards if not is_face(card)]
        hidden = [self.heap(hidden_cards)] if hidden_cards else []
        if self.language == "ja":
            quoted = "".join(f"「{name}」" for name in names)
            return self.join_names(
                [each for each in (quoted, *hidden) if each] or [self("no card")]
            )
        return self.join_names([*names, *hidden] or [self("no card")])

    def heap(self, cards: Sequence[int]) -> str:
        """Return the number of these cards without their faces: "a card", "3 dice"."""
        count = len(cards)
        if self._kit is not None and cards and all(map(self._kit.is_die, cards)):
            return self("a die") if count == 1 else self("{n} dice", n=count)
        return self("a card") if count == 1 else self("{n} cards", n=count)

    def with_label(self, label: str, text: str) -> str:
        """Return a label with its text."""
        return self("{label}: {text}", label=label, text=text)

    def with_note(self, text: str, note: str) -> str:
        """Return a text with what is added to it in brackets."""
        return self("{text} ({note})", text=text, note=note)

    def join_list(self, texts: Iterable[str]) -> str:
        """A list of these, with the language's separators."""
        return self._chain("{first}, {second}", texts)

    def number(self, number: int, text: str) -> str:
        """An entry of a numbered list: "1. Draw a card"."""
        return self("{number}. {text}", number=number, text=text)

    def join_scores(self, scores: Iterable[int]) -> str:
        """Scores side by side: "12 : 3"."""
        return self._chain(phrase("{first} : {second}"), map(str, scores))

    def join_facts(self, facts: Iterable[str]) -> str:
        """Short facts in one line: "your turn · thinking"; empty ones are left out."""
        return self._chain("{first} · {second}", facts)

    def sentences(self, texts: Iterable[str]) -> str:
        """Sentences as a paragraph; empty ones are left out, a missing full stop between two is
        set."""

        def follow(before: str, text: str) -> str:
            if before.endswith(_STOPS):
                return self("{sentence} {next}", sentence=before, next=text)
            return self("{sentence}. {next}", sentence=before, next=text)

        return _fold(follow, texts)

    def join_names(self, names: Sequence[str]) -> str:
        """Names as a sentence holds them: "Mio and Ren", "Mio, Ren and Sora"."""
        *most, last = names or ("",)
        if len(most) == 1:
            return self("{one} and {other}", one=most[0], other=last)
        return self("{most} and {last}", most=self.join_list(most), last=last) if most else last

    def _chain(self, pair: str, texts: Iterable[str]) -> str:
        """Texts in a row, each two as this text of the program says."""
        wording = self._translate(pair)
        return _fold(
            lambda before, text: fill_gaps(wording, {"first": before, "second": text}), texts
        )

    def zone(self, name: str, viewer: int | None = None) -> str:
        """The place's name, from this viewer's side where the table is turned."""
        turned = viewer == 1 and self._turned
        return self._name_in(
            self._wording.zones, self._mirrored.get(name, name) if turned else name
        )

    def place(self, name: str, viewer: int | None) -> str:
        """The place's name for this viewer: "your hand" where it is their own."""
        text, gaps = _find_entry(self._wording.zones, name) or ("", {})
        owned = _OWNED.fullmatch(self._translate(text))
        if owned is None or gaps.get("seat") != str(viewer):
            return self.zone(name, viewer)
        parts = {gap: self._fill_gap(gap, part) for gap, part in gaps.items()}
        own = self("your {place}", place=fill_gaps(owned[2], parts))
        return fill_gaps(owned[1], parts) + own

    def piece(self, name: str) -> str:
        """The piece's name; of one that each player has, the player as well."""
        return self._name_in(self._wording.pieces, name)

    @property
    def signs(self) -> Mapping[str, str]:
        """The words for the game's signs, in English."""
        return self._wording.signs

    def describe(self, view: State, own: bool = True) -> list[str]:
        """Return the table's drawings as sentences; with or without those for the viewer alone.

        {value} is a value as a word (for 0 and "" only where there is one), {zone} and {player} the
        place and the player it means. A value that belongs to a player in {me} is shown to that
        player alone.
        """
        return list(self.descriptions(view, own).values())

    def descriptions(self, view: State, own: bool = True) -> dict[str, str]:
        """Return the same sentences by the key of the value that each tells."""
        entries = ((key, _find_entry(self._wording.told, key)) for key in view.values)
        sentences = {
            key: self._description(view, key, *match)
            for key, match in entries
            if match is not None and (own or "me" not in match[1])
        }
        return {key: sentence for key, sentence in sentences.items() if sentence}

    def tells(self, key: str) -> bool:
        """Whether a sentence for a drawing tells this value."""
        return _find_entry(self._wording.told, key) is not None

    def _description(self, view: State, key: str, text: str, gaps: Mapping[str, str]) -> str:
        value = self._as_seen(view, key)
        word = self.value(key, value)
        nothing = value in ("", AUDIENCE) or (word == "0" and "{player}" not in text)
        if nothing or gaps.get("me", str(view.viewer)) != str(view.viewer):
            return ""
        fillings = {name: self._fill_gap(name, part) for name, part in gaps.items()}
        fillings |= {"value": word, "zone": self.zone(str(value), view.viewer)}
        fillings |= {"player": self.seat(value)} if isinstance(value, int) else {}
        return fill_gaps(self._translate(text), fillings)

    def _as_seen(self, view: State, key: str) -> Value:
        """A value; of how far a piece is turned, as this viewer sees it."""
        value, step = view.values[key], self._turning.get(key)
        if step is None or view.viewer != 1 or not self._turned or not isinstance(value, int):
            return value
        return (value + round(180 / step)) % round(360 / step)

    def choice(self, choice: str) -> str:
        """Return the meaning of a move's choice: "turn the ghost 45° right"; several separated by
        commas."""
        return self.join_list(
            self._name_in(self._wording.choices, part) for part in choice.split(",")
        )

    def listed_choice(self, choice: str, begun: str = "") -> str:
        """The last step of a choice, in the short form for lists; `begun` holds the steps that were
        chosen before."""
        if begun and choice == begun:
            return self(labels.THAT_IS_ALL)
        step = choice.rpartition(",")[2]
        listed = self._wording.listed.get(step)
        return capitalise(self(listed) if listed else self.choice(step))

    def value(self, key: str, value: Value) -> str:
        """A public value as a word, where the game has one for it; a list of numbers as a list."""
        match = _find_entry(self._wording.values, key)
        text = match[0].get(str(value)) if match else None
        if text is not None:
            return self._translate(text)
        if isinstance(value, str) and _NUMBERS.fullmatch(value):
            return self.join_list(value.split(" "))
        return self._localise(value)

    def log_line(self, line: Said, viewer: int | None = None, subject: bool = True) -> str:
        """A line of the log; without its `subject`, where the line before has named the player."""
        bare = self._translate(line.text) if not subject else ""
        if rest := _SUBJECT.sub("", bare, count=1) if _SUBJECT.match(bare) else "":
            rest = self._fill_gaps(line.text, rest, line.args, viewer, line.cards)
            return capitalise(rest)
        return self._sentence(line.text, line.args, viewer, line.cards)

    def reason(self, reason: Reason, viewer: int | None = None) -> str:
        """Why not, as a sentence."""
        return self._sentence(reason.text, reason.args, viewer)

    def fault(self, fault: str) -> str:
        """What is wrong with a game's files, from its English text."""
        return fault if self.language == "en" else translated_fault(fault, self._translate)

    def note(self, note: Remark, viewer: int | None = None) -> str:
        """A consequence, as a sentence."""
        return self._sentence(note.text, note.args, viewer)

    def line(self, line: ScoreLine) -> str:
        """The label of a line of the score sheet."""
        return self._sentence(line.text, line.args)

    def formula(self, line: ScoreLine, seat: int) -> str:
        """How a seat's points in this line came about; empty for none."""
        formula = line.formulas[seat] if seat < len(line.formulas) else ""
        noted = _NOTED.fullmatch(formula)
        if noted is None:
            return formula
        return self.with_note(noted[1], self.join_list(noted[2].split(", ")))

    def tie_breaker(self, result: Result) -> str:
        """Return the tie-breaker as a sentence; empty where the scores alone decided."""
        return self._sentence(result.decided, result.args)

    def move(self, move: Move, viewer: int | None = None, view: State | None = None) -> str:
        """A legal action as a sentence.

        {there} are the cards in the target as far as the view shows them, else the target itself.
        """
        text = self._move_text(move.verb)
        return fill_gaps(text, self._move_gaps(text, move, viewer, view))

    def moves(
        self, moves: Sequence[Move], viewer: int | None = None, view: State | None = None
    ) -> tuple[str, list[str]]:
        """Legal actions of one verb: the sentence they share, with "…" in place of what differs,
        and that for each; nothing where all say the same."""
        text = self._move_text(moves[0].verb)
        gapped = [self._move_gaps(text, move, viewer, view) for move in moves]
        own = [
            gap.span() for gap in GAP.finditer(text) if len({gaps[gap[1]] for gaps in gapped}) > 1
        ]
        if not own:
            return fill_gaps(text, gapped[0]), [""] * len(moves)
        first, last = own[0][0], own[-1][1]
        shared = fill_gaps(f"{_LABELLED.sub('', text[:first])}…{text[last:]}", gapped[0])
        return shared, [fill_gaps(text[first:last], gaps) for gaps in gapped]

    def _move_text(self, verb: str) -> str:
        """Return the name of a move of this verb, with gaps."""
        known = self._wording.verbs.get(verb)
        return self._translate(known.sentence) if known else verb

    def _move_gaps(
        self, text: str, move: Move, viewer: int | None, view: State | None
    ) -> dict[str, str]:
        """What fills the gaps of this text of a move."""
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
        """The prompt for the player of a question, given the table's public values; `verbs` are
        those that are offered, `held` is a card that is picked up.

        {seat} is the player; {0}, {1} are the question's arguments, which {seat0}, {zone0},
        {word0} and {card0} read as a player, a place, a word and a card. Public values are gaps by
        their name.
        """
        asked = self._wording.asks.get(ask.what)
        text = asked.asks(values) if asked else ask.what
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
        """The tool tip of a move's button; empty where there is none."""
        known = self._wording.verbs.get(move.verb)
        text = known.hints.get(move.choice, "") if known else ""
        return self._translate(text) if text else ""

    def choosing_prompt(self, verb: str) -> str:
        """The prompt for the rest of a half-made move of this verb; empty where there is none."""
        known = self._wording.verbs.get(verb)
        return self._translate(known.choose) if known and known.choose else ""

    def heading(self, view: State) -> str:
        """Return the progress of the game, in a line over the table: "Analysis, turn 12"."""
        others = (line.text for line in self._wording.headings if is_shown(line, view))
        return self.with_values(next(others, self._wording.heading), view)

    def round(self, view: State) -> str:
        """Return the name of the current round in a replay: "Round 3"."""
        return self.with_values(self._wording.round or self._wording.heading, view)

    def with_values(self, text: str, view: State) -> str:
        """A text of the game whose gaps are values of the table."""
        wording = self._translate(text)
        return fill_gaps(
            wording,
            {
                key: self.seat(value)
                if key.startswith("seat") and isinstance(value, int)
                else self.value(key, value)
                for key in GAP.findall(wording)
                if (value := view.values.get(key)) is not None
            },
        )

    def _translate(self, text: str) -> str:
        known = self._translated.get(text)
        if known is None:
            # texts from strangers could fill it without end
            if len(self._translated) >= MOST_TRANSLATED:
                self._translated.clear()
            known = self._translated[text] = self._look_up(text)
        return known

    def _look_up(self, text: str) -> str:
        if text in self._sheet or not text:  # the empty text is gettext's header
            return self._sheet.get(text, text)
        for catalogue in self._own:
            if translation := catalogue.gettext(text):
                return translation
        return next(
            (translation for each in self._common if (translation := each.gettext(text))), text
        )

    @cached_property
    def _common(self) -> tuple[NullTranslations, ...]:
        """The texts of the program and its screens; not read for the title of a game alone."""
        if self.language == "en":
            return ()
        return self._catalogues((_own_folder(), *screens()))

    def _catalogues(self, folders: Sequence[Traversable]) -> tuple[NullTranslations, ...]:
        return tuple(translations(folder / f"{self.language}.po") for folder in folders)

    def _face(self, card: int, key: str) -> str:
        if self._kit is None or not 0 <= card < len(self._kit.deck):
            return ""
        return self._translate(str(self._kit.deck[card].get(key, "")))

    def _name_in(self, section: Mapping[str, str], name: str) -> str:
        """The text that a section of words.toml has for a name; gaps of its pattern are players
        ({seat}), what `[values]` has of their name, or themselves."""
        match = _find_entry(section, name)
        if match is None:
            return name
        text, gaps = match
        parts = {gap: self._fill_gap(gap, part) for gap, part in gaps.items()}
        return fill_gaps(self._translate(text), parts)

    def _fill_gap(self, gap: str, part: str) -> str:
        if gap.startswith("seat") and part.isdigit():
            return self.seat(int(part))
        return self.value(gap.rstrip("0123456789"), part)

    def _sentence(
        self,
        text: str,
        args: Mapping[str, Value],
        viewer: int | None = None,
        cards: Sequence[int] = (),
    ) -> str:
        """The text with gaps as `Pen.say` describes them."""
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
        return fill_gaps(translated, gaps)

    def _read_argument(self, name: str, arg: Value, viewer: int | None) -> str:
        """An argument of a sentence, read by the type in its name."""
        match arg:
            case int() if name.startswith("seat"):
                return self.seat(arg)
            case str() if name.startswith("zone"):
                return self.zone(arg, viewer)
            case str() if name.startswith("word"):
                return self._translate(arg)
            case str() if name == "why":
                return self.fault(arg)
            case str() if name in _SEVERAL:
                return self.join_list(arg.split(", "))
            case _:
                return self._localise(arg)


def is_shown(line: ConditionalText | RaceCount, view: State, seat: int = AUDIENCE) -> bool:
    """Whether a text, or a figure of a seat, is shown at this table."""
    if not line.when and not line.unless:
        return True
    return holds(line.when, line.unless, {**view.values, "seats": view.seats}, {"seat": seat})


def _fold(two: Callable[[str, str], str], texts: Iterable[str]) -> str:
    """Texts as one, put together by twos; "" for none, empty ones are left out."""
    said = [text for text in texts if text]
    return reduce(two, said) if said else ""


@cache
def _bot_names() -> dict[str, str]:
    """The English name of every bot that the program names, by its name in each language."""
    names = [character.name for character in CHARACTERS]
    catalogues = (translations(_own_folder() / f"{language}.po") for language in LANGUAGES)
    return {each.gettext(name) or name: name for each in catalogues for name in names}


@cache
def _own_folder() -> Traversable:
    return files("tabletop")


def _find_entry(section: Mapping[str, T], name: str) -> tuple[T, dict[str, str]] | None:
    """Return a section's entry for a name in words.toml, and the values of its pattern's {gaps}."""
    if name in section:
        return section[name], {}
    for pattern, entry in section.items():
        if "{" in pattern and (gaps := _compile_pattern(pattern).fullmatch(name)):
            return entry, gaps.groupdict()
    return None


@cache
def _compile_pattern(pattern: str) -> re.Pattern[str]:
    parts = GAP.split(pattern)
    return re.compile(
        "".join(
            f"(?P<{part}>[^/,]+)" if gap else re.escape(part)
            for part, gap in zip(parts, [False, True] * len(parts), strict=False)
        )
    )


def _mirror(zones: Mapping[str, str]) -> dict[str, str]:
    """Each cell of a grid with the cell at its place as seen from the other side."""
    cells = [(cell[1], int(cell[2]), int(cell[3])) for z in zones if (cell := CELL.fullmatch(z))]
    last: dict[str, tuple[int, int]] = {}
    for grid, row, column in cells:
        rows, columns = last.get(grid, (0, 0))
        last[grid] = max(rows, row), max(columns, column)
    return {
        f"{grid}/{row},{column}": f"{grid}/{last[grid][0] - row},{last[grid][1] - column}"
        for grid, row, column in cells
    }
