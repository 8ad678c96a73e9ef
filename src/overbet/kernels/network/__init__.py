"""What a network sees of a hand of hold'em, and what it says, in kernels."""
