"""太陽の子供たち, Children of the Sun: two teachers surround a ghost with children and exorcise it.

Paragraph numbers refer to the rulebook; CS-nn are our interpretations of it. Seat 0 is the first
player (先手). `places` contains the field and all names, `extermination` chapters 7 and 8.
"""

from collections.abc import Mapping, Sequence
from typing import Any, ClassVar, Final

from tabletop.engine.dry_run import tried
from tabletop.engine.model import (
    Ask,
    Move,
    Offer,
    Pen,
    Preview,
    Reason,
    Remark,
    Sight,
    TableReader,
    Value,
    Zone,
    one,
)
from tabletop.engine.mypyc_attr import mypyc_attr
from tabletop.games.sun import extermination
from tabletop.games.sun.places import (
    AHEAD,
    BED,
    CELLS,
    CENTRE,
    GHOST_CELL,
    GHOST_FACING,
    HAND,
    LAST,
    LINE_OF,
    LINES_THROUGH,
    MARKER,
    NUMBER,
    OPPOSITE,
    PHASE,
    RING,
    SCORE,
    SEATS,
    SPARE,
    SPOTS,
    SQUADS,
    TURN,
    WEST,
    Line,
)
from tabletop.games.sun.steps import Attack
from tabletop.text.phrases import phrase

COLOURS: Final = (phrase("red"), phrase("violet"), phrase("blue"), phrase("yellow"))

DIRECT: Final = phrase("Direct magic: {word_colour} {count}.")
RADIATING: Final = phrase("Radiating magic: {word_colour} {count}.")
PARAGRAPHS: Final = {DIRECT: "6.2", RADIATING: "6.4"}
MAGIC_PREVIEWS: Final = {
    DIRECT: phrase("This makes direct magic: {word_colour} {count}."),
    RADIATING: phrase("This makes radiating magic: {word_colour} {count}."),
}
"""The text of the preview for magic, by the text of its log entry."""

SIEGE_ORDER: Final = (0, 1, 1, 0, 0, 1, 1, 0)
TURNS: Final = len(SIEGE_ORDER) + 18
HAND_SIZE: Final = 6
SHIELD: Final = 6

PACKED_START: Final = 0x5555
PACKED_MAGIC_BITS: Final = 0x8888


