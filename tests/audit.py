"""`make audit`: are there known vulnerabilities in the pinned dependencies? Not knowing is a failure too.

pip-audit passes over packages that its service does not know, and that is what it sees when the service
cannot be reached. So what it could not look up is counted here, and said.
"""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

PINNED = Path(__file__).resolve().parents[1] / "constraints.txt"


def verdict(text: str, complaint: str) -> tuple[int, list[str]]:
    """Return the exit code and the lines to print for pip-audit's JSON and its error stream."""
    try:
        found: list[dict[str, Any]] = json.loads(text)["dependencies"]
    except (ValueError, KeyError, TypeError):
        said = (complaint.strip().splitlines() or ["it said nothing"])[-1][:300]
        return 2, [f"the audit could not be done, so nothing is known: {said}"]
    lost = [package["name"] for package in found if "skip_reason" in package]
    if lost or not found:
        return 2, [
            f"the audit could not be done: {len(lost)} of {len(found)} pinned packages were not found by "
            f"the service ({', '.join(lost[:3])}, ...); is PyPI's JSON service reachable from here?"
        ]
    lines = [
        f"{package['name']} {package['version']}: {flaw['id']}, mended in {_versions(flaw['fix_versions'])}"
        for package in found
        for flaw in package["vulns"]
    ]
    if lines:
        return 1, lines
    return 0, [f"{len(found)} pinned packages, none with a known vulnerability"]


def _versions(numbers: list[str]) -> str:
    return ", ".join(numbers) or "no version yet"


def main() -> int:
    """Ask pip-audit about every pin."""
    words = [sys.executable, "-m", "pip_audit", "--requirement", str(PINNED), "--no-deps", "--disable-pip"]
    asked = subprocess.run(
        [*words, "--progress-spinner", "off", "--format", "json"], capture_output=True, text=True, check=False
    )
    code, lines = verdict(asked.stdout, asked.stderr)
    print("\n".join(lines))
    return code


if __name__ == "__main__":
    sys.exit(main())
