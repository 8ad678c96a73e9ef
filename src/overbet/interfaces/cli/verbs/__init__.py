"""The verbs. Every module here has `register(app)`, which adds its command; heavy imports wait for use."""
