"""The extermination (rulebook 7), with squads, three attacks and their score;
and the winner (8).
"""

from collections.abc import Sequence
from typing import Final

from tabletop.engine.model import AUDIENCE, Pen, Result, ScoreLine, TableReader
from tabletop.games.sun.places import BED, MARKER, PHASE, SCORE, SEATS, SPARE, SPOTS
from tabletop.games.sun.steps import Attack
from tabletop.text.phrases import phrase

COLOUR_SIGNS: Final = "◆●▲■"
"""The symbol of each colour on the score sheet."""
SHIELD_PAIRS: Final = ((2, 3), (1, 4), (0, 5))
"""The indexes of the shield cards that are revealed in each attack (7.2)."""

# 7.1 Forming the squads


def begin_extermination(table: Pen) -> None:
    """End the analysis, and ask both players to form their squads in secret."""
    for seat in SEATS:  # 6.5, end: a point for each analysis
        SCORE.set(table, seat, MARKER.of(table.state, seat))
    PHASE.set(table, "extermination")
    table.say("The analysis is over. The squads are formed in secret.")
    table.then(Attack())
    for seat in SEATS:
        if table.state.cards[BED[seat]]:
            table.ask(seat, "squads", sealed=True)


def form_squads(table: Pen, seat: int, cards: tuple[int, ...]) -> None:
    """Put the cards into the squads in the given order, two into each."""
    bed = BED[seat]
    for card, spot in zip(cards, SPOTS[seat], strict=False):
        table.move(card, bed, spot)
    for card in table.state.cards[bed]:  # 7.1: a seventh card and more are set aside
        table.move(card, bed, SPARE[seat])


# 7.2 Three attacks, 7.3 the score of each


def resolve_attacks(table: Pen, colour: Sequence[int]) -> None:
    """Make all three attacks and end the game. `colour` contains the colour of each card."""
    squads: tuple[list[int], ...] = ([], [])  # open cards of each player
    attackers: list[int] = []  # the same in the order they were opened
    shield: list[int] = []  # open cards of the shield
    sheet = [_analysis_line(table.state)]
    for number, pair in enumerate(SHIELD_PAIRS, start=1):
        fought = {*attackers, *shield}
        for seat in SEATS:
            zone = SPOTS[seat][2 * number - 1]
            opened = _open_cards(table, zone, table.state.cards[zone])
            squads[seat].extend(opened)
            attackers += opened
        lying = table.state.cards["shield"]
        shield += _open_cards(table, "shield", [lying[place] for place in pair])
        line = _score_line(
            number,
            [_count_colours(squad, colour) for squad in squads],
            _count_colours(shield, colour),
        )
        for seat, points in enumerate(line.points):
            SCORE.add(table, seat, points)
        sheet.append(line)
        hits = _cards_of_shared_colours(attackers, shield, colour) + _cards_of_shared_colours(
            shield, attackers, colour
        )
        new = [card for card in (*attackers, *shield) if card not in fought]
        _log_attack(table, line, hits, [card for card in new if card not in hits])
    table.end(_result(table.state, tuple(sheet)))


def _open_cards(table: Pen, zone: str, cards: Sequence[int]) -> Sequence[int]:
    for card in cards:
        table.show(zone, card)
    return cards


def _count_colours(cards: Sequence[int], colour: Sequence[int]) -> list[int]:
    """Return the number of cards of each colour. Still cards count once here."""
    counts = [0] * len(COLOUR_SIGNS)
    for card in cards:
        counts[colour[card]] += 1
    return counts


def _cards_of_shared_colours(
    cards: Sequence[int], others: Sequence[int], colour: Sequence[int]
) -> list[int]:
    """Return the `cards` whose colour also occurs among `others`."""
    met = {colour[card] for card in others}
    return [card for card in cards if colour[card] in met]


def _matching_colours(squads: Sequence[int], shield: Sequence[int]) -> list[tuple[str, int, int]]:
    """Return the colours with open cards on both sides: symbol, number in the squads,
    number in the shield (7.3).
    """
    return [
        (sign, own, theirs)
        for sign, own, theirs in zip(COLOUR_SIGNS, squads, shield, strict=True)
        if own and theirs
    ]


def _score_line(attack: int, squads: Sequence[Sequence[int]], shield: Sequence[int]) -> ScoreLine:
    """Return the score sheet line of an attack for both players (7.3)."""
    counted = [_matching_colours(squad, shield) for squad in squads]
    points = tuple([sum([own * theirs for _, own, theirs in parts]) for parts in counted])
    formulas = tuple(
        [" + ".join([f"{sign}{own}×{theirs}" for sign, own, theirs in p]) for p in counted]
    )
    return ScoreLine("Attack {n}", points, formulas, {"n": attack})


def _log_attack(table: Pen, line: ScoreLine, hits: list[int], others: list[int]) -> None:
    """Log the result of an attack, highlighting cards of matching colours more brightly."""
    sums = [f"{f} = {p}" if f else "0" for f, p in zip(line.formulas, line.points, strict=True)]
    table.say(
        "Attack {n}: {seat} {sum}, {seat_other} {sum_other}.",
        *hits,
        *others,
        tag="attack",
        bright=len(hits),
        n=line.args["n"],
        seat=0,
        sum=sums[0],
        seat_other=1,
        sum_other=sums[1],
    )


def revealed_attack_points(state: TableReader, colour: Sequence[int]) -> list[tuple[int, ...]]:
    """Return each seat's points for the attacks whose cards are all revealed."""
    lying = state.cards["shield"]
    squads: tuple[list[int], ...] = ([], [])
    shield: list[int] = []
    points = []
    for number, pair in enumerate(SHIELD_PAIRS, start=1):
        opened = [lying[place] for place in pair]
        if not all(AUDIENCE in state.shown.get(card, ()) for card in opened):
            break
        shield += opened
        for seat in SEATS:
            squads[seat].extend(state.cards[SPOTS[seat][2 * number - 1]])
        counted = [_count_colours(squad, colour) for squad in squads]
        points.append(_score_line(number, counted, _count_colours(shield, colour)).points)
    return points


def _analysis_line(state: TableReader) -> ScoreLine:
    points = tuple(MARKER.all(state))
    return ScoreLine("Analyses of the shield", points, ("", ""))


# 8 Who wins


def _result(state: TableReader, sheet: tuple[ScoreLine, ...]) -> Result:
    scores = tuple(SCORE.all(state))
    spares = tuple(len(state.cards[SPARE[seat]]) for seat in SEATS)
    decided = ""
    if scores[0] == scores[1]:
        decided = (
            phrase("Equal points and equal cards set aside: a draw.")
            if spares[0] == spares[1]
            else phrase("Equal points: more cards set aside decide.")
        )
    ranks = [(scores[seat], spares[seat]) for seat in SEATS]
    winners = tuple(seat for seat in SEATS if ranks[seat] > ranks[1 - seat])
    return Result(winners, scores, sheet, decided)
