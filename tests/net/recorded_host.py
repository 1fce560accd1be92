"""A host's messages in a whole match, to be sent again, and spoilt."""

import random
from collections.abc import Iterator
from pathlib import Path

import pytest

from tabletop.catalogue import catalogue
from tabletop.protocol.codec import encode
from tabletop.protocol.messages import FromHost
from tabletop.table.connection_events import Event
from tests.mutations import change_value, mutated
from tests.net.loopback import Friend, hosting, plan, play_out, run, seated


def heard(game: str, folder: Path, monkeypatch: pytest.MonkeyPatch) -> list[bytes]:
    """All that the host of one match has said to the guest who hosts it."""
    frames: dict[Friend, list[bytes]] = {}
    hear = Friend._hear

    def listen(self: Friend, event: Event) -> None:
        if isinstance(event, FromHost):
            frames.setdefault(self, []).append(encode(event))
        hear(self, event)

    async def evening() -> None:
        async with hosting(folder) as host:
            seats = max(min(catalogue.load(game).box.seats), 2)
            async with seated(host, plan(game, seats, seats - 2), (0,), (1,)) as friends:
                await play_out(friends)

    monkeypatch.setattr(Friend, "_hear", listen)
    run(evening)
    return next(iter(frames.values()))


def bad(frames: list[bytes], chance: random.Random) -> Iterator[bytes]:
    """Damaged messages: most are still JSON, for those come furthest."""
    while True:
        frame = chance.choice(frames)
        yield change_value(frame, chance) if chance.random() < 0.8 else mutated(frame, chance)
