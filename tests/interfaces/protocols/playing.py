"""Matches over real sockets: a dealer in this thread, a client of ours in a thread for each seat."""

from __future__ import annotations

import threading
from collections.abc import Sequence
from pathlib import Path

from overbet.agents.registry import make_agent
from overbet.interfaces.protocols.acpc.client import AcpcClient, ClientScore
from overbet.interfaces.protocols.acpc.dealer import AcpcDealer, DealerOptions, DealerPace, free_names
from overbet.interfaces.protocols.acpc.game_file import competition_game
from overbet.interfaces.protocols.acpc.match_log import MatchLog


def played_match(
    specs: Sequence[str], hands: int, log: Path | None = None, stack: int = 20_000, seed: int = 3
) -> tuple[DealerPace, list[ClientScore]]:
    """Play a match between agents of ours, and return what the dealer and what the clients counted."""
    game = competition_game(len(specs), stack)
    with MatchLog(log) as written:
        dealer = AcpcDealer(game, DealerOptions(free_names(len(specs)), hands, seed), written)
        clients = [AcpcClient(make_agent(spec), game, seed=place) for place, spec in enumerate(specs)]
        threads = [
            threading.Thread(target=client.play, args=("127.0.0.1", port), daemon=True)
            for client, port in zip(clients, dealer.ports, strict=True)
        ]
        for thread in threads:
            thread.start()
        result = dealer.run()
        for thread in threads:
            thread.join(300)
    return result, [client.score for client in clients]
