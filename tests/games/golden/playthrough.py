"""Playthroughs: written from a seed and answers, and replayed from their own text."""

from collections.abc import Iterable, Iterator, Sequence
from hashlib import sha256
from pathlib import Path

from tabletop.catalogue import catalogue
from tabletop.catalogue.catalogue import GameKit
from tabletop.engine.events import (
    Announced,
    Answered,
    Asked,
    Closed,
    Ended,
    Event,
    Moved,
    Placed,
    Planned,
    Rolled,
    Said,
    Shown,
    Shuffled,
    Thrown,
    ValueSet,
)
from tabletop.engine.mask import masked
from tabletop.engine.model import AUDIENCE, Move, State, Value, back_of, is_face
from tabletop.engine.play import start, submit
from tabletop.engine.scratch import FastRng
from tabletop.studio.laws.random_games import random_answer

FOLDER = Path(__file__).parent

Turn = tuple[State, int, Move, tuple[Event, ...]]
"""The table before an answer, the seat, its move, and the events that followed."""
DIGEST = "digest: "


class Playthrough:
    """One game from its set-up on, as lines of text."""

    def __init__(self, kit: GameKit, seats: int, seed: str, options: dict[str, Value]) -> None:
        self.kit, self.seats, self.seed = kit, seats, seed
        self.turns: list[Turn] = []
        table = start(kit.rules, seats, seed, kit.backs, options)
        self.state = table.state
        self.lines = [
            f"game: {kit.id}",
            f"seats: {seats}",
            f"seed: {seed}",
            *(f"option {key}: {value}" for key, value in options.items()),
            "",
            "> set-up",
            *self._heard(State(seats, kit.backs, options), table.events),
        ]

    def answer(self, seat: int, move: Move) -> None:
        """Play an answer and write down its events as each viewer saw them."""
        before = self.state
        table = submit(self.kit.rules, before, seat, move, self.seed)
        self.state = table.state
        self.turns.append((before, seat, move, tuple(table.events)))
        self.lines += ["", f"> {seat} {self._answer(move)}", *self._heard(before, table.events)]

    def text(self) -> str:
        """Every answer with what each viewer heard of it."""
        return "\n".join(self.lines) + "\n"

    def brief(self) -> str:
        """The answers alone, under a digest of the whole text."""
        text = self.text()
        head, _, _ = text.partition("\n\n")
        answers = [line for line in self.lines if line.startswith("> ")]
        digest = f"{DIGEST}{sha256(text.encode()).hexdigest()}"
        return "\n".join([head, digest, "", *answers]) + "\n"

    def like(self, text: str) -> str:
        """Write what was played in the form of this text: all, or a digest."""
        return self.brief() if is_brief(text) else self.text()

    def _answer(self, move: Move) -> str:
        parts = [f"#{move.ask}", move.verb, *(str(card) for card in move.cards)]
        parts += [f"@{move.target}"] if move.target else []
        parts += [f"={move.choice}"] if move.choice else []
        return " ".join(parts)

    def _heard(self, before: State, events: Sequence[Event]) -> Iterator[str]:
        viewers = range(AUDIENCE, self.seats)
        heard = {viewer: masked(before, events, viewer) for viewer in viewers}
        for number in range(len(events)):
            ways: dict[str, list[int]] = {}
            for viewer in viewers:
                ways.setdefault(self._line(heard[viewer][number]), []).append(viewer)
            for line, who in ways.items():
                if line:
                    ears = "" if len(who) == len(viewers) else f"{_names(who)}: "
                    yield f"  {ears}{line}"

    def _line(self, event: Event) -> str:
        match event:
            case Placed(zone, cards):
                return f"place {zone.name}" + (f": {self._cards(cards)}" if cards else "")
            case Moved(card, source, target):
                return f"move {self._card(card)} from {source} to {target}"
            case Shuffled(zone, cards):
                return f"shuffle {zone}: {self._cards(cards)}"
            case Shown(zone, card, _, seats):
                return f"show {self._card(card)} in {zone} to {_names(seats) or 'nobody'}"
            case Announced(fact, cards):
                asked = " ".join(map(str, (fact.question, *fact.args)))
                answer = "?" if fact.answer is None else fact.answer
                return f"announce {asked} of {self._cards(cards)}: {answer}"
            case ValueSet(key, value):
                return f"set {key}: {value}".rstrip()
            case Rolled(what, _, faces):
                return f"roll {what}: {' '.join(map(str, faces))}"
            case Thrown(zone, _, dice, faces):
                return f"throw {self._cards(dice)} in {zone}: {self._cards(faces)}"
            case Asked(ask):
                return f"ask {ask.seat} #{ask.id} {ask.what}" + " sealed" * ask.sealed
            case Said(text, cards, args):
                told = ", ".join([*map(self._card, cards), *(f"{k} {v}" for k, v in args.items())])
                return f'say "{text}"' + (f" {told}" if told else "")
            case Ended(result):
                scores = " ".join(map(str, result.scores))
                winners = " ".join(map(str, result.winners)) or "nobody"
                return f"end: scores {scores}; won by {winners}. {result.decided}".rstrip()
            case Answered(move=None):
                return "an answer is in"
            case Answered() | Closed() | Planned():
                return ""

    def _card(self, card: int) -> str:
        if not is_face(card):
            return f"[{self.kit.back_names[back_of(card)]}]"
        return f"{self.kit.deck[card]['name']} ({card})"

    def _cards(self, cards: tuple[int, ...]) -> str:
        """Faces one by one, hidden cards counted."""
        if not any(is_face(card) for card in cards) and len({*map(self._card, cards)}) == 1:
            return f"{len(cards)} {self._card(cards[0])}"
        return ", ".join(self._card(card) for card in cards)


def _names(viewers: Iterable[int]) -> str:
    return " ".join("~" if viewer == AUDIENCE else str(viewer) for viewer in viewers)


def invented(name: str, seats: int, seed: str, brief: bool = False) -> str:
    """Play random answers to the end, with the box's default options."""
    kit = catalogue.load(name)
    play = Playthrough(kit, seats, seed, catalogue.options(kit))
    luck = FastRng(f"golden {seed}")
    while play.state.result is None:
        ask, move = random_answer(kit.rules, play.state, luck)
        play.answer(ask.seat, move)
    return play.brief() if brief else play.text()


def is_brief(text: str) -> bool:
    """Whether the text holds answers and a digest, not what was heard."""
    return f"\n{DIGEST}" in text


def replayed(text: str) -> Playthrough:
    """The game that a playthrough's head and answers give today."""
    head = text.split("\n\n")[0].splitlines()
    fields = dict(line.split(": ", 1) for line in head)
    kit = catalogue.load(fields["game"])
    chosen: dict[str, Value] = {k[7:]: v for k, v in fields.items() if k.startswith("option ")}
    play = Playthrough(kit, int(fields["seats"]), fields["seed"], catalogue.options(kit, chosen))
    for line in text.splitlines():
        if line.startswith("> ") and line != "> set-up":
            seat, *parts = line[2:].split()
            play.answer(int(seat), _move(parts))
    return play


def _move(parts: Sequence[str]) -> Move:
    number, verb, *rest = parts
    marked = {part[0]: part[1:] for part in rest if part[0] in "@="}
    cards = tuple(int(part) for part in rest if part[0] not in "@=")
    return Move(int(number[1:]), verb, cards, marked.get("@", ""), marked.get("=", ""))
