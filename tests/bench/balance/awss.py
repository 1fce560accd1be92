"""AWSSterra's balance: what greedy players make of the cards, beside what the cards were made for.

A greedy player gathers what looks strongest to her, and rather more of a season she has begun; she
lays her board out by trying, and hurts the rival who loses most by it. She reads nothing that her
seat does not see. A random one answers anything. `TABLETOP_LONG=1` plays as many games as the
figures were measured with.
"""

import os
from collections.abc import Iterator, Sequence
from itertools import combinations
from statistics import fmean, quantiles

from msgspec import Struct

from tabletop.engine.model import Ask, Look, Move
from tabletop.engine.play import answer, start
from tabletop.engine.scratch import Luck, Scratch
from tabletop.games import catalogue
from tabletop.games.awss import marks
from tabletop.games.awss.board import (
    BLANK,
    CELL_OF,
    CELLS,
    UPRIGHT,
    UPSIDE_DOWN,
    Board,
    is_open,
    read,
)
from tabletop.games.awss.deck import Deck
from tabletop.games.awss.effects import (
    SEASONS,
    Aura,
    BonusIf,
    BonusPer,
    Counters,
    Effect,
    Flip,
    PointsFromTip,
    Sacrifice,
    creature,
)
from tabletop.games.awss.places import OLDER, POINTS, PUBLIC, VICTORY
from tabletop.games.awss.rules import Rules
from tabletop.games.awss.scoring import season_parts, total
from tests.bench.figures import Figure, figure

KIT = catalogue.load("awss")
RULES = KIT.game
assert isinstance(RULES, Rules)
DECK: Deck = RULES.deck
EFFECTS = tuple(creature(face).effects for face in KIT.deck if "season" in face)
LONG = 600
GAMES = LONG if os.environ.get("TABLETOP_LONG") else 40

AIMED = {
    4: {
        "first place": (24, 29, 30, 34),
        "nine of ten at most": (35, 37, 42, 45),
        "lost to others %": (0, 2, 6, 11),
        "victory points": (17, 19, 24, 24),
        "winner's best season %": (13, 15, 34, 38),
        "★★★ on a board": (1.3,),
        "★★★ relative wins": (1.26,),
    },
    3: {
        "first place": (23, 26, 25, 30),
        "winner's best season %": (19, 21, 28, 32),
        "★★★ on a board": (1.7,),
        "★★★ relative wins": (1.13,),
    },
}
"""By players: what the cards were made for, season by season."""


class Told(Struct):
    """What one game showed."""

    firsts: tuple[int, ...]
    """By season: the points of the first-placed."""
    declared: tuple[int, ...]
    """By season: what all scored together, as far as it was above 0."""
    lost: tuple[int, ...]
    """By season: what other players' effects took away."""
    victory: tuple[int, ...]
    best: tuple[int, ...]
    """The best season of each winner."""
    won: tuple[bool, ...]
    wonders: tuple[int, ...]
    """By seat: the ★★★ cards that were laid on the board."""


# The greedy player

KEEN = 0.45
"""How much more a card is liked for each of its season held already."""


def worth(effect: Effect) -> float:
    """What an effect may be good for, in points."""
    match effect:
        case BonusIf(points=points):
            return 0.7 * points
        case BonusPer(points=points, max=most):
            return 0.6 * (most or 3 * points)
        case Aura(points=points):
            return 2.5 * points
        case PointsFromTip(max=most):
            return 0.8 * most
        case Sacrifice(points=points):
            return 0.5 * points
        case Counters(n=n):
            return float(abs(n))
        case Flip():
            return 2.5
        case _:
            return 1.0


WORTH = tuple(
    DECK.points[card] + 0.5 * sum(DECK.arrows[0][card]) + sum(map(worth, EFFECTS[card]))
    for card in range(len(EFFECTS))
)


def known(look: Look, seat: int) -> list[Board]:
    """All boards, the others' as this seat sees them."""
    boards = []
    for other in range(look.seats):
        board = read(look, other)
        if other != seat:
            seen = [
                card if card >= 0 and is_open(look, other, cell) else BLANK
                for cell, card in enumerate(board.cards)
            ]
            board = board._replace(cards=tuple(seen))
        boards.append(board)
    return boards


def brings(board: Board, others: Sequence[Board], seasons: Sequence[int] = range(4)) -> list[int]:
    return [total(season_parts(DECK, board, season, others)) for season in seasons]


def liking(points: Sequence[int]) -> int:
    """What the seasons bring together. Who is out for one peak instead takes autumns for it, whose
    points are the easiest to know, and the later seasons are worth less to the first."""
    return sum([max(own, 0) for own in points])


