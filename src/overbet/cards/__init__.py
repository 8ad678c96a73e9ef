"""Cards, combos, ranges, hand ranks, suit isomorphism and equity."""
