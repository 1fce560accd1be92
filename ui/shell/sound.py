"""Playback of the program's short sounds, one at a time.

If no device can play them, the program stays silent until one can.
"""

from __future__ import annotations

import logging
from array import array
from collections.abc import Callable, Collection, Generator
from functools import lru_cache
from itertools import cycle
from queue import Empty, SimpleQueue
from threading import Lock, Thread
from time import monotonic
from typing import Protocol

from tabletop.background import threads
from tabletop.games.sounds import SoundName
from ui.shell.sound_files import SAMPLE_RATE_HZ, Samples, SoundSet

log = logging.getLogger("tabletop")

KINDS: dict[str, tuple[SoundName, ...]] = {
    "cards": ("take", "lay", "flip", "shuffle"),
    "pieces": ("step", "dice"),
    "hits": ("hit", "loss"),
    "refusals": ("refuse",),
    "turns": ("turn", "reaction"),
    "phases": ("phase", "count"),
    "victory": ("win",),
    "people": ("chat", "join", "leave"),
}
"""The sounds in each group that the user can turn off."""
URGENCY: dict[SoundName, int] = {
    **dict.fromkeys(("take", "lay", "flip", "step"), 0),
    **dict.fromkeys(("shuffle", "dice", "count"), 1),
    **dict.fromkeys(("hit", "loss", "phase", "chat", "join", "leave"), 2),
    **dict.fromkeys(("turn", "reaction", "win"), 3),
    "refuse": 4,
}
"""The priority of each sound. A sound interrupts one of lower priority."""
MIN_QUEUED_URGENCY = 2
"""The lowest priority at which a sound waits for the current one instead of being dropped."""
SOFT_VOLUME = 10 ** (-9 / 20)
"""The volume factor of sounds that other players cause: -9 dB."""
PITCHES = (1.0, 0.96, 1.04)
"""The pitch factors of card and piece sounds, used in turn so that successive sounds differ."""
FADE_SAMPLES = SAMPLE_RATE_HZ // 200
"""The number of samples over which an interrupted sound fades out."""
IDLE_TIMEOUT_S = 3.0
"""The time in seconds without a sound after which the device is closed. No sound is longer.

An open device keeps the sound card awake.
"""
STALL_TIMEOUT_S = 3.0
"""The time in seconds after which a device that requests no samples has lost its sound server.

The libraries report no error when the server ends. A live device requests samples all the time.
"""
RETRY_DELAY_S = 5.0
"""The time in seconds between attempts to open a device. Sounds in between are dropped."""
DEFAULT_SOUNDS = SoundSet()

Mix = Generator[Samples, int, None]


class Device(Protocol):
    """An output device that plays the samples of a `Mix`."""

    def start(self, mix: Mix) -> None: ...
    def close(self) -> None: ...


class Sounds:
    """Plays sounds on a device, which is opened for the first sound.

    A separate thread owns the device, because a sound server that hangs must not block the table.
    """

    def __init__(
        self, open_device: Callable[[], Device] | None = None, idle_timeout: float = IDLE_TIMEOUT_S
    ) -> None:
        self._open = open_device or _open_device
        self._idle_timeout = idle_timeout
        self._volume = 0.0
        self._off: frozenset[SoundName] = frozenset()
        self._pitches = cycle(PITCHES)
        self._queue: SimpleQueue[Voice | None] = SimpleQueue()
        self._thread: Thread | None = None
        self._closed = False
        self._failed_at: float | None = None
        """When the last attempt to open a device failed; None if it succeeded."""

    def set_volume(self, percent: int, off: Collection[str] = ()) -> None:
        """Set the volume in percent, and turn off the sounds of the kinds in `off`."""
        self._volume = percent / 100
        self._off = frozenset(name for kind in off for name in KINDS.get(kind, ()))

    def play(
        self, name: SoundName, sounds: SoundSet = DEFAULT_SOUNDS, softly: bool = False
    ) -> None:
        """Play the sound `name`, unless it is turned off or can't be played.

        `softly`: whether another player caused the sound. Only card and piece sounds get softer.
        """
        if not self._volume or self._closed or name in self._off:
            return
        urgency = URGENCY[name]
        samples = _resample(sounds, name, 1.0 if urgency else next(self._pitches))
        volume = self._volume * (SOFT_VOLUME if softly and urgency < MIN_QUEUED_URGENCY else 1.0)
        self._queue.put(Voice(samples, volume, urgency))
        if (
            self._thread is None or not self._thread.is_alive()
        ):  # an error has ended the last thread
            self._thread = threads.start(self._run, "sound")

    def close(self) -> None:
        """Stop all sounds for good. Returns within a second."""
        self._closed = True
        if self._thread is not None:
            self._queue.put(None)
            self._thread.join(1.0)

    def _run(self) -> None:
        voice: Voice | None = None
        while not self._closed:
            voice = voice or self._queue.get()
            if voice is not None:
                voice = self._play(voice)

    def _play(self, first: Voice) -> Voice | None:
        """Open the device, and play `first` and later sounds until the idle timeout.

        Returns:
            The sound that needs a new device because this one has stalled, or None.
        """
        if self._failed_at is not None and monotonic() < self._failed_at + RETRY_DELAY_S:
            return None
        queue = PlayQueue()
        queue.add(first)
        try:
            device = self._start_device(queue)
        except Exception as error:  # errors of sound cards must not stop the game
            if self._failed_at is None:
                log.info("no sound: %s", error)
            self._failed_at = monotonic()
            return None
        self._failed_at = None
        try:
            while (voice := self._queue.get(timeout=self._idle_timeout)) is not None:
                if queue.is_stalled:
                    return voice
                queue.add(voice)
        except Empty:  # no sound came for a while
            pass
        finally:
            device.close()
        return None

    def _start_device(self, queue: PlayQueue) -> Device:
        mix = queue.mix()
        next(mix)
        device = self._open()
        try:
            device.start(mix)
        except BaseException:
            device.close()
            raise
        return device