def greedy(look: Look, ask: Ask, luck: Luck) -> Move:
    """What a greedy player answers."""
    offers = RULES.offers(look, ask)
    match ask.what:
        case "pick":
            return _pick(look, ask)
        case "appeal":
            return _appeal(look, ask, luck)
        case "order":
            return _order(look, ask, luck)
        case "before":
            return _before(look, ask)
        case "marks" | "after" if offers[0].verb not in ("none", "pass"):
            moves = [move for offer in offers for move in offer.moves(ask.id)]
            return max(moves, key=lambda move: (_harm(look, ask.seat, move), luck.below(1000)))
        case _:
            return offers[0].sample(ask.id, luck)


def _pick(look: Look, ask: Ask) -> Move:
    seat = ask.seat
    picks = (*look.cards[f"picks/{seat}"], *look.cards[OLDER[seat]])
    picks += tuple(card for card in known(look, seat)[seat].cards if card >= 0)
    held = [sum(DECK.season[card] == season for card in picks) for season in range(4)]

    def like(card: int) -> float:
        return WORTH[card] * (1 + KEEN * held[DECK.season[card]])

    hand = look.cards[f"hand/{seat}"]
    best = max(hand, key=like)
    slot = max(PUBLIC, key=lambda zone: like(look.cards[zone][0]))
    if like(look.cards[slot][0]) > like(best) + 0.5:
        return Move(ask.id, "claim", (best,), slot)
    return Move(ask.id, "pick", (best,), f"picks/{seat}")


def _appeal(look: Look, ask: Ask, luck: Luck) -> Move:
    """What gives least away, out of the way."""
    card = min(look.cards[f"picks/{ask.seat}"], key=lambda card: WORTH[card])
    (offer,) = RULES.offers(look, ask)
    edges = [zone for zone in offer.targets if CELL_OF[zone][1] % 2] or offer.targets
    return Move(ask.id, "appeal", (card,), edges[luck.below(len(edges))], UPRIGHT)


def _order(look: Look, ask: Ask, luck: Luck) -> Move:
    """Try to change places, turn round and exchange for what is left over, while it gets better."""
    boards = known(look, ask.seat)
    board = boards.pop(ask.seat)
    free = [cell for cell in CELLS if board.cards[cell] < 0]
    picks = sorted(look.cards[OLDER[ask.seat]], key=lambda card: -WORTH[card])
    best: tuple[float, list[int], list[bool]] = (-1.0, [], [])
    for _ in range(2):
        laid = [*luck.shuffled(tuple(picks[: len(free)])), *picks[len(free) :]]
        ways = [bool(luck.below(2)) for _ in laid]

        def value(cards: Sequence[int], turned: Sequence[bool]) -> float:
            lying, way = list(board.cards), list(board.turned)
            for cell, card, down in zip(free, cards, turned, strict=False):
                lying[cell], way[cell] = card, down
            whole = board._replace(cards=tuple(lying), turned=tuple(way))
            return liking(brings(whole, ()))

        found, better = value(laid, ways), True
        while better:
            better = False
            for one, other in combinations(range(len(laid)), 2):
                if one >= len(free):
                    break
                laid[one], laid[other] = laid[other], laid[one]
                ways[one], ways[other] = ways[other], ways[one]
                now = value(laid, ways)
                if now > found:
                    found, better = now, True
                else:
                    laid[one], laid[other] = laid[other], laid[one]
                    ways[one], ways[other] = ways[other], ways[one]
            for place in range(len(free)):
                ways[place] = not ways[place]
                now = value(laid, ways)
                if now > found:
                    found, better = now, True
                else:
                    ways[place] = not ways[place]
        best = max(best, (found, laid, ways))
    _, laid, ways = best
    choice = "".join(UPSIDE_DOWN if way else UPRIGHT for way in ways[: len(free)])
    return Move(ask.id, "order", tuple(laid[: len(free)]), "", choice)


def _before(look: Look, ask: Ask) -> Move:
    boards = known(look, ask.seat)
    board = boards.pop(ask.seat)
    season = SEASONS.index(str(ask.args[0]))
    later = range(season, 4)
    best, chosen = liking(brings(board, boards, later)), Move(ask.id, "pass")
    for offer in RULES.offers(look, ask):
        for move in offer.moves(ask.id):
            if move.verb == "pass":
                continue
            after = board
            for use in marks.planned(board, move):
                after = marks.foreseen(DECK, after, use)
            now = liking(brings(after, boards, later))
            if now > best:
                best, chosen = now, move
    return chosen


def _harm(look: Look, seat: int, move: Move) -> float:
    """What a marked card brings: what rivals lose by it, less what its player does."""
    if not move.target:
        return 0.0
    other, cell = CELL_OF[move.target]
    board = known(look, seat)[other]
    if move.verb == "depart":
        return WORTH[move.cards[0]] - WORTH[board.cards[cell]]
    season = int(DECK.season[move.cards[0]])
    later = range(season + 1, 4)
    if other != seat and board.cards[cell] < 0:
        return 2.0  # some card
    effect = DECK.marked[move.cards[0]]
    before = sum(brings(board, (), later))
    match effect:
        case Flip():
            lying = [BLANK if there == cell else card for there, card in enumerate(board.cards)]
            after = sum(brings(board._replace(cards=tuple(lying)), (), later))
        case Counters(n=n):
            counts = [own + n * (there == cell) for there, own in enumerate(board.counters)]
            after = sum(brings(board._replace(counters=tuple(counts)), (), later))
        case _:
            after = before - 1
    return float(after - before if other == seat else before - after)


