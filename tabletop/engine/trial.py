"""Deprecated name of `tabletop.engine.dry_run`, for game folders that still import it."""

from tabletop.engine import dry_run
from tabletop.engine.deprecated_names import resolve_deprecated

__getattr__ = resolve_deprecated(
    __name__, {"tried": dry_run.tried, "TriedTable": dry_run.DryRunTable}
)
