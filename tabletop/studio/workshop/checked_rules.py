"""Rules of a game folder that check what they are given and what they return.

The engine trusts rules, because bots simulate tens of thousands of moves a second. A wrong argument
therefore fails later, in another file. The workshop and `tabletop check` play with checked rules
first, which raise an error at the line that caused it.
"""

from collections.abc import Callable, Iterable, Mapping
from copy import copy
from difflib import get_close_matches
from functools import cache
from typing import Any, NoReturn, TypeVar

from msgspec.structs import replace

from tabletop.catalogue.catalogue import GameKit
from tabletop.engine.mask import mask
from tabletop.engine.model import (
    Ask,
    Offer,
    Pen,
    Preview,
    Reason,
    Result,
    Sight,
    State,
    Step,
    TableReader,
    Value,
    Zone,
)
from tabletop.engine.play import GameRules
from tabletop.free_table import game as free_table
from tabletop.text.phrases import GAP

MAX_LISTED_NAMES = 8
"""The maximum number of known names listed in a message."""
SIGNATURES = {
    "setup": "setup(self, table)",
    "offers": "offers(self, state, ask)",
    "play": "play(self, table, seat, move)",
    "resume": "resume(self, table, step)",
    "why": "why(self, state, ask, card, to)",
    "preview": "preview(self, state, ask, move)",
}
"""The methods of `Rules`, as they are written in rules.py."""

Location = tuple[str, int]
"""A file and a line."""
RulesT = TypeVar("RulesT", bound=GameRules)


class RulesMistake(Exception):
    """A mistake in a game's rules, as a clause that says what to write."""

    def __init__(self, problem: str, place: Location | None = None) -> None:
        """`place`: the file and line, if no frame of the traceback is at it."""
        super().__init__(problem)
        self.place = place


def list_names(names: Iterable[str], meant: str = "") -> str:
    """Return `names` in quotes, those similar to `meant` first, and "…" for the rest."""
    known = sorted(names)
    near = get_close_matches(meant, known, 3)
    ordered = [*near, *(name for name in known if name not in near)]
    rest = ["…"] if len(ordered) > MAX_LISTED_NAMES else []
    return ", ".join([*(f'"{name}"' for name in ordered[:MAX_LISTED_NAMES]), *rest])


def describe_type(value: object) -> str:
    """Return what `value` is, in the words of a message."""
    match value:
        case None:
            return "None"
        case bool() | int():
            return f"the number {int(value)}"
        case str():
            return f'the text "{value[:30]}"'
        case list():
            return "a list"
        case tuple():
            return "a tuple"
        case dict():
            return "a dict"
        case float():
            return f"the fraction {value}"
    return f"an object of the class {type(value).__name__}"


def unknown_zone(name: str, zones: Iterable[str]) -> str:
    """Return the message about a zone that isn't on the table."""
    known = list_names(zones, name)
    return f'there is no zone "{name}": place it in setup, or use one of {known or "none yet"}'


def check_kit(kit: GameKit) -> GameKit:
    """Return `kit` with checked rules, or `kit` itself if its rules are the program's own."""
    if kit.modules is None or isinstance(kit.rules, free_table.Rules):
        return kit
    return replace(kit, rules=check_rules(kit.rules))


def check_rules(rules: RulesT) -> RulesT:
    """Return a copy of `rules` that checks arguments and results."""
    checked = copy(rules)
    try:
        checked.__class__ = _checked_class(type(rules))
    except TypeError:  # a class with slots has another layout
        return rules
    return checked


def check_open_questions(kit: GameKit, state: State) -> None:
    """Ask the rules of `kit` for the offers of all open questions.

    Raises:
        Any error of the game's rules.
    """
    for ask in state.asks:
        if ask.id not in state.answers:
            kit.rules.offers(mask(state, ask.seat), ask)