# Games


def played(seats: int, seed: str, randoms: Sequence[int] = ()) -> Told:
    """One game among greedy players, but for the seats that play at random."""
    dealt = start(KIT.game, seats, seed, KIT.backs, catalogue.options(KIT)).state
    table = Scratch(dealt, Luck(seed))
    luck = Luck(f"{seed} players")
    lost = [0] * 4
    wonders: tuple[int, ...] = ()
    while table.result is None:
        ask = next(ask for ask in table.asks if ask.id not in table.answers)
        if ask.what == "declare" and not wonders:
            wonders = tuple(map(_wonders, (read(table, seat) for seat in range(seats))))
        if ask.seat in randoms:
            offers = RULES.offers(table, ask)
            move = offers[luck.below(len(offers))].sample(ask.id, luck)
        else:
            move = greedy(table, ask, luck)
        if ask.what in ("marks", "after"):
            for season, harm in _harms(table, ask, move).items():
                lost[season] += harm
        else:
            answer(KIT.game, table, ask, move)
    values, winners = table.values, table.result.winners
    points = [[int(values[POINTS[s][seat]]) for seat in range(seats)] for s in range(4)]
    victory = [[int(values[VICTORY[s][seat]]) for seat in range(seats)] for s in range(4)]
    return Told(
        tuple(map(max, points)),
        tuple(sum(max(0, own) for own in season) for season in points),
        tuple(lost),
        tuple(map(max, victory)),
        tuple(max(range(4), key=lambda s: victory[s][seat]) for seat in winners),
        tuple(seat in winners for seat in range(seats)),
        wonders,
    )


def _wonders(board: Board) -> int:
    """How many ★★★ lie on a board."""
    return sum(DECK.stars[card] == 3 for card in board.cards)


def _harms(table: Scratch, ask: Ask, move: Move) -> dict[int, int]:
    """Give this answer; what the seasons that are still to come lose by it on other boards."""
    phase = str(table.values["phase"])
    first = SEASONS.index(phase) + 1 if phase in SEASONS else 1
    others = [seat for seat in range(table.seats) if seat != ask.seat]
    before = [_totals(table, seat) for seat in others]
    answer(KIT.game, table, ask, move)
    if table.values["phase"] != phase:  # cards were closed as well
        return {}
    after = [_totals(table, seat) for seat in others]
    return {
        season: sum(
            max(0, was[season] - now[season]) for was, now in zip(before, after, strict=True)
        )
        for season in range(first, 4)
    }


def _totals(table: Look, seat: int) -> list[int]:
    others = [read(table, other) for other in range(table.seats) if other != seat]
    return brings(read(table, seat), others)


def measured(games: Sequence[Told]) -> dict[str, list[float]]:
    """The figures of AIMED, measured."""
    seasons = range(4)
    best = [season for game in games for season in game.best]
    held = fmean([count for game in games for count in game.wonders])
    winners = [
        count for game in games for count, won in zip(game.wonders, game.won, strict=True) if won
    ]
    return {
        "first place": [fmean([game.firsts[s] for game in games]) for s in seasons],
        "nine of ten at most": [quantiles([g.firsts[s] for g in games], n=10)[8] for s in seasons],
        "lost to others %": [
            100 * sum(g.lost[s] for g in games) / sum(g.lost[s] + g.declared[s] for g in games)
            for s in seasons
        ],
        "victory points": [fmean([game.victory[s] for game in games]) for s in seasons],
        "winner's best season %": [100 * best.count(s) / len(best) for s in seasons],
        "★★★ on a board": [held],
        "★★★ relative wins": [fmean(winners) / held],
    }


def report() -> Iterator[Figure]:
    for seats in KIT.box.seats:
        here = f"{seats} greedy"
        for name, found in measured([played(seats, f"{n}") for n in range(GAMES)]).items():
            aimed = AIMED[seats].get(name, ())
            for number, value in enumerate(found):
                season = f", {SEASONS[number]}" if len(found) > 1 else ""
                beside = f"made for {aimed[number]}" if aimed else ""
                yield figure(f"{here}: {name}{season}", "", value, note=beside)
        won = [played(seats, f"{n}", (n % seats,)).won[n % seats] for n in range(GAMES)]
        share = 100 * sum(won) / GAMES
        yield figure(f"{here}: a random player among them wins", "%", share, note=f"{GAMES} games")
        among = measured([played(seats, f"{n}", range(seats)) for n in range(GAMES)])
        for season, points in zip(SEASONS, among["first place"], strict=True):
            yield figure(f"{seats} at random: first place, {season}", "", points)
