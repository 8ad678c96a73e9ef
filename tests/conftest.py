"""What every test may rely on."""

import signal


def pytest_configure() -> None:
    """Make Ctrl-C arrive: a run started in the background by a shell inherits SIGINT as ignored."""
    signal.signal(signal.SIGINT, signal.default_int_handler)
