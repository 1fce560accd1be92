"""A class decorator that lets others derive from a compiled class."""

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from mypy_extensions import mypyc_attr as mypyc_attr
else:

    def mypyc_attr(**_: Any) -> Any:
        """Return a decorator that leaves a class unchanged where nothing is compiled."""
        return lambda derived: derived
