"""A table of AWSSterra as a test wants it: boards, what was scored, who is asked, and the dice."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from msgspec.structs import replace

from tabletop.catalogue import catalogue
from tabletop.engine.model import AUDIENCE, Ask, Move, Rng, State, Step
from tabletop.engine.play import proceed, start
from tabletop.engine.steps import to_record
from tabletop.engine.table import SeededRng, Table
from tabletop.games.awss.board import BOARD, NEEDLES, TILT, read_board
from tabletop.games.awss.effects import SEASONS
from tabletop.games.awss.places import OLDER
from tabletop.games.awss.rules import Rules
from tabletop.games.awss.scoring import score_parts, season_parts, total_points
from tabletop.games.awss.steps import Score
from tests.games.game_driver import offered

KIT = catalogue.load("awss")
GAME = KIT.rules
assert isinstance(GAME, Rules)
DECK = GAME.deck
NUMBER = {str(face["id"]): n for n, face in enumerate(KIT.deck) if "id" in face}


def card(name: str) -> int:
    return NUMBER[name]


def begin(seats: int = 3, seed: str = "test", **options: str) -> State:
    return start(GAME, seats, seed, KIT.backs, catalogue.options(KIT, options)).state


def board(words: str) -> list[tuple[str, bool, bool, bool]]:
    """Of each cell the card's id, and whether it lies upside-down, face-down, as an appeal.

    A board is written as nine words like a page: "S01" lies upright, "S01↓" upside-down, "~S01"
    face-down, "!S01" is an appeal card; "." is some card face-down.
    """
    return [(w.strip("~!↓"), "↓" in w, "~" in w or w == ".", "!" in w) for w in words.split()]


def position(
    *boards: str,
    opened: bool = True,
    older: Mapping[int, str] | None = None,
    used: Iterable[str] = (),
    counters: Mapping[str, int] | None = None,
    **options: str,
) -> State:
    """A presentation: these boards, all that lies face-up being open to everybody (or nobody).

    A player whose board is not named has cards that lie face-down. Cards that are not named go
    where they are needed, from the end of the deck on.
    """
    seats = max(3, len(boards))
    state = begin(seats, **options)
    older = {seat: names.split() for seat, names in (older or {}).items()}
    named = [board(words) for words in boards] + [board(". " * 9)] * (seats - len(boards))
    free = _unnamed(named, older)
    cards: dict[str, tuple[int, ...]] = dict.fromkeys(state.zones, ())
    cards["box"] = state.cards["box"]
    values = _unscored(seats)
    shown: dict[int, tuple[int, ...]] = {}
    for seat, cells in enumerate(named):
        held = state.cards[NEEDLES[seat]]
        for cell, (name, turned, down, appeal) in enumerate(cells):
            here = free.pop(0) if name == "." else card(name)
            needles = held[2 * cell : 2 * cell + 2][:: -1 if turned else 1]
            cards[BOARD[seat][cell]], cards[TILT[seat][cell]] = (here,), needles
            if appeal or (opened and not down):
                shown |= dict.fromkeys((here, *needles), (AUDIENCE, *range(seats)))
            marked = {
                "down": int(down),
                "appeal": int(appeal),
                "used": int(name in used),
                "counters": (counters or {}).get(name, 0),
            }
            values |= {f"{what}/{seat}/{cell}": n for what, n in marked.items() if n}
    for seat in range(seats):
        picks = [card(name) for name in older.get(seat, ())]
        picks += [free.pop(0) for _ in range(3 - len(picks))]
        cards[OLDER[seat]] = tuple(sorted(picks))
    cards["deck"] = tuple(free)
    return replace(
        state, cards=cards, values=values, shown=shown, asks=(), answers={}, agenda=(), asked=1
    )


def _unnamed(boards: Iterable[Iterable[Any]], older: Mapping[int, Iterable[str]]) -> list[int]:
    """The cards on none of these boards and among no older picks, from the end of the deck on."""
    names = {name for cells in boards for name, *_ in cells} | set().union(*older.values())
    taken = {card(name) for name in names if name != "."}
    return [number for number in reversed(range(60)) if number not in taken]


def _unscored(seats: int) -> dict[str, Any]:
    """The public values of a presentation in which nothing was scored yet."""
    everybody = range(seats)
    values: dict[str, Any] = {"phase": "marks", "year": 0, "round": 0}
    values |= {f"score/{seat}": 0 for seat in everybody}
    for season in SEASONS:
        values |= {f"{what}/{season}/{n}": 0 for what in ("points", "victory") for n in everybody}
    return values


def asking(state: State, what: str, seat: int = 0, season: str = "") -> State:
    """The table where this seat is asked for its ◎ ("marks") or ◆ ("before", "after")."""
    args = (season,) if what == "before" else ()
    agenda = (to_record(Score(SEASONS.index(season))),) if what == "before" else ()
    return replace(
        state,
        values=state.values | {"phase": season or "marks"},
        asks=(Ask(1, seat, what, args, what == "before"),),
        asked=2,
        agenda=agenda,
    )


def resumed(state: State, step: Step, rolls: Sequence[int] = ()) -> Table:
    """The table after a planned step and all that follows; dice fall as given."""
    if isinstance(step, Score):
        state = replace(state, values=state.values | {"phase": SEASONS[step.season]})
    table = Table(state, Loaded(rolls) if rolls else SeededRng("test"))
    GAME.resume(table, step)
    proceed(GAME, table)
    return table


class Loaded(Rng):
    """Chance that rolls these faces, one after the other."""

    def __init__(self, faces: Sequence[int]) -> None:
        self.faces = list(faces)

    def below(self, limit: int) -> int:
        return self.faces.pop(0) - 1

    def shuffled(self, cards: tuple[int, ...]) -> tuple[int, ...]:
        return cards


def cell(seat: int, number: int) -> str:
    return BOARD[seat][number]


def where(state: State, name: str) -> str:
    return next(zone for zone, held in state.cards.items() if card(name) in held)


def turned(state: State, seat: int, number: int) -> bool:
    return read_board(state, seat).turned[number]


def down(state: State, seat: int) -> list[int]:
    return [number for number in range(9) if state.values.get(f"down/{seat}/{number}")]


def scores(state: State, seat: int, season: str) -> int:
    boards = [read_board(state, other) for other in range(state.seats)]
    own = boards.pop(seat)
    return total_points(season_parts(DECK, own, SEASONS.index(season), boards))


def points(name: str, *boards: str, **more: Any) -> int:
    """The score of this card on the first of these boards."""
    state = position(*boards, **more)
    own, *others = [read_board(state, seat) for seat in range(state.seats)]
    return sum(p.points for p in score_parts(DECK, own, own.cards.index(card(name)), others))


def use(name: str, target: str = "", choice: str = "") -> Move:
    return Move(0, "aim" if target else "use", (card(name),), target, choice)


def targets(state: State, seat: int, name: str) -> tuple[str, ...]:
    """Where the seat may use this card; ("",) where there is nothing to choose."""
    (offer,) = (o for o in offered(GAME, state, seat) if card(name) in o.cards)
    return offer.targets or ("",)


def declared(*sums: int) -> State:
    state = position(*[". " * 9] * len(sums))
    return replace(
        state, values=state.values | {f"points/autumn/{s}": p for s, p in enumerate(sums)}
    )
