"""The reconnect policy: every event in every state, and its ways through them."""

import inspect
from collections.abc import Callable
from typing import get_args

import pytest

from tabletop.engine.model import Reason
from tabletop.net.guest import reconnect_policy
from tabletop.net.guest.reconnect_policy import (
    CONNECTION_LOST,
    INVALID_MESSAGE,
    MAX_ATTEMPTS,
    PACKETS_LOST,
    RESTART_DELAY_S,
    RETRY_DELAYS_S,
    Destination,
    PolicyState,
    ReconnectPolicy,
)
from tabletop.net.guest.wrong_host import PROOF_UNANSWERED, SILENT
from tabletop.protocol.invitation import Address
from tabletop.table.connection_events import Lost

FIRST, SECOND, NEW = (Address((f"192.0.2.{n}",), 1) for n in (1, 2, 3))
PINNED = Address(("192.0.2.1",), 1, "right")
NOWHERE = Reason('Can\'t reach a host at "192.0.2.1:1".', code="unreachable")
WRONG = Reason("That code is not right.", code="wrong_code")


@pytest.fixture(autouse=True)
def exact_pauses(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(reconnect_policy.random, "uniform", lambda low, high: 1.0)


# Situations


def idle(returning: bool = False) -> ReconnectPolicy:
    return ReconnectPolicy(Destination(FIRST, (SECOND,), is_returning=returning))


def dialling() -> ReconnectPolicy:
    policy = idle()
    policy.start_dialling()
    return policy


def trying() -> ReconnectPolicy:
    """A host answered whose certificate no place names."""
    policy = dialling()
    policy.on_connected(FIRST, "right")
    return policy


def settled() -> ReconnectPolicy:
    """The host of the right certificate answered, and hasn't let the guest in."""
    policy = ReconnectPolicy(Destination(PINNED))
    policy.start_dialling()
    policy.on_connected(PINNED, "right")
    return policy


def entered() -> ReconnectPolicy:
    policy = trying()
    policy.on_admitted()
    return policy


def leaving() -> ReconnectPolicy:
    policy = trying()
    policy.reject_host(WRONG, "right")
    return policy


def waiting() -> ReconnectPolicy:
    policy = entered()
    policy.on_disconnected(CONNECTION_LOST, False, False)
    return policy


def ended() -> ReconnectPolicy:
    policy = entered()
    policy.end()
    return policy


SITUATIONS: dict[str, Callable[[], ReconnectPolicy]] = {
    each.__name__: each
    for each in (idle, dialling, trying, settled, entered, leaving, waiting, ended)
}

# Events

EVENTS: dict[str, Callable[[ReconnectPolicy], Lost | None]] = {
    "start_dialling": ReconnectPolicy.start_dialling,
    "on_connected": lambda policy: policy.on_connected(SECOND, "other"),
    "on_unreachable": lambda policy: policy.on_unreachable(NOWHERE),
    "on_admitted": ReconnectPolicy.on_admitted,
    "on_moved": lambda policy: policy.on_moved(NEW),
    "reject_host": lambda policy: policy.reject_host(WRONG, "right"),
    "reject_host another": lambda policy: policy.reject_host(WRONG, "elsewhere"),
    "on_disconnected": lambda policy: policy.on_disconnected(CONNECTION_LOST, False, True),
    "on_disconnected unanswered": lambda policy: policy.on_disconnected(SILENT, True, True),
    "on_disconnected at the last": lambda policy: policy.on_disconnected(SILENT, False, False),
    "on_fault": ReconnectPolicy.on_fault,
    "end": ReconnectPolicy.end,
}
SAME = ""
"""Neither the state changes, nor is anything told."""

TABLE: dict[str, dict[str, str]] = {
    "idle": {
        "start_dialling": "dialling",
        "on_fault": "waiting, broken",
        "end": "ended",
    },
    "dialling": {
        "on_connected": "trying",
        "on_unreachable": "ended, unreachable",
        "on_fault": "waiting, broken",
        "end": "ended",
    },
    "trying": {
        "on_admitted": "settled",
        "reject_host": "leaving",
        "on_disconnected": "waiting, broken",
        "on_disconnected unanswered": "dialling, unanswered",
        "on_disconnected at the last": "dialling",
        "on_fault": "waiting, broken",
        "end": "ended",
    },
    "settled": {
        "reject_host": "leaving",
        "on_disconnected": "waiting, broken",
        "on_disconnected unanswered": "waiting, silent_host",
        "on_disconnected at the last": "waiting, silent_host",
        "on_fault": "waiting, broken",
        "end": "ended",
    },
    "entered": {
        "reject_host": "leaving",
        "on_disconnected": "waiting, broken",
        "on_disconnected unanswered": "waiting, silent_host",
        "on_disconnected at the last": "waiting, silent_host",
        "on_fault": "waiting, broken",
        "end": "ended",
    },
    "leaving": {
        "on_disconnected": "dialling, wrong_code",
        "on_disconnected unanswered": "dialling, wrong_code",
        "on_disconnected at the last": "dialling",
        "on_fault": "waiting, broken",
        "end": "ended",
    },
    "waiting": {
        "start_dialling": "dialling",
        "on_fault": "waiting, broken",
        "end": "ended",
    },
    "ended": {
        "on_fault": "waiting, broken",
    },
}


def told(policy: ReconnectPolicy, before: PolicyState, lost: Lost | None) -> str:
    """Return the new state and the reason that is told, or SAME."""
    if lost is None:
        return policy.state if policy.state != before else SAME
    return f"{policy.state}, {lost.reason.code or 'broken'}"


@pytest.mark.parametrize("event", EVENTS)
@pytest.mark.parametrize("situation", SITUATIONS)
def test_every_event_in_every_state(situation: str, event: str) -> None:
    policy = SITUATIONS[situation]()
    before = policy.state
    lost = EVENTS[event](policy)
    assert told(policy, before, lost) == TABLE[situation].get(event, SAME)


def test_the_table_has_every_state_and_every_event() -> None:
    assert {situation().state for situation in SITUATIONS.values()} == set(get_args(PolicyState))
    methods = inspect.getmembers(ReconnectPolicy, inspect.isfunction)
    events = {name for name, _ in methods if not name.startswith("_")} - {"is_rejected"}
    assert events == {event.partition(" ")[0] for event in EVENTS}


# Ways through the states


def test_a_certificate_that_all_places_name_is_enough() -> None:
    policy = ReconnectPolicy(Destination(PINNED, (Address(("192.0.2.9",), 1, "right"),)))
    policy.start_dialling()
    policy.on_connected(PINNED, "right")
    assert policy.state == "settled"
    assert policy.addresses.candidates == (PINNED,)


def test_with_an_unknown_place_the_host_must_let_the_guest_in() -> None:
    policy = ReconnectPolicy(Destination(PINNED, (SECOND,)))
    policy.start_dialling()
    policy.on_connected(PINNED, "right")
    assert policy.state == "trying"
    policy.on_admitted()
    assert policy.addresses.candidates == (PINNED,)


def test_a_host_that_is_given_up_after_all_is_dialled_no_more() -> None:
    policy = entered()
    policy.reject_host(WRONG, "right")
    assert policy.addresses.candidates == (FIRST, SECOND)
    assert policy.is_rejected("right")
    assert policy.is_first_visit
    policy.on_admitted()
    policy.on_moved(NEW)
    assert policy.state == "leaving", "what it says still has no effect"
    assert policy.addresses.candidates == (FIRST, SECOND)


def test_a_guest_follows_only_a_host_that_let_them_in() -> None:
    stranger, host = settled(), entered()
    for policy in (stranger, host):
        policy.on_moved(NEW)
    assert stranger.addresses.candidates == (PINNED,)
    assert host.addresses.candidates == (NEW,)
    assert host.addresses.current == NEW


def test_pauses_grow_until_a_host_lets_the_guest_in() -> None:
    policy = idle(returning=True)
    pauses = []
    for _ in range(len(RETRY_DELAYS_S) + 1):
        policy.start_dialling()
        policy.on_unreachable(NOWHERE)
        pauses.append(policy.delay_s)
    assert pauses == [*RETRY_DELAYS_S, RETRY_DELAYS_S[-1]]
    policy.start_dialling()
    policy.on_connected(FIRST, "right")
    policy.on_admitted()
    assert policy.on_disconnected(CONNECTION_LOST, False, False) == Lost(
        CONNECTION_LOST, RETRY_DELAYS_S[0]
    )


def test_a_newcomer_stops_after_some_attempts() -> None:
    policy = trying()
    policy.on_disconnected(CONNECTION_LOST, False, False)
    heard = []
    while policy.state != "ended":
        policy.start_dialling()
        heard.append(policy.on_unreachable(NOWHERE))
    assert [lost.retry_in_s is None for lost in heard if lost] == [False] * (MAX_ATTEMPTS - 2) + [
        True
    ]


def test_an_address_whose_connections_break_is_left() -> None:
    policy = trying()
    for _ in range(MAX_ATTEMPTS - 1):
        lost = policy.on_disconnected(INVALID_MESSAGE, False, True)
        assert lost is not None
        assert policy.state == "waiting"
        policy.start_dialling()
        policy.on_connected(FIRST, "right")
    assert policy.on_disconnected(INVALID_MESSAGE, False, True) == Lost(INVALID_MESSAGE, 0.0)
    assert policy.state == "dialling"
    assert policy.is_rejected("right")


def test_the_best_reason_is_told_once_all_places_are_dialled() -> None:
    policy = trying()
    policy.on_disconnected(SILENT, True, False)
    lost = policy.on_unreachable(NOWHERE)
    assert lost == Lost(PROOF_UNANSWERED.with_args(place="192.0.2.1:1"))
    assert not policy.is_rejected("right"), "the next round starts afresh"


def test_a_fault_is_a_break_with_a_pause_of_its_own() -> None:
    assert trying().on_fault() == Lost(CONNECTION_LOST, RESTART_DELAY_S)


def test_stalled_connections_in_a_row_are_explained() -> None:
    policy = entered()
    told = []
    for stalled in (True, True, False, True, True, True):
        lost = policy.on_disconnected(CONNECTION_LOST, False, False, stalled)
        assert isinstance(lost, Lost)
        told.append(lost.reason.text)
        policy.start_dialling()
        policy.on_connected(FIRST, "right")
    assert told == [CONNECTION_LOST.text] * 5 + [PACKETS_LOST.text]


def test_an_absent_host_is_not_mistaken_for_lost_packets() -> None:
    policy = entered()
    for _ in range(MAX_ATTEMPTS):
        lost = policy.on_disconnected(CONNECTION_LOST, False, False, True)
        assert lost is not None
        assert lost.reason.text == CONNECTION_LOST.text
        policy.start_dialling()
        policy.on_unreachable(NOWHERE)
        policy.start_dialling()
        policy.on_connected(FIRST, "right")
