"""A phone without a screen: opens the page that a gateway serves, takes a seat, looks at the
table's picture and plays. Needs nothing but Python, and uses nothing of the tested program.

    python3 phone.py http://ADDRESS:PORT/#CODE [ANSWERS]
"""

import base64
import json
import os
import re
import socket
import struct
import sys
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit
from urllib.request import urlopen

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
from tests.web import thumb

PATIENCE = 120
"""Seconds that a slow machine has for each answer."""
LEAST_PICTURE = 2000
"""Bytes; less can be no table."""
WEBP = b"RIFF"
TEXT, PING, PONG = 1, 9, 10
LOOK = {"kind": "look", "width": 780, "height": 500, "theme": "light"}

Json = dict[str, Any]


class Phone:
    """One seat at a gateway."""

    def __init__(self, host: str, port: int) -> None:
        self._base = f"http://{host}:{port}"
        self._line = socket.create_connection((host, port), PATIENCE)
        self._stream = self._line.makefile("rb")
        key = base64.b64encode(os.urandom(16)).decode()
        lines = (
            "GET /ws HTTP/1.1",
            f"Host: {host}:{port}",
            f"Origin: {self._base}",
            "Upgrade: websocket",
            "Connection: Upgrade",
            "Sec-WebSocket-Version: 13",
            f"Sec-WebSocket-Key: {key}",
        )
        self._line.sendall("\r\n".join((*lines, "", "")).encode())
        status = self._stream.readline()
        if b" 101 " not in status:
            raise SystemExit(f"no socket: {status!r}")
        while self._stream.readline().strip():
            pass
        self._n = 0
        self.heard: Json = {}
        """The last message of each kind."""

    def say(self, **message: object) -> int:
        """Send a message; return its number."""
        self._n += 1
        self._send(TEXT, json.dumps({"n": self._n, **message}).encode())
        return self._n

    def until(self, kind: str) -> Json:
        """The next message of this kind; what comes before is kept."""
        while True:
            message = self._message()
            self.heard[message["kind"]] = message
            if message["kind"] == kind:
                return message
            if message["kind"] == "bye":
                raise SystemExit(f"sent away: {message['text']}")

    def fetch(self, path: str) -> bytes:
        """The content of a path; an error of HTTP is one here."""
        with urlopen(self._base + path, timeout=PATIENCE) as answer:
            return bytes(answer.read())

    def _send(self, opcode: int, content: bytes) -> None:
        mask = os.urandom(4)
        size = len(content)
        head = struct.pack("!BB", 0x80 | opcode, 0x80 | min(size, 126))
        head += struct.pack("!H", size) if size >= 126 else b""
        masked = bytes(byte ^ mask[i % 4] for i, byte in enumerate(content))
        self._line.sendall(head + mask + masked)

    def _message(self) -> Json:
        parts = b""
        while True:
            first, second = self._stream.read(2)
            size = second & 127
            if size >= 126:
                size = int.from_bytes(self._stream.read(2 if size == 126 else 8), "big")
            content = self._stream.read(size)
            opcode = first & 15
            if opcode == PING:
                self._send(PONG, content)
            elif opcode in (0, TEXT):
                parts += content
                if first & 0x80:
                    return dict(json.loads(parts))
            else:
                raise SystemExit("the gateway has closed the socket")


def main(address: str, answers: int = 3) -> int:
    place = urlsplit(address)
    phone = Phone(place.hostname or "", place.port or 80)
    html = phone.fetch("/").decode()
    files = re.findall(r'(?:href|src)="([^"]+)"', html)
    size = sum(len(phone.fetch(path)) for path in files)
    phone.say(kind="hello", token="", code=place.fragment, language="ja")
    lobby = phone.until("lobby")
    free = next(seat["seat"] for seat in lobby["seats"] if seat["state"] == "free")
    phone.say(kind="sit", seat=free, name="はるか", symbol=lobby["symbols"][0])
    page = phone.until("page")["page"]
    phone.say(**LOOK)
    picture = phone.fetch(f"/picture/{phone.until('picture')['name']}")
    face = next(filter(None, (one.get("picture") for one in page["faces"].values())))
    drawn = phone.fetch(f"/face/{face}?w=256&t=light")
    if min(len(picture), len(drawn)) < LEAST_PICTURE:
        raise SystemExit(f"empty pictures: {len(picture)} and {len(drawn)} bytes")
    if {picture[:4], drawn[:4]} != {WEBP}:
        raise SystemExit("pictures are not as small as they could be: they are no WebP")
    for number in range(answers):
        page = phone.heard["page"]["page"]
        while not (move := next(thumb.answers(page), None)):
            page = phone.until("page")["page"]
        phone.say(kind="move", id=f"answer-{number}", move=move)
        reply = phone.until("answer")
        if not reply["taken"]:
            raise SystemExit(f"refused: {reply['text']}")
        phone.until("page")
    print(
        f"{len(files)} files of {size} bytes, a table of {len(picture)} and a face of "
        f"{len(drawn)} bytes, {answers} answers"
    )
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1], *map(int, sys.argv[2:3])))
