"""The MCP server on standard input and output, by the official SDK (`pip install mcp`).

What is written to standard output is the protocol and nothing else: the SDK points it elsewhere while it
serves. An error that a client can put right is one line; what cannot be read is answered as the protocol
says, or dropped.
"""

from __future__ import annotations

from typing import Any

from overbet._version import __version__
from overbet.errors import ConfigError, OverbetError, short
from overbet.interfaces.mcp.limits import ToolLimits
from overbet.interfaces.mcp.tools import StudyTools

_INSTRUCTIONS = (
    "Overbet solves, searches and measures no-limit hold'em: a study tool, for use away from the table. "
    "Amounts are chips unless a name says bb. Say how exploitable a solution is when you quote it."
)
_LONGEST = 2_000  # characters of an error


def study_server(limits: ToolLimits) -> Any:
    """Return the `mcp.server.MCPServer` with the tools; `run("stdio")` serves."""
    try:
        from mcp.server import MCPServer
        from mcp.server.mcpserver.exceptions import ToolError, UnexpectedToolError
        from mcp_types import ToolAnnotations
    except ImportError as error:
        raise ConfigError("the MCP server needs the package mcp: pip install 'overbet[mcp]'") from error

    class StudyServer(MCPServer[Any]):
        """Errors in one line."""

        async def call_tool(self, name: str, arguments: dict[str, Any], context: Any = None) -> Any:
            try:
                return await super().call_tool(name, arguments, context)
            except UnexpectedToolError:
                raise  # a fault of ours: told without its text, and logged
            except ToolError as error:
                raise ToolError(_one_line(name, error)) from error.__cause__

    tools = StudyTools(limits)
    server = StudyServer(
        "overbet", title="Overbet", instructions=_INSTRUCTIONS, version=__version__, log_level="WARNING"
    )
    for tool in tools.all():
        writes = tool.__name__ == "save"
        server.tool(
            annotations=ToolAnnotations(
                read_only_hint=not writes,
                destructive_hint=False,
                idempotent_hint=False,
                open_world_hint=False,
            )
        )(_told(tool, ToolError))
    return server


def _told(tool: Any, error_kind: Any) -> Any:
    """Return a tool whose errors a user can put right are told, and not taken for a fault of ours."""
    from functools import wraps

    @wraps(tool)
    def called(*given: Any, **named: Any) -> Any:
        try:
            return tool(*given, **named)
        except OverbetError as error:
            raise error_kind(short(error, _LONGEST)) from error
        except MemoryError as error:
            raise error_kind("there is not enough memory for this; ask for less") from error

    return called


def _one_line(name: str, error: Exception) -> str:
    """Return an error of a call in one line: of arguments the first fault and where it is."""
    cause = error.__cause__
    faults = getattr(cause, "errors", None)
    if callable(faults):
        first = faults(include_url=False, include_input=False)[0]
        where = ".".join(str(part) for part in first["loc"]) or "arguments"
        return short(f"{name}: {where}: {first['msg']}", _LONGEST)
    return short(str(error).removeprefix(f"Error executing tool {name}: "), _LONGEST)
