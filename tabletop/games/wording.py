"""Words of a game: its `words.toml`. Texts are English, translated by the game's ja.po."""

from collections.abc import Mapping

from msgspec import Struct

from tabletop.engine.model import Value


class ConditionalText(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A text that is shown under some conditions; values are its gaps."""

    text: str
    """The sentence; values are its gaps."""
    when: dict[str, Value | tuple[Value, ...]] = {}
    """It is shown where each of these values is the one given, or one of those given."""
    unless: dict[str, Value | tuple[Value, ...]] = {}
    """It is left out where all of these values are so."""


class AskWording(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A question's words: the player's task, and the paragraph of the rulebook it rests on."""

    prompt: str
    """Public values are gaps too: "You rolled {dice/1}."."""
    paragraph: str
    """The paragraph of the rulebook that the question rests on."""
    by: dict[str, dict[str, str]] = {}
    """Other paragraphs, by the value of a public fact."""
    prompts: dict[str, dict[str, str]] = {}
    """Other prompts, by the value of a public fact."""
    offered: dict[str, str] = {}
    """Other prompts, by the verbs that are offered, in alphabetical order: "flip, link"."""
    holding: str = ""
    """The prompt while a card for it is picked up; {card} is that card."""

    def rests_on(self, values: Mapping[str, Value]) -> str:
        """The paragraph for these public values."""
        return _case(self.by, values) or self.paragraph

    def asks(self, values: Mapping[str, Value]) -> str:
        """The prompt for these public values."""
        return _case(self.prompts, values) or self.prompt

    @property
    def paragraphs(self) -> set[str]:
        """All paragraphs that it can rest on."""
        return {self.paragraph, *(each for cases in self.by.values() for each in cases.values())}


class Verb(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A move's words: as a sentence, on the button that sends it, and for its odds."""

    sentence: str
    """The action, with the cards and places as gaps."""
    button: str = ""
    """The text of the button that sends the move; the sentence by default."""
    odds: str = ""
    """The name that a preview gives the chances of success."""
    hints: dict[str, str] = {}
    """The tool tip of a choice's button, by the choice."""
    choose: str = ""
    """The prompt while a choice of such a move is open, such as which way up a card is."""


class RaceCount(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Something that is counted for each player, from what everybody knows."""

    text: str
    """Its gaps are {n}, the figure, and values."""
    one: str = ""
    """The text where the figure is 1, if it is another one."""
    value: str = ""
    """The value with the figure of {seat}, or what the rules' `figures` gives by this name."""
    zone: str = ""
    """Instead of a value, the places of {seat} whose cards are counted; other gaps are any."""
    column: str = ""
    """The column of the cards to be added up, of those that are open to all."""
    of: str | int = ""
    """The whole of its bar: a number, or a value."""
    bar: bool = False
    """Whether it has a bar, whose whole is the most that anybody has."""
    leads: bool = False
    """Whether the player with the most is ahead."""
    fewest: bool = False
    """Whether that is the player with the fewest."""
    hint: str = ""
    """The meaning of the figure, shown when it is pointed at."""
    when: dict[str, Value | tuple[Value, ...]] = {}
    """It is shown while each of these values is the one given, or one of those given."""
    unless: dict[str, Value | tuple[Value, ...]] = {}
    """It is left out while all of these values are so."""


class RaceWording(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The race: how far the game is and everybody in it."""

    heads: tuple[ConditionalText, ...] = ()
    """How far the game is: all lines whose conditions hold."""
    figures: tuple[RaceCount, ...] = ()
    """The figures counted for each player."""


class Wording(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A game's sentences and names, by what the rules call them."""

    heading: str = ""
    """The progress of the game, in a line over the table; values are its gaps."""
    headings: tuple[ConditionalText, ...] = ()
    """Other headings: the first whose conditions hold."""
    round: str = ""
    """The name of a round in a replay; the heading by default."""
    goal: str = ""
    """The aim of the game, in three sentences."""
    turn: tuple[str, ...] = ()
    """The steps of a turn."""
    asks: dict[str, AskWording] = {}
    """The words of each question, by its kind."""
    verbs: dict[str, Verb] = {}
    """The words of each move, by its verb."""
    zones: dict[str, str] = {}
    """The names of places in sentences."""
    captions: dict[str, str] = {}
    """The label of a zone on a table with a default layout; the zone's name by default."""
    faces: tuple[str, ...] = ()
    """The printed content of a card beside its name and text, for screen readers."""
    pieces: dict[str, str] = {}
    """Names of pieces, for screen readers."""
    told: dict[str, str] = {}
    """Public values as sentences, for players who don't see their drawings."""
    signs: dict[str, str] = {}
    """The words for signs in its texts, for who hears them."""
    choices: dict[str, str] = {}
    """The names of choices, as they stand in moves."""
    listed: dict[str, str] = {}
    """Short forms of choices, for lists with little room."""
    values: dict[str, dict[str, str]] = {}
    """The names for the values of a public value, by its name."""
    race: RaceWording | None = None
    """How far everybody is; None where it is their points."""
    printed: tuple[str, ...] = ()
    """The texts of drawings, faces and backs, shown by `t("Deck {n}", n=3)`."""


def _case(cases: Mapping[str, Mapping[str, str]], values: Mapping[str, Value]) -> str:
    """The text for the first public value that has one at its present value; else empty."""
    texts_now = (texts.get(str(values.get(key))) for key, texts in cases.items())
    return next((text for text in texts_now if text), "")
