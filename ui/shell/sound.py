"""Playback of the program's short sounds, one at a time; silent if no device can play them."""

from __future__ import annotations

import logging
import sys
from array import array
from collections.abc import Callable, Collection, Generator
from contextlib import suppress
from functools import cache, lru_cache
from itertools import cycle
from queue import Empty, SimpleQueue
from threading import Lock, Thread
from typing import Protocol

from tabletop.background import threads
from tabletop.games.sounds import SoundName
from ui.shell.sound_files import RATE, Samples, SoundSet

log = logging.getLogger("tabletop")

KINDS: dict[str, tuple[SoundName, ...]] = {
    "cards": ("take", "lay", "flip", "shuffle"),
    "pieces": ("step", "dice"),
    "hits": ("hit", "loss"),
    "refusals": ("refuse",),
    "turns": ("turn",),
    "victory": ("win",),
}
"""The sounds of each kind that the user can turn off."""
URGENCY: dict[SoundName, int] = {
    **dict.fromkeys(("take", "lay", "flip", "step"), 0),
    **dict.fromkeys(("shuffle", "dice"), 1),
    **dict.fromkeys(("hit", "loss"), 2),
    **dict.fromkeys(("turn", "win"), 3),
    "refuse": 4,
}
"""The priority of each sound; a higher one interrupts a lower one."""
WAITS = 2
"""The lowest urgency at which a sound waits for the current one; less urgent sounds are dropped."""
SOFTLY = 10 ** (-9 / 20)
"""The volume factor for other players' actions, -9 dB."""
PITCHES = (1.0, 0.96, 1.04)
"""The pitch factors of card and piece sounds, in turn, so that consecutive sounds differ."""
FADE = RATE // 200
"""The number of samples over which an interrupted sound fades out."""
REST = 3.0
"""Seconds without a sound after which the device is closed; longer than any sound.

An open device keeps the sound card awake.
"""
USUAL = SoundSet()

Mix = Generator[Samples, int, None]


class Device(Protocol):
    """An output device that plays the samples of a mix."""

    def start(self, mix: Mix) -> None: ...
    def close(self) -> None: ...


class Sounds:
    """Plays sounds on a device that is opened for the first one; silent if that fails.

    A separate thread owns the device, because a sound server that hangs must not block the table.
    """

    def __init__(self, open_device: Callable[[], Device] | None = None, rest: float = REST) -> None:
        self._open = open_device or _device
        self._rest = rest
        self._volume = 0.0
        self._off: frozenset[SoundName] = frozenset()
        self._pitches = cycle(PITCHES)
        self._wanted: SimpleQueue[Voice | None] = SimpleQueue()
        self._thread: Thread | None = None
        self._closed = False

    def set_volume(self, percent: int, off: Collection[str] = ()) -> None:
        """Set the volume in percent, 0 for silence; sounds of the kinds `off` stay silent."""
        self._volume = percent / 100
        self._off = frozenset(name for kind in off for name in KINDS.get(kind, ()))

    def play(self, name: SoundName, sounds: SoundSet = USUAL, softly: bool = False) -> None:
        """Play a sound, unless it is turned off or can't be played.

        `softly`: another player caused the sound. Only sounds of cards and pieces get softer.
        """
        if not self._volume or self._closed or name in self._off:
            return
        urgency = URGENCY[name]
        samples = _pitched(sounds, name, 1.0 if urgency else next(self._pitches))
        volume = self._volume * (SOFTLY if softly and urgency < WAITS else 1.0)
        self._wanted.put(Voice(samples, volume, urgency))
        if self._thread is None or not self._thread.is_alive():  # a fault has ended the last thread
            self._thread = threads.start(self._run, "sound")

    def close(self) -> None:
        """Stop for good; return within a second."""
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
        """Open the device, and play `first` and all sounds that follow until the device rests."""
        queue = PlayQueue()
        queue.add(first)
        try:
            device = self._begin(queue)
        except Exception as error:  # no error of a sound card may stop the game
            log.info("no sound: %s", error)
            self._closed = True
            return
        with suppress(Empty):  # no sound came for a while
            while (voice := self._wanted.get(timeout=self._rest)) is not None:
                queue.add(voice)
        device.close()

    def _begin(self, queue: PlayQueue) -> Device:
        mix = queue.mix()
        next(mix)
        device = self._open()
        device.start(mix)
        return device


class Voice:
    """A sound and its playback position."""

    def __init__(self, samples: Samples, volume: float, urgency: int = 0) -> None:
        self.samples = samples
        self.urgency = urgency
        self._volume = volume
        self._at = 0

    @property
    def over(self) -> bool:
        return self._at >= len(self.samples)

    def take(self, count: int) -> Samples:
        """Return the next `count` samples, or fewer at the end."""
        part = self.samples[self._at : self._at + count]
        self._at += count
        return array("h", (int(sample * self._volume) for sample in part))

    def cut(self) -> Samples:
        """Return the next samples faded out, for a sound that is interrupted."""
        part = self.take(FADE)
        return array("h", (int(s * (1 - n / FADE)) for n, s in enumerate(part)))


class PlayQueue:
    """The sound that is playing and the one that follows; sounds never overlap.

    A more urgent sound interrupts the current one. Otherwise, sounds below `MIN_QUEUED_URGENCY` are
    dropped,
    and of the others the most urgent and latest waits.
    """

    def __init__(self) -> None:
        self._lock = Lock()
        self._now: Voice | None = None
        self._next: Voice | None = None
        self._fading: Samples = array("h")

    def add(self, voice: Voice) -> None:
        """Play a sound now, queue it or drop it."""
        with self._lock:
            now = self._now
            if now is None:
                self._now = voice
            elif voice.urgency > now.urgency:
                self._fading = now.cut()
                self._now = voice
            elif voice.urgency >= WAITS and (
                self._next is None or voice.urgency >= self._next.urgency
            ):
                self._next = voice

    def take(self, count: int) -> Samples:
        """Return the next `count` samples, filled with silence."""
        with self._lock:
            taken, self._fading = self._fading[:count], self._fading[count:]
            while len(taken) < count and self._now is not None:
                taken += self._now.take(count - len(taken))
                if self._now.over:
                    self._now, self._next = self._next, None
            return taken + array("h", bytes(2 * (count - len(taken))))

    def mix(self) -> Mix:
        """Yield as many samples as the device requests; runs in the device's thread."""
        count = yield array("h")
        while True:
            count = yield self.take(count)


@lru_cache(maxsize=128)
def _pitched(sounds: SoundSet, name: SoundName, pitch: float) -> Samples:
    """Return a sound resampled by the factor `pitch`, which shortens it by the same factor."""
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


@cache
def _hush_alsa() -> object:
    """Silence alsa-lib's error messages on computers without a sound card.

    Returns the handler, which must live as long as the library.
    """
    import ctypes

    silent = ctypes.CFUNCTYPE(None, ctypes.c_char_p)(lambda file: None)
    with suppress(OSError, AttributeError):
        ctypes.CDLL("libasound.so.2").snd_lib_error_set_handler(silent)
    return silent


def _device() -> Device:
    import miniaudio  # looks for sound cards

    if sys.platform == "linux":
        _hush_alsa()
    device: Device = miniaudio.PlaybackDevice(
        output_format=miniaudio.SampleFormat.SIGNED16,
        nchannels=1,
        sample_rate=RATE,
        buffersize_msec=60,
        backends=[b for b in miniaudio.Backend if b is not miniaudio.Backend.NULL],
        app_name="Tabletop",
    )
    return device
