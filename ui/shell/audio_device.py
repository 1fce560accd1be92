"""miniaudio's audio device, whose `close` also ends the connection to the sound server.

miniaudio is slow to import, so load this module lazily.
"""

import sys
from contextlib import suppress
from functools import cache

import miniaudio
from miniaudio import lib

from ui.shell.sound_files import SAMPLE_RATE_HZ

BUFFER_SIZE_MS = 60
REAL_BACKENDS = tuple(each for each in miniaudio.Backend if each is not miniaudio.Backend.NULL)


class AudioDevice(miniaudio.PlaybackDevice):  # type: ignore[misc]  # the library has no types
    """An output device for mono sounds.

    miniaudio's own `close` leaves the device's context open: a client of the sound server, and five
    file descriptors. PulseAudio accepts 64 clients, of all programs together.
    """

    def __init__(self, backends: tuple[miniaudio.Backend, ...] = REAL_BACKENDS) -> None:
        """Open the default device of the first of `backends` that has one.

        Raises:
            MiniaudioError: no device can be opened.
        """
        if sys.platform == "linux":
            _silence_alsa()
        try:
            super().__init__(
                output_format=miniaudio.SampleFormat.SIGNED16,
                nchannels=1,
                sample_rate=SAMPLE_RATE_HZ,
                buffersize_msec=BUFFER_SIZE_MS,
                backends=list(backends),
                app_name="Tabletop",
            )
        except BaseException:
            self.close()
            raise

    def close(self) -> None:
        """Stop playing, and close the device and its connection to the sound server."""
        super().close()
        context = self.__dict__.pop("_context", None)
        if context is not None:
            lib.ma_context_uninit(context)


@cache
def _silence_alsa() -> object:
    """Silence alsa-lib's error messages on computers without a sound card.

    Returns the handler, which must live as long as the library.
    """
    import ctypes

    silent = ctypes.CFUNCTYPE(None, ctypes.c_char_p)(lambda file: None)
    with suppress(OSError, AttributeError):
        ctypes.CDLL("libasound.so.2").snd_lib_error_set_handler(silent)
    return silent
