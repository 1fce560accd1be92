"""A viewer switch at a match of three people, whose effects are noted."""

from collections.abc import Callable

from msgspec import Struct

from tabletop.catalogue import catalogue
from tabletop.engine.model import AUDIENCE, Move
from tabletop.match.match import Match, MatchSnapshot, Player
from tabletop.match.reactions import PASS, PassPolicy
from tabletop.match.seat import Seat
from tabletop.match.viewer_switch import ViewerSwitch

PAUSE = 3000
ANN, BEA, CID = range(3)
PLAYERS = (Player("Ann", "sun"), Player("Bea", "moon"), Player("Cid", "bell"))


class Settings(Struct, frozen=True):
    reaction_pause: int = PAUSE
    policy: PassPolicy = "ask"


class SeatsOfMatch:
    """The seats of all players of a match (`viewer_switch.SharedSeats`)."""

    open_table = False
    has_remote_watchers = False

    def __init__(self, players: tuple[Player, ...]) -> None:
        self.kit = catalogue.load("_blank")
        self.match = Match(self.kit, players, seed="1")
        self.players = players
        self.people = tuple(n for n, player in enumerate(players) if player.kind == "person")
        self._seats = {
            viewer: Seat.at_table(self.match, viewer) for viewer in (AUDIENCE, *self.people)
        }

    @property
    def snapshot(self) -> MatchSnapshot:
        return self.match.snapshot()

    def seat(self, viewer: int) -> Seat:
        return self._seats[viewer]


class SwitchRig:
    """A switch, and the screen, wishes and timers it was given."""

    def __init__(self, players: tuple[Player, ...] = PLAYERS, policy: PassPolicy = "ask") -> None:
        self.settings = Settings(policy=policy)
        self.table = SeatsOfMatch(players)
        self.match = self.table.match
        self.effects: list[str] = []
        self.timers: list[tuple[int, Callable[[], None]]] = []
        """The running timers: their milliseconds, and what they call."""
        self.switch = ViewerSwitch(self.table, self, self, self._later)

    # What happens at the table

    def play(self, seat: int, verb: str) -> None:
        """Play the first answer of this verb, and have the news taken in."""
        number, offers = next(iter(self.match.offers(seat).items()))
        offer = next(offer for offer in offers if offer.verb == verb)
        self.match.submit(seat, next(offer.moves(number)))
        self.switch.on_news(went_back=False)

    def show_news(self) -> None:
        """Let everything that happened be shown, and the switch go on."""
        self.switch.on_animation_finished()
        self.switch.run_step()

    def passes(self) -> list[int]:
        """Return the seats that have passed, in order."""
        moves = [(entry.seat, entry.move) for entry in self.match.record]
        return [seat for seat, move in moves if isinstance(move, Move) and move.verb == PASS]

    def run_timers(self) -> None:
        timers, self.timers = self.timers, []
        for _, act in timers:
            act()

    # viewer_switch.ReactionWishes

    def pass_policy(self, name: str, alone: bool) -> PassPolicy:
        return self.settings.policy

    def _later(self, milliseconds: int, act: Callable[[], None]) -> Callable[[], None]:
        timer = milliseconds, act
        self.timers.append(timer)
        self.effects.append(f"timer {milliseconds}")

        def cancel() -> None:
            if timer in self.timers:
                self.timers.remove(timer)
                self.effects.append("no timer")

        return cancel

    # viewer_switch.ViewerScreen

    def schedule_step(self) -> None:
        self.effects.append("wake")

    def show(self, seat: Seat) -> None:
        self.effects.append(f"show {name_of(seat.number)}")

    def cover(self, looked: int, following: int) -> None:
        self.effects.append(f"cover {name_of(looked)} for {name_of(following)}")

    def uncover(self) -> None:
        self.effects.append("uncover")

    def on_news(self) -> None:
        self.effects.append("news")

    def refresh(self) -> None:
        self.effects.append("refresh")

    def announce_question(self, waited: bool) -> None:
        self.effects.append("call who waited" if waited else "call")

    def set_resting(self, resting: bool) -> None:
        self.effects.append("rest" if resting else "no rest")


def name_of(viewer: int) -> str:
    return PLAYERS[viewer].name if viewer != AUDIENCE else "all"