class Voice:
    """A sound with its current playback position."""

    def __init__(self, samples: Samples, volume: float, urgency: int = 0) -> None:
        self.samples = samples
        self.urgency = urgency
        self._volume = volume
        self._position = 0

    @property
    def is_finished(self) -> bool:
        return self._position >= len(self.samples)

    def next_samples(self, count: int) -> Samples:
        """Return the next `count` samples, or fewer at the end of the sound."""
        part = self.samples[self._position : self._position + count]
        self._position += count
        return array("h", (int(sample * self._volume) for sample in part))

    def fade_out(self) -> Samples:
        """Return the next samples with a fade-out, because the sound is interrupted."""
        part = self.next_samples(FADE_SAMPLES)
        return array("h", (int(s * (1 - n / FADE_SAMPLES)) for n, s in enumerate(part)))


class PlayQueue:
    """The current sound and the next one, which never overlap.

    A sound of higher priority interrupts the current one. Otherwise, sounds below
    `MIN_QUEUED_URGENCY` are dropped, and the latest of those with the highest priority waits.
    """

    def __init__(self) -> None:
        self._lock = Lock()
        self._now: Voice | None = None
        self._next: Voice | None = None
        self._fading: Samples = array("h")
        self._requested_at = monotonic()

    @property
    def is_stalled(self) -> bool:
        """Whether the device has requested no samples for `STALL_TIMEOUT_S`."""
        return monotonic() > self._requested_at + STALL_TIMEOUT_S

    def add(self, voice: Voice) -> None:
        """Play a sound now, queue it or drop it, depending on its priority."""
        with self._lock:
            now = self._now
            if now is None:
                self._now = voice
            elif voice.urgency > now.urgency:
                self._fading = now.fade_out()
                self._now = voice
            elif voice.urgency >= MIN_QUEUED_URGENCY and (
                self._next is None or voice.urgency >= self._next.urgency
            ):
                self._next = voice

    def next_samples(self, count: int) -> Samples:
        """Return the next `count` samples, padded with silence."""
        self._requested_at = monotonic()
        with self._lock:
            taken, self._fading = self._fading[:count], self._fading[count:]
            while len(taken) < count and self._now is not None:
                taken += self._now.next_samples(count - len(taken))
                if self._now.is_finished:
                    self._now, self._next = self._next, None
            return taken + array("h", bytes(2 * (count - len(taken))))

    def mix(self) -> Mix:
        """Yield as many samples as the device requests. Runs in the device's thread."""
        count = yield array("h")
        while True:
            count = yield self.next_samples(count)


@lru_cache(maxsize=128)
def _resample(sounds: SoundSet, name: SoundName, pitch: float) -> Samples:
    """Return a sound with its pitch multiplied by `pitch`, which shortens it accordingly."""
    samples = sounds.samples(name)
    if pitch == 1.0:
        return samples
    samples = array("h", [*samples, 0])
    higher = array("h")
    for number in range(int((len(samples) - 1) / pitch)):
        at, share = divmod(number * pitch, 1.0)
        before, after = samples[int(at)], samples[int(at) + 1]
        higher.append(round(before + (after - before) * share))
    return higher


def _open_device() -> Device:
    from ui.shell.audio_device import AudioDevice

    device: Device = AudioDevice()
    return device
