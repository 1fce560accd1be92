"""The engines of Safari, Firefox and Chrome, each with a page open."""

import asyncio
import json
import os
import shutil
import signal
import socket
import tempfile
import urllib.request
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from typing import Any

import pytest
from websockets.asyncio.client import connect

from tests.net.loopback import HANGS, LONGEST

Runs = Callable[[str], Awaitable[Any]]
"""Runs the body of an async function in the page, and gives what it returns."""


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
        with urllib.request.urlopen(sent, timeout=HANGS) as answer:  # loopback
            return json.loads(answer.read())["value"]

    async with running("xvfb-run", "-a", "WebKitWebDriver", f"--port={port}"):
        wanted = {"capabilities": {"alwaysMatch": {"timeouts": {"script": 1000 * HANGS}}}}
        made = await again(lambda: asyncio.to_thread(post, "/session", wanted))
        here = f"/session/{made['sessionId']}"

        async def run(body: str) -> Any:
            script = f"const done = arguments[0]; (async () => {{ {body} }})().then(done);"
            sent = {"script": script, "args": []}
            return await asyncio.to_thread(post, f"{here}/execute/async", sent)

        await asyncio.to_thread(post, f"{here}/url", {"url": url})
        yield run


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


NEEDED = ("WebKitWebDriver", "firefox-esr")


def needs_other_engines() -> None:
    """Skip a test, with one line, where one of them is missing."""
    for engine in NEEDED:
        if shutil.which(engine) is None:
            missing = f"install {engine} to run this test in it"
            (pytest.fail if os.environ.get("TABLETOP_CHROMIUM") else pytest.skip)(missing)
