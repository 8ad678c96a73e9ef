"""Long work of the page: the queue, its worker process, compiling beside the server."""
