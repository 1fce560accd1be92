"""A hostile host stops no window: its texts are made harmless, what is too large is no message, and
a flood is waited with."""

import asyncio
import time
from pathlib import Path

import pytest
from msgspec.structs import replace
from websockets.asyncio.server import ServerConnection

from tabletop.catalogue import catalogue
from tabletop.engine.events import Said, ValueSet
from tabletop.engine.model import Reason, Zone
from tabletop.engine.scratch import FastRng
from tabletop.match.history import Entry
from tabletop.match.match import Match, Player, Reset, Update
from tabletop.net import limits
from tabletop.net.guest import rate_limit
from tabletop.net.guest.connection import Connection, ConnectionSettings
from tabletop.net.guest.rate_limit import FLOOD, IncomingRateLimiter
from tabletop.net.guest.reconnect_policy import INVALID_MESSAGE, Destination
from tabletop.net.guest.sanitising import sanitise, sanitise_news
from tabletop.net.guest.session import Guest
from tabletop.protocol.codec import TOO_LARGE, BadMessage, decode_host_message, encode
from tabletop.protocol.invitation import Address
from tabletop.protocol.messages import (
    MAX_CHAT_CHARACTERS,
    ChatLine,
    Farewell,
    FromHost,
    Hello,
    MatchProof,
    Notice,
    Refused,
    SeatConfig,
    SeatInfo,
    TableInfo,
    TableNews,
    TablePlan,
    Welcome,
)
from tabletop.protocol.size_limits import (
    MAX_COMMAS,
    MAX_ITEMS,
    MAX_LOG_ENTRIES,
    MAX_TEXT_BYTES,
    SEARCH_CHUNK_BYTES,
    is_frame_within_limits,
)
from tabletop.studio.laws.random_games import random_answer
from tabletop.table.client import MAX_CHAT_LINES
from tabletop.table.connection_events import Connected, Event, Lost, News
from tests.net.impostor import Impostor, posing, say
from tests.net.loopback import LONGEST

KIT = catalogue.load("sun")
PEOPLE = (Player("Ann"), Player("Bea"))
RESET = Match(KIT, PEOPLE, catalogue.options(KIT), "sizes").make_reset(0)
PLAN = TablePlan("sun", (SeatConfig(),) * 2)
LONG = "x" * MAX_TEXT_BYTES


def told(**more: object) -> TableNews:
    return TableNews(0, {0: replace(RESET, **more)})


def shown(**more: object) -> TableNews:
    return told(view=replace(RESET.view, **more))


def proof(**more: object) -> MatchProof:
    return replace(MatchProof(1, "sun", PEOPLE, {}, "s", {}, "s", ()), **more)


@pytest.mark.parametrize(
    "message",
    [
        ChatLine(0, "x" * 7_500_000),
        ChatLine(0, "\x01" * MAX_TEXT_BYTES),
        Notice(Reason("{a}", {"a": LONG})),
        Notice(Reason("{a}", {LONG: 1})),
        TableInfo("t", PLAN, (SeatInfo("open", "free"),) * 1_000),
        told(log=(Said(LONG),)),
        told(log=(Said("{a}", (), {"a": LONG}),)),
        told(log=(Said("x"),) * (MAX_LOG_ENTRIES + 1)),
        told(offers=dict.fromkeys(range(MAX_ITEMS + 1), ())),
        TableNews(0, {0: Update(1, (Said("x"),) * (MAX_ITEMS + 1))}),
        TableNews(0, {0: Update(1, (ValueSet("x", 10**20),))}),
        TableNews(0, {0: Update(1, (ValueSet("x", LONG),))}),
        shown(seats=10**17),
        shown(cards={"deck": tuple(range(MAX_COMMAS + 2))}),
        shown(zones={str(number): Zone("x") for number in range(MAX_ITEMS + 1)}),
        shown(values={str(number): 0 for number in range(MAX_ITEMS + 1)}),
        proof(players=(Player("x"),) * (MAX_ITEMS + 1)),
        proof(record=(Entry(0, None),) * (MAX_LOG_ENTRIES + 1)),
    ],
    ids=lambda message: type(message).__name__,
)
def test_an_oversized_frame_is_no_message(message: FromHost) -> None:
    with pytest.raises(BadMessage) as refused:
        decode_host_message(encode(message))
    assert refused.value.reason == TOO_LARGE


