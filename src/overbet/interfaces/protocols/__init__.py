"""Doors for other programs: ACPC over TCP, hands over HTTP, UPI over stdin and stdout."""
