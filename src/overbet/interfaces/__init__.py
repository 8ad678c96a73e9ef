"""What people and programs use: the command line, the page and its API, hand histories, protocols."""

from __future__ import annotations

from typing import TYPE_CHECKING

from overbet.lazy import lazy

if TYPE_CHECKING:
    from overbet.interfaces.history.blocks import read_in_parallel as read_in_parallel
    from overbet.interfaces.history.phh_writer import record_of as record_of
    from overbet.interfaces.history.phh_writer import write_hand as write_hand
    from overbet.interfaces.history.phh_writer import write_hands as write_hands
    from overbet.interfaces.history.played import read_played as read_played
    from overbet.interfaces.history.played_hand import PlayedHand as PlayedHand
    from overbet.interfaces.history.record import HandFault as HandFault
    from overbet.interfaces.history.record import HandRecord as HandRecord
    from overbet.interfaces.history.replay import Replay as Replay
    from overbet.interfaces.history.replay import replay as replay
    from overbet.interfaces.history.replay import replay_all as replay_all
    from overbet.interfaces.history.replay import states as states
    from overbet.interfaces.history.replay import try_replay as try_replay
    from overbet.interfaces.history.sources import read_hands as read_hands
    from overbet.interfaces.protocols.acpc.client import AcpcClient as AcpcClient
    from overbet.interfaces.protocols.acpc.dealer import AcpcDealer as AcpcDealer
    from overbet.interfaces.protocols.acpc.dealer import DealerOptions as DealerOptions
    from overbet.interfaces.protocols.acpc.game_file import acpc_game_text as acpc_game_text
    from overbet.interfaces.protocols.acpc.game_file import read_acpc_game as read_acpc_game
    from overbet.interfaces.protocols.acpc.match_log import MatchLog as MatchLog
    from overbet.interfaces.protocols.bridge.client import BridgeClient as BridgeClient
    from overbet.interfaces.protocols.bridge.server import serve_bridge as serve_bridge
    from overbet.interfaces.protocols.bridge.tables import BridgeTables as BridgeTables
    from overbet.interfaces.protocols.upi.session import UpiSession as UpiSession
else:
    _TABLE = {
        "overbet.interfaces.history.blocks": ("read_in_parallel",),
        "overbet.interfaces.history.phh_writer": (
            "record_of",
            "write_hand",
            "write_hands",
        ),
        "overbet.interfaces.history.played": ("read_played",),
        "overbet.interfaces.history.played_hand": ("PlayedHand",),
        "overbet.interfaces.history.record": ("HandFault", "HandRecord"),
        "overbet.interfaces.history.replay": (
            "Replay",
            "replay",
            "replay_all",
            "states",
            "try_replay",
        ),
        "overbet.interfaces.history.sources": ("read_hands",),
        "overbet.interfaces.protocols.acpc.client": ("AcpcClient",),
        "overbet.interfaces.protocols.acpc.dealer": ("AcpcDealer", "DealerOptions"),
        "overbet.interfaces.protocols.acpc.game_file": ("acpc_game_text", "read_acpc_game"),
        "overbet.interfaces.protocols.acpc.match_log": ("MatchLog",),
        "overbet.interfaces.protocols.bridge.client": ("BridgeClient",),
        "overbet.interfaces.protocols.bridge.server": ("serve_bridge",),
        "overbet.interfaces.protocols.bridge.tables": ("BridgeTables",),
        "overbet.interfaces.protocols.upi.session": ("UpiSession",),
    }
    __getattr__, __dir__, __all__ = lazy(__name__, _TABLE)
