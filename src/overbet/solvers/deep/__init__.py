"""Deep CFR in all its forms: networks that learn regrets from sampled traversals.

For users: `DeepConfig`, `DeepTrainer` (a run in memory), `DeepRun` (a run in a folder).

To build on, for games that are no flat ones (hold'em):

- `networks.Stack(shape, count)`: S multilayer perceptrons side by side; `NetworkShape.of(inputs, outputs,
NetworkConfig())`;
  `networks.told_by(arrays, shape, rows)` asks one of them in numpy, without PyTorch.
- `fitting.Fitter(stack, features, legal, FitConfig(), kind)`: Adam on targets laid out in `Chunk`s; features
  [N, inputs] float32 are all rows there are, a chunk names the rows of each minibatch or takes all of them.
  `kind` is `values` (squares of differences) or `shares` (the same after softmax over the legal actions).
- `memory.SampleMemory`: reservoirs on the device; `by_sample` and `by_set` draw the chunks.
- `encoders.Encoder`: the protocol of an encoder: `encoded(player, text)` and `decoded(row)`.
- `network_file.NetworkFile`: trained networks as an artefact, tied to a game by name and digest; asked in
numpy. - `onnx_export.save_onnx`: a network as ONNX. - `torch_loading.the_torch()`, `device_called("cuda")`:
PyTorch on first use; one clear line where it is missing.
"""
