"""The doors of the house: command line, page, protocols, histories."""
