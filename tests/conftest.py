"""What every test run agrees on: no window opens, nobody's home is touched, chance repeats."""

import os
import tempfile

from hypothesis import HealthCheck, settings

os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")

_home = tempfile.TemporaryDirectory(prefix="tabletop-tests-")
os.environ["TABLETOP_HOME"] = _home.name

# "steady" repeats the same examples in every run; `--hypothesis-profile=search` looks for new ones.
_slow = [HealthCheck.too_slow, HealthCheck.data_too_large]
settings.register_profile(
    "steady",
    derandomize=True,
    deadline=None,
    database=None,
    max_examples=30,
    suppress_health_check=_slow,
)
settings.register_profile("search", deadline=None, max_examples=600, suppress_health_check=_slow)
settings.load_profile("steady")