@mypyc_attr(allow_interpreted_subclasses=True)
class Rules:
    """The rules of Children of the Sun, for the deck in `cards.toml`."""

    steps: ClassVar = (Attack,)

    def __init__(self, deck: Sequence[Mapping[str, Any]]) -> None:
        self.colour = tuple(COLOURS.index(card["colour"]) for card in deck)
        self.turn = tuple(int(card["turn"]) for card in deck)
        self.weight = tuple(2 if turn == 0 else 1 for turn in self.turn)  # 6.2
        # Four bits a colour: counted up from 5, three or more of a colour set its highest bit.
        self.packed = tuple(
            weight << 4 * colour for weight, colour in zip(self.weight, self.colour, strict=True)
        )
        self.whole_turn: tuple[tuple[str, ...], ...] = tuple(
            (_rotation_choice(t),) for t in self.turn
        )
        free_turns = [
            ("4",)
            if turn == 4
            else tuple(_rotation_choice(part) for part in _partial_rotations(turn))
            for turn in self.turn
        ]
        # Offers of the analysis by empty cell and card: made once, not at every turn.
        self.fillings = {
            cell: tuple(
                one("place", (card,), (cell,), turns) for card, turns in enumerate(free_turns)
            )
            for cell in CELLS
        }

    # 3 Preparation

    def setup(self, table: Pen) -> None:
        table.place(Zone("pile", Sight.NONE), tuple(range(len(self.turn))))
        table.place(Zone("shield", Sight.NONE))
        table.place(Zone("stomach", Sight.NONE))
        table.place(Zone("aside"))
        for cell in CELLS:
            table.place(Zone(cell))
        for seat in SEATS:
            table.place(Zone(HAND[seat], Sight.OWNER, seat, loose=True))
            table.place(Zone(BED[seat], Sight.OWNER, seat, loose=True))
            for squad in SQUADS[seat]:
                table.place(Zone(squad, Sight.OWNER, seat, loose=True))
            table.place(Zone(SPARE[seat], Sight.OWNER, seat, loose=True))
            MARKER.set(table, seat, 0)
            SCORE.set(table, seat, 0)
        table.shuffle("pile")
        table.draw("pile", "shield", SHIELD)  # CS-01
        GHOST_CELL.set(table, CENTRE)
        GHOST_FACING.set(table, WEST)
        for seat in SEATS:
            table.draw("pile", HAND[seat], HAND_SIZE)
        PHASE.set(table, "siege")
        TURN.set(table, 0)
        LAST.set(table, "")
        table.say("The siege begins.")
        self._next_turn(table)

    # 5.1, 6.1 Whose turn it is

    def _next_turn(self, table: Pen) -> None:
        turn = TURN.of(table.state) + 1
        if turn > TURNS:
            extermination.begin_extermination(table)
            return
        TURN.set(table, turn)
        if turn <= len(SIEGE_ORDER):
            seat = SIEGE_ORDER[turn - 1]
            missing = HAND_SIZE - len(table.state.cards[HAND[seat]])
        else:
            seat = (turn - len(SIEGE_ORDER) - 1) % 2  # CS-05: the first player begins again
            missing = 1
        drawn = table.draw("pile", HAND[seat], missing) if missing else ()
        if drawn:
            table.say("{seat} draws {cards}.", *drawn, seat=seat)
        table.ask(seat, "place")

    def offers(self, state: TableReader, ask: Ask) -> tuple[Offer, ...]:
        if ask.what == "place":
            hand = state.cards[HAND[ask.seat]]
            if PHASE.of(state) == "siege":
                cells = self._siege_cells(state)
                turns = self.whole_turn  # 5.1: exactly as much as the card says
                return tuple(
                    [one("place", (card,), cells, turns[card]) for card in hand if self.turn[card]]
                )
            fillings = self.fillings[_empty_cell(state)]
            return tuple([fillings[card] for card in hand])
        if ask.what == "reward":
            return (Offer("acquire"), Offer("analyse"))
        bed = state.cards[BED[ask.seat]]
        spots = SPOTS[ask.seat][: len(bed)]
        return (Offer("squads", bed, least=len(spots), most=len(spots), spots=spots),)

    def _siege_cells(self, state: TableReader) -> tuple[str, ...]:
        """Return the cells for a card: opposite the last card,
        or any free one on the ring (5.1).
        """
        turn = TURN.of(state)
        if turn > 1 and SIEGE_ORDER[turn - 2] != SIEGE_ORDER[turn - 1]:
            return (OPPOSITE[LAST.of(state)],)
        cards = state.cards
        return tuple([cell for cell in RING if not cards[cell]])

    def play(self, table: Pen, seat: int, move: Move) -> None:
        match move.verb:
            case "place":
                self._place_card(table, seat, move)
            case "acquire":
                self._acquire_card(table, seat)
                self._next_turn(table)
            case "analyse":
                self._swallow_card(table)  # CS-07: the card not acquired goes to the stomach
                self._analyse_card(table, seat)
                self._next_turn(table)
            case _:
                extermination.form_squads(table, seat, move.cards)

    def resume(self, table: Pen, step: Attack) -> None:
        extermination.resolve_attacks(table, self.colour)

    # 5.1, 6.1 Placing a card turns the ghost

    def _place_card(self, table: Pen, seat: int, move: Move) -> None:
        card, cell = move.cards[0], move.target
        state = table.state
        facing = (GHOST_FACING.of(state) + STEPS_BY_ROTATION[move.choice]) % 8
        siege = PHASE.of(state) == "siege"
        table.move(card, HAND[seat], cell)
        table.say("{seat} places {card} on {zone}.", card, seat=seat, zone=cell)
        GHOST_FACING.set(table, facing)
        if not siege:
            self._resolve_magic(table, seat, cell, facing)
            return
        LAST.set(table, cell)
        if TURN.of(state) == len(SIEGE_ORDER):
            # 5.1: the ghost steps onto the ring; no magic, nothing is removed (CS-04)
            GHOST_CELL.set(table, AHEAD[CENTRE][facing])
            PHASE.set(table, "analysis")
            table.say("The ghost is surrounded. The analysis begins.")
        self._next_turn(table)

    def _resolve_magic(self, table: Pen, seat: int, placed: str, facing: int) -> None:
        """Resolve direct magic, the ghost's step and radiating magic,
        with their rewards (6.2 to 6.5).
        """
        state = table.state
        old = GHOST_CELL.of(state)
        new = AHEAD[old][facing]
        field = self.counts(state.cards)
        line = LINE_OF[NUMBER[placed]][NUMBER[old]]
        direct = magic_counts(field, line)
        if direct:
            self._log_magic(table, seat, DIRECT, line, direct)
        GHOST_CELL.set(table, new)  # 6.3
        table.move(state.cards[old][0], old, "aside")
        field[NUMBER[old]] = 0
        radiating = False
        for line in LINES_THROUGH[NUMBER[new]]:  # 6.4: several bring no more than one (CS-09)
            fired = magic_counts(field, line)
            if fired:
                radiating = True
                self._log_magic(table, seat, RADIATING, line, fired)
        can_analyse = MARKER.of(table.state, seat) < SHIELD
        if direct and radiating and can_analyse:  # 6.5 C
            self._acquire_card(table, seat)
            self._analyse_card(table, seat)
        elif direct or (radiating and not can_analyse):  # 6.5 A; B and C past the end (CS-11)
            self._acquire_card(table, seat)
        elif radiating:  # 6.5 B
            table.ask(seat, "reward")
            return
        else:  # 6.5 D
            table.say("No magic: the ghost swallows the card.")
            self._swallow_card(table)
        self._next_turn(table)

    # 6.2, 6.4 Magic

    def counts(self, cards: Mapping[str, tuple[int, ...]]) -> list[int]:
        """Return the packed colour counts of the card in each cell; 0 for an empty cell."""
        packed = self.packed
        counts = []
        for cell in CELLS:
            held = cards[cell]
            counts.append(packed[held[0]] if held else 0)
        return counts

    def _log_magic(self, table: Pen, seat: int, text: str, line: Line, fired: int) -> None:
        cards = table.state.cards
        colour, count = _unpack(fired)
        lit = []
        for number in line:
            held = cards[CELLS[number]]
            if held and self.colour[held[0]] == colour:
                lit.append(CELLS[number])
        table.say(
            text,
            tag="magic",
            seat=seat,
            word_colour=COLOURS[colour],
            count=count,
            lit=" ".join(lit),
        )

    # 6.5 Acquiring a card, analysing the shield

    def _acquire_card(self, table: Pen, seat: int) -> None:
        card = table.state.cards["aside"][0]
        table.say("{seat} acquires {card}.", card, tag="acquire", seat=seat)
        table.move(card, "aside", BED[seat])

    def _swallow_card(self, table: Pen) -> None:
        table.move(table.state.cards["aside"][0], "aside", "stomach")

    def _analyse_card(self, table: Pen, seat: int) -> None:
        done = MARKER.of(table.state, seat)
        MARKER.add(table, seat, 1)
        place = done if seat == 0 else SHIELD - 1 - done
        card = table.state.cards["shield"][place]
        knowing = table.state.shown.get(card, ())
        table.show("shield", card, (*knowing, seat))
        table.say("{seat} analyses a card of the shield: {card}.", card, tag="analyse", seat=seat)

    # How far everybody is

    def figures(self, state: TableReader) -> dict[str, Value]:
        """Return the number of the turn within the phase,
        and the points of the revealed attacks.
        """
        turn = TURN.of(state)
        if PHASE.of(state) == "siege":
            return {"step": turn}
        if PHASE.of(state) == "analysis":
            return {"step": turn - len(SIEGE_ORDER)}
        opened = extermination.revealed_attack_points(state, self.colour)
        points: dict[str, Value] = {
            f"attack/{number}/{seat}": scored[seat]
            for number, scored in enumerate(opened, start=1)
            for seat in SEATS
        }
        return {"attacks": len(opened), **points}

    # Reasons and previews

    def why(self, state: TableReader, ask: Ask, card: int, to: str) -> Reason | None:
        seat = ask.seat
        if ask.what == "reward":
            return Reason("Choose first: acquire the card or analyse the shield.", {}, "6.5")
        if ask.what == "squads":
            if card in state.cards[BED[seat]]:
                return Reason(
                    "Fill the squads from the first, two cards each, up to six cards.",
                    {},
                    "7.1",
                )
            return Reason("Form squads from the cards in your own bed.", {}, "7.1")
        siege = PHASE.of(state) == "siege"
        if card not in state.cards[HAND[seat]]:
            paragraph = "5.1" if siege else "6.1"
            return Reason("You can only place a card from your own hand.", {}, paragraph)
        if siege:
            return self._why_not_in_siege(state, card, to)
        if to in CELLS and state.cards[to]:
            return Reason("There's already a card there: only the empty cell is free.", {}, "6.1")
        if to and to not in CELLS:
            return Reason("Place the card on the empty cell of the field.", {}, "6.1")
        return None

    def _why_not_in_siege(self, state: TableReader, card: int, to: str) -> Reason | None:
        if self.turn[card] == 0:
            return Reason("A still card can't be placed during the siege.", {}, "5.1")
        if not to or to in self._siege_cells(state):
            return None
        if to == CENTRE:
            return Reason("The ghost is in the centre: cards go around it.", {}, "5.1")
        if to not in CELLS:
            return Reason("Place the card on a cell around the ghost.", {}, "5.1")
        if state.cards[to]:
            return Reason("There's already a card there: choose a free cell.", {}, "5.1")
        return Reason(
            "After your opponent's card you must answer on the cell straight across the ghost.",
            {},
            "5.1",
        )

    def preview(self, state: TableReader, ask: Ask, move: Move) -> Preview | None:
        if move.verb != "place":
            return None
        after = tried(self, state, ask, move)
        ghost = {key: after.values[key] for key in (GHOST_FACING.name, GHOST_CELL.name)}
        if GHOST_CELL.of(after) == GHOST_CELL.of(state):
            del ghost[GHOST_CELL.name]
        if PHASE.of(state) == "siege":
            return Preview(ghost)
        notes = [
            Remark(
                MAGIC_PREVIEWS[entry.text],
                {"word_colour": entry.args["word_colour"], "count": entry.args["count"]},
                tuple(str(entry.args["lit"]).split()),
                PARAGRAPHS[entry.text],
            )
            for entry in after.said
            if entry.tag == "magic"
        ]
        outcome = _outcome(state, after, ask.seat)
        return Preview(ghost, (*notes, Remark(outcome, {}, (), "6.5")))


