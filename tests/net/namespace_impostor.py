"""An impostor on a computer of a test's network: it claims to have every table it is asked for.

    python -m tests.net.namespace_impostor FOLDER PORT

It says `ready`, and ends with its standard input.
"""

import asyncio
import sys
from pathlib import Path

from websockets.asyncio.server import ServerConnection

from tabletop.protocol.code_exchange import HostExchange
from tabletop.protocol.join_proof import JoinChallenge, RequestJoinProof
from tabletop.protocol.messages import TableJoined, Welcome
from tests.net.impostor import Impostor, posing, say


async def claim(impostor: Impostor, line: ServerConnection) -> None:
    await say(line, Welcome(2, "0.2.0"))
    asked = await impostor.hear(line)
    if isinstance(asked, RequestJoinProof):
        exchange = HostExchange("AAAAAA", asked.table, impostor.fingerprint)
        await say(line, JoinChallenge({asked.table: exchange.share}))
        await impostor.hear(line)
        await say(line, TableJoined(asked.table, sign=b"x" * 32))


async def take(impostor: Impostor, line: ServerConnection) -> None:
    """Take a guest's proof, and say nothing more."""
    await say(line, Welcome(2, "0.2.0"))
    asked = await impostor.hear(line)
    if isinstance(asked, RequestJoinProof):
        exchange = HostExchange("AAAAAA", asked.table, impostor.fingerprint)
        await say(line, JoinChallenge({asked.table: exchange.share}))


async def main(folder: Path, port: int) -> None:
    async with posing(folder, claim, "0.0.0.0", port):
        print("ready", flush=True)
        await asyncio.get_running_loop().run_in_executor(None, sys.stdin.read)


if __name__ == "__main__":
    asyncio.run(main(Path(sys.argv[1]), int(sys.argv[2])))
