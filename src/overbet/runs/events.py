"""Event files for TensorBoard, by tensorboardX."""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path
from typing import Any

_FILE_VERSION = "brain.Event:2"


class EventLog:
    """An event file, begun anew and open until `close`. An `OSError` while writing closes it."""

    def __init__(self, path: Path, wall_time: float) -> None:
        from tensorboardX import RecordWriter
        from tensorboardX.proto.event_pb2 import Event

        self._event, self._file = Event, RecordWriter(str(path))
        self._write(Event(wall_time=wall_time, file_version=_FILE_VERSION))

    def add(self, wall_time: float, step: int, values: Mapping[str, float]) -> None:
        """Write scalars at a step; they are in the file after `flush`."""
        from tensorboardX.proto.summary_pb2 import Summary

        scalars = [Summary.Value(tag=tag, simple_value=value) for tag, value in values.items()]
        self._write(self._event(wall_time=wall_time, step=step, summary=Summary(value=scalars)))

    def flush(self) -> None:
        """Put what was added on disk."""
        try:
            self._file.flush()
        except OSError:
            self.close()
            raise

    def close(self) -> None:
        """Close the file."""
        with suppress(OSError):  # on a full disk closing writes once more, and fails once more
            self._file.close()

    def _write(self, event: Any) -> None:
        try:
            self._file.write(event.SerializeToString())
        except OSError:
            self.close()
            raise
