"""◎ and ◆: the targets of a marked card, and its effect (rulebook 8.4 and 8.5).

◎ and the ◆ that come after scoring are used one by one, on anybody; the ◆ before scoring are
chosen by all at once, so that one answer holds all of a player's uses in their order: a plan.
"""

from collections.abc import Iterator, Sequence
from typing import Final, NamedTuple, TypeVar

from tabletop.engine.model import Move, Offer, Pen, TableReader, one
from tabletop.games.awss.board import (
    BLANK,
    BOARD,
    CELL_OF,
    CELLS,
    COUNTERS,
    DOWN,
    OTHERS,
    ROW,
    TIPS,
    USED,
    WAYS,
    Board,
    is_open,
    is_up,
    lay,
    may_move,
    read,
    swap,
    take_away,
    turn,
    uncover,
)
from tabletop.games.awss.deck import Deck
from tabletop.games.awss.effects import (
    Counters,
    Depart,
    Flip,
    Harm,
    Marked,
    Moment,
    Rotate,
    Sacrifice,
    SwapOther,
    SwapSelf,
    TargetKind,
    TurnSelf,
)
from tabletop.games.awss.places import OLDER

T = TypeVar("T")

Spot = tuple[int, int]
"""A seat and a cell of its board."""


def usable(deck: Deck, look: TableReader, seat: int, moment: Moment) -> list[int]:
    """The seat's cells with a face-up card for this moment that was not used yet (A18, A23)."""
    cards, moments = look.cards, deck.moment
    return [
        cell
        for cell in CELLS
        if moments[cards[BOARD[seat][cell]][0]] == moment
        and not DOWN.of(look, seat, cell)
        and not USED.of(look, seat, cell)
    ]


def offer(deck: Deck, look: TableReader, seat: int, cell: int) -> Offer:
    """Return the uses of the card in this cell: on a card, or on none to be chosen (A19)."""
    card = look.cards[BOARD[seat][cell]][0]
    if isinstance(deck.marked[card], Depart) and may_move(look, seat, cell):
        return one("depart", look.cards[OLDER[seat]], (BOARD[seat][cell],), WAYS)
    targets = cards_to_choose_from(deck, look, seat, cell)
    verb = "aim" if targets else "use"
    return one(verb, (card,), tuple([BOARD[at][target] for at, target in targets]))


# The targets of an effect


def cards_to_choose_from(deck: Deck, look: TableReader, seat: int, cell: int) -> list[Spot]:
    """The cards of which the player of this cell's card chooses one.

    A ward that everybody sees keeps a card from being chosen, a hidden one does not (A20).
    """
    match effect := deck.marked[look.cards[BOARD[seat][cell]][0]]:
        case Flip(who=who) | Counters(who=who) if who.endswith("_one"):
            harm = _harm(effect)
            spots = cards_in_reach(look, seat, cell, who)
            return [spot for spot in spots if not _known_ward(deck, look, seat, spot, harm)]
        case SwapOther():
            return [
                (other, cell2)
                for other, here in cards_in_reach(look, seat, cell, "same_position_one")
                if _may_swap(deck, look, seat, (other, here))
                for cell2 in OTHERS[here]
                if is_up(look, other, cell2) and _may_swap(deck, look, seat, (other, cell2))
            ]
        case _:
            return []


def cards_in_reach(look: TableReader, seat: int, cell: int, kind: TargetKind) -> list[Spot]:
    """The face-up cards an effect's words name (A14)."""
    others = [other for other in range(look.seats) if other != seat]
    match kind:
        case "same_position_one" | "same_position_all":
            spots = [(other, cell) for other in others]
        case "same_row_one":
            spots = [(other, reach) for other in others for reach in sorted((cell, *ROW[cell]))]
        case "own_tip_one" | "own_tips_all":
            spots = [(seat, reach) for reach in TIPS[cell]]
    return [spot for spot in spots if is_up(look, *spot)]


def _may_swap(deck: Deck, look: TableReader, seat: int, spot: Spot) -> bool:
    return may_move(look, *spot) and not _known_ward(deck, look, seat, spot, "move")


def _harm(effect: Marked) -> Harm:
    match effect:
        case Flip():
            return "flip"
        case Counters():
            return "counters"
        case _:
            return "move"


def _wards(deck: Deck, look: TableReader, seat: int, spot: Spot, harm: Harm) -> bool:
    """Whether the card there is immune to this effect of another player's."""
    other, cell = spot
    return other != seat and harm in deck.wards[look.cards[BOARD[other][cell]][0]]


def _known_ward(deck: Deck, look: TableReader, seat: int, spot: Spot, harm: Harm) -> bool:
    return is_open(look, *spot) and _wards(deck, look, seat, spot, harm)


