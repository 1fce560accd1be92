"""Whether a file is its owner's alone, by modes or by Windows' access control."""

import sys
from pathlib import Path

if sys.platform == "win32":
    from ctypes import byref, c_void_p, c_wchar_p, create_string_buffer, windll

    def is_private(path: Path) -> bool:
        """Whether no other user of this computer can open a file."""
        descriptor, text = create_string_buffer(4096), c_wchar_p()
        assert windll.advapi32.GetFileSecurityW(str(path), 4, descriptor, 4096, byref(c_void_p()))
        assert windll.advapi32.ConvertSecurityDescriptorToStringSecurityDescriptorW(
            descriptor, 1, 4, byref(text), None
        )
        assert text.value is not None
        others = ("WD", "BU", "AU")  # everybody, users, authenticated users
        return not any(f";{each})" in text.value for each in others)

else:

    def is_private(path: Path) -> bool:
        """Whether no other user of this computer can open a file."""
        return path.stat().st_mode & 0o077 == 0
