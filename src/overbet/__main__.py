"""`python -m overbet` is the `overbet` command."""

from overbet.interfaces.cli.entry import run

if __name__ == "__main__":
    run()
