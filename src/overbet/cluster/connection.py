"""Connecting to a Ray cluster that runs already, and looking whether its nodes can do our work.

    with connect("auto") as cluster:
        crew = cluster.crew(maker, material)
        for number, result in crew.map(units): ...

Nothing is sent anywhere but between the nodes: usage statistics are off, and no dashboard is started.
"""

from __future__ import annotations

import logging
import os
import re
import signal
import socket
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from types import TracebackType
from typing import Any, Self, TypeVar

from overbet.cluster.crew import Crew, Shared
from overbet.cluster.stamp import NodeStamp, own_stamp
from overbet.errors import ConfigError, short

Given = TypeVar("Given")
Unit = TypeVar("Unit")
Result = TypeVar("Result")

_ADDRESS = re.compile(r"^(?P<host>[A-Za-z0-9_.-]+|\[[0-9a-fA-F:]+\]):(?P<port>\d{1,5})$")
_HOW = "start one with: ray start --head --include-dashboard=false --disable-usage-stats"
_REACH_SECONDS = 5.0  # to answer a connection
_PROBE_SECONDS = 120.0  # for all nodes to say what they are: each starts a process for it


class Cluster:
    """A cluster this process is connected to; `close` leaves it as it was, with nothing of ours running."""

    def __init__(self, ray: Any, address: str) -> None:
        self._ray, self.address = ray, address

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    @property
    def nodes(self) -> int:
        """How many nodes are alive now."""
        return len(_alive(self._ray))

    @property
    def cores(self) -> int:
        """The cores of all nodes that are alive now, as they were told to Ray."""
        return max(1, sum(int(node["Resources"].get("CPU", 0)) for node in _alive(self._ray)))

    @property
    def most_cores(self) -> int:
        """The cores of the largest node: a unit runs on one node and cannot take more."""
        return max([1, *(int(node["Resources"].get("CPU", 0)) for node in _alive(self._ray))])

    def describe(self) -> str:
        """Return the cluster in one line."""
        nodes, cores = self.nodes, self.cores
        many = "s" if nodes != 1 else ""
        return f"cluster at {self.address}: {nodes} node{many}, {cores} core{'s' if cores != 1 else ''}"

    def crew(
        self, maker: Callable[[Given], Callable[[Unit], Result]], given: Given, cores: int = 1
    ) -> Crew[Unit, Result]:
        """Return workers that each call `maker(given)` once and then what it returned for every unit.

        cores: that a unit takes while it is worked on.
        """
        if cores > self.most_cores:
            raise ConfigError(
                f"a unit of this work takes {cores} cores and the largest node of the cluster has "
                f"{self.most_cores}; ask for fewer threads"
            )
        return Crew(self._ray, maker, given, cores, lambda: self.cores)

    def share(self, value: Any) -> Shared:
        """Put a value where units can fetch it; a node fetches it once."""
        return Shared(self._ray.put(value))

    def close(self) -> None:
        """Leave the cluster: workers of ours end."""
        if self._ray.is_initialized():
            self._ray.shutdown()


def connect(address: str) -> Cluster:
    """Connect to a cluster: `auto` for the one this machine is a node of, or HOST:PORT of its head.

    A cluster that is not there, and a node with another Python or another overbet, are refused in one line.
    """
    ray = _ray()
    if ray.is_initialized():
        raise ConfigError("this process is connected to a cluster already; close it first")
    if address != "auto":
        _check_reachable(address)
    try:
        with _own_signals():
            ray.init(
                address=address,
                log_to_driver=False,
                logging_level=logging.CRITICAL,
                configure_logging=True,
            )
    except (ConnectionError, RuntimeError, ValueError, OSError, AssertionError) as error:
        raise ConfigError(_why_not(address, error)) from error
    _silence()
    found = Cluster(ray, address if address != "auto" else ray.get_runtime_context().gcs_address)
    try:
        _check_nodes(ray)
    except BaseException:
        found.close()
        raise
    return found


def _ray() -> Any:
    os.environ["RAY_USAGE_STATS_ENABLED"] = "0"
    os.environ.setdefault("RAY_ACCEL_ENV_VAR_OVERRIDE_ON_ZERO", "0")  # of no use to us; without it Ray warns
    try:
        import ray
    except ImportError as error:
        raise ConfigError(
            "--cluster needs Ray, which is not installed: pip install 'overbet[cluster]'"
        ) from error
    return ray


