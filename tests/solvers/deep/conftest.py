"""Networks are tested where PyTorch is installed."""

from __future__ import annotations

import pytest

torch = pytest.importorskip("torch", reason="the extra `deep` is not installed")
torch.set_num_threads(1)  # networks this small only wait for each other
