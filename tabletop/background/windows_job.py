"""Limits on the current process, set with a Windows job object."""

import ctypes
from ctypes import wintypes

EXTENDED_LIMIT_INFORMATION = 9
PROCESS_TIME = 0x2
PROCESS_MEMORY = 0x100
DIE_ON_EXCEPTION = 0x400
TICKS_PER_S = 10_000_000


class _BasicLimits(ctypes.Structure):
    _fields_ = (
        ("PerProcessUserTimeLimit", ctypes.c_int64),
        ("PerJobUserTimeLimit", ctypes.c_int64),
        ("LimitFlags", wintypes.DWORD),
        ("MinimumWorkingSetSize", ctypes.c_size_t),
        ("MaximumWorkingSetSize", ctypes.c_size_t),
        ("ActiveProcessLimit", wintypes.DWORD),
        ("Affinity", ctypes.c_size_t),
        ("PriorityClass", wintypes.DWORD),
        ("SchedulingClass", wintypes.DWORD),
    )


class _ExtendedLimits(ctypes.Structure):
    _fields_ = (
        ("BasicLimitInformation", _BasicLimits),
        ("IoInfo", ctypes.c_uint64 * 6),
        ("ProcessMemoryLimit", ctypes.c_size_t),
        ("JobMemoryLimit", ctypes.c_size_t),
        ("PeakProcessMemoryUsed", ctypes.c_size_t),
        ("PeakJobMemoryUsed", ctypes.c_size_t),
    )


def limit_process(memory: int, cpu: float) -> None:
    """Limit this process to `memory` bytes and `cpu` seconds, and suppress crash dialogs.

    Raises:
        OSError: Windows refuses.
    """
    kernel = ctypes.WinDLL("kernel32", use_last_error=True)  # type: ignore[attr-defined,unused-ignore]
    kernel.CreateJobObjectW.restype = wintypes.HANDLE
    kernel.CreateJobObjectW.argtypes = (ctypes.c_void_p, wintypes.LPCWSTR)
    kernel.SetInformationJobObject.argtypes = (
        wintypes.HANDLE,
        ctypes.c_int,
        ctypes.c_void_p,
        wintypes.DWORD,
    )
    kernel.AssignProcessToJobObject.argtypes = (wintypes.HANDLE, wintypes.HANDLE)
    kernel.GetCurrentProcess.restype = wintypes.HANDLE
    limits = _ExtendedLimits()
    limits.BasicLimitInformation.LimitFlags = PROCESS_TIME | PROCESS_MEMORY | DIE_ON_EXCEPTION
    limits.BasicLimitInformation.PerProcessUserTimeLimit = int(cpu * TICKS_PER_S)
    limits.ProcessMemoryLimit = memory
    job = kernel.CreateJobObjectW(None, None)  # stays open: its limits end with the process
    if not (
        job
        and kernel.SetInformationJobObject(
            job, EXTENDED_LIMIT_INFORMATION, ctypes.byref(limits), ctypes.sizeof(limits)
        )
        and kernel.AssignProcessToJobObject(job, kernel.GetCurrentProcess())
    ):
        raise OSError("Windows sets no limits on this process")