@cache
def _checked_class(kind: type) -> type:
    """Return a subclass of `kind` that checks the methods that `kind` has."""
    checks: Mapping[str, Callable[..., Any]] = {
        "setup": _check_pen,
        "play": _check_pen,
        "resume": _check_pen,
        "offers": _check_offers,
        "why": _check_why,
        "preview": _check_preview,
    }
    methods = {
        name: check(method, name)
        for name, check in checks.items()
        if (method := getattr(kind, name, None)) is not None
    }
    return type(kind.__name__, (kind,), {"__module__": kind.__module__, "__slots__": (), **methods})


def _check_pen(method: Callable[..., None], name: str) -> Callable[..., None]:
    def run(self: Any, table: Pen, *args: Any) -> None:
        pen = table if isinstance(table, CheckedPen) else CheckedPen(table, type(self))
        method(self, pen, *args)

    return run


def _check_offers(method: Callable[..., Any], name: str) -> Callable[..., Any]:
    place = location_of_method(method)

    def run(self: Any, state: TableReader, ask: Ask) -> tuple[Offer, ...]:
        offers = method(self, state, ask)
        if not isinstance(offers, tuple | list) or any(
            not isinstance(each, Offer) for each in offers
        ):
            got = describe_type(offers)
            if isinstance(offers, tuple | list):
                got = describe_type(next(each for each in offers if not isinstance(each, Offer)))
            raise RulesMistake(
                f'offers returns {got} for the question "{ask.what}": '
                'return a tuple of offers, such as (Offer("pass"),)',
                place,
            )
        if not offers and ask in state.asks and not ask.optional:
            raise RulesMistake(
                f'offers returns nothing for the question "{ask.what}": '
                'return at least one offer, such as (Offer("pass"),)',
                place,
            )
        for offer in offers:
            _check_offer(offer, place)
            for target in offer.targets:
                if target not in state.zones and target not in state.values:
                    raise RulesMistake(unknown_zone(target, state.zones), place)
        return tuple(offers)

    return run


def _check_offer(offer: Offer, place: Location | None) -> None:
    for part, expected in (
        ("cards", "a tuple of cards, such as (3, 4)"),
        ("targets", 'a tuple of texts, such as ("middle",)'),
        ("choices", 'a tuple of texts, such as ("yes", "no")'),
        ("spots", 'a tuple of texts, such as ("row/0", "row/1")'),
    ):
        given = getattr(offer, part)
        kind = int if part == "cards" else str
        if not isinstance(given, tuple):
            got = describe_type(given)
        elif any(not isinstance(each, kind) for each in given):
            got = describe_type(next(each for each in given if not isinstance(each, kind)))
        else:
            continue
        raise RulesMistake(f'the offer "{offer.verb}": {part} must be {expected}, not {got}', place)
    for part in ("least", "most"):
        if not isinstance(given := getattr(offer, part), int):
            got = describe_type(given)
            raise RulesMistake(
                f'the offer "{offer.verb}": {part} must be a whole number, not {got}', place
            )


def _check_why(method: Callable[..., Any], name: str) -> Callable[..., Any]:
    return _check_result(method, name, Reason, 'return a Reason("…") or None')


def _check_preview(method: Callable[..., Any], name: str) -> Callable[..., Any]:
    return _check_result(method, name, Preview, "return a Preview(…) or None")


def _check_result(
    method: Callable[..., Any], name: str, kind: type, advice: str
) -> Callable[..., Any]:
    def run(self: Any, *args: Any) -> Any:
        result = method(self, *args)
        if result is not None and not isinstance(result, kind):
            raise RulesMistake(
                f"{name} returns {describe_type(result)}: {advice}", location_of_method(method)
            )
        return result

    return run


def location_of_method(method: Callable[..., Any]) -> Location | None:
    """Return the file and line at which a Python method is defined."""
    code = getattr(method, "__code__", None)
    return (code.co_filename, code.co_firstlineno) if code is not None else None


