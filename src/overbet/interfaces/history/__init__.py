"""Hand histories: reading, replaying and writing records of hands in the PHH format."""
