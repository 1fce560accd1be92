"""A turn (rulebook 4) and the end of the game (9).

A turn consists of EX cards, start positions, two rounds of phases, the forbidden area and the EX
limit. `intermission` contains the intermission between turns (4.6).
"""

from typing import Final

from tabletop.engine.model import Move, Pen, Result, ScoreLine, TableReader
from tabletop.games.royale import reaction_windows
from tabletop.games.royale.areas import CELLS
from tabletop.games.royale.deck import Deck
from tabletop.games.royale.dice import roll_dice
from tabletop.games.royale.items import MANY_PLAYERS, draw_ex, turn_up, use_card
from tabletop.games.royale.places import (
    ACTIVE,
    AT,
    CHARACTER,
    CHARACTER_PILE,
    DEATHS,
    DICE,
    DOUBLE,
    EX_DISCARD,
    EX_PILE,
    HAND,
    IN,
    KILLS,
    LAST_TURN,
    OUT,
    PARENT,
    PHASE,
    RANK,
    REMOVED,
    RETIRED_COUNT,
    SCORE,
    SPENT,
    STAMINA,
    STATUS,
    TURN,
    clockwise,
)
from tabletop.games.royale.steps import Forbid, Intermission, Limit, Phase, Stand, Start, Turn
from tabletop.text.phrases import phrase

LAST_CHARACTER_POINTS: Final = 5
"""The points for having the last of all twelve characters (9)."""
MAX_RETIRED: Final = 11

# 4 A turn begins


def begin_turn(deck: Deck, table: Pen, step: Turn) -> None:
    """Start a turn: let waiting players join, and deal EX cards."""
    look = table.state
    turn = TURN.of(look) + 1
    TURN.set(table, turn)
    PHASE.set(table, "start")
    seats = clockwise(look, PARENT.of(look))
    table.say("Turn {n}. {seat} is the parent.", n=turn, seat=seats[0])
    table.then(Phase(0))
    table.then(Start(0))
    for seat in seats:
        if STATUS.of(table.state, seat) == OUT:
            continue
        STATUS.set(table, seat, IN)  # S24: a player who waited takes part from now on
        SPENT.set(table, seat, False)
        draw_ex(table, seat, 1 if look.seats >= MANY_PLAYERS else 2)  # 4.1, S21


# 4.2 Start positions


def roll_next_start(deck: Deck, table: Pen, step: Start) -> None:
    """Roll for the start position of the next player, clockwise from the parent.

    If the player may reroll, ask the player.
    """
    look = table.state
    seats = clockwise(look, PARENT.of(look))
    for later in range(step.place, look.seats):
        seat = seats[later]
        if STATUS.of(look, seat) != IN:
            continue
        table.then(Start(later + 1))
        table.then(Stand(seat))
        roll_start(table, seat)
        if reaction_windows.may_reroll_start(deck, table.state, seat):
            table.ask(seat, "start")
        return


def roll_start(table: Pen, seat: int) -> None:
    """Roll the two dice that determine the start area."""
    one_die, other = roll_dice(table, "start", seat)
    table.say("{seat} rolls {a} and {b} for the start.", seat=seat, a=one_die, b=other)


def roll_start_again(deck: Deck, table: Pen, seat: int, move: Move) -> None:
    """Reroll the start position with the Festival Map."""
    (card,) = move.cards
    turn_up(table, seat, card)
    table.say("{seat} uses {card}.", card, seat=seat)
    roll_start(table, seat)


def place_at_rolled_area(deck: Deck, table: Pen, step: Stand) -> None:
    """Place the player on the rolled area.

    If that area is closed, let the player choose any area.
    """
    cell = rolled_area(deck, table.state)
    if cell:
        place_marker(table, step.seat, cell)
    else:
        table.ask(step.seat, "stand")


def rolled_area(deck: Deck, look: TableReader) -> str:
    """Return the area with the rolled code; "" if it has been removed."""
    a, b = sorted((DICE.of(look, 1), DICE.of(look, 2)))
    area, cards = (deck.code[a, b],), look.cards
    for cell in CELLS:
        if cards[cell] == area:
            return cell
    return ""


def choose_start(deck: Deck, table: Pen, seat: int, move: Move) -> None:
    """Place the player on the chosen area."""
    place_marker(table, seat, move.target)


def place_marker(table: Pen, seat: int, cell: str) -> None:
    """Place the player's marker on the map."""
    AT.set(table, seat, cell)
    table.say("{seat} starts at {card}.", *table.state.cards[cell], seat=seat)


# 4.3 Two rounds of phases


def begin_next_phase(deck: Deck, table: Pen, step: Phase) -> None:
    """Start the next player's phase, or continue with the forbidden area after two rounds."""
    look = table.state
    seats = clockwise(look, PARENT.of(look))
    for later in range(step.place, 2 * look.seats):
        seat = seats[later % look.seats]
        if STATUS.of(look, seat) == IN:
            PHASE.set(table, "first" if later < look.seats else "second")
            ACTIVE.set(table, seat)
            table.then(Phase(later + 1))
            table.ask(seat, "walk")
            return
    PHASE.set(table, "forbidden")
    table.then(Limit(0))
    table.then(Forbid(0))


