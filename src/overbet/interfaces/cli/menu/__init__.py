"""The menu that `overbet` opens in a terminal: questions that end in a command, which is printed and run."""
