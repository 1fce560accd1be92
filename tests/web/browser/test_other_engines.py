"""The page in the engines of Safari and Firefox: a seat is taken and a match played by taps."""

import asyncio
import json
import os
import random
import shutil
import signal
import socket
import tempfile
import urllib.request
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import pytest
from PySide6.QtWidgets import QApplication
from websockets.asyncio.client import connect

from tests.net.loopback import LONG, LONGEST
from tests.web.browser.fingers import NEXT, needs_chromium, room
from tests.web.gateways import started

TAPS = 10_000 if LONG else 12
GAMES = ("sun", "sisters", "chains", "awss", "royale") if LONG else ("sun",)
Runs = Callable[[str], Awaitable[Any]]
"""Runs the body of an async function in the page, and gives what it returns."""
WATCH = "window.wrong = []; addEventListener('error', (e) => window.wrong.push(e.message));"
THERE = """
  const there = async (name) => {
    while (!document.querySelector(name)) await new Promise((then) => setTimeout(then, 20));
    return document.querySelector(name);
  };
"""
SIT = """
  (await there("[data-key=seat0] [data-do=choose]")).click();
  (await there("#name")).value = "Ann";
  (await there("[data-form=sit] [type=submit]")).click();
  await there(".seat.mine");
"""
TAP = """
  const at = await (%s)(%s);
  if (at === "over") return at;
  document.elementFromPoint(...at).click();
"""


def free_port() -> int:
    with socket.create_server(("127.0.0.1", 0)) as found:
        return int(found.getsockname()[1])


@asynccontextmanager
async def running(*command: str) -> AsyncIterator[None]:
    """A program, until it is no longer needed."""
    quiet = asyncio.subprocess.DEVNULL
    process = await asyncio.create_subprocess_exec(
        *command, stdout=quiet, stderr=quiet, start_new_session=True
    )
    try:
        yield
    finally:
        os.killpg(process.pid, signal.SIGTERM)  # with what it has started itself
        await process.wait()


async def again(attempt: Callable[[], Awaitable[Any]]) -> Any:
    """What comes of it once the other side listens."""
    async with asyncio.timeout(LONGEST):
        while True:
            try:
                return await attempt()
            except OSError:
                await asyncio.sleep(0.05)


@asynccontextmanager
async def webkit(url: str) -> AsyncIterator[Runs]:
    """WebKitGTK, by WebDriver."""
    port = free_port()

    def post(path: str, body: Any) -> Any:
        sent = urllib.request.Request(
            f"http://127.0.0.1:{port}{path}",
            json.dumps(body).encode(),
            {"content-type": "application/json"},
        )
        with urllib.request.urlopen(sent, timeout=LONGEST) as answer:  # loopback
            return json.loads(answer.read())["value"]

    async with running("xvfb-run", "-a", "WebKitWebDriver", f"--port={port}"):
        wanted = {"capabilities": {"alwaysMatch": {"timeouts": {"script": int(1000 * LONGEST)}}}}
        made = await again(lambda: asyncio.to_thread(post, "/session", wanted))
        here = f"/session/{made['sessionId']}"

        async def run(body: str) -> Any:
            script = f"const done = arguments[0]; (async () => {{ {body} }})().then(done);"
            sent = {"script": script, "args": []}
            return await asyncio.to_thread(post, f"{here}/execute/async", sent)

        await asyncio.to_thread(post, f"{here}/url", {"url": url})
        yield run
        gone = urllib.request.Request(f"http://127.0.0.1:{port}{here}", method="DELETE")
        await asyncio.to_thread(urllib.request.urlopen, gone, None, LONGEST)


@asynccontextmanager
async def firefox(url: str) -> AsyncIterator[Runs]:
    """Firefox, by WebDriver BiDi."""
    port = free_port()
    with tempfile.TemporaryDirectory() as profile:
        command = ("firefox-esr", "--headless", "--no-remote", "--profile", profile)
        async with running(*command, f"--remote-debugging-port={port}"):
            there = f"ws://127.0.0.1:{port}/session"
            async with await again(lambda: connect(there, proxy=None, max_size=None)) as line:
                numbers = iter(range(1, 1_000_000))

                async def ask(method: str, **params: Any) -> Any:
                    number = next(numbers)
                    await line.send(json.dumps({"id": number, "method": method, "params": params}))
                    while (answer := json.loads(await line.recv())).get("id") != number:
                        pass
                    assert answer["type"] == "success", answer
                    return answer["result"]

                await ask("session.new", capabilities={})
                tree = await ask("browsingContext.getTree")
                context = tree["contexts"][0]["context"]
                await ask("browsingContext.navigate", context=context, url=url, wait="complete")

                async def run(body: str) -> Any:
                    told = await ask(
                        "script.evaluate",
                        expression=f"(async () => {{ {body} }})()",
                        target={"context": context},
                        awaitPromise=True,
                    )
                    assert told["type"] == "success", told
                    return told["result"].get("value")

                yield run


ENGINES = {"WebKitWebDriver": webkit, "firefox-esr": firefox}


@pytest.mark.parametrize("game", GAMES)
@pytest.mark.parametrize("engine", ENGINES)
async def test_a_match_is_played_in_other_engines(
    engine: str, game: str, tmp_path: Path, qapp: QApplication
) -> None:
    needs_chromium()
    if shutil.which(engine) is None:
        pytest.skip(f"install {engine} to run this test in it")
    seats, chance = (3 if game == "awss" else 2), random.Random(2)
    async with (
        room(tmp_path, game, seats, bots=seats - 1) as here,
        ENGINES[engine](here.url) as run,
    ):
        await run(WATCH + THERE + SIT)
        await started(here.owner)
        await run(THERE + 'await there(".prompt");')
        match = here.hosted.hosted_match.match
        for _ in range(TAPS):
            if await run(TAP % (NEXT.strip().rstrip(";"), chance.random())) == "over":
                break
        assert any(getattr(entry, "seat", None) == 0 for entry in match.record)
        assert not LONG or match.state.result is not None
        assert await run("return JSON.stringify(window.wrong);") == "[]"