# 4.4 The forbidden area


def ask_forbidden_area(deck: Deck, table: Pen, step: Forbid) -> None:
    """Ask the next player who may choose the forbidden area; after the last one, roll for it.

    The parent rolls even if eliminated (S4).
    """
    look = table.state
    if len(look.cards[REMOVED]) == TURN.of(look):
        return  # somebody has chosen
    parent = PARENT.of(look)
    seats = clockwise(look, parent)
    for later in range(step.place, look.seats):
        if reaction_windows.may_forbid(deck, look, seats[later]):
            table.then(Forbid(later + 1))
            table.ask(seats[later], "forbid")
            return
    one_die, other = roll_dice(table, "forbidden", parent)
    table.say("{seat} rolls {a} and {b} to close an area.", seat=parent, a=one_die, b=other)
    cell = rolled_area(deck, table.state)
    if cell:
        close_area(table, cell)
    else:
        table.ask(parent, "close")  # S9


def choose_forbidden(deck: Deck, table: Pen, seat: int, move: Move) -> None:
    """Close the area that a player has chosen with a card, which replaces the roll."""
    (card,) = move.cards
    use_card(deck, table, seat, card)
    table.say("{seat} plays {card}.", card, seat=seat)
    close_area(table, move.target)


def choose_closed(deck: Deck, table: Pen, seat: int, move: Move) -> None:
    """Close the chosen area."""
    close_area(table, move.target)


def close_area(table: Pen, cell: str) -> None:
    """Remove an area, together with the line on it, from the map."""
    (card,) = table.state.cards[cell]
    table.move(card, cell, REMOVED)
    table.say("{card} is closed.", card)


# 4.5 The EX limit


def enforce_ex_limit(deck: Deck, table: Pen, step: Limit) -> None:
    """Ask the next player with too many EX cards to discard; after the last one,
    end the turn (S23).

    Each player keeps at most one EX card. The discards are shuffled into the pile.
    """
    look = table.state
    parent = PARENT.of(look)
    PHASE.set(table, "limit")
    seats = clockwise(look, parent)
    for later in range(step.place, look.seats):
        if len(look.cards[HAND[seats[later]]]) > 1:
            table.then(Limit(later + 1))
            table.ask(seats[later], "limit")
            return
    for card in table.state.cards[EX_DISCARD]:
        table.move(card, EX_DISCARD, EX_PILE)
    table.shuffle(EX_PILE)
    for seat in range(look.seats):
        AT.set(table, seat, "")  # S9: the markers leave the map
    if TURN.of(table.state) == LAST_TURN.of(table.state):
        end_game(table)  # S28: without an intermission
        return
    PHASE.set(table, "intermission")
    for seat in range(look.seats):
        SPENT.set(table, seat, False)
    table.then(Intermission(0))


# 9 The end


def end_game(table: Pen) -> None:
    """End the game with the final scores. Ties are decided by rank (9, S28, S29)."""
    look = table.state
    seats = range(look.seats)
    PHASE.set(table, "end")
    kills = tuple(KILLS.all(look))
    deaths = tuple(DEATHS.all(look))
    alone = RETIRED_COUNT.of(look) >= MAX_RETIRED
    last = tuple(
        LAST_CHARACTER_POINTS if alone and STATUS.of(look, seat) != OUT else 0 for seat in seats
    )
    scores = tuple(k - 2 * d + bonus for k, d, bonus in zip(kills, deaths, last, strict=True))
    for seat in seats:
        SCORE.set(table, seat, scores[seat])
    winner = max(seats, key=lambda seat: (scores[seat], -RANK.of(look, seat)))
    tied = scores.count(scores[winner]) > 1
    table.say("The festival is over. {seat} wins with {n} points.", seat=winner, n=scores[winner])
    table.end(
        Result(
            (winner,),
            scores,
            (
                ScoreLine("Kill points", kills),
                ScoreLine(
                    "Retired characters",
                    tuple(-2 * d for d in deaths),
                    tuple(f"−2×{d}" for d in deaths),
                ),
                ScoreLine("The last of all twelve", last),
            ),
            phrase("Equal points: the better rank decides.") if tied else "",
        )
    )


def update_score(table: Pen, seat: int) -> None:
    look = table.state
    SCORE.set(table, seat, KILLS.of(look, seat) - 2 * DEATHS.of(look, seat))


def draw_character(deck: Deck, table: Pen, seat: int) -> None:
    """Give the player a character from the pile, face up and with full stamina (3, 7.2)."""
    (card,) = table.draw(CHARACTER_PILE, CHARACTER[seat])
    STAMINA.set(table, seat, deck.sister[card].stamina)
    RANK.set(table, seat, deck.sister[card].rank)
    DOUBLE.set(table, seat, False)
    SPENT.set(table, seat, False)
    table.say("{seat} plays {card}.", card, seat=seat)
