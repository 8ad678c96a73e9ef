"""Adam (Kingma & Ba 2015) with a bound on the length of the gradient; its moments are plain tensors."""

from __future__ import annotations

from typing import Any, TypeAlias

from overbet.solvers.deep.torch_loading import the_torch

Tensor: TypeAlias = Any  # of PyTorch, whose types are not there where it is not installed

_FIRST, _SECOND, _EPSILON, _LONGEST = 0.9, 0.999, 1e-8, 1.0


class Adam:
    """Changes parameters by the gradient of a loss. rate may be set at any time."""

    def __init__(self, parameters: list[Tensor], rate: float) -> None:
        torch = the_torch()
        self.parameters, self.rate, self.steps = parameters, rate, 0
        self.first = [torch.zeros_like(given) for given in parameters]
        self.second = [torch.zeros_like(given) for given in parameters]

    def step(self, loss: Tensor) -> None:
        """Take one step."""
        torch = the_torch()
        slopes: list[Any] = list(torch.autograd.grad(loss, self.parameters))
        with torch.no_grad():
            length = torch.stack([slope.norm() for slope in slopes]).norm()
            shrink = (_LONGEST / (length + 1e-6)).clamp(max=1.0)
            torch._foreach_mul_(slopes, shrink)
            self.steps += 1
            torch._foreach_lerp_(self.first, slopes, 1.0 - _FIRST)
            torch._foreach_mul_(self.second, _SECOND)
            torch._foreach_addcmul_(self.second, slopes, slopes, 1.0 - _SECOND)
            root = torch._foreach_sqrt(self.second)
            torch._foreach_div_(root, (1.0 - _SECOND**self.steps) ** 0.5)
            torch._foreach_add_(root, _EPSILON)
            torch._foreach_addcdiv_(
                self.parameters, self.first, root, -self.rate / (1.0 - _FIRST**self.steps)
            )
