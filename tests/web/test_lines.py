"""A browser's line: signs of life, values that are spelt otherwise, and a code just scanned."""

from pathlib import Path

from tests.net.loopback import hosting, plan
from tests.web.gateways import Browser, gateway, opened, web_table


async def test_a_sign_of_life_is_given_to_who_asks(tmp_path: Path) -> None:
    async with web_table(tmp_path, plan("sun", 2)) as (_, owner, made):
        async with Browser(made.port, code="NONE99") as outside:
            await outside.until(lambda: outside.door)
            assert outside.heard[0]["beats"]
            assert (await outside.ask("beat"))["taken"]
        async with Browser(made.port, code=owner.code) as inside:
            await inside.until(lambda: inside.lobby)
            assert (await inside.ask("beat"))["taken"]


async def test_values_of_older_browsers_are_understood(tmp_path: Path) -> None:
    """Chromium up to 112 reads a custom property with the space before it; a phone may have kept a
    pass policy that is called otherwise now."""
    async with (
        web_table(tmp_path, plan("sun", 2)) as (_, owner, made),
        Browser(made.port, code=owner.code) as browser,
    ):
        await browser.until(lambda: browser.lobby)
        browser.send("look", width=600, height=420, theme=" dark")
        browser.send("look", width=600, height=420, theme="sepia")
        browser.send("hello", code=owner.code, way="as it was")
        assert (await browser.ask("beat"))["taken"]
        assert browser.bye is None


async def test_a_mistake_of_the_page_is_mended_by_a_reload(tmp_path: Path) -> None:
    async with (
        web_table(tmp_path, plan("sun", 2)) as (_, owner, made),
        Browser(made.port, code=owner.code) as browser,
    ):
        await browser.until(lambda: browser.lobby)
        browser.raw('{"n": 99, "kind": "look", "width": "wide"}')
        await browser.until(lambda: browser.bye)
        assert browser.bye["reload"]
        assert "Load it again" in browser.bye["text"]


class Scanning(Browser):
    """A browser whose code was just scanned; it shows its token first, as the page does."""

    def send(self, kind: str, **fields: object) -> object:
        if kind == "hello":
            fields["scanned"] = bool(fields.get("token"))
        return super().send(kind, **fields)


async def test_a_scanned_code_wins_over_a_token(tmp_path: Path) -> None:
    """On a server a phone seated at table 1 that scanned table 2 saw table 1."""
    async with (
        hosting(tmp_path) as host,
        opened(host, plan("sun", 2)) as first,
        opened(host, plan("awss", 3)) as second,
        gateway(host) as here,
        gateway(host) as elsewhere,
        Browser(here.port, code=first.code) as phone,
    ):
        await phone.sit(0)
        for made in (here, elsewhere):  # one that has the seat's session, and one that has not
            async with Scanning(made.port, code=second.code, token=phone.token) as scanned:
                await scanned.until(lambda scanned=scanned: scanned.lobby or scanned.door)
                if scanned.door:
                    scanned.send("hello", code=second.code)
                    await scanned.until(lambda scanned=scanned: scanned.lobby)
                assert len(scanned.lobby["seats"]) == 3
            async with Scanning(made.port, code=first.code, token=phone.token) as again:
                await again.until(lambda again=again: again.lobby)
                assert again.lobby["me"] == 0
