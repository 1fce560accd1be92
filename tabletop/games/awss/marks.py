"""◎ and ◆ cards with their targets and effects (rulebook 8.4, 8.5).

◎ cards, and ◆ cards used after scoring, are used one at a time. ◆ cards used before scoring are
chosen by all players at the same time, so an answer is a plan: all of a player's uses, in order.
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
    ROTATIONS,
    ROW,
    TIPS,
    USED,
    Board,
    is_revealed,
    is_up,
    lay_card,
    may_move,
    read_board,
    remove_card,
    reveal_card,
    rotate_card,
    swap_cards,
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
"""A seat, and the number of a cell on its board."""


def usable_cells(deck: Deck, look: TableReader, seat: int, moment: Moment) -> list[int]:
    """Return the player's cells with an unused face-up card that can be used
    at this moment (A18, A23).
    """
    cards, moments = look.cards, deck.moment
    return [
        cell
        for cell in CELLS
        if moments[cards[BOARD[seat][cell]][0]] == moment
        and not DOWN.of(look, seat, cell)
        and not USED.of(look, seat, cell)
    ]


def use_offer(deck: Deck, look: TableReader, seat: int, cell: int) -> Offer:
    """Return the offer to use the card in this cell, with its targets if it needs one (A19)."""
    card = look.cards[BOARD[seat][cell]][0]
    if isinstance(deck.marked[card], Depart) and may_move(look, seat, cell):
        return one("depart", look.cards[OLDER[seat]], (BOARD[seat][cell],), ROTATIONS)
    targets = choosable_targets(deck, look, seat, cell)
    verb = "aim" if targets else "use"
    return one(verb, (card,), tuple([BOARD[at][target] for at, target in targets]))


# The targets of an effect


def choosable_targets(deck: Deck, look: TableReader, seat: int, cell: int) -> list[Spot]:
    """Return the targets that the player can choose for the card in this cell.

    Cards with a publicly known ward are left out, but not those with a hidden ward (A20).
    """
    match effect := deck.marked[look.cards[BOARD[seat][cell]][0]]:
        case Flip(who=who) | Counters(who=who) if who.endswith("_one"):
            harm = _harm(effect)
            spots = targets_in_reach(look, seat, cell, who)
            return [spot for spot in spots if not _is_known_immune(deck, look, seat, spot, harm)]
        case SwapOther():
            return [
                (other, cell2)
                for other, here in targets_in_reach(look, seat, cell, "same_position_one")
                if _may_swap(deck, look, seat, (other, here))
                for cell2 in OTHERS[here]
                if is_up(look, other, cell2) and _may_swap(deck, look, seat, (other, cell2))
            ]
        case _:
            return []


def targets_in_reach(look: TableReader, seat: int, cell: int, kind: TargetKind) -> list[Spot]:
    """Return the face-up cards that an effect of this kind can refer to (A14)."""
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
    return may_move(look, *spot) and not _is_known_immune(deck, look, seat, spot, "move")


def _harm(effect: Marked) -> Harm:
    match effect:
        case Flip():
            return "flip"
        case Counters():
            return "counters"
        case _:
            return "move"


def _is_immune(deck: Deck, look: TableReader, seat: int, spot: Spot, harm: Harm) -> bool:
    """Return whether the card at `spot` is immune to such an effect of another player."""
    other, cell = spot
    return other != seat and harm in deck.wards[look.cards[BOARD[other][cell]][0]]


def _is_known_immune(deck: Deck, look: TableReader, seat: int, spot: Spot, harm: Harm) -> bool:
    return is_revealed(look, *spot) and _is_immune(deck, look, seat, spot, harm)


# Their effects


def perform_use(deck: Deck, table: Pen, seat: int, cell: int, target: Spot | None) -> None:
    """Perform the effect of the player's card, on the chosen target if it needs one.

    The card is revealed even if the effect fails (A19), but not its target (A20).
    """
    card = table.state.cards[BOARD[seat][cell]][0]
    effect = deck.marked[card]
    reveal_card(table, seat, cell)
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
            for spot in [target] if target else targets_in_reach(table.state, seat, cell, who):
                _affect(deck, table, seat, spot, effect)
        case Rotate(who=who):
            for spot in targets_in_reach(table.state, seat, cell, who):
                if may_move(table.state, *spot):
                    _affect(deck, table, seat, spot, effect)
        case SwapOther() if target:
            _swap_other(deck, table, seat, (target[0], cell), target)
        case Sacrifice() | SwapSelf() if target:
            apply_to_own_board(effect, CardsInPlay(table, seat), cell, target[1])
        case TurnSelf():
            apply_to_own_board(effect, CardsInPlay(table, seat), cell, cell)
        case _:
            table.say("It has no effect.")


def _affect(
    deck: Deck, table: Pen, seat: int, spot: Spot, effect: Flip | Counters | Rotate
) -> None:
    """Apply an effect to the card at `spot`, unless it is immune."""
    if _is_warded_off(deck, table, seat, spot, _harm(effect)):
        return
    match effect:
        case Flip():
            turn_down(table, spot)
        case Counters(n=n):
            add_counters(table, spot, n)
        case Rotate():
            rotate_card(table, *spot)
            table.say("The card on {zone} is turned round.", zone=BOARD[spot[0]][spot[1]])


def _is_warded_off(deck: Deck, table: Pen, seat: int, spot: Spot, harm: Harm) -> bool:
    """Return whether the card at `spot` is immune to the effect; if so, reveal it (A20)."""
    if not _is_immune(deck, table.state, seat, spot, harm):
        return False
    reveal_card(table, *spot)
    zone = BOARD[spot[0]][spot[1]]
    table.say("{card} keeps it off.", table.state.cards[zone][0], lit=zone)
    return True


def turn_down(table: Pen, spot: Spot) -> None:
    """Turn a card face down for good (A27). Players who have seen it may still look at it (A22)."""
    DOWN.set(table, spot[0], spot[1], True)
    table.say("The card on {zone} is turned face-down.", zone=BOARD[spot[0]][spot[1]])


def add_counters(table: Pen, spot: Spot, n: int) -> None:
    """Add `n` counters of +1 to a card, or `-n` counters of −1 (A26)."""
    COUNTERS.add(table, spot[0], spot[1], n)
    table.say("Counters {n} on {zone}.", n=f"{n:+}", zone=BOARD[spot[0]][spot[1]])


def _swap_other(deck: Deck, table: Pen, seat: int, one: Spot, other: Spot) -> None:
    kept_off = [_is_warded_off(deck, table, seat, spot, "move") for spot in (one, other)]
    if not any(kept_off):
        swap_cards(table, one[0], one[1], other[1])
        table.say(
            "The cards on {zone_one} and {zone_other} change places.",
            zone_one=BOARD[one[0]][one[1]],
            zone_other=BOARD[other[0]][other[1]],
        )


def replace_by_pick(table: Pen, seat: int, cell: int, pick: int, way: str) -> None:
    """Replace the card in a cell by an unused pick with the rotation `way`,
    hidden from other players.
    """
    older = OLDER[seat]
    card = table.state.cards[BOARD[seat][cell]][0]
    reveal_card(table, seat, cell)
    table.say("{seat} replaces {card} by an unused pick.", card, seat=seat, lit=BOARD[seat][cell])
    remove_card(table, seat, cell, older)
    lay_card(table, seat, cell, pick, older, way)


# ◆ before scoring: plans


NO_FURTHER_USE: Final = "alone"
"""The choice of a plan that consists of a single use."""


class Use(NamedTuple):
    """The use of the ◆ card in one cell on the card in another cell, or on itself."""

    cell: int
    on: int


def plan_offers(deck: Deck, look: TableReader, seat: int, season: int) -> tuple[Offer, ...]:
    """Return the offers of plans: a ◆ card with its target,
    then all possible sequences of further uses.
    """
    board = read_board(look, seat)
    rests: dict[Use, list[str]] = {}
    for first, *rest in possible_plans(deck, board, season):
        rests.setdefault(first, []).append(_format_uses(rest) if rest else NO_FURTHER_USE)
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


def _format_uses(rest: Sequence[Use]) -> str:
    """Return further uses as a choice such as "5>1,3!": cells count from 1,
    and "!" is a use on itself.
    """
    return ",".join(
        f"{use.cell + 1}!" if use.on == use.cell else f"{use.cell + 1}>{use.on + 1}" for use in rest
    )


def parse_plan(board: Board, move: Move) -> list[Use]:
    """Return all uses in a plan, in order."""
    cell = board.cards.index(move.cards[0])
    plan = [Use(cell, CELL_OF[move.target][1] if move.target else cell)]
    for part in move.choice.split(",") if move.choice not in ("", NO_FURTHER_USE) else ():
        here, _, on = part.rstrip("!").partition(">")
        plan.append(Use(int(here) - 1, int(on or here) - 1))
    return plan


def possible_uses(deck: Deck, board: Board, season: int) -> Iterator[Use]:
    """Yield all possible uses of the board's ◆ cards before this season's scoring (A23)."""
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


def possible_plans(deck: Deck, board: Board, season: int) -> Iterator[tuple[Use, ...]]:
    """Yield all possible sequences of uses, with each card at most once."""
    for first in possible_uses(deck, board, season):
        yield (first,)
        for rest in possible_plans(deck, board_after(deck, board, first), season):
            yield (first, *rest)


def apply_to_own_board(
    effect: Marked | None, own: "CardsInPlay | TrialBoard", cell: int, on: int
) -> None:
    """Apply the effect of the ◆ card in `cell`, used before scoring, to the card in `on` (8.5)."""
    match effect:
        case Sacrifice():
            own.flip(on)
        case SwapSelf():
            own.swap(cell, on)
        case _:
            own.turn(cell)


class CardsInPlay:
    """A player's board on the table, on which effects are carried out."""

    def __init__(self, table: Pen, seat: int) -> None:
        self._table = table
        self._seat = seat

    def flip(self, cell: int) -> None:
        turn_down(self._table, (self._seat, cell))

    def swap(self, one: int, other: int) -> None:
        swap_cards(self._table, self._seat, one, other)

    def turn(self, cell: int) -> None:
        rotate_card(self._table, self._seat, cell)


class TrialBoard:
    """A copy of a board for trying out effects, fast enough to compare hundreds of plans."""

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


def board_after(deck: Deck, board: Board, use: Use) -> Board:
    """Return the board after a use."""
    cell, on = use
    used = _replace_at(board.used, cell, 1)
    after = TrialBoard(Board(board.cards, board.turned, board.counters, used, board.appeal))
    apply_to_own_board(deck.marked[board.cards[cell]], after, cell, on)
    return after.board


def _replace_at(row: tuple[T, ...], place: int, new: T) -> tuple[T, ...]:
    return (*row[:place], new, *row[place + 1 :])


def _swap_places(row: tuple[T, ...], one: int, other: int) -> tuple[T, ...]:
    return _replace_at(_replace_at(row, one, row[other]), other, row[one])
