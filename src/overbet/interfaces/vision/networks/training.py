"""Training the two networks with PyTorch (extra `deep`); reading needs none of it.

The layers are those of `layers`, with batch normalisation behind every convolution, which is folded into the
weights at the end. Adam, one cycle of the learning rate; the text network learns by connectionist temporal
classification (Graves et al. 2006). Pictures are drawn once and worsened anew for every use.
"""

from __future__ import annotations

import importlib
import math
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from overbet.errors import ConfigError
from overbet.interfaces.vision.drawn.fonts import training_fonts
from overbet.interfaces.vision.networks import weights as files
from overbet.interfaces.vision.networks.card_pictures import CardCanvas, canvas, crop, label_of
from overbet.interfaces.vision.networks.layers import (
    CARD_STEPS,
    LETTERS,
    TEXT_ROWS,
    TEXT_STEPS,
    LayerStep,
)
from overbet.interfaces.vision.networks.text_pictures import levelled, line_picture

Tell = Callable[[int, int, float], None]  # step, steps, loss
_BATCH = 64
CARD_TRAINING, TEXT_TRAINING = 1500, 2600  # steps


class Trained(NamedTuple):
    """How a training went."""

    path: Path
    steps: int
    pictures: int
    loss: float
    processor_s: float
    bytes: int


def _torch() -> Any:
    try:
        return importlib.import_module("torch")
    except ImportError as error:
        raise ConfigError("training networks needs the deep extra: pip install 'overbet[deep]'") from error


