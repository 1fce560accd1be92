"""The gateway over real sockets: browsers come, play, vanish, come back, and learn nothing else.

`TABLETOP_LONG=1` plays the games of the whole shelf, otherwise the two shortest.
"""

from pathlib import Path

import pytest

from tabletop.games import catalogue
from tests.net.loopback import LONG, hosting, plan, run
from tests.web.gateways import Browser, gateway, opened, play_out, started

GAMES = [kit.id for kit in catalogue.shelf()] if LONG else ["sun", "sisters"]


@pytest.mark.parametrize("name", GAMES)
def test_browsers_play_a_match_to_its_score_sheet(name: str, tmp_path: Path) -> None:
    seats = min(n for n in catalogue.load(name).box.seats if n > 1)

    async def evening() -> None:
        async with (
            hosting(tmp_path) as host,
            opened(host, plan(name, seats)) as owner,
            gateway(host) as made,
        ):
            code = owner.guest.info.code
            browsers = [Browser(made.port, code=code, language="ja") for _ in range(seats)]
            for seat, browser in enumerate(browsers):
                await browser.start()
                await browser.sit(seat)
            await started(owner)
            await play_out(browsers)
            for browser in browsers:
                await browser.until(lambda browser=browser: browser.page.get("verdict"))
                assert browser.page["verdict"]["good"]
                assert browser.page["result"]["text"]
                assert "引きました" in browser.page["verdict"]["text"]
            (hosted,) = host.hosted_tables.values()
            assert hosted.hosted_match.match.state.result is not None
            for browser in browsers:
                await browser.stop()

    run(evening)
