"""No error leaves a method that Qt calls.

Under Python 3.11, PySide6 6.11 crashes when an error leaves an override during a call from Python:
it takes an exception that Python has not made yet for a made one. Under any Python it raises such
an error in the middle of the caller, which asked Qt for something else
(docs/decisions/qt-overrides.md).
"""

import sys
from collections.abc import Callable, Iterator
from functools import wraps
from types import FunctionType
from typing import Any

from shiboken6 import Object


def contain_errors() -> None:
    """Have every class that derives from one of Qt's contain the errors of its overrides."""
    setattr(Object, "__init_subclass__", classmethod(_contain))  # noqa: B010


def _contain(made: type[Object], /, **named: Any) -> None:
    super(Object, made).__init_subclass__(**named)
    for name, method in list(_methods_qt_calls(made)):
        setattr(made, name, contain_method(method))


def _methods_qt_calls(made: type) -> Iterator[tuple[str, Callable[..., Any]]]:
    """The methods of a new class that Qt calls in place of its own."""
    bases = [base for base in made.__mro__ if base.__module__.startswith("PySide6.")]
    for name, method in vars(made).items():
        inherited = not name.startswith("__") and any(name in vars(base) for base in bases)
        if inherited and isinstance(method, FunctionType):
            yield name, method


def contain_method(method: Callable[..., Any]) -> Callable[..., Any]:
    """The method with its errors reported as uncaught ones; Qt has its usual answer then."""

    @wraps(method)
    def call(*given: Any, **named: Any) -> Any:
        try:
            return method(*given, **named)
        except Exception:  # whatever the error is, Qt has no use for it
            sys.excepthook(*sys.exc_info())
            return None

    return call
