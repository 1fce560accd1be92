"""Bytes that no page sends: each is refused or ignored, and everybody else plays on.

`TABLETOP_LONG=1` sends 100,000 of them.
"""

import asyncio
import json
import random
from pathlib import Path
from typing import Any

import msgspec

from tabletop.web.wire import BadBrowserMessage, decode_browser_message
from tests import mutations
from tests.net.loopback import LONG, plan
from tests.web import thumb
from tests.web.gateways import Browser, seat_all, web_table

MESSAGES = 100_000 if LONG else 600

GOOD: tuple[dict[str, Any], ...] = (
    {"kind": "hello", "token": "t.0.secret", "code": "K7MPQ2", "language": "ja", "way": "able"},
    {"kind": "sit", "seat": 0, "name": "Ann", "symbol": "sun"},
    {"kind": "ready", "ready": True},
    {"kind": "take", "seat": 9, "code": "K7MP2"},
    {"kind": "weigh", "move": {"ask": 1, "verb": "place", "cards": [3, -2], "target": "pile"}},
    {"kind": "together", "does": "spot", "at": 3, "chosen": [1], "spots": [2, None], "held": 1},
    {"kind": "why", "card": 7, "to": "grid/0,0"},
    {"kind": "consent", "agree": True},
    {"kind": "say", "text": "Good luck!"},
    {"kind": "phrase", "phrase": 3},
    {"kind": "language", "language": "en"},
    {"kind": "way", "way": "own"},
    {"kind": "look", "width": 780, "height": 500, "theme": "dark"},
    {"kind": "log", "before": 12},
    {"kind": "decide", "what": "wait"},
    *({"kind": kind} for kind in ("rise", "watch", "undo", "redo", "hint", "back", "again")),
)


def test_whatever_comes_is_a_message_or_is_none() -> None:
    chance = random.Random(7)
    good = [json.dumps({"n": n + 1, **said}).encode() for n, said in enumerate(GOOD)]
    for frame in good:
        decode_browser_message(frame)
    for mutation in mutations.MUTATIONS:
        for frame in good:
            for _ in range(40 if LONG else 4):
                try:
                    decode_browser_message(mutation(frame, chance))
                except BadBrowserMessage:
                    continue


async def test_bad_messages_hurt_nobody_else(tmp_path: Path) -> None:
    async with web_table(tmp_path, plan("sun", 2)) as (host, owner, made):
        code = owner.code
        faults: list[dict[str, Any]] = []
        asyncio.get_running_loop().set_exception_handler(lambda _, fault: faults.append(fault))
        async with Browser(made.port, code=code) as one, Browser(made.port, code=code) as two:
            await seat_all(owner, one, two)
            (hosted,) = host.hosted_tables.values()
            before = msgspec.json.encode(hosted.hosted_match.match.state)
            await _pester(made.port, code, one)
            assert msgspec.json.encode(hosted.hosted_match.match.state) == before
            player = one if one.asked else two
            told = await asyncio.wait_for(player.move(next(thumb.answers(player.page))), 60)
            assert told["taken"]
        assert not faults


async def _pester(port: int, code: str, seated: Browser) -> None:
    """Send bad messages on sockets of their own, some of which are at the table."""
    chance = random.Random(3)
    sent = 0
    while sent < MESSAGES:
        async with Browser(port, code=code if chance.random() < 0.5 else "") as pest:
            await pest.until(lambda pest=pest: pest.lobby or pest.door)
            pest.bye = {"again": False}  # it does not come back when it is cut off
            for _ in range(60):
                said = chance.choice(GOOD[3:])
                frame = json.dumps({"n": 1_000 + sent, **said}).encode()
                if chance.random() < 0.8:
                    frame = chance.choice(mutations.MUTATIONS)(frame, chance)
                text = frame.decode("utf-8", "replace")
                pest.raw(frame if chance.random() < 0.1 else text)
                sent += 1
            heard = len(pest.heard)
            await asyncio.sleep(0)
            if pest.lines == 1 and not pest.done:
                pest.send("why", card=1, to="")
            await pest.until(lambda pest=pest, n=heard: pest.done or len(pest.heard) > n)
    assert seated.lines == 1
