"""A seat's tokens and code: which ones open it after it has changed hands."""

from collections.abc import Callable

import pytest
from msgspec import json

from tabletop.match.match import Player
from tabletop.protocol.codec import OutgoingMessage
from tabletop.protocol.messages import SeatConfig, SeatInfo
from tabletop.table.seats import HostedSeat, SeatFile, restore_seat


class Client:
    """A client's transport that sends nothing."""

    def __init__(self, origin: str = "192.0.2.1", can_host: bool = False) -> None:
        self.origin, self.can_host = origin, can_host

    def send(self, message: OutgoingMessage) -> None:
        raise AssertionError

    def size_bytes(self, message: OutgoingMessage) -> int:
        raise AssertionError


ANN, BEA = Client(), Client("192.0.2.2", can_host=True)


def taken() -> tuple[HostedSeat, str]:
    """A seat that Ann has taken, and her token."""
    seat = HostedSeat(SeatConfig("open"), claim="claim")
    return seat, seat.seat_player(ANN, "Ann", "sun")


def test_a_seat_opens_with_its_players_token_alone() -> None:
    seat, token = taken()
    assert seat.has_token(token)
    assert not seat.has_token("")
    assert not seat.has_token(seat.token), "a digest opens nothing"
    assert not seat.had_token(token)
    assert not seat.had_token("")
    assert seat.claim == ""
    assert seat.code
    assert not HostedSeat(SeatConfig("open"), claim="claim").has_token("")


def test_a_seat_taken_over_has_a_new_token_and_code() -> None:
    seat, token = taken()
    code = seat.code
    newer = seat.hand_to(BEA)
    assert seat.code not in ("", code), "a code works once"
    assert seat.has_token(newer)
    assert not seat.has_token(token)
    assert seat.had_token(token), "the previous player can reclaim the seat"
    assert not seat.had_token(newer)
    assert not seat.had_token("")
    assert seat.peer is BEA
    assert seat.origin == BEA.origin


def test_a_seat_taken_back_opens_with_its_older_token_alone() -> None:
    seat, token = taken()
    codes = [seat.code]
    newer = seat.hand_to(BEA)
    codes.append(seat.code)
    seat.give_back_to(ANN)
    assert seat.code not in ("", *codes), "the other player has seen the code"
    assert seat.has_token(token)
    assert not seat.has_token(newer)
    assert not seat.had_token(newer)
    assert not seat.had_token(token)
    assert not seat.had_token("")
    assert seat.peer is ANN


@pytest.mark.parametrize("revoke", [HostedSeat.vacate, HostedSeat.remove_player])
def test_a_vacated_seat_opens_with_nothing_that_was_valid(
    revoke: Callable[[HostedSeat], None],
) -> None:
    seat, token = taken()
    newer = seat.hand_to(BEA)
    revoke(seat)
    assert not any(
        opens(one) for one in (token, newer, "") for opens in (seat.has_token, seat.had_token)
    )
    assert seat.code == ""
    assert seat.peer is None
    assert seat.is_abandoned
    assert seat.vacant == (revoke is HostedSeat.vacate)
    assert seat.bot_plays == (revoke is HostedSeat.remove_player)
    again = seat.hand_to(ANN)
    assert seat.has_token(again)
    assert not seat.vacant
    assert not seat.bot_plays
    assert not seat.is_abandoned


@pytest.mark.parametrize(
    "arrive", [HostedSeat.on_connected, HostedSeat.hand_to, HostedSeat.give_back_to]
)
def test_a_player_who_arrives_plays_in_place_of_the_bot(
    arrive: Callable[[HostedSeat, Client], object],
) -> None:
    seat, _ = taken()
    seat.absent = seat.bot_plays = True
    seat.peer = None
    arrive(seat, BEA)
    assert seat.is_present
    assert not seat.is_played_by_bot
    assert seat.info().state == "here"
    assert seat.info().can_host
    seat.ready = True
    assert seat.info().state == "ready"


def test_a_player_who_is_away_or_disconnected_is_not_present() -> None:
    seat, _ = taken()
    seat.ready, seat.absent = True, True
    assert not seat.is_present
    assert seat.info().state == "away"
    seat.absent, seat.peer = False, None
    assert not seat.is_present
    assert seat.info().state == "away"
    assert not seat.info().can_host
    seat.bot_plays = True
    assert seat.info().state == "bot"
    assert seat.is_played_by_bot


def test_a_seat_says_who_holds_it() -> None:
    seat, _ = taken()
    assert seat.info() == SeatInfo("person", "here", "Ann", "sun", "", False, False)
    seat.vacate()
    assert seat.info() == SeatInfo("person", "away", "Ann", "sun", "", True, False)
    bot = HostedSeat(SeatConfig("bot", level="hard"), claim="", name="Robin", symbol="moon")
    assert bot.info() == SeatInfo("bot", "bot", "Robin", "moon", "hard")


def test_an_empty_seat_is_free_or_a_bots() -> None:
    bot = HostedSeat(SeatConfig("bot", level="hard"), claim="")
    assert bot.is_present
    assert bot.is_played_by_bot
    assert (bot.info().kind, bot.info().level) == ("bot", "hard")
    assert bot.player() == Player("", kind="bot", level="hard")
    free = HostedSeat(SeatConfig("open"), claim="claim")
    assert (free.info().kind, free.info().state) == ("open", "free")
    assert not free.is_played_by_bot
    assert not free.is_abandoned


def test_a_saved_seat_keeps_its_secrets_and_reveals_no_token() -> None:
    seat, token = taken()
    newer = seat.hand_to(BEA)
    saved = json.encode(seat.to_file())
    assert token.encode() not in saved
    assert newer.encode() not in saved
    restored = restore_seat(json.decode(saved, type=SeatFile))
    assert restored.has_token(newer)
    assert restored.had_token(token)
    assert restored.code == seat.code
    assert restored.peer is None
    assert restored.player() == Player("Ann", "sun")


def test_a_seat_saved_without_a_code_gets_one_if_it_is_held() -> None:
    seat, token = taken()
    seat.code = ""
    restored = restore_seat(seat.to_file())
    assert restored.code
    assert restored.has_token(token)
    seat.vacate()
    assert restore_seat(seat.to_file()).code == ""
