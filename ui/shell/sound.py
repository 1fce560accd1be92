"""The program's short sounds, one at a time: loud, soft, or none at all where nothing can play
them."""

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
"""The kinds of sounds that can be turned off."""
URGENCY: dict[SoundName, int] = {
    **dict.fromkeys(("take", "lay", "flip", "step"), 0),
    **dict.fromkeys(("shuffle", "dice"), 1),
    **dict.fromkeys(("hit", "loss"), 2),
    **dict.fromkeys(("turn", "win"), 3),
    "refuse": 4,
}
WAITS = 2
"""The urgency from which on a sound waits for the one that plays; a less urgent one is left out."""
SOFTLY = 10 ** (-9 / 20)
"""The share of the volume for what somebody else moves: 9 dB less."""
PITCHES = (1.0, 0.96, 1.04)
"""The pitches of cards and pieces, in turn: no two in a row sound alike."""
FADE = RATE // 200
"""Samples in which a sound that is cut off fades."""
REST = 3.0
"""Seconds without a new sound after which the device is closed, longer than any sound lasts: an
open device keeps the sound card awake."""
USUAL = SoundSet()

Mix = Generator[Samples, int, None]


class Device(Protocol):
    """An output device that plays what a mix gives it."""

    def start(self, mix: Mix) -> None: ...
    def close(self) -> None: ...


class Sounds:
    """Plays sounds. The first one opens the device; without one it stays silent.

    A thread of its own holds the device: a sound server that does not answer must not hold up the
    table.
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
        """The volume of sounds from now on, 0 for none; sounds of the kinds `off` stay silent."""
        self._volume = percent / 100
        self._off = frozenset(name for kind in off for name in KINDS.get(kind, ()))

    def play(self, name: SoundName, sounds: SoundSet = USUAL, softly: bool = False) -> None:
        """Play a sound; nothing happens where it cannot be played. `softly`: a noise of cards or
        pieces that somebody else makes; what has something to say is never soft."""
        if not self._volume or self._closed or name in self._off:
            return
        urgency = URGENCY[name]
        samples = _pitched(sounds, name, 1.0 if urgency else next(self._pitches))
        volume = self._volume * (SOFTLY if softly and urgency < WAITS else 1.0)
        self._wanted.put(Voice(samples, volume, urgency))
        if self._thread is None or not self._thread.is_alive():  # a fault has ended the last thread
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
    """A sound that is being played, as far as it has come."""

    def __init__(self, samples: Samples, volume: float, urgency: int = 0) -> None:
        self.samples = samples
        self.urgency = urgency
        self._volume = volume
        self._at = 0

    @property
    def over(self) -> bool:
        return self._at >= len(self.samples)

    def take(self, count: int) -> Samples:
        """Its next samples, this many, or fewer at its end."""
        part = self.samples[self._at : self._at + count]
        self._at += count
        return array("h", (int(sample * self._volume) for sample in part))

    def cut(self) -> Samples:
        """Its next samples fading away, where it is cut off."""
        part = self.take(FADE)
        return array("h", (int(s * (1 - n / FADE)) for n, s in enumerate(part)))


class PlayQueue:
    """The sound that plays, and the one that waits for its end: never two at once.

    A more urgent sound cuts the present one off. Any other waits if it has something to say, the
    most urgent and latest alone; of the noises of cards those that come meanwhile are left out.
    """

    def __init__(self) -> None:
        self._lock = Lock()
        self._now: Voice | None = None
        self._next: Voice | None = None
        self._fading: Samples = array("h")

    def add(self, voice: Voice) -> None:
        """Play a sound now or later, or leave it out."""
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
        """The next samples, this many; silence where nothing plays."""
        with self._lock:
            taken, self._fading = self._fading[:count], self._fading[count:]
            while len(taken) < count and self._now is not None:
                taken += self._now.take(count - len(taken))
                if self._now.over:
                    self._now, self._next = self._next, None
            return taken + array("h", bytes(2 * (count - len(taken))))

    def mix(self) -> Mix:
        """Give as many samples as are asked for, in the device's own thread."""
        count = yield array("h")
        while True:
            count = yield self.take(count)


@lru_cache(maxsize=128)
def _pitched(sounds: SoundSet, name: SoundName, pitch: float) -> Samples:
    """Return a sound that much higher, and shorter by as much."""
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
    """Keep alsa-lib from writing some thirty lines to standard error where no sound card is. Return
    what takes them instead: it must last as long as the library, so it is kept."""
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