# 6.2, 6.4 Magic


def magic_counts(field: list[int], line: Line) -> int:
    """Return a line's packed counts if one colour has three or more; otherwise 0."""
    total = PACKED_START
    for number in line:
        total += field[number]
    return total if total & PACKED_MAGIC_BITS else 0


def _unpack(magic: int) -> tuple[int, int]:
    """Return the colour with three or more in these packed counts, and its count."""
    colour = (magic & PACKED_MAGIC_BITS).bit_length() // 4 - 1
    return colour, (magic >> 4 * colour) % 16 - 5


def _rotation_choice(turn: int) -> str:
    """Return a rotation as a choice, such as "+2", "-1", "0" or "4"."""
    return "4" if turn == 4 else f"{turn:+d}" if turn else "0"


STEPS_BY_ROTATION: Final = {_rotation_choice(turn): turn for turn in range(-3, 5)}
"""The number of steps of 45 degrees by which a choice rotates the ghost."""


def _partial_rotations(turn: int) -> range:
    """Return the rotations that a printed rotation allows, from none to all of it (6.1)."""
    return range(turn + 1) if turn >= 0 else range(0, turn - 1, -1)


def _empty_cell(state: TableReader) -> str:
    """Return the only cell that is empty after the siege (CS-05)."""
    cards = state.cards
    for cell in CELLS:
        if not cards[cell]:
            return cell
    raise LookupError("every cell of the field is taken")


def _outcome(state: TableReader, after: TableReader, seat: int) -> str:
    """Return a sentence about the reward of a move (6.5)."""
    if MARKER.of(after, seat) > MARKER.of(state, seat):
        return phrase("You acquire the card and analyse the shield.")
    if len(after.cards[BED[seat]]) > len(state.cards[BED[seat]]):
        return phrase("You acquire the card.")
    if any(ask.what == "reward" for ask in after.asks):
        return phrase("You may acquire the card or analyse the shield.")
    return phrase("No magic: the ghost will swallow the card.")
