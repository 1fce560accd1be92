"""The output of a new server: how to join, once, in both languages, and no key."""

import os
import re
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from tabletop.language.words import Words
from tabletop.server.commands.first_steps import terminal_language, text
from tests.net.loopback import HANGS

ROOT = Path(__file__).parents[3]
LAST = "ExecStart="


def served(folder: Path, *more: str, lang: str = "C.UTF-8", new: bool = False) -> str:
    """The output of a server that is stopped as soon as it listens."""
    process = subprocess.Popen(
        [sys.executable, "-m", "tabletop", "serve", "--bind", "127.0.0.1", "--port", "0", *more],
        cwd=ROOT,
        env=os.environ | {"TABLETOP_HOME": str(folder), "LC_ALL": lang},
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        encoding="utf-8",
    )
    assert "listening" in process.stderr.readline()
    steps = [process.stdout.readline()] if new else [LAST]
    while LAST not in steps[-1]:
        steps.append(process.stdout.readline())
    process.send_signal(signal.SIGTERM)
    out, error = process.communicate(timeout=HANGS)
    assert "Traceback" not in error
    return "".join(steps[not new :]) + out


@pytest.mark.skipif(sys.platform == "win32", reason="no process is told to stop there")
def test_a_new_server_says_what_to_do_next_and_says_it_once(tmp_path: Path) -> None:
    key = tmp_path / "club.key"
    key.write_text("nobody prints this", "utf-8")
    told = served(tmp_path, "--key-file", str(key), lang="ja_JP.UTF-8", new=True)
    assert "フィンガープリント" in told
    assert re.search(r"\b[0-9a-f]{64}\b", told)
    assert re.search(r"tabletop host sun --server 127\.0\.0\.1:\d+ --detach --key-file", told)
    assert f"serve --bind 127.0.0.1 --port 0 --key-file {key}" in told
    assert "nobody prints this" not in told
    assert served(tmp_path, "--key-file", str(key)) == ""


@pytest.mark.skipif(sys.platform == "win32", reason="no process is told to stop there")
def test_the_public_address_is_shown_to_guests(tmp_path: Path) -> None:
    told = served(tmp_path, "--known-as", "cards.example.org:4000", new=True)
    assert re.search(r"Address +cards\.example\.org:4000\n", told)
    assert "host sun --server cards.example.org:4000 --detach" in told
    assert "ufw allow 4000/tcp" in told


def test_it_stands_in_two_columns() -> None:
    for language, head in (("en", "Key"), ("ja", "鍵")):
        told = text(Words(language), "cards.example.org", 18920, "ab" * 32, key=False)
        (line,) = (line for line in told.splitlines() if line.startswith(f"  {head} "))
        assert "--key-file" in line
        assert len(told.splitlines()) < 12


@pytest.mark.parametrize(
    ("locale", "listed", "language"),
    [
        ("ja_JP.UTF-8", "", "ja"),
        ("en_GB.UTF-8", "ja:en", "ja"),
        ("ja_JP.UTF-8", "de:en:ja", "en"),
        ("ja_JP.UTF-8", "de", "ja"),
        ("C.UTF-8", "ja", "en"),
        ("", "ja", "en"),
    ],
)
def test_the_language_is_that_of_other_programs(
    locale: str, listed: str, language: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("LC_MESSAGES", raising=False)
    monkeypatch.setenv("LC_ALL", locale)
    monkeypatch.delenv("LANG", raising=False)
    monkeypatch.setenv("LANGUAGE", listed)
    assert terminal_language() == language
