"""The window and everything it shows.

Qt hands a shape or a picture of more than some sixty lines to threads of its own, part by part.
Items on a table are small: handing one over takes longer than painting it, so Qt paints all of them
where it is asked to (docs/decisions/start.md).
"""

import os

from ui.shell.plain_imports import restore_imports
from ui.shell.qt_overrides import contain_errors

restore_imports()
contain_errors()
os.environ.setdefault("QT_NO_GUI_THREADPOOL", "1")
