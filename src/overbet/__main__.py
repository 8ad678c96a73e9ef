"""`python -m overbet` is the `overbet` command."""

from overbet.interfaces.cli.app import main

if __name__ == "__main__":
    main()
