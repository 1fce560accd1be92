"""Where no window can be shown the program says so in one sentence, as where Qt is missing."""

import os
import subprocess
import sys

import pytest


def started(*words: str, **environment: str) -> tuple[int, str]:
    """How the program ends without a display, and what it says."""
    kept = {
        name: value
        for name, value in os.environ.items()
        if name not in ("DISPLAY", "WAYLAND_DISPLAY", "QT_QPA_PLATFORM")
    }
    ended = subprocess.run(
        [sys.executable, "-m", "tabletop", *words],
        env=kept | environment,
        capture_output=True,
        text=True,
        check=False,
    )
    said = ended.stderr.splitlines()  # a library of the system may have complained before
    return ended.returncode, said[-1] if said else ""


@pytest.mark.skipif(sys.platform != "linux", reason="the other systems always have a display")
@pytest.mark.parametrize(
    ("platform", "sentence"),
    [
        ({}, "there is no display"),
        ({"QT_QPA_PLATFORM": "wayland"}, "there is no display"),
        ({"DISPLAY": ":4711", "QT_QPA_PLATFORM": "xcb"}, 'the display ":4711" doesn\'t answer'),
    ],
)
def test_without_a_display_it_says_so(platform: dict[str, str], sentence: str) -> None:
    assert started(**platform) == (2, f"No window can be shown here: {sentence}.")


@pytest.mark.parametrize("words", [(), ("shot", "--game", "sun", "--out", "picture.png")])
def test_a_platform_that_qt_has_not_is_named(words: tuple[str, ...]) -> None:
    sentence = 'QT_QPA_PLATFORM is "cinema", which Qt doesn\'t have'
    ended = started(*words, QT_QPA_PLATFORM="cinema")
    assert ended == (2, f"No window can be shown here: {sentence}.")
