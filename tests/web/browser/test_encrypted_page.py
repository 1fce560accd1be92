"""The page over TLS, by a certificate that nobody vouches for: the phone's browser has warned, and
its person went on."""

import random
from pathlib import Path

from PySide6.QtWidgets import QApplication

from tests.web.browser.fingers import needs_chromium, room
from tests.web.gateways import started

WARNED = {"ignore_https_errors": True}
"""The options of a browser after the warning."""
MOVES = 4
KEPT = "() => [isSecureContext, document.cookie, Object.keys(localStorage).join()]"


async def test_a_seat_is_taken_and_moves_are_made_over_tls(
    tmp_path: Path, qapp: QApplication
) -> None:
    needs_chromium()
    async with room(tmp_path, "sun", 2, bots=1, tls=True) as here:
        phone, sockets, plain = await here.phone(**WARNED), [], []
        phone.page.on("websocket", lambda socket: sockets.append(socket.url))
        phone.page.on(
            "request", lambda asked: asked.url.startswith("http:") and plain.append(asked.url)
        )
        # typed without https: the way is found, with the code; nothing more goes over it
        await phone.open(here.url.replace("https:", "http:"))
        assert phone.page.url == here.url
        assert [url.partition("#")[0] for url in plain] == [
            here.url.replace("https:", "http:").partition("#")[0]
        ]
        await phone.sit(0, "はるか")
        await started(here.owner)
        await phone.page.wait_for_selector(".frame canvas")
        match = here.hosted.hosted_match.match
        await phone.play(random.Random(1), lambda: match.state.ply >= MOVES)
        secure, cookies, kept = await phone.page.evaluate(KEPT)
        assert secure
        assert not cookies
        assert "tabletop.token" in kept

        # loaded again, the seat is found again; a plain page has no part in what is kept
        await phone.page.reload()
        await phone.page.wait_for_selector(".prompt")
        assert all(url.startswith("wss://") for url in sockets)
        assert len(sockets) == 2
