"""Banned addresses."""

from pathlib import Path

from tabletop.server.bans import Bans
from tabletop.web.loopback_address import loopback_address


def test_a_ban_also_holds_for_phones_at_the_address(tmp_path: Path) -> None:
    bans = Bans(tmp_path)
    bans.add("203.0.113.9")
    assert "203.0.113.9" in bans
    assert "203.0.113.10" not in bans
    if phone := loopback_address("203.0.113.9"):
        assert phone in bans
        assert loopback_address("203.0.113.10") not in bans
    bans.lift("203.0.113.9")
    assert loopback_address("203.0.113.9") not in bans
