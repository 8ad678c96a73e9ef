"""Reading the hand histories of poker sites: one small file a site, and what they share."""
