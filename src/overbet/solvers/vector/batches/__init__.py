"""One spot on many boards, and sets of flops that stand for all of them."""
