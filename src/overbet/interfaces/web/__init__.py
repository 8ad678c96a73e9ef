"""The page: a FastAPI back-end over the Python API, and the built front-end in `static/`."""
