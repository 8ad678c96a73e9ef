"""Every file overbet writes and reads back: one head, one version, one checksum over every byte.

Arrays go into HDF5 files that any HDF5 program can open (`writing`, `hdf5`). The HDF5 library takes no part
in that, nor in reading them (`reading`): the head says where each chunk lies, so links, external storage and
foreign filters have no meaning here, and no damaged byte reaches a native parser. Tables that people edit or
load elsewhere are JSON or Parquet with a seal, the checksum of the file itself (`sealed`).

The checksum is compared before anything else of a file is believed. A file is therefore what was written,
or it is refused with a line that names it.
"""

from overbet.artefact.block import Kind, kind_of
from overbet.artefact.reading import Artefact, Column, opened
from overbet.artefact.sealed import check_seal, read_json, seal, write_json
from overbet.artefact.writing import write

__all__ = [
    "Artefact",
    "Column",
    "Kind",
    "check_seal",
    "kind_of",
    "opened",
    "read_json",
    "seal",
    "write",
    "write_json",
]
