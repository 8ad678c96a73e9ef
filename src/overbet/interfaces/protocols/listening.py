"""Where a server of ours listens: 127.0.0.1, unless somebody asks for more and is warned."""

from __future__ import annotations

import ipaddress
import socket

from overbet.errors import ConfigError, quoted

HOME = "127.0.0.1"
_MOST_PORT = 65_535


def checked_address(address: str) -> str:
    """Return an IPv4 address to listen on; names are refused, since they may mean more than one."""
    try:
        return str(ipaddress.IPv4Address(address))
    except ValueError:
        raise ConfigError(
            f"{quoted(address)} is not an address to listen on; write {HOME}, or 0.0.0.0 for every network"
        ) from None


def warning_of(address: str) -> str:
    """Return what to tell somebody who listens beyond this machine; empty for this machine alone."""
    if ipaddress.IPv4Address(address).is_loopback:
        return ""
    return (
        f"listening on {address}: whoever reaches this port can play and see what is played; there is no "
        f"password and nothing is encrypted (without --listen it is {HOME} alone)"
    )


def listen(address: str, port: int) -> socket.socket:
    """Return a socket that listens; port 0 takes a free one."""
    if not 0 <= port <= _MOST_PORT:
        raise ConfigError(f"{port} is not a port; ports are 1 to {_MOST_PORT}, and 0 takes a free one")
    found = socket.socket(socket.AF_INET, socket.SOCK_STREAM, socket.IPPROTO_TCP)
    found.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        found.bind((address, port))
        found.listen()
    except OSError as error:
        found.close()
        raise ConfigError(
            f"cannot listen on {address} port {port} ({error.strerror}); name another port, or 0 for any"
        ) from error
    return found
