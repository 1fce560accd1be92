"""Names of players, cards, zones and values at one table, in one language."""

import re
from collections.abc import Iterable, Mapping, Sequence
from functools import cache, cached_property
from string import ascii_uppercase
from typing import TypeVar

from msgspec.structs import replace

from tabletop.bots.personas import CHARACTERS
from tabletop.catalogue.catalogue import GameKit
from tabletop.engine.model import AUDIENCE, Value, is_face
from tabletop.games.wording import Wording
from tabletop.language import labels
from tabletop.language.languages import LANGUAGES, languages_of
from tabletop.language.second_person import YOU
from tabletop.language.texts import Texts, program_folder
from tabletop.match.match import Player
from tabletop.text.card_marks import without_marks
from tabletop.text.phrases import GAP, fill_gaps
from tabletop.text.translations import load_translations
from tabletop.text.typography import capitalise

T = TypeVar("T")

_OWNED_ZONE = re.compile(r"(.*)\{seat\}(?:'s |の)(.+)")
"""Matches the name of a player's zone: text before the player's name, and the zone's name."""

_NUMBER_LIST = re.compile(r"\d+( \d+)+")
"""A value that is a list of numbers, like "9 7 10"."""

TEAM_LETTERS = ascii_uppercase
"""The letters that name the teams, in the order of each team's first seat."""

CELL_NAME = re.compile(r"(.+)/(\d+),(\d+)")
"""Matches the name of a grid cell: the grid, the row and the column."""


class Names(Texts):
    """Names of a game's objects and of its players. Without a game, only names of players.

    A game may be translated into more languages than the program.
    """

    def __init__(
        self,
        language: str = "en",
        kit: GameKit | None = None,
        players: Sequence[Player] = (),
        reader: int = AUDIENCE,
    ) -> None:
        """Name the objects of `kit` and its `players`.

        Args:
            reader: the seat addressed as "you" (`sole_human`). AUDIENCE: all players are named.
        """
        if kit is None:
            super().__init__(language)
        else:
            super().__init__(language, kit.translations.get(language, {}), (kit.folder,))
        self._kit = kit
        self._players = tuple(players)
        self.reader = reader
        self._wording = kit.words if kit else Wording()
        self._mirrored = _mirror(self._wording.zones)
        self._turned = kit is not None and kit.layout.table.turned

    @cached_property
    def languages(self) -> tuple[str, ...]:
        """The codes of the languages available for this game."""
        return languages_of(self._kit) if self._kit is not None else LANGUAGES

    def seat(self, seat: int) -> str:
        """Return the name of the player at `seat`; without one, a name such as "Player 1".

        The reader's name is "You".
        """
        if seat == self.reader != AUDIENCE:
            return self(YOU)
        if 0 <= seat < len(self._players) and self._players[seat].name:
            player = self._players[seat]
            return player.name if player.kind != "bot" else self.player(player).name
        return self("Player {n}", n=seat + 1) if seat != AUDIENCE else self("the audience")

    def player(self, player: Player) -> Player:
        """Return `player`; a bot's built-in name is translated into this language."""
        own = _bot_names().get(player.name) if player.kind == "bot" else None
        return player if own is None else replace(player, name=self(own))

    def seats(self, seats: Iterable[int]) -> str:
        """Return the names of several players as part of a sentence: "Mio and Ren"."""
        return self.join_names([self.seat(seat) for seat in seats])

    def team(self, number: int) -> str:
        """Return the name of team `number`, counted from 0: "team A"."""
        return self("team {letter}", letter=TEAM_LETTERS[number])

    @property
    def scores_are_ranks(self) -> bool:
        """Whether this game's scores are only the order of elimination, not points."""
        return self._kit is not None and bool(self._kit.meaning.out)

    def card(self, card: int) -> str:
        """Return the name of `card`, or "a card" or "a die" if it is hidden."""
        return self._face(card, "name") or self.heap((card,))

    def face(self, card: int) -> str:
        """Return the printed text of `card` apart from its name: first its values, then its text.

        The values come from the sentences of `faces` in words.toml, whose placeholders are fields
        of the card. Sentences with an empty field are left out.
        """
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
        """Return a card's field as text: {"tl": 1, "tr": 0} becomes "top left 1"."""
        if not isinstance(field, Mapping):
            return self.value(name, field) if isinstance(field, int | str) else ""
        entries = ((self.value(name, str(key)), value) for key, value in field.items() if value)
        return self.join_list(
            [self("{word} {value}", word=word, value=value) for word, value in entries]
        )

    def short_text(self, card: int) -> str:
        """Return the text for a small drawing of `card`, or "" if the card is hidden."""
        return self._face(card, "short")

    def cards(self, cards: Sequence[int]) -> str:
        """Return the names of `cards` as part of a sentence.

        Hidden cards are counted: "2 cards".
        """
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
        """Return the number of `cards` without naming them: "a card", "3 dice"."""
        count = len(cards)
        if self.are_dice(cards):
            return self("a die") if count == 1 else self("{n} dice", n=count)
        return self("a card") if count == 1 else self("{n} cards", n=count)

    def are_dice(self, cards: Sequence[int]) -> bool:
        """Return whether `cards` contains only dice, and at least one."""
        return self._kit is not None and bool(cards) and all(map(self._kit.is_die, cards))

    def zone(self, name: str, viewer: int | None = None) -> str:
        """Return the name of a zone as `viewer` sees it. Seat 1 may see the table turned around."""
        if own := self.own_place(name, self.reader):
            return capitalise(own)
        turned = viewer == 1 and self._turned
        return self._name_in(
            self._wording.zones, self._mirrored.get(name, name) if turned else name
        )

    def place(self, name: str, viewer: int | None) -> str:
        """Return a zone's name as addressed to `viewer`: "your hand" for the viewer's own."""
        return self.own_place(name, viewer) or self.zone(name, viewer)

    def own_place(self, name: str, viewer: int | None) -> str:
        """Return the name of the viewer's own zone, such as "your hand", or "" for other zones."""
        text, gaps = find_entry(self._wording.zones, name) or ("", {})
        owned = _OWNED_ZONE.fullmatch(self._translate(text))
        if owned is None or viewer == AUDIENCE or gaps.get("seat") != str(viewer):
            return ""
        parts = {gap: self._fill_gap(gap, part) for gap, part in gaps.items()}
        own = self("your {place}", place=fill_gaps(owned[2], parts))
        return fill_gaps(owned[1], parts) + own

    def names_zone(self, name: str) -> bool:
        """Return whether the game names this zone."""
        return find_entry(self._wording.zones, name) is not None

    def explanation(self, label: str) -> str:
        """Return the explanation of a short `label` of the layout or the standings, or ""."""
        return self._translate(self._wording.explained.get(label, ""))

    def piece(self, name: str) -> str:
        """Return the name of a piece, including its player's if each player has such a piece."""
        return self._name_in(self._wording.pieces, name)

    @property
    def signs(self) -> Mapping[str, str]:
        """The English words for the game's symbols."""
        return self._wording.signs

    def choice(self, choice: str) -> str:
        """Return a move's choice in words, such as "turn the ghost 45° right".

        A choice with several steps becomes a list.
        """
        return self.join_list(
            self._name_in(self._wording.choices, part) for part in choice.split(",")
        )

    def listed_choice(self, choice: str, begun: str = "") -> str:
        """Return the last step of `choice` in the short form used in lists.

        `begun` contains the steps already chosen. If it equals `choice`, return "That is all".
        """
        if begun and choice == begun:
            return self(labels.THAT_IS_ALL)
        step = choice.rpartition(",")[2]
        listed = self._wording.listed.get(step)
        return capitalise(self(listed) if listed else self.choice(step))

    def value(self, key: str, value: Value) -> str:
        """Return a public value as text.

        If the game has a word for it, use that; a string of numbers becomes a list.
        """
        match = find_entry(self._wording.values, key)
        text = match[0].get(str(value)) if match else None
        if text is not None:
            return self._translate(text)
        if isinstance(value, str) and _NUMBER_LIST.fullmatch(value):
            return self.join_list(value.split(" "))
        return self._localise(value)

    def _face(self, card: int, key: str) -> str:
        if self._kit is None or not 0 <= card < len(self._kit.deck):
            return ""
        return self._translate(str(self._kit.deck[card].get(key, "")))

    def _name_in(self, section: Mapping[str, str], name: str) -> str:
        """Return the text for `name` in `section` of words.toml, with its placeholders filled.

        {seat} becomes a player's name. For other placeholders the word comes from `[values]`, if it
        has one.
        """
        match = find_entry(section, name)
        if match is None:
            return name
        text, gaps = match
        parts = {gap: self._fill_gap(gap, part) for gap, part in gaps.items()}
        return self._fill(self._translate(text), parts)

    def _fill_gap(self, gap: str, part: str) -> str:
        if gap.startswith("seat") and part.isdigit():
            return self.seat(int(part))
        return self.value(gap.rstrip("0123456789"), part)