def network(steps: Sequence[LayerStep], channels: int, flat_rows: int = 0, flat_columns: int = 0) -> Any:
    """Return the steps as a PyTorch module; dense steps of a line are convolutions of one column."""
    nn = _torch().nn
    made: list[Any] = []
    size, rows, columns = channels, flat_rows, flat_columns
    flat = False
    for step in steps:
        if step.what == "conv":
            made += [
                nn.Conv2d(
                    size,
                    step.size,
                    (step.rows, step.columns),
                    padding=(step.rows // 2, step.columns // 2),
                    bias=False,
                ),
                nn.BatchNorm2d(step.size),
                nn.ReLU(),
            ]
        elif step.what == "pool":
            made.append(nn.MaxPool2d((step.rows, step.columns)))
            rows, columns = rows // step.rows, columns // step.columns
        elif step.what == "flat":
            made += [nn.Flatten(), nn.Dropout(0.25)]
            size *= rows * columns
            flat = True
        else:
            made.append(nn.Linear(size, step.size) if flat else nn.Conv2d(size, step.size, 1))
            if step.relu:
                made.append(nn.ReLU())
        size = step.size or size
    return nn.Sequential(*made)


def exported(steps: Sequence[LayerStep], module: Any) -> dict[str, Any]:
    """Return the weights as `layers.run` takes them, normalisation folded in."""
    nn = _torch().nn
    layers = [m for m in module if isinstance(m, nn.Conv2d | nn.Linear)]
    norms = {id(a): b for a, b in zip(module, list(module)[1:]) if isinstance(b, nn.BatchNorm2d)}
    found: dict[str, Any] = {}
    rows = columns = channels = 0
    place = 0
    for number, step in enumerate(steps):
        if step.what not in ("conv", "dense"):
            continue
        layer = layers[place]
        place += 1
        held = layer.weight.detach().double()
        norm = norms.get(id(layer))
        if norm is not None:
            factor = norm.weight.detach().double() / (norm.running_var.double() + norm.eps).sqrt()
            bias = norm.bias.detach().double() - norm.running_mean.double() * factor
            held = held * factor.view(-1, 1, 1, 1)
        else:
            bias = layer.bias.detach().double()
        if step.what == "conv":
            found[f"w{number}"] = held.permute(2, 3, 1, 0).numpy()
            channels = step.size
        elif held.dim() == 4:
            found[f"w{number}"] = held[:, :, 0, 0].T.numpy()
        else:
            matrix = held.numpy()
            if (
                number and steps[number - 1].what == "flat"
            ):  # [channel, row, column] -> [row, column, channel]
                rows, columns = _flat_size(steps)
                matrix = (
                    matrix.reshape(-1, channels, rows, columns).transpose(0, 2, 3, 1).reshape(len(matrix), -1)
                )
            found[f"w{number}"] = matrix.T.copy()
        found[f"b{number}"] = bias.numpy()
    return found


def _flat_size(steps: Sequence[LayerStep]) -> tuple[int, int]:
    rows, columns = 56, 40
    for step in steps:
        if step.what == "pool":
            rows, columns = rows // step.rows, columns // step.columns
    return rows, columns


def begun_with(steps: Sequence[LayerStep], module: Any, weights: files.Weights) -> None:
    """Give a module the weights of a file; normalisation, which is folded into them, stays as it is from
    then on."""
    torch = _torch()
    nn = torch.nn
    layers = [m for m in module if isinstance(m, nn.Conv2d | nn.Linear)]
    norms = {id(a): b for a, b in zip(module, list(module)[1:]) if isinstance(b, nn.BatchNorm2d)}
    numbers = [number for number, step in enumerate(steps) if step.what in ("conv", "dense")]
    with torch.no_grad():
        for number, layer in zip(numbers, layers):
            held, bias = (
                torch.from_numpy(weights[f"w{number}"].copy()),
                torch.from_numpy(weights[f"b{number}"].copy()),
            )
            norm = norms.get(id(layer))
            if norm is not None:
                layer.weight.copy_(held.permute(3, 2, 0, 1))
                norm.bias.copy_(bias)
                norm.running_var.fill_(1.0 - norm.eps)
                continue
            if number and steps[number - 1].what == "flat":
                rows, columns = _flat_size(steps)
                held = held.reshape(rows, columns, -1, held.shape[1]).permute(2, 0, 1, 3).reshape(held.shape)
            layer.weight.copy_(held.T.reshape(layer.weight.shape))
            layer.bias.copy_(bias)


def train_cards(
    path: str | Path,
    *,
    steps: int | None = None,
    drawn: int = 16_000,
    seed: int = 1,
    tell: Tell | None = None,
    start: str | Path | None = None,
    minutes: float | None = None,
) -> Trained:
    """Train the card network and write it; start: weights to go on from; minutes: by the clock, at most."""
    steps = steps or CARD_TRAINING
    torch = _torch()
    begun = time.process_time()
    torch.manual_seed(seed)
    rng = np.random.default_rng(seed)
    module = network(CARD_STEPS, 3, 56, 40)
    if start is not None:
        begun_with(CARD_STEPS, module, files.load("cards", Path(start)))
    pool: list[CardCanvas] = []

    def batch(number: int) -> tuple[Any, Any]:
        while len(pool) < min(drawn, 1000 + (number + 1) * 2 * drawn // steps + _BATCH):
            pool.append(canvas(rng))  # cards are drawn while the network learns the first ones
        chosen = [pool[i] for i in rng.integers(0, len(pool), _BATCH)]
        pictures = np.stack([crop(made, rng) for made in chosen])
        held = torch.from_numpy(pictures.transpose(0, 3, 1, 2).astype(np.float32) / 127.5 - 1.0)
        return held, torch.tensor([label_of(made) for made in chosen])

    def loss_of(number: int) -> Any:
        pictures, labels = batch(number)
        said = module(pictures)
        entropy = torch.nn.functional.cross_entropy
        face = labels[:, 0] == 0
        loss = entropy(said[:, :3], labels[:, 0])
        loss = loss + entropy(said[face, 3:16], labels[face, 1], label_smoothing=0.02)
        return loss + entropy(said[face, 16:], labels[face, 2], label_smoothing=0.02)

    rate = 3e-3 if start is None else 1e-3
    loss, made = _learn(torch, module, steps, rate, loss_of, tell, still=start is not None, minutes=minutes)
    return _kept("cards", path, CARD_STEPS, module, made, loss, begun, seed)


def train_text(
    path: str | Path,
    *,
    steps: int | None = None,
    drawn: int = 60_000,
    seed: int = 1,
    tell: Tell | None = None,
    start: str | Path | None = None,
    minutes: float | None = None,
) -> Trained:
    """Train the reader of amounts and write it; start, minutes: as of `train_cards`."""
    steps = steps or TEXT_TRAINING
    torch = _torch()
    begun = time.process_time()
    torch.manual_seed(seed)
    rng = np.random.default_rng(seed)
    module = network(TEXT_STEPS, 1)
    if start is not None:
        begun_with(TEXT_STEPS, module, files.load("text", Path(start)))
    pools: dict[int, list[tuple[Any, str]]] = {}
    count = 0
    ctc = torch.nn.CTCLoss(zero_infinity=True)

    def loss_of(number: int) -> Any:
        nonlocal count
        while count < min(drawn, 3000 + (number + 1) * 2 * drawn // steps + _BATCH):
            made, text = line_picture(rng)
            pools.setdefault(-(-made.shape[1] // 32), []).append((made, text))
            count += 1
        widths = [w for w in pools if len(pools[w]) >= 24]
        sizes = np.array([len(pools[w]) for w in widths], float)
        width = int(rng.choice(widths, p=sizes / sizes.sum()))
        chosen = [pools[width][i] for i in rng.integers(0, len(pools[width]), _BATCH)]
        lines = np.zeros((_BATCH, 1, TEXT_ROWS, 32 * width), np.float32)
        for row, (picture, _) in enumerate(chosen):
            lines[row, 0, :, : picture.shape[1]] = levelled(picture)
        said = module(torch.from_numpy(lines))[:, :, 0].permute(2, 0, 1).log_softmax(-1)
        spelled = [[LETTERS.index(letter) + 1 for letter in text] for _, text in chosen]
        targets = torch.tensor([code for codes in spelled for code in codes] or [1])
        ends = torch.tensor([picture.shape[1] // 2 for picture, _ in chosen])
        return ctc(said, targets, ends, torch.tensor([len(codes) for codes in spelled]))

    rate = 3e-3 if start is None else 1.5e-3
    loss, made = _learn(torch, module, steps, rate, loss_of, tell, still=start is not None, minutes=minutes)
    return _kept("text", path, TEXT_STEPS, module, made, loss, begun, seed)


def _learn(
    torch: Any,
    module: Any,
    steps: int,
    rate: float,
    loss_of: Callable[[int], Any],
    tell: Tell | None,
    *,
    still: bool = False,
    minutes: float | None = None,
) -> tuple[float, int]:
    """Return the loss and how many steps were made. The rate rises and falls once over the steps, or over
    the minutes where those are over first."""
    module.train()
    for layer in module if still else ():  # its normalisation was folded into the weights
        if isinstance(layer, torch.nn.BatchNorm2d):
            layer.eval()
    adam = torch.optim.AdamW(module.parameters(), lr=rate, weight_decay=0.01)
    smooth, begun, number = 0.0, time.monotonic(), 0
    while number < steps:
        spent = 0.0 if minutes is None else (time.monotonic() - begun) / (60.0 * minutes)
        share = max(number / steps, spent)
        if share >= 1.0:
            break
        for group in adam.param_groups:
            group["lr"] = rate * _cycle(share)
        loss = loss_of(number)
        adam.zero_grad()
        loss.backward()
        torch.nn.utils.clip_grad_norm_(module.parameters(), 2.0)
        adam.step()
        now = float(loss.detach())
        smooth = now if number == 0 else 0.97 * smooth + 0.03 * now
        number += 1
        if tell is not None:
            tell(number, steps, smooth)
    module.eval()
    return smooth, number


def _cycle(share: float) -> float:
    """Return what share of the highest rate is used after this share of the training."""
    low, top = 0.04, 0.15
    if share < top:
        return low + (1.0 - low) * 0.5 * (1.0 - math.cos(math.pi * share / top))
    return max(1e-4, 0.5 * (1.0 + math.cos(math.pi * (share - top) / (1.0 - top))))


def _kept(
    name: str,
    path: str | Path,
    steps: Sequence[LayerStep],
    module: Any,
    count: int,
    loss: float,
    begun: float,
    seed: int,
) -> Trained:
    spent = time.process_time() - begun
    head = {
        "steps": count,
        "pictures": count * _BATCH,
        "seed": seed,
        "loss": round(loss, 4),
        "processor_s": round(spent, 1),
        "fonts": [font.stem for font in training_fonts()],
    }
    files.save(name, path, exported(steps, module), head)
    return Trained(Path(path), count, count * _BATCH, loss, spent, Path(path).stat().st_size)


TRAINERS: dict[str, Callable[..., Trained]] = {"cards": train_cards, "text": train_text}
