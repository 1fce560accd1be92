"""What is wrong with the arguments of a command."""

import typer

UsageError: type[Exception] = typer.BadParameter.__mro__[1]
"""Whatever is wrong with the arguments; typer has it from click or, newer, brings its own."""
