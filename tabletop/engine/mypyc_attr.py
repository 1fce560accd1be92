"""A class decorator that allows interpreted subclasses of a compiled class."""

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from mypy_extensions import mypyc_attr as mypyc_attr
else:

    def mypyc_attr(**_: Any) -> Any:
        """Return a decorator that leaves the class unchanged, for uncompiled runs."""
        return lambda derived: derived
