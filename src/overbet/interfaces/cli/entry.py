"""The process of the `overbet` command: what runs it, and how it ends.

At its end Python takes apart every module and object that was loaded, one by one, which takes a fifth of a
small command's time and changes nothing: the system takes back all of it at once.
"""

from __future__ import annotations

import atexit
import os
import sys
import threading
from typing import Any, NoReturn

# What Python's own end begins with: waiting for threads, and what was to be done at the end.
_wait_for_threads: Any = getattr(threading, "_shutdown", None)
_run_last_wishes: Any = getattr(atexit, "_run_exitfuncs", None)


def run() -> NoReturn:
    """Run the command line and end the process."""
    from overbet.interfaces.cli.app import main

    try:
        main()
    except SystemExit as leaving:
        leave(leaving.code)


def leave(code: Any) -> NoReturn:
    """End the process at once, after threads, last wishes and output; where it cannot be, as Python does."""
    watched = sys.getprofile() is not None or sys.gettrace() is not None  # they tell at Python's own end
    able = _wait_for_threads is not None and _run_last_wishes is not None
    if watched or not able or not (code is None or isinstance(code, int)):
        sys.exit(code)
    _wait_for_threads()
    _run_last_wishes()
    try:
        for stream in (sys.stdout, sys.stderr):
            if stream is not None:
                stream.flush()
    except (OSError, ValueError):  # a full disk, a closed stream: Python has its own code for it
        sys.exit(code)
    os._exit((code or 0) & 0xFF)
