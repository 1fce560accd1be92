"""The texts of all free tables, with the names that a file gives to its components."""

from __future__ import annotations

from collections.abc import Mapping

from msgspec.structs import replace

from tabletop.free_table.components import CounterEntry, DiceEntry, FreeTable
from tabletop.games.game_semantics import GameSemantics, ReplayStructure
from tabletop.games.wording import AskWording, Verb, Wording
from tabletop.text.phrases import phrase

SEMANTICS = GameSemantics(
    turn="turn", replay=ReplayStructure(round=("round",), turn=("turn", "round"))
)

TURN_PROMPTS: Mapping[tuple[bool, bool], str] = {
    (True, True): phrase("Move cards, or choose a pile, dice or a counter"),
    (True, False): phrase("Move cards, or choose a pile or dice"),
    (False, True): phrase("Move cards, or choose a pile or a counter"),
    (False, False): phrase("Move cards, or choose a pile"),
}
"""The prompts in a turn, by two facts: whether the table has dice, and whether it has counters."""
QUESTION_PROMPTS: Mapping[str, str] = {
    "meanwhile": phrase("It's {seat0}'s turn. You can do things that need no turn"),
    "others": phrase("You're done. The others are still playing this round"),
    "end": phrase("{seat0} proposes to end the game"),
}
MOVE_SENTENCES: Mapping[str, str] = {
    "move": phrase("Move {card} to {zone}"),
    "lay": phrase("Lay {card} {choice}: {zone}"),
    "insert": phrase("Put {card} into {zone}: {choice}"),
    "deal": phrase("Deal from {zone}"),
    "draw": phrase("Draw from {zone} to {choice}"),
    "draw_several": phrase("Draw several cards from {zone} to {choice}"),
    "take_all": phrase("Move all cards from {zone} to {choice}"),
    "take_random": phrase("Move a random card from {zone} to {choice}"),
    "gather": phrase("Gather all cards in {zone}"),
    "tap": phrase("Turn {card} sideways or back"),
    "turn_up": phrase("Turn up a card: {zone}"),
    "turn_down": phrase("Turn {card} face down"),
    "look": phrase("Look at a card: {zone}"),
    "show": phrase("Show {card} to {choice}"),
    "shuffle": phrase("Shuffle {zone}"),
    "return": phrase("Shuffle {zone} back"),
    "roll": phrase("Throw {zone}"),
    "throw": phrase("Throw the dice: {zone}"),
    "hold": phrase("Keep or free {choice} of {zone}"),
    "count": phrase("{zone} {choice}"),
    "done": phrase("Done"),
    "propose": phrase("Propose the end"),
    "finish": phrase("End the game"),
    "agree": phrase("Agree"),
    "decline": phrase("Play on"),
}
BUTTONS: Mapping[str, str] = {
    "show": phrase("Show"),
    "draw": phrase("Draw"),
    "draw_several": phrase("Draw several"),
    "take_all": phrase("Move all"),
    "take_random": phrase("Move a random card"),
    "lay": phrase("Lay"),
    "insert": phrase("Put in"),
    "count": phrase("Count"),
    "hold": phrase("Keep or free"),
}
"""The labels of buttons for moves that take further choices, by verb."""
CHOICES: Mapping[str, str] = {
    "up": phrase("face up"),
    "down": phrase("face down"),
    "top": phrase("on top"),
    "bottom": phrase("at the bottom"),
    "mixed": phrase("shuffled in"),
    "to/all": phrase("all"),
    "to/{seat}": "{seat}",
    "die/{n}": phrase("die {n}"),
}
HEADING = phrase("Round {round}")


def complete_wording(table: FreeTable, own: Wording) -> Wording:
    """Return the texts of a free table: those in its `words.toml`, and defaults for the others."""
    zones: dict[str, str] = {"box": phrase("the box")}
    for name, area in table.zone.items():
        cells = "/{row}/{column}" if area.kind == "grid" else ""
        zones[name + ("/{seat}" if area.owner == "seat" else "") + cells] = area.label
    things: Mapping[str, DiceEntry | CounterEntry] = {**table.dice, **table.counter}
    for name, thing in things.items():
        zones[name + ("/{seat}" if thing.owner == "seat" else "")] = thing.label
    sentences = {  # for screen readers
        name + ("/{seat}" if counter.owner == "seat" else ""): counter.label + ": {value}"
        for name, counter in table.counter.items()
    }
    most = max((max(area.rows, area.columns) for area in table.zone.values()), default=1)
    counted = {str(number): str(number + 1) for number in range(most)}
    dice = bool(table.dice) or any(area.dice for area in table.zone.values())
    asks = {"turn": TURN_PROMPTS[dice, bool(table.counter)], **QUESTION_PROMPTS}
    return replace(
        own,
        heading=own.heading or HEADING,
        asks={name: AskWording(prompt=text, paragraph="") for name, text in asks.items()}
        | own.asks,
        verbs={
            name: Verb(sentence=text, button=BUTTONS.get(name, ""))
            for name, text in MOVE_SENTENCES.items()
        }
        | own.verbs,
        zones=zones | own.zones,
        choices=dict(CHOICES) | zones | own.choices,
        values={"row": counted, "column": counted} | own.values,
        told=sentences | own.told,
    )