def sole_human(players: Sequence[Player]) -> int:
    """Return the seat of the only human player if that player is at this computer, else AUDIENCE.

    A private screen may address that player as "you".
    """
    humans = [seat for seat, player in enumerate(players) if player.kind != "bot"]
    alone = len(humans) == 1 and players[humans[0]].kind == "person"
    return humans[0] if alone else AUDIENCE


@cache
def _bot_names() -> dict[str, str]:
    """Return a mapping from each built-in bot's name in any language to its English name."""
    names = [character.name for character in CHARACTERS]
    catalogues = (load_translations(program_folder() / f"{language}.po") for language in LANGUAGES)
    return {each.gettext(name) or name: name for each in catalogues for name in names}


def find_entry(section: Mapping[str, T], name: str) -> tuple[T, dict[str, str]] | None:
    """Return the entry of `section` that matches `name`, with its placeholders' values.

    The keys of `section` are names or patterns of words.toml, such as "hand/{seat}". Return None if
    none matches.
    """
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
    """Map each grid cell to the one at the same position as seen from the other side."""
    cells = [
        (cell[1], int(cell[2]), int(cell[3])) for z in zones if (cell := CELL_NAME.fullmatch(z))
    ]
    last: dict[str, tuple[int, int]] = {}
    for grid, row, column in cells:
        rows, columns = last.get(grid, (0, 0))
        last[grid] = max(rows, row), max(columns, column)
    return {
        f"{grid}/{row},{column}": f"{grid}/{last[grid][0] - row},{last[grid][1] - column}"
        for grid, row, column in cells
    }
