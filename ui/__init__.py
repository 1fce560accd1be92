"""The window and everything it shows.

Qt splits the painting of larger shapes and images among worker threads. Items on a table are small,
so the hand-over takes longer than the painting; this package makes Qt paint in the calling thread
(docs/decisions/start.md).
"""

import os

from ui.shell.plain_imports import restore_imports
from ui.shell.qt_overrides import contain_errors

restore_imports()
contain_errors()
os.environ.setdefault("QT_NO_GUI_THREADPOOL", "1")
