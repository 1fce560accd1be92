"""The window, and all that it shows.

Qt hands a shape or a picture of more than some sixty lines to threads of its own, part by part.
What lies on a table is small: handing it over takes longer than painting it, so Qt paints all of it
where it is asked to (docs/decisions/start.md).
"""

import os

os.environ.setdefault("QT_NO_GUI_THREADPOOL", "1")
