"""Deprecated API names that game folders may still import, kept for one release after a rename."""

import warnings
from collections.abc import Callable, Mapping


def resolve_deprecated(module: str, renamed: Mapping[str, object]) -> Callable[[str], object]:
    """Return a module-level `__getattr__` that resolves deprecated names with a
    `DeprecationWarning`.

    `renamed` maps each deprecated name to the object it stands for.
    """

    def resolve(name: str) -> object:
        if name not in renamed:
            raise AttributeError(f"module {module!r} has no attribute {name!r}")
        value = renamed[name]
        present = f"{getattr(value, '__module__', module)}.{getattr(value, '__name__', name)}"
        warnings.warn(f"{module}.{name} is now {present}", DeprecationWarning, stacklevel=3)
        return value

    return resolve
