"""A browser's socket carries nothing that its seat does not know.

`TABLETOP_LONG=1` plays whole games.
"""

import asyncio
import json
from pathlib import Path

import pytest

from tabletop.catalogue import catalogue
from tabletop.engine.model import is_face
from tests.net.loopback import LONG, hosting, plan, run
from tests.web import thumb
from tests.web.gateways import Browser, gateway, opened, play_out, started, web_table

HIDING = [kit.id for kit in catalogue.shelf() if kit.id != "chains"]
"""Games in which seats hold cards that others do not see."""
PLIES = 100_000 if LONG else 20


@pytest.mark.parametrize("name", HIDING)
async def test_a_browser_gets_no_card_that_its_seat_never_saw(name: str, tmp_path: Path) -> None:
    seats = min(n for n in catalogue.load(name).box.seats if n > 1)

    async with web_table(tmp_path, plan(name, seats)) as (host, owner, made):
        code = owner.code
        browsers = [await Browser(made.port, code=code).start() for _ in range(seats)]
        for seat, browser in enumerate(browsers):
            await browser.sit(seat)
        owner.guest.watch()
        (hosted,) = host.hosted_tables.values()
        await started(owner)
        await asyncio.gather(*(b.until(lambda b=b: b.page) for b in browsers))
        match = hosted.hosted_match.match
        known: dict[int, set[int]] = {seat: set() for seat in range(seats)}

        def note(seat: int) -> None:
            view = match.view(seat)
            known[seat] |= {c for held in view.cards.values() for c in held if is_face(c)}

        for seat in range(seats):
            note(seat)
            match.add_listener(seat, lambda news, seat=seat: note(seat))
        await play_out(browsers, lambda: match.state.ply >= PLIES)
        for seat, browser in enumerate(browsers):
            told = {int(card) for page in browser.seen for card in page["cards"] if int(card) >= 0}
            assert told <= known[seat]
            assert told
            words = json.dumps(browser.heard)
            others = [other.token for other in browsers if other is not browser]
            assert not any(token and token.split(".")[2] in words for token in others)
            assert match.seed not in words
            shown = [message for message in browser.heard if message["kind"] != "token"]
            assert host.certificate.fingerprint not in json.dumps(shown)  # only for the way back
        for browser in browsers:
            await browser.stop()


def test_the_own_sealed_answer_changes_nothing_for_others(tmp_path: Path) -> None:
    """The others' sockets get the same bytes for any secret answer of one seat."""

    async def heard_by_others(choice: int, folder: Path) -> list[str]:
        async with (
            hosting(folder) as host,
            opened(host, plan("awss", 3)) as owner,
            gateway(host) as made,
        ):
            code = owner.code
            browsers = [await Browser(made.port, code=code).start() for _ in range(3)]
            for seat, browser in enumerate(browsers):
                await browser.sit(seat)
            await started(owner)
            await asyncio.gather(*(b.until(lambda b=b: b.asked) for b in browsers))
            one, *others = browsers
            seen = [len(other.seen) for other in others]
            cards = sorted(int(c) for c, lying in one.page["cards"].items() if lying.get("step"))
            card = cards[choice]
            move = next(thumb.leaves(one.page["cards"][str(card)]["step"]))
            told = await asyncio.wait_for(one.move(move), 60)
            assert told["taken"]
            for other, n in zip(others, seen, strict=True):
                await other.until(lambda other=other, n=n: len(other.seen) > n)
            news = []
            for other, n in zip(others, seen, strict=True):
                for page in other.seen[n:]:
                    own = {str(c) for zone in page["zones"] if zone.get("hand")
                           for c in zone.get("cards", [])}  # fmt: skip
                    kept = {c: lying for c, lying in page["cards"].items() if c not in own}
                    news.append(json.dumps([kept, page["prompt"], page["others"], page["log"]]))
            for browser in browsers:
                await browser.stop()
            return news

    async def evening() -> None:
        first = await heard_by_others(0, tmp_path / "one")
        second = await heard_by_others(-1, tmp_path / "two")
        assert first
        assert [json.loads(told)[1:] for told in first] == [json.loads(told)[1:] for told in second]

    run(evening)
