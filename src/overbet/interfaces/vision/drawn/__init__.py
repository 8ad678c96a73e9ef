"""Tables drawn by us: pictures whose truth is known, for training and for tests."""