@pytest.mark.parametrize(
    "number",
    [
        b"1e99",
        b"-1E+99",
        b"99999999999999999",
        b"[1,-1.5e300]",
        b" " * 5_000 + b"99999999999999999",
        b"0." + b"1" * 5_000 + b"e99",
        b'"a:1",9999999999999999999',
    ],
)
def test_no_number_is_beyond_counting(number: bytes) -> None:
    with pytest.raises(BadMessage):
        decode_host_message(
            b'{"type":"welcome","program":"x","protocol":1,"more": ' + number + b"}"
        )


@pytest.mark.parametrize(
    "text", ["call 1:12345678901234567", ",1e99", '"[99999999999999999', "so:" + "." * 300]
)
def test_a_text_may_look_like_a_number(text: str) -> None:
    for message in (ChatLine(0, text), Notice(Reason("{name}", {"name": text}))):
        assert decode_host_message(encode(message)) == message


@pytest.mark.parametrize(
    "at", [SEARCH_CHUNK_BYTES - 2_000, SEARCH_CHUNK_BYTES, 3 * SEARCH_CHUNK_BYTES - 1]
)
def test_a_long_text_is_found_wherever_it_stands(at: int) -> None:
    short = b'"' + b"x" * 97 + b'",'
    before = short * (at // len(short)) + b"1," * (at % len(short) // 2)
    for long in (b"x" * MAX_TEXT_BYTES, b'\\"' * MAX_TEXT_BYTES):
        assert not is_frame_within_limits(b'{"a":[' + before + b'"' + long + b'"]}')
    assert is_frame_within_limits(b'{"a":[' + before + b'"' + b"x" * (MAX_TEXT_BYTES - 1) + b'"]}')


@pytest.mark.parametrize("game", [kit.id for kit in catalogue.shelf()])
def test_all_of_a_long_match_is_a_message(game: str) -> None:
    kit = catalogue.load(game)
    people = [Player("長い名前" * 5)] * kit.box.seats[-1]
    match = Match(kit, people, catalogue.options(kit), "long")
    luck = FastRng("long")
    for _ in range(400):
        if match.state.result is not None:
            break
        ask, move = random_answer(kit.rules, match.state, luck)
        match.submit(ask.seat, move)
    for message in (
        TableNews(
            len(match.record), {viewer: match.make_reset(viewer) for viewer in match.viewers}
        ),
        MatchProof(1, game, match.players, {}, "s", {}, "ab" * 32, tuple(match.record)),
        TableInfo(
            "t",
            TablePlan(game, (SeatConfig(),) * len(people)),
            (SeatInfo("open", "free"),) * len(people),
        ),
        ChatLine(0, "長" * 500),
    ):
        assert isinstance(decode_host_message(encode(message)), type(message))


EVIL = "a\u202eb\x1b[31m\nc" + "x" * 3_000


def test_a_log_is_read_as_plain_lines_and_checked_as_it_was_told() -> None:
    said = Said(EVIL, (), {"seat": 1, "what": EVIL})
    for news in (Update(1, (ValueSet("k", 1), said)), Reset(RESET.view, (said,))):
        line = (
            sanitise_news(news).events[1]
            if isinstance(news, Update)
            else sanitise_news(news).log[0]
        )
        for text in (line.text, line.args["what"]):
            assert text.startswith("ab[31m c")
            assert text.isprintable()
            assert len(text) <= 500
        assert line.args["seat"] == 1
        assert said.text == EVIL
    named = sanitise(proof(players=(Player(EVIL),)))
    assert isinstance(named, MatchProof)
    assert named.players[0].name.isprintable()


def test_matches_are_heard_as_they_are() -> None:
    assert sanitise_news(RESET) == RESET


# Rates


def test_a_window_hears_no_faster_than_it_can_show(monkeypatch: pytest.MonkeyPatch) -> None:
    now = 100.0
    monkeypatch.setattr(limits, "monotonic", lambda: now)
    waited: list[float] = []

    async def sleep(seconds: float) -> None:
        waited.append(seconds)

    monkeypatch.setattr(rate_limit.asyncio, "sleep", sleep)

    async def evening() -> None:
        line = IncomingRateLimiter()
        for _ in range(rate_limit.BURST_BYTES // rate_limit.MIN_COUNTED_BYTES):
            await line.throttle(100)
        assert max(waited) == 0
        await line.throttle(rate_limit.BYTES_PER_S)
        assert waited[-1] == 1

    asyncio.run(evening())
    line = IncomingRateLimiter()
    heard = [line.filter(ChatLine(0, "x")) for _ in range(1_000)]
    assert heard.count(ChatLine(0, "x")) == rate_limit.BURST_TEXTS
    assert heard.count(Notice(FLOOD)) == 1
    assert line.filter(Welcome(1, "x")) == Welcome(1, "x")


MANY = rate_limit.BURST_BYTES // rate_limit.MIN_COUNTED_BYTES // 2
"""So often two messages are heard at once, before any has to wait."""


async def test_a_flood_of_chat_is_left_out_with_one_sentence(tmp_path: Path) -> None:
    async def flood(impostor: Impostor, line: ServerConnection) -> None:
        for _ in range(MANY):
            await say(line, ChatLine(-1, "buy!"), Notice(Reason("buy!")))
        await say(line, Refused(Reason("end")))

    async with posing(tmp_path, flood) as impostor:
        heard, ended, begun = [], asyncio.Event(), time.monotonic()

        def hear(event: Event) -> None:
            heard.append(event)
            if isinstance(event, Connected):
                line.send(Hello(1, 2, "test"))
            if isinstance(event, Refused):
                ended.set()

        destination = Destination(Address(("127.0.0.1",), impostor.port))
        line = Connection(destination, hear, ConnectionSettings(is_rate_limited=True))
        line.start()
        async with asyncio.timeout(LONGEST):
            await ended.wait()
        passed = [event for event in heard if isinstance(event, ChatLine | Notice)]
        assert passed.count(Notice(FLOOD)) == 1
        seconds = time.monotonic() - begun
        most = rate_limit.BURST_TEXTS + rate_limit.TEXTS_PER_S * seconds
        assert rate_limit.BURST_TEXTS < len(passed) <= most + 2
        await line.close()


async def test_a_host_that_sends_too_much_is_cut_off(tmp_path: Path) -> None:
    async def shout(impostor: Impostor, line: ServerConnection) -> None:
        await say(line, Welcome(2, "evil"), ChatLine(0, "x" * 7_500_000))

    async with posing(tmp_path, shout) as impostor:
        heard, ended = [], asyncio.Event()

        def hear(event: Event) -> None:
            heard.append(event)
            if isinstance(event, Connected):
                line.send(Hello(1, 2, "test"))
            if isinstance(event, Lost):
                ended.set()

        line = Connection(Destination(Address(("127.0.0.1",), impostor.port)), hear)
        line.start()
        await ended.wait()
        assert [type(event) for event in heard] == [Connected, Welcome, Lost]
        assert heard[-1].reason == INVALID_MESSAGE
        assert heard[-1].retry_in_s is not None
        await line.close()


# Texts


WICKED = "a\u202eb\x1b[31m\nc\u2028d\u2066e\x00" + "x" * 100_000


def one_line(text: str, longest: int) -> bool:
    return text.isprintable() and len(text) <= longest


def test_texts_of_a_host_are_one_harmless_line_each() -> None:
    guest = Guest(catalogue.load, lambda message: None)
    heard: list[News] = []
    guest.listen(heard.append)
    evil = Reason(WICKED, {"name": WICKED, "count": 3})
    plan = TablePlan("sun", (SeatConfig(),), WICKED)
    guest.receive(Welcome(1, WICKED))
    guest.receive(TableInfo("t", plan, (SeatInfo("person", "here", WICKED),), ended=evil))
    for message in (ChatLine(0, WICKED), Notice(evil), Refused(evil), Farewell(evil)):
        guest.receive(message)
    assert guest.info.ended is not None
    assert one_line(guest.info.plan.name, 40)
    assert one_line(guest.info.sitters[0].name, 40)
    assert one_line(guest.chat[0].text, MAX_CHAT_CHARACTERS)
    assert all(one_line(news.program, 40) for news in heard if isinstance(news, Welcome))
    reasons = [news.reason for news in heard if isinstance(news, Notice | Refused | Farewell)]
    assert len(reasons) == 3
    for reason in (*reasons, guest.info.ended):
        assert one_line(reason.text, MAX_CHAT_CHARACTERS)
        assert one_line(str(reason.args["name"]), MAX_CHAT_CHARACTERS)
        assert reason.args["count"] == 3


def test_no_more_chat_is_remembered_than_anybody_reads() -> None:
    guest = Guest(catalogue.load, lambda message: None)
    for number in range(MAX_CHAT_LINES + 5):
        guest.receive(ChatLine(0, f"line {number}"))
    assert len(guest.chat) == MAX_CHAT_LINES
    assert guest.chat[-1].text == f"line {MAX_CHAT_LINES + 4}"
