"""Moderation of one phone at a host's table affects no other, though one gateway carries them all.

Each phone has an address of its own in these tests, as in a house.
"""

import sys
from contextlib import AsyncExitStack
from pathlib import Path

import pytest

from tabletop.net.limits import Limits
from tabletop.protocol.moderation import AdmitGuest, RemovePlayer, SetMuted
from tests.net.loopback import hosting, plan
from tests.web.gateways import Browser, gateway, opened, started, web_table

FEW = Limits(codes_per_address=3, connections_per_address=8)
pytestmark = pytest.mark.skipif(sys.platform == "darwin", reason="macOS has 127.0.0.1 alone")


def phone(port: int, number: int, **more: str) -> Browser:
    """A phone at an address of its own."""
    return Browser(port, source=f"127.0.0.{number}", **more)


async def test_one_phone_is_muted_sent_away_or_banned_and_no_other(tmp_path: Path) -> None:
    async with (
        web_table(tmp_path, plan("sun", 2, spectators="none")) as (host, owner, made),
        AsyncExitStack() as phones,
    ):
        code, port, guest = owner.code, made.port, owner.guest
        one = await phones.enter_async_context(phone(port, 11, code=code))
        two = await phones.enter_async_context(phone(port, 12, code=code))
        await one.sit(0)
        await two.sit(1)

        # a removed guest may come again, and the other one has noticed nothing
        guest.say(RemovePlayer(0))
        await one.until(lambda: one.bye)
        assert one.token == ""
        again = await phones.enter_async_context(phone(port, 11, code=code))
        await again.sit(0)

        await started(owner)
        await again.until(lambda: again.page)
        await two.until(lambda: two.page)
        guest.say(SetMuted(0))
        await again.until(lambda: again.page.get("muted"))
        assert not two.page.get("muted")
        again.send("say", text="nobody hears this")
        two.send("say", text="but this")
        await again.until(lambda: again.page.get("chat"))
        await again.until(lambda: again.notes)
        assert [line["text"] for line in again.page["chat"]] == ["but this"]

        # a banned person cannot come back; everybody else may stay or come
        token = again.token
        guest.say(RemovePlayer(0, ban=True))
        await again.until(lambda: again.bye)
        assert again.token == ""
        for way in ({"code": code}, {"token": token}, {"token": token, "code": code}):
            banned = await phones.enter_async_context(phone(port, 11, **way))
            await banned.until(lambda banned=banned: banned.door)
            assert banned.lobby is None
        assert "blocked you" in banned.door or "no longer exists" in banned.door
        async with gateway(host) as later:  # a restarted one knows them as well
            banned = await phones.enter_async_context(phone(later.port, 11, code=code))
            await banned.until(lambda: banned.door)
        new = await phones.enter_async_context(phone(port, 13, code=code))
        await new.until(lambda: new.lobby)
        back = await phones.enter_async_context(phone(port, 14, token=two.token))
        await back.until(lambda: back.page and back.page["seat"] == 1)
        await two.until(lambda: two.bye)


async def test_each_phone_is_counted_alone(tmp_path: Path) -> None:
    async with (
        hosting(tmp_path, limits=FEW) as host,
        opened(host, plan("sun", 2, knock=True)) as owner,
        gateway(host) as made,
        AsyncExitStack() as phones,
    ):
        code, port = owner.code, made.port

        # the codes that one guesses, at a gateway which knows none itself
        guesser = await phones.enter_async_context(phone(port, 21))
        await guesser.until(lambda: guesser.door)
        told = []
        for guess in ("ZZZZZ2", "ZZZZZ3", "ZZZZZ4", "ZZZZZ5", code):
            guesser.door = ""
            guesser.send("hello", code=guess)
            await guesser.until(lambda: guesser.door)
            told.append(guesser.door)
        assert "minutes" in told[-1]

        # more of them knock than may from one address, and than one address has lines
        knocking = []
        for number in range(22, 28):
            knocking.append(await phones.enter_async_context(phone(port, number, code=code)))
            await knocking[-1].until(lambda: "Waiting" in knocking[-1].door)
        await owner.until(lambda: len(owner.guest.info.knocking) == len(knocking))
        for knock in owner.guest.info.knocking:
            owner.guest.say(AdmitGuest(knock.number))
        for each in knocking:
            await each.until(lambda each=each: each.lobby)
        more = [
            await phones.enter_async_context(phone(port, number, code=code))
            for number in range(28, 34)
        ]
        for each in more:
            await each.until(lambda each=each: "Waiting" in each.door)


async def test_a_phone_in_the_lobby_is_told_what_a_window_is(tmp_path: Path) -> None:
    async with web_table(tmp_path, plan("sun", 2)) as (_, owner, made), AsyncExitStack() as phones:
        one = await phones.enter_async_context(phone(made.port, 31, code=owner.code, language="en"))
        await one.sit(0)
        owner.guest.sit(1, "Ann", "moon")
        await one.until(lambda: "hosted by Ann" in one.lobby["facts"])
        assert "spectators welcome" in one.lobby["facts"]
        assert "host" in one.lobby["seats"][1]["label"]
        assert (await one.ask("say", text="Hello"))["taken"]
        await one.until(lambda: [line["text"] for line in one.lobby["chat"]] == ["Hello"])
        assert not one.lobby["muted"]
        owner.guest.say(SetMuted(0))
        await one.until(lambda: one.lobby["muted"])
        assert "muted" in one.lobby["seats"][0]["label"]
        owner.guest.set_absent(1, True)
        await one.until(lambda: "away" in one.lobby["seats"][1]["label"])


async def test_too_much_chat_is_dropped_for_a_moment(tmp_path: Path) -> None:
    async with web_table(tmp_path, plan("sun", 2)) as (_, owner, made), AsyncExitStack() as phones:
        code, port = owner.code, made.port
        calm = await phones.enter_async_context(phone(port, 31, code=code))
        await calm.sit(0)
        loud = [await phones.enter_async_context(phone(port, 32)) for _ in range(4)]
        for each in loud:
            await each.until(lambda each=each: each.door)
        for each in loud:
            for _ in range(90):
                each.send("hello", code="nonsense")
        last = loud[-1]
        await last.until(lambda: any(told["kind"] == "bye" for told in last.heard))
        bye = next(told for told in last.heard if told["kind"] == "bye")
        assert "address" in bye["text"]
        assert bye["again"]
        assert calm.lines == 1
        assert (await calm.ask("say", text="Good evening"))["taken"]
