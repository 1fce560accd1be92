"""The way to a server where Python has no sockets in folders: a port, and a key to it."""

import asyncio
import http.client
import json
from pathlib import Path

import pytest

from tabletop.server.operator import local_socket
from tabletop.server.operator.endpoints import operator_endpoints
from tabletop.server.operator.local_socket import KEY_FILE, LOOPBACK, NoServer, send_request
from tests.private_files import is_private
from tests.server.table_server import table_server


@pytest.fixture(autouse=True)
def windows(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(local_socket, "HAS_UNIX_SOCKETS", False)


def answered(port: int, header: dict[str, str]) -> int:
    """The status of an answer to these headers."""
    line = http.client.HTTPConnection(LOOPBACK, port, timeout=30)
    line.request("POST", "/drain", b"{}", {"host": "localhost"} | header)
    status = line.getresponse().status
    line.close()
    return status


async def test_only_readers_of_the_file_are_answered(tmp_path: Path) -> None:
    async with table_server(tmp_path) as host:
        async with operator_endpoints(host):
            file = host.folder / KEY_FILE
            assert is_private(file)
            told = await asyncio.to_thread(send_request, host.folder, "/status")
            assert told.status == 200
            assert json.loads(told.body)["tables"] == 0
            way = json.loads(file.read_bytes())
            for keys in ("", "Bearer ", f"Bearer {'0' * 64}", way["key"]):
                header = {"authorization": keys} if keys else {}
                assert await asyncio.to_thread(answered, way["port"], header) == 403
            assert not host.registry.drained
            right = {"authorization": f"Bearer {way['key']}"}
            assert await asyncio.to_thread(answered, way["port"], right) == 200
        assert not file.exists()
        file.write_text(json.dumps(way), "utf-8")  # as a server leaves it that was killed
        with pytest.raises(NoServer, match="No server runs"):
            await asyncio.to_thread(send_request, host.folder, "/status")
        async with operator_endpoints(host):
            file.write_bytes(b"{}")  # another server's, or damaged
            with pytest.raises(NoServer):
                await asyncio.to_thread(send_request, host.folder, "/status")
        assert file.read_bytes() == b"{}"
