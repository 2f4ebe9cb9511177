"""The errors of the command, and their messages as one line."""

from __future__ import annotations


class UsageError(Exception):
    """The command is wrong, or cannot be carried out as it was given."""


class Unwritable(Exception):
    """An output cannot be written. The job ends."""


def sentence(error: BaseException) -> str:
    """Returns the message of an error as one line."""
    text = str(error.args[0]) if isinstance(error, KeyError) and error.args else str(error)
    # obstore appends its debug text to the message.
    text = text.partition("\n\nDebug source:")[0]
    return " ".join(text.split()) or type(error).__name__
