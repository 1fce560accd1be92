"""Runs before PyInstaller's bootstrap: both programs of Windows import from one file of modules.

Otherwise each program would carry a copy of its own, 20 MiB.
"""

import sys

sys._pyinstaller_pyz = f"{sys._MEIPASS}\\modules.pyz"  # type: ignore[attr-defined]