class CheckedPen(Pen):
    """A pen that checks its arguments before it passes them on to another pen."""

    __slots__ = ("_pen", "_rules")

    def __init__(self, pen: Pen, rules: type) -> None:
        """`rules`: the class of the rules, whose `steps` may be planned."""
        self._pen = pen
        self._rules = rules

    def __getattr__(self, name: str) -> Any:
        return getattr(self._pen, name)

    @property
    def state(self) -> TableReader:
        return self._pen.state

    def place(self, zone: Zone, cards: tuple[int, ...] = ()) -> None:
        if not isinstance(zone, Zone):
            self._refuse("place", 'a Zone("name")', "zone", zone)
        if not isinstance(cards, tuple) or any(not isinstance(card, int) for card in cards):
            self._refuse("place", "a tuple of cards, such as (3, 4)", "cards", cards)
        if zone.sight in (Sight.OWNER, Sight.OTHERS) and zone.owner is None:
            sight = f"Sight.{zone.sight.name}"
            raise RulesMistake(
                f'the zone "{zone.name}" has {sight} and no owner: '
                f'write Zone("{zone.name}", {sight}, seat)'
            )
        for other, held in self.state.cards.items():
            for card in cards if other != zone.name else ():
                if card in held:
                    raise RulesMistake(
                        f'card {card} is in "{other}" already: place each card once, then move it'
                    )
        if len(set(cards)) < len(cards):
            card = next(card for card in cards if cards.count(card) > 1)
            raise RulesMistake(
                f'card {card} is in "{zone.name}" already: place each card once, then move it'
            )
        self._pen.place(zone, cards)

    def move(self, card: int, source: str, target: str, to: int | None = None) -> None:
        self._check_held("move", source, (card,))
        self._check_zone("move", "target", target)
        self._pen.move(card, source, target, to)

    def draw(self, source: str, target: str, count: int = 1) -> tuple[int, ...]:
        self._check_zone("draw", "source", source)
        self._check_zone("draw", "target", target)
        if not isinstance(count, int):
            self._refuse("draw", "a whole number", "count", count)
        return self._pen.draw(source, target, count)

    def shuffle(self, zone: str) -> None:
        self._check_zone("shuffle", "zone", zone)
        self._pen.shuffle(zone)

    def show(self, zone: str, card: int, seats: tuple[int, ...] | None = None) -> None:
        self._check_held("show", zone, (card,))
        if seats is not None and not isinstance(seats, tuple):
            self._refuse("show", "a tuple of seats, such as (0,)", "seats", seats)
        self._pen.show(zone, card, seats)

    def announce(
        self,
        question: str,
        cards: tuple[int, ...],
        *args: Value,
        answer: Value,
        seats: tuple[int, ...] | None = None,
    ) -> None:
        self._pen.announce(question, cards, *args, answer=answer, seats=seats)

    def set(self, key: str, value: Value) -> None:
        if not isinstance(key, str):
            self._refuse("set", "a text", "name", key)
        if not isinstance(value, int | str):
            self._refuse("set", "a whole number or a text", f'"{key}"', value)
        self._pen.set(key, value)

    def roll(self, what: str, *sides: int) -> tuple[int, ...]:
        for each in sides:
            if not isinstance(each, int):
                self._refuse("roll", "a whole number", "sides", each)
        return self._pen.roll(what, *sides)

    def throw(self, zone: str, dice: tuple[int, ...], others: str) -> tuple[int, ...]:
        self._check_held("throw", zone, dice)
        self._check_zone("throw", "others", others)
        return self._pen.throw(zone, dice, others)

    def ask(
        self, seat: int, what: str, *args: Value, sealed: bool = False, optional: bool = False
    ) -> int:
        self._check_seat("ask", seat)
        if not isinstance(what, str):
            self._refuse("ask", "a text", "question", what)
        for each in args:
            if not isinstance(each, int | str):
                self._refuse("ask", "a whole number or a text", "argument", each)
        return self._pen.ask(seat, what, *args, sealed=sealed, optional=optional)

    def withdraw(self, *asks: int) -> None:
        self._pen.withdraw(*asks)

    def then(self, step: Step, *former: Value) -> None:
        if isinstance(step, Step) and type(step) not in getattr(self._rules, "steps", ()):
            name = type(step).__name__
            raise RulesMistake(
                f"the step {name} isn't among the steps of class Rules: add steps = ({name},)"
            )
        if not isinstance(step, Step):
            self._refuse("then", "a step, such as Score(seat)", "step", step)
        self._pen.then(step)

    def say(self, text: str, *cards: int, tag: str = "", **args: Value) -> None:
        self._check_sentence("say", text, cards, args)
        self._pen.say(text, *cards, tag=tag, **args)

    def whisper(
        self,
        seats: tuple[int, ...],
        text: str,
        others: str,
        *cards: int,
        tag: str = "",
        **args: Value,
    ) -> None:
        self._check_sentence("whisper", text, cards, args)
        self._check_sentence("whisper", others, cards, args)
        self._pen.whisper(seats, text, others, *cards, tag=tag, **args)

    def end(self, result: Result) -> None:
        if not isinstance(result, Result):
            self._refuse("end", "a Result(winners, scores)", "result", result)
        seats = self.state.seats
        for part in ("winners", "scores"):
            given = getattr(result, part)
            if not isinstance(given, tuple) or any(not isinstance(each, int) for each in given):
                expected = "a tuple of whole numbers, such as (0, 1)"
                raise RulesMistake(f"Result: {part} must be {expected}, not {describe_type(given)}")
        for seat in result.winners:
            self._check_seat("end", seat)
        if len(result.scores) not in (0, seats):
            raise RulesMistake(
                f"Result has {len(result.scores)} scores for {seats} players: "
                "give one for each seat"
            )
        self._pen.end(result)

    def _check_zone(self, call: str, part: str, zone: str) -> None:
        if not isinstance(zone, str):
            self._refuse(call, "a text", part, zone)
        if zone not in self.state.zones:
            raise RulesMistake(unknown_zone(zone, self.state.zones))

    def _check_held(self, call: str, zone: str, cards: tuple[int, ...]) -> None:
        """Raise RulesMistake unless `zone` is on the table and holds all of `cards`."""
        self._check_zone(call, "zone" if call != "move" else "source", zone)
        table = self.state.cards
        for card in cards:
            if not isinstance(card, int):
                self._refuse(call, "the number of a card", "card", card)
            if card not in table[zone]:
                there = next((name for name, held in table.items() if card in held), None)
                if there is None:
                    raise RulesMistake(
                        f'card {card} isn\'t in "{zone}" nor in another zone: place it in setup'
                    )
                raise RulesMistake(f'card {card} isn\'t in "{zone}": it is in "{there}"')

    def _check_seat(self, call: str, seat: int) -> None:
        if not isinstance(seat, int):
            self._refuse(call, "a seat", "seat", seat)
        if not 0 <= seat < self.state.seats:
            raise RulesMistake(
                f"there is no seat {seat}: {self.state.seats} players have the seats "
                f"0 to {self.state.seats - 1}"
            )

    def _check_sentence(
        self, call: str, text: str, cards: tuple[int, ...], args: Mapping[str, Value]
    ) -> None:
        if not isinstance(text, str):
            self._refuse(call, "a text", "sentence", text)
        for card in cards:
            if not isinstance(card, int):
                self._refuse(call, "the number of a card", "card", card)
        for name, each in args.items():
            if not isinstance(each, int | str):
                self._refuse(call, "a whole number or a text", name, each)
        for gap in GAP.findall(text):
            if gap not in args and gap not in ("card", "cards"):
                raise RulesMistake(
                    f'the sentence "{text}" has the placeholder {{{gap}}}: '
                    f"pass {gap}= to table.{call}"
                )

    def _refuse(self, call: str, expected: str, part: str, given: object) -> NoReturn:
        got = describe_type(given)
        raise RulesMistake(f"table.{call}: {part} must be {expected}, not {got}")
