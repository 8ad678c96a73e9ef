"""Who is told what is compiled and waited for; apart from the compiler, which takes long to load."""

from __future__ import annotations

from collections.abc import Callable

told: list[Callable[[str], None]] = []  # each is called with the name of a kernel before it is compiled
told_of_waiting: list[Callable[[str], None]] = []  # and before another process is waited for that compiles it