def _silence() -> None:
    """Keep Ray's reports of lost workers off the standard output, where our results go; they are mended."""
    with suppress(ImportError):
        from ray._private import worker

        worker.print_to_stdstream = lambda *_, **__: None


def _check_reachable(address: str) -> None:
    """Refuse what is no address, or one where nobody answers: Ray itself would wait for a minute."""
    match = _ADDRESS.match(address)
    if match is None or not 0 < int(match["port"]) < 65536:
        raise ConfigError(
            f"--cluster {short(address)}: write auto, or HOST:PORT of the cluster's head such as "
            "192.168.1.10:6379"
        )
    try:
        socket.create_connection((match["host"].strip("[]"), int(match["port"])), _REACH_SECONDS).close()
    except OSError as error:
        raise ConfigError(f"there is no cluster at {address}: {error.strerror or error}; {_HOW}") from error


def _why_not(address: str, error: Exception) -> str:
    text = str(error)
    if "Version mismatch" in text:
        versions = re.findall(r"(Ray|Python): ?(\S+)", text)
        told = ", ".join(f"{name} {number}" for name, number in versions)
        return (
            f"the cluster at {address} runs another version ({told}: the cluster's first, then this "
            "process's); install the same Python and Ray on every machine"
        )
    if address == "auto" and isinstance(error, ConnectionError):
        return f"there is no cluster on this machine; {_HOW}, or give --cluster HOST:PORT"
    lines = [line.strip() for line in text.splitlines() if line.strip()]
    reason = short(lines[0] if lines else type(error).__name__, 200)
    return (
        f"cannot join the cluster at {address} ({reason}); run the command on a machine that is one of its "
        f"nodes: ray start --address={address}"
    )


@contextmanager
def _own_signals() -> Iterator[None]:
    """Keep our own handling of signals: Ray would put its own in the place of it."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    before = {number: signal.getsignal(number) for number in (signal.SIGTERM, signal.SIGINT)}
    try:
        yield
    finally:
        for number, handler in before.items():
            with suppress(TypeError):  # a handler that was not made by Python
                signal.signal(number, handler)


def _alive(ray: Any) -> list[dict[str, Any]]:
    return [node for node in ray.nodes() if node["Alive"]]


def _check_nodes(ray: Any) -> None:
    """Refuse a cluster where a node is not as we are: it could not promise the same result."""
    from ray.util.scheduling_strategies import NodeAffinitySchedulingStrategy

    def look() -> tuple[str, str, str]:  # travels as it is: a node may have no overbet, or an older one
        import platform

        python = ".".join(platform.python_version_tuple()[:2])
        try:
            from overbet.cluster.stamp import own_stamp
        except ImportError:
            try:
                from overbet._version import __version__
            except ImportError:
                return python, "", ""
            return python, __version__, "older"
        return tuple(own_stamp())  # type: ignore[return-value]

    probe = ray.remote(num_cpus=0, max_retries=2)(look)
    known: set[str] = set()
    until = time.monotonic() + _PROBE_SECONDS
    while missing := [node for node in _alive(ray) if node["NodeID"] not in known]:
        asked = {}
        for node in missing:
            there = NodeAffinitySchedulingStrategy(node["NodeID"], soft=False)
            asked[probe.options(scheduling_strategy=there).remote()] = node
        done, _ = ray.wait(list(asked), num_returns=len(asked), timeout=max(until - time.monotonic(), 0.0))
        for answer in done:
            node = asked[answer]
            try:
                found = NodeStamp(*ray.get(answer))
            except ray.exceptions.RayError:
                continue  # a node that was lost is listed for a while
            _check_stamp(node["NodeManagerAddress"], found)
            known.add(node["NodeID"])
        if time.monotonic() > until:
            where = ", ".join(node["NodeManagerAddress"] for node in missing)
            raise ConfigError(f"nodes of the cluster do not answer: {where}; end them there with: ray stop")
        if len(known) < len(_alive(ray)):
            time.sleep(0.5)


def _check_stamp(where: str, found: NodeStamp) -> None:
    own = own_stamp()
    if not found.overbet:
        raise ConfigError(f"node {where} of the cluster has no overbet; install it there: {own}")
    if found != own:
        raise ConfigError(
            f"node {where} of the cluster has {found} and this process has {own}; install the same on "
            "every machine"
        )
