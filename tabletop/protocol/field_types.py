"""Field types of messages: limited strings, seat numbers and viewers."""

from typing import Annotated

from msgspec import Meta

from tabletop.engine.model import AUDIENCE

MAX_SEATS = 16

Short = Annotated[str, Meta(max_length=80)]
Secret = Annotated[str, Meta(max_length=100)]
"""A token, a digest or a share of the seed."""
SeatNumber = Annotated[int, Meta(ge=0, lt=MAX_SEATS)]
Viewer = Annotated[int, Meta(ge=AUDIENCE, lt=MAX_SEATS)]
"""A seat number, or `AUDIENCE`."""
