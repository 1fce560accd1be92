"""Plain-text help pages that list options and commands under headings."""

from collections.abc import Iterable
from typing import Any

from typer.core import TyperCommand, TyperGroup

from tabletop.commands.usage import UsageError

Rows = dict[str, list[tuple[str, str]]]
"""The names and help texts to list under each heading, in order."""


class HeadedCommand(TyperCommand):
    """A command whose help lists options under headings, followed by its epilog as examples."""

    def format_options(self, ctx: Any, formatter: Any) -> None:
        _write(formatter, _options(self, ctx))

    def format_epilog(self, ctx: Any, formatter: Any) -> None:
        _write_examples(formatter, self.epilog)


class HeadedGroup(TyperGroup):
    """A group of commands whose help lists them under headings.

    The error for a missing or unknown command says how to list the commands.
    """

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        if not args and not self.invoke_without_command:
            raise UsageError(f"Missing command: {_listing(ctx)}")
        return super().parse_args(ctx, args)

    def resolve_command(self, ctx: Any, args: list[str]) -> Any:
        try:
            return super().resolve_command(ctx, args)
        except UsageError as error:
            told = getattr(error, "message", str(error))
            if "Did you mean" in told:
                raise
            raise UsageError(f"{told} {_listing(ctx)}") from error

    def format_options(self, ctx: Any, formatter: Any) -> None:
        _write(formatter, _commands(self, ctx) | _options(self, ctx))

    def format_epilog(self, ctx: Any, formatter: Any) -> None:
        _write_examples(formatter, self.epilog)


def _listing(ctx: Any) -> str:
    return f"`{ctx.command_path} --help` lists them."


def _options(command: Any, ctx: Any) -> Rows:
    """Return the rows for arguments and options; those without their own heading come first."""
    rows: Rows = {"Arguments": [], "Options": []}
    for param in command.get_params(ctx):
        if (record := param.get_help_record(ctx)) is not None:
            usual = "Arguments" if param.param_type_name == "argument" else "Options"
            rows.setdefault(getattr(param, "rich_help_panel", None) or usual, []).append(record)
    return rows


def _commands(group: Any, ctx: Any) -> Rows:
    rows: Rows = {}
    for name in group.list_commands(ctx):
        command = group.get_command(ctx, name)
        heading = getattr(command, "rich_help_panel", None) or "Commands"
        rows.setdefault(heading, []).append((name, command.get_short_help_str(100)))
    return rows


def _write(formatter: Any, rows: Rows) -> None:
    for heading, entries in rows.items():
        if entries:
            with formatter.section(heading):
                formatter.write_dl(entries)


def _write_examples(formatter: Any, epilog: str | None) -> None:
    if epilog:
        with formatter.section("Examples"):
            formatter.write(epilog)


def examples(lines: Iterable[str]) -> str:
    """Return an epilog that lists the command lines `lines`."""
    return "".join(f"  tabletop {line}".rstrip() + "\n" for line in lines)
