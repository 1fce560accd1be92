"""The setup of a match: players and options. The last setup of each game is saved."""

from collections.abc import Sequence

from msgspec import Struct
from msgspec.structs import replace

from tabletop.bots.decision import LEVELS
from tabletop.bots.personas import choose_persona
from tabletop.catalogue import catalogue
from tabletop.catalogue.catalogue import GameKit
from tabletop.engine.model import Value
from tabletop.language import labels
from tabletop.match.match import Player
from tabletop.match.tutorial import FirstGame
from tabletop.storage.settings import LastSeat, LastTable
from ui.shell.app_context import AppContext
from ui.shell.player_names import (
    clean_name,
    propose_name,
    remember_people,
    translate_default_name,
    unused_name,
)

DEFAULT_LEVEL = "normal"
"""The default level of bots."""


class MatchSetup(Struct, frozen=True):
    """The data with which a match starts: game, players by seat, options and seed."""

    kit: GameKit
    players: tuple[Player, ...]
    options: dict[str, Value]
    seed: str | None = None
    """The seed of the deal; None to choose one at random."""


def last_setup(context: AppContext, kit: GameKit) -> MatchSetup:
    """Return the setup with which the game was last started.

    If there is none, one person plays against the proposed number of bots, or as few as possible.
    """
    saved = context.settings.tables.get(kit.id)
    if saved is None or len(saved.seats) not in kit.box.seats:
        return MatchSetup(kit, _first_players(context, kit), catalogue.options(kit))
    players: list[Player] = []
    for seat in saved.seats:
        bot = seat.level in LEVELS
        name = translate_default_name(context.words, clean_name(seat.name), bot) or context.words(
            "Player {n}", n=len(players) + 1
        )
        players.append(
            Player(
                unused_name(context.words, name, [player.name for player in players]),
                _unused_symbol(context, players, seat.symbol),
                "bot" if bot else "person",
                seat.level if bot else "",
            )
        )
    return MatchSetup(kit, tuple(players), _valid_options(kit, saved.options))


def setup_against_bots(context: AppContext, kit: GameKit) -> MatchSetup:
    """Return the setup of the game's last match, with bots in place of all people but the first."""
    agreed = last_setup(context, kit)
    me = next((n for n, player in enumerate(agreed.players) if player.kind == "person"), 0)
    names = [player.name for player in agreed.players]
    players: list[Player] = []
    for seat, player in enumerate(agreed.players):
        if seat == me and player.kind == "bot":
            name = propose_name(context.words, seat, names, context.settings.players)
            player = replace(player, name=name, kind="person", level="")
        elif seat != me and player.kind == "person":
            player = replace(player, name=bot_name(context, names), kind="bot", level=DEFAULT_LEVEL)
        names[seat] = player.name
        players.append(player)
    return replace(agreed, players=tuple(players))


def setup_lessons(
    context: AppContext, kit: GameKit, lessons: FirstGame, players: Sequence[Player]
) -> MatchSetup:
    """Return the setup of a match with `lessons`: a person at the first seat, bots at the others.

    `players`: the players by seat, whose names are kept where possible.
    """
    learner = replace(players[0], kind="person", level="")
    if not clean_name(learner.name):
        learner = replace(learner, name=context.words("Player {n}", n=1))
    seated = [learner]
    for other in players[1:]:
        names = [player.name for player in seated]
        bot = other.kind == "bot" and other.name not in names
        name = other.name if bot else bot_name(context, names)
        seated.append(Player(name, other.symbol, "bot", "easy"))
    options = catalogue.options(kit, lessons.options)
    return MatchSetup(kit, tuple(seated), options, lessons.seed)


def save_setup(context: AppContext, agreed: MatchSetup) -> None:
    """Save `agreed` for the game's next match, and the people's names for all games."""
    people = [player.name for player in agreed.players if player.kind == "person"]
    seats = tuple(LastSeat(each.name, each.symbol, each.level) for each in agreed.players)
    table = LastTable(seats, agreed.options)
    others = {game: each for game, each in context.settings.tables.items() if game != agreed.kit.id}
    context.store_settings(
        players=remember_people(context.settings.players, people),
        tables=others | {agreed.kit.id: table},  # the last entry was played last
    )


def bot_name(context: AppContext, taken: Sequence[str]) -> str:
    """Return an unused name for a bot."""
    persona = choose_persona(taken, context.words)
    return (
        context.words(persona.name)
        if persona
        else unused_name(context.words, context.words(labels.BOT), taken)
    )


def _first_players(context: AppContext, kit: GameKit) -> tuple[Player, ...]:
    seats = kit.box.seats
    count = kit.box.proposed or next((n for n in sorted(seats) if n >= 2), max(seats))
    person = propose_name(context.words, 0, (), context.settings.players)
    players = [Player(person, context.theme.seats[0].symbol)]
    for seat in range(1, count):
        name = bot_name(context, [player.name for player in players])
        players.append(Player(name, context.theme.seats[seat].symbol, "bot", DEFAULT_LEVEL))
    return tuple(players)


def _unused_symbol(context: AppContext, players: Sequence[Player], wish: str) -> str:
    """Return the symbol `wish`, or an unused one if `wish` is taken or unknown."""
    taken = {player.symbol for player in players}
    free = [seat.symbol for seat in context.theme.seats if seat.symbol not in taken]
    return wish if wish in free else free[0]


def _valid_options(kit: GameKit, saved: dict[str, Value]) -> dict[str, Value]:
    """Return the `saved` options that the game still has, and defaults for all others."""
    chosen = {
        option.key: saved[option.key]
        for option in kit.box.options
        if any(choice.value == saved.get(option.key) for choice in option.choices)
    }
    return catalogue.options(kit, chosen)