# Their effects


def use(deck: Deck, table: Pen, seat: int, cell: int, target: Spot | None) -> None:
    """Carry out the effect of the seat's card, on the card its player chose, where one was chosen.

    The card is shown, whatever comes of it (A19); a target is not (A20).
    """
    card = table.state.cards[BOARD[seat][cell]][0]
    effect = deck.marked[card]
    uncover(table, seat, cell)
    USED.set(table, seat, cell, True)
    lit = BOARD[seat][cell]
    if target is None:
        table.say("{seat} uses {card}.", card, tag="use", seat=seat, lit=lit)
    else:
        zone = BOARD[target[0]][target[1]]
        lit = f"{lit} {zone}"
        table.say("{seat} uses {card}: {zone}.", card, tag="use", seat=seat, zone=zone, lit=lit)
    match effect:
        case Flip(who=who) | Counters(who=who) if target or who.endswith("_all"):
            for spot in [target] if target else cards_in_reach(table.state, seat, cell, who):
                _touch(deck, table, seat, spot, effect)
        case Rotate(who=who):
            for spot in cards_in_reach(table.state, seat, cell, who):
                if may_move(table.state, *spot):
                    _touch(deck, table, seat, spot, effect)
        case SwapOther() if target:
            _swap_other(deck, table, seat, (target[0], cell), target)
        case Sacrifice() | SwapSelf() if target:
            change_own(effect, CardsInPlay(table, seat), cell, target[1])
        case TurnSelf():
            change_own(effect, CardsInPlay(table, seat), cell, cell)
        case _:
            table.say("It has no effect.")


def _touch(deck: Deck, table: Pen, seat: int, spot: Spot, effect: Flip | Counters | Rotate) -> None:
    """Turn down, turn round, or give counters to one card, unless it is immune."""
    if _kept_off(deck, table, seat, spot, _harm(effect)):
        return
    match effect:
        case Flip():
            flip(table, spot)
        case Counters(n=n):
            put_counters(table, spot, n)
        case Rotate():
            turn(table, *spot)
            table.say("The card on {zone} is turned round.", zone=BOARD[spot[0]][spot[1]])


def _kept_off(deck: Deck, table: Pen, seat: int, spot: Spot, harm: Harm) -> bool:
    """A20: a card that keeps the effect off is shown if it was hidden, and stays as it was."""
    if not _wards(deck, table.state, seat, spot, harm):
        return False
    uncover(table, *spot)
    zone = BOARD[spot[0]][spot[1]]
    table.say("{card} keeps it off.", table.state.cards[zone][0], lit=zone)
    return True


def flip(table: Pen, spot: Spot) -> None:
    """Turn a card face-down for good (A27); viewers who could see it may still look (A22)."""
    DOWN.set(table, spot[0], spot[1], True)
    table.say("The card on {zone} is turned face-down.", zone=BOARD[spot[0]][spot[1]])


def put_counters(table: Pen, spot: Spot, n: int) -> None:
    """Put counters of +1 on a card, or of -1; one number keeps both (A26)."""
    COUNTERS.add(table, spot[0], spot[1], n)
    table.say("Counters {n} on {zone}.", n=f"{n:+}", zone=BOARD[spot[0]][spot[1]])


def _swap_other(deck: Deck, table: Pen, seat: int, one: Spot, other: Spot) -> None:
    kept_off = [_kept_off(deck, table, seat, spot, "move") for spot in (one, other)]
    if not any(kept_off):
        swap(table, one[0], one[1], other[1])
        table.say(
            "The cards on {zone_one} and {zone_other} change places.",
            zone_one=BOARD[one[0]][one[1]],
            zone_other=BOARD[other[0]][other[1]],
        )


def depart(table: Pen, seat: int, cell: int, pick: int, way: str) -> None:
    """The card of this cell leaves for an unused pick, hidden, either way up."""
    older = OLDER[seat]
    card = table.state.cards[BOARD[seat][cell]][0]
    uncover(table, seat, cell)
    table.say("{seat} replaces {card} by an unused pick.", card, seat=seat, lit=BOARD[seat][cell])
    take_away(table, seat, cell, older)
    lay(table, seat, cell, pick, older, way)


# ◆ before scoring: plans


ALONE: Final = "alone"
"""The choice to use no other ◆ card."""


class Use(NamedTuple):
    """A ◆ card of one cell, used on the card of another (or on itself)."""

    cell: int
    on: int


