"""Words of a game: its `words.toml`. Texts are English, translated by the game's ja.po."""

from collections.abc import Mapping

from msgspec import Struct

from tabletop.engine.model import Value


class AskWording(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A question's words: the player's task, and the paragraph of the rulebook it rests on."""

    prompt: str
    """Public values are gaps too: "You rolled {dice/1}."."""
    paragraph: str
    by: dict[str, dict[str, str]] = {}
    """Of public values, by what each is: another paragraph."""
    prompts: dict[str, dict[str, str]] = {}
    """Of public values, by what each is: another prompt."""

    def rests_on(self, values: Mapping[str, Value]) -> str:
        """The paragraph for these public values."""
        return _case(self.by, values) or self.paragraph

    def asks(self, values: Mapping[str, Value]) -> str:
        """The prompt for these public values."""
        return _case(self.prompts, values) or self.prompt

    @property
    def paragraphs(self) -> set[str]:
        """All that it may rest on."""
        return {self.paragraph, *(each for cases in self.by.values() for each in cases.values())}


class Verb(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A move's words: as a sentence, on the button that sends it, and for its odds."""

    sentence: str
    button: str = ""
    odds: str = ""
    hints: dict[str, str] = {}
    """By the choice: the tool tip of its button."""
    choose: str = ""
    """The prompt while a choice of such a move is open, such as which way up a card is."""


class Wording(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A game's sentences and names, by what the rules call them."""

    heading: str = ""
    """Where the game stands, in a line over the table; values are its gaps."""
    round: str = ""
    """What a replay calls the round that is played; else the heading."""
    goal: str = ""
    """What it is played for, in three sentences."""
    turn: tuple[str, ...] = ()
    """How a turn goes, step by step."""
    asks: dict[str, AskWording] = {}
    verbs: dict[str, Verb] = {}
    zones: dict[str, str] = {}
    captions: dict[str, str] = {}
    """What stands at a zone of a table that nobody has laid out; else the zone's name."""
    faces: tuple[str, ...] = ()
    """What is printed on a card beside its name and text, for who does not see it."""
    pieces: dict[str, str] = {}
    """Pieces, for who does not see them."""
    told: dict[str, str] = {}
    """Public values as sentences, for who does not see the drawings that show them."""
    choices: dict[str, str] = {}
    listed: dict[str, str] = {}
    """Choices as a list says them that has little room."""
    values: dict[str, dict[str, str]] = {}
    printed: tuple[str, ...] = ()
    """All that the game's drawings, faces and backs say by `t("Deck {n}", n=3)`."""


def _case(cases: Mapping[str, Mapping[str, str]], values: Mapping[str, Value]) -> str:
    """The text of the first public value that has one for what it is now; else empty."""
    found = (texts.get(str(values.get(key))) for key, texts in cases.items())
    return next((text for text in found if text), "")
