"""The program's short sounds: loud, soft, or none at all where nothing can play them."""

from __future__ import annotations

import logging
import sys
import wave
from array import array
from collections.abc import Callable, Generator, Sequence
from contextlib import suppress
from functools import cache
from queue import Empty, SimpleQueue
from threading import Thread
from typing import Protocol, TypeAlias

from tabletop.background import threads
from tabletop.engine.events import Ended, Event, Moved, Rolled, Shuffled, Thrown
from tabletop.engine.teams import lost, teams_of
from ui.style.asset_folder import assets_root

log = logging.getLogger("tabletop")

RATE = 22_050
"""Samples a second; mono, 16 bits."""
NAMES = ("card", "shuffle", "dice", "turn", "win")
REST = 3.0
"""The device is let go after so many seconds without a new sound, longer than any lasts: an open
one keeps a sound card awake."""
LOUDEST, QUIETEST = 32_767, -32_768

Samples: TypeAlias = "array[int]"
"""16-bit numbers."""
Mix = Generator[Samples, int, None]


class Device(Protocol):
    """An output device that plays what a mix gives it."""

    def start(self, mix: Mix) -> None: ...
    def close(self) -> None: ...


class Sounds:
    """Plays sounds over each other. The first one opens the device; without one it stays silent.

    A thread of its own holds the device: a sound server that does not answer must not hold up the
    table.
    """

    def __init__(self, open_device: Callable[[], Device] | None = None, rest: float = REST) -> None:
        self._open = open_device or _device
        self._rest = rest
        self._volume = 0.0
        self._wanted: SimpleQueue[Voice | None] = SimpleQueue()
        self._thread: Thread | None = None
        self._closed = False

    def set_volume(self, percent: int) -> None:
        """The volume of sounds from now on; 0 is off."""
        self._volume = percent / 100

    def hear(self, event: Event) -> None:
        """Play what goes with an event, if anything."""
        match event:
            case Moved():
                self.play("card")
            case Shuffled():
                self.play("shuffle")
            case Rolled() | Thrown():
                self.play("dice")
            case Ended(result):
                if not lost(result.winners, teams_of(result, len(result.scores))):
                    self.play("win")

    def play(self, name: str) -> None:
        """Play a sound; nothing happens where it cannot be played."""
        if not self._volume or self._closed:
            return
        self._wanted.put(Voice(_samples(name), self._volume))
        if self._thread is None or not self._thread.is_alive():  # a fault has ended the last one
            self._thread = threads.start(self._run, "sound")

    def close(self) -> None:
        """Be silent for good, at once or within a second."""
        self._closed = True
        if self._thread is not None:
            self._wanted.put(None)
            self._thread.join(1.0)

    def _run(self) -> None:
        while not self._closed:
            voice = self._wanted.get()
            if voice is not None:
                self._play(voice)

    def _play(self, first: Voice) -> None:
        """Open the device for a sound and all that come while it is open."""
        voices = [first]
        try:
            device = self._begin(voices)
        except Exception as error:  # no error of a sound card stops the game
            log.info("no sound: %s", error)
            self._closed = True
            return
        with suppress(Empty):  # nothing came for a while
            while (voice := self._wanted.get(timeout=self._rest)) is not None:
                if not any(other.samples is voice.samples and other.young for other in voices):
                    voices.append(voice)  # many cards at once sound like one
        device.close()

    def _begin(self, voices: list[Voice]) -> Device:
        mix = mixing(voices)
        next(mix)
        device = self._open()
        device.start(mix)
        return device


class Voice:
    """A sound that is being played, as far as it has come."""

    def __init__(self, samples: Samples, volume: float) -> None:
        self.samples = samples
        self._volume = volume
        self._at = 0

    @property
    def young(self) -> bool:
        """Whether it began less than 50 ms ago."""
        return self._at < RATE // 20

    @property
    def over(self) -> bool:
        return self._at >= len(self.samples)

    def take(self, count: int) -> list[int]:
        """Its next so many samples, fewer at its end."""
        part = self.samples[self._at : self._at + count]
        self._at += count
        return [int(sample * self._volume) for sample in part]


def mixing(voices: list[Voice]) -> Mix:
    """Give as many samples as are asked for, all voices over each other; drops what is over.

    It runs in the device's own thread, so it takes the voices as it finds them.
    """
    count = yield array("h")
    while True:
        samples = mixed([voice.take(count) for voice in tuple(voices)], count)
        for voice in tuple(voices):
            if voice.over:
                voices.remove(voice)
        count = yield samples


def mixed(parts: Sequence[Sequence[int]], count: int) -> Samples:
    """The sum of the parts, `count` samples long, cut where it would be too loud."""
    whole = [0] * count
    for part in parts:
        for number, sample in enumerate(part):
            whole[number] += sample
    return array("h", (max(QUIETEST, min(LOUDEST, sample)) for sample in whole))


@cache
def _samples(name: str) -> Samples:
    with wave.open(str(assets_root() / "common" / "sounds" / f"{name}.wav"), "rb") as file:
        samples = array("h", file.readframes(file.getnframes()))
    if sys.byteorder == "big":
        samples.byteswap()
    return samples


def _device() -> Device:
    import miniaudio  # only once there is something to hear: it looks for sound cards

    device: Device = miniaudio.PlaybackDevice(
        output_format=miniaudio.SampleFormat.SIGNED16,
        nchannels=1,
        sample_rate=RATE,
        buffersize_msec=60,
        backends=[b for b in miniaudio.Backend if b is not miniaudio.Backend.NULL],
        app_name="Tabletop",
    )
    return device
