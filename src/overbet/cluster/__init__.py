"""Work units on a Ray cluster: `connect` to one, hand a `Crew` units, take results as they come.

Nothing here knows what a unit is. Ray is imported when a cluster is asked for, and nowhere else.
"""

from __future__ import annotations

from overbet.cluster.connection import Cluster, connect
from overbet.cluster.crew import Crew, Shared

__all__ = ["Cluster", "Crew", "Shared", "connect"]
