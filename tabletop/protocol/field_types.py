"""Types of message fields: texts of limited length, seat numbers."""

from typing import Annotated

from msgspec import Meta

from tabletop.engine.model import AUDIENCE

MAX_SEATS = 16

Short = Annotated[str, Meta(max_length=80)]
Secret = Annotated[str, Meta(max_length=100)]
"""A token, a digest or a share of the seed: text nobody can guess."""
SeatNumber = Annotated[int, Meta(ge=0, lt=MAX_SEATS)]
Viewer = Annotated[int, Meta(ge=AUDIENCE, lt=MAX_SEATS)]