def plan_offers(deck: Deck, look: TableReader, seat: int, season: int) -> tuple[Offer, ...]:
    """A ◆ card and its target; where more can be used after it, also every order of those."""
    board = read(look, seat)
    rests: dict[Use, list[str]] = {}
    for first, *rest in plans(deck, board, season):
        rests.setdefault(first, []).append(_name_uses(rest) if rest else ALONE)
    offered = []
    for cell in dict.fromkeys(first.cell for first in rests):
        card = (board.cards[cell],)
        plain: tuple[str, ...] = ()
        for first in rests:
            itself, further = first.on == cell, tuple(rests[first])
            if first.cell != cell:
                continue
            target = () if itself else (BOARD[seat][first.on],)
            if len(further) > 1:
                offered.append(one("combine_self" if itself else "combine", card, target, further))
            elif itself:
                offered.append(one("use", card))
            else:
                plain += target
        if plain:
            offered.append(one("aim", card, plain))
    return (*offered, Offer("pass"))


def _name_uses(rest: Sequence[Use]) -> str:
    """Return the following uses as a choice: "5>1,3!", cells counted from 1 for people, ! on
    itself."""
    return ",".join(
        f"{use.cell + 1}!" if use.on == use.cell else f"{use.cell + 1}>{use.on + 1}" for use in rest
    )


def uses_of(board: Board, move: Move) -> list[Use]:
    """All that an answer uses, in its order."""
    cell = board.cards.index(move.cards[0])
    plan = [Use(cell, CELL_OF[move.target][1] if move.target else cell)]
    for part in move.choice.split(",") if move.choice not in ("", ALONE) else ():
        here, _, on = part.rstrip("!").partition(">")
        plan.append(Use(int(here) - 1, int(on or here) - 1))
    return plan


def uses(deck: Deck, board: Board, season: int) -> Iterator[Use]:
    """Every single use of one of the board's ◆ cards of this season before it is scored (A23)."""
    for cell, card in enumerate(board.cards):
        if card < 0 or deck.season[card] != season or board.used[cell]:
            continue
        match deck.marked[card]:
            case Sacrifice():
                yield from (Use(cell, tip) for tip in TIPS[cell] if board.cards[tip] >= 0)
            case TurnSelf() if not board.appeal[cell]:  # A21
                yield Use(cell, cell)
            case SwapSelf() if not board.appeal[cell]:
                yield from (
                    Use(cell, target) for target in OTHERS[cell] if not board.appeal[target]
                )
            case _:
                pass


def plans(deck: Deck, board: Board, season: int) -> Iterator[tuple[Use, ...]]:
    """Every sequence of at least one use, each card once."""
    for first in uses(deck, board, season):
        yield (first,)
        for rest in plans(deck, foreseen(deck, board, first), season):
            yield (first, *rest)


def change_own(effect: Marked | None, own: "CardsInPlay | Foreseen", cell: int, on: int) -> None:
    """8.5: what a ◆ before scoring does with its own card and another one of the board."""
    match effect:
        case Sacrifice():
            own.flip(on)
        case SwapSelf():
            own.swap(cell, on)
        case _:
            own.turn(cell)


class CardsInPlay:
    """The cards of a seat's board at the table, to be changed."""

    def __init__(self, table: Pen, seat: int) -> None:
        self._table = table
        self._seat = seat

    def flip(self, cell: int) -> None:
        flip(self._table, (self._seat, cell))

    def swap(self, one: int, other: int) -> None:
        swap(self._table, self._seat, one, other)

    def turn(self, cell: int) -> None:
        turn(self._table, self._seat, cell)


class Foreseen:
    """A copy of a board to try changes on: plans are compared by the hundreds."""

    def __init__(self, board: Board) -> None:
        self.board = board

    def flip(self, cell: int) -> None:
        self.board = self.board._replace(cards=_replace_at(self.board.cards, cell, BLANK))

    def swap(self, one: int, other: int) -> None:
        board = self.board
        self.board = Board(
            _swap_places(board.cards, one, other),
            _swap_places(board.turned, one, other),
            _swap_places(board.counters, one, other),
            _swap_places(board.used, one, other),
            board.appeal,
        )

    def turn(self, cell: int) -> None:
        turned = self.board.turned
        self.board = self.board._replace(turned=_replace_at(turned, cell, not turned[cell]))


def foreseen(deck: Deck, board: Board, use: Use) -> Board:
    """The board after a use."""
    cell, on = use
    used = _replace_at(board.used, cell, 1)
    after = Foreseen(Board(board.cards, board.turned, board.counters, used, board.appeal))
    change_own(deck.marked[board.cards[cell]], after, cell, on)
    return after.board


def _replace_at(row: tuple[T, ...], place: int, new: T) -> tuple[T, ...]:
    return (*row[:place], new, *row[place + 1 :])


def _swap_places(row: tuple[T, ...], one: int, other: int) -> tuple[T, ...]:
    return _replace_at(_replace_at(row, one, row[other]), other, row[one])
