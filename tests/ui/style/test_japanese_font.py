"""The font that comes with a package of somebody else's is the one that was looked at."""

from hashlib import sha256

import noto_cjk
import pytest

from ui.style.qt_requirements import FONT_STYLES

SEEN = {
    "regular": "68a3fc98800b2a27b371f2fb79991daf3633bd89309d4ffaa6946fd587f375b5",
    "bold": "e53dcb0dcb2922e45d01aae1ebd2f382bb81d4229b18b6b883bd170678af1f76",
}
"""SHA-256 of each style's file."""


@pytest.mark.parametrize("style", FONT_STYLES)
def test_the_font_is_the_one_that_was_looked_at(style: str) -> None:
    font = noto_cjk.font_path("sans", "jp", style).read_bytes()
    assert sha256(font).hexdigest() == SEEN[style]
