"""Answers of a gateway over plain HTTP, and a small page to serve."""

import asyncio
from pathlib import Path

from tabletop.web.gateway.gateway import Gateway

PAGE = {
    "index.html": '<title>卓</title><script type="module" src="@BASE@/app.js"></script>',
    "app.js": "import './walk.js';\n" + "// a long script\n" * 200,
    "walk.js": "export const walk = 1;",
    "parts/style.css": "body { margin: 0 }" * 60,
    ".hidden": "secret",
}


def page(folder: Path) -> Path:
    """A page of no use."""
    for name, text in PAGE.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text, "utf-8", newline="\n")
    return folder


class Answered:
    """An answer over plain HTTP, header by header."""

    def __init__(self, raw: bytes) -> None:
        head, _, self.body = raw.partition(b"\r\n\r\n")
        first, *lines = head.decode("latin-1").split("\r\n")
        self.status = int(first.split()[1])
        self.headers = dict(line.lower().split(": ", 1) for line in lines)


async def get(made: Gateway, path: str, **headers: str) -> Answered:
    """Return the gateway's answer; the Host is the usual one unless another is given."""
    reader, writer = await asyncio.open_connection("127.0.0.1", made.port)
    said = {"host": f"127.0.0.1:{made.port}", "connection": "close", **headers}
    lines = "".join(f"{name.replace('_', '-')}: {value}\r\n" for name, value in said.items())
    writer.write(f"GET {path} HTTP/1.1\r\n{lines}\r\n".encode())
    raw = await reader.read()
    writer.close()
    return Answered(raw)
