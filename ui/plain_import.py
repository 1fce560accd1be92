"""Imports as Python does them: to be imported after PySide6, before all that shows something.

PySide6 puts a function of its own in the place of Python's `import`, for modules that want Qt's
names spelled otherwise. To find those it reads the source of every module that is loaded from then
on, and keeps it. Nothing here wants any of that, and the window stands sooner without it.
"""

import builtins

builtins.__import__ = getattr(builtins, "__orig_import__", builtins.__import__)
