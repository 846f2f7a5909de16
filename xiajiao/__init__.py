"""Xiajiao: agents that remember."""

import os

# Read when numpy loads its BLAS. With threads of its own that hangs in fork() while another thread multiplies, and two
# cores read memory no faster than one.
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
