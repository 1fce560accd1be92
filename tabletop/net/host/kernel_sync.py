"""Files are made safe on the disk while the host goes on: Linux's asynchronous I/O (libaio).

Python has no call for it. Each file is handed over by one system call and nothing waits for it in
Python, no thread and no lock; an event descriptor then wakes the loop. What many tables hand over
meanwhile goes down with one commit of the file system's journal (group commit).
"""

import ctypes
import logging
import os
import platform
import sys
from asyncio import AbstractEventLoop
from collections.abc import Callable
from contextlib import suppress
from itertools import count

log = logging.getLogger("tabletop.net")

SETUP, DESTROY, SUBMIT, GETEVENTS = range(4)
NUMBERS = {"x86_64": (206, 207, 209, 208), "aarch64": (0, 1, 2, 4)}
"""The numbers of io_setup, io_destroy, io_submit and io_getevents in the kernel's tables."""
FDSYNC = 3
"""IOCB_CMD_FDSYNC of linux/aio_abi.h: data, and what it takes to find it again."""
NOTIFY = 1
"""IOCB_FLAG_RESFD."""
MOST = 256
"""Files under way at once; the kernel has 65,536 places for all programs together."""

Done = Callable[[int], None]
"""Hears how it went: 0, or the system's number of the error."""


class _Control(ctypes.Structure):
    """struct iocb of linux/aio_abi.h, on machines that put the low byte first."""

    _fields_ = (
        ("data", ctypes.c_uint64),
        ("key", ctypes.c_uint32),
        ("rw_flags", ctypes.c_int32),
        ("opcode", ctypes.c_uint16),
        ("priority", ctypes.c_int16),
        ("file", ctypes.c_uint32),
        ("buffer", ctypes.c_uint64),
        ("size", ctypes.c_uint64),
        ("offset", ctypes.c_int64),
        ("reserved", ctypes.c_uint64),
        ("flags", ctypes.c_uint32),
        ("notified", ctypes.c_uint32),
    )


class _Completion(ctypes.Structure):
    """struct io_event of linux/aio_abi.h."""

    _fields_ = (
        ("data", ctypes.c_uint64),
        ("control", ctypes.c_uint64),
        ("result", ctypes.c_int64),
        ("result2", ctypes.c_int64),
    )


class _Timeout(ctypes.Structure):
    _fields_ = (("seconds", ctypes.c_long), ("nanoseconds", ctypes.c_long))


class KernelSync:
    """Of one loop. Its methods are for the loop's thread, but for `close`."""

    def __init__(self, loop: AbstractEventLoop) -> None:
        """Raises OSError where the system has none of it, or no place left."""
        if sys.platform != "linux" or platform.machine() not in NUMBERS:
            raise OSError("no asynchronous I/O is known of this system")
        self._numbers = NUMBERS[platform.machine()]
        self._call = ctypes.CDLL(None, use_errno=True).syscall
        self._context = ctypes.c_ulong(0)
        self._system(SETUP, ctypes.c_uint(MOST), ctypes.byref(self._context))
        self._loop = loop
        self._event = os.eventfd(0, os.EFD_NONBLOCK | os.EFD_CLOEXEC)
        self._control = _Control(opcode=FDSYNC, flags=NOTIFY, notified=self._event)
        self._controls = (ctypes.c_void_p * 1)(ctypes.addressof(self._control))
        self._submitted = (self._context, ctypes.c_long(1), self._controls)
        self._completions = (_Completion * MOST)()
        self._reaped = (
            *(self._context, ctypes.c_long(0), ctypes.c_long(MOST), self._completions),
            ctypes.byref(_Timeout()),
        )
        self._numbered = count(1)
        self._under_way: dict[int, Done] = {}
        loop.add_reader(self._event, self._reap)

    def begin(self, file: int, done: Done) -> bool:
        """Have all that was written to this open file made safe; `done` hears of it in the loop.
        False where the system takes no more now: `done` hears nothing then."""
        if len(self._under_way) >= MOST:
            return False
        control, number = self._control, next(self._numbered)
        control.data, control.file = number, file  # the kernel copies it
        try:
            self._system(SUBMIT, *self._submitted)
        except OSError:
            return False
        self._under_way[number] = done
        return True

    def close(self) -> None:
        """Come back once everything begun is safe. From any thread, once."""
        with suppress(OSError):
            self._system(DESTROY, self._context)
        with suppress(RuntimeError):  # the loop has ended
            self._loop.call_soon_threadsafe(self._let_go)

    def _let_go(self) -> None:
        self._loop.remove_reader(self._event)
        os.close(self._event)

    def _reap(self) -> None:
        with suppress(BlockingIOError):
            os.eventfd_read(self._event)
        try:
            found = self._system(GETEVENTS, *self._reaped)
        except OSError:  # it was closed meanwhile
            return
        told = [(one.data, one.result) for one in self._completions[:found]]
        for number, result in told:
            try:
                self._under_way.pop(number)(int(-result))
            except Exception:  # a mistake at one table keeps no other one waiting
                log.exception("not told of file=%d", number)

    def _system(self, which: int, *values: object) -> int:
        found = int(self._call(ctypes.c_long(self._numbers[which]), *values))
        if found < 0:
            number = ctypes.get_errno()
            raise OSError(number, os.strerror(number))
        return found
