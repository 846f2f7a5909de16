"""Serve one GGUF file on this machine: `python -m xiajiao.llm.gguf_server MODEL PORT`, till it is told to end."""

import os
import sys
import threading
from pathlib import Path

import xllamacpp  # optional: a llama.cpp server in a wheel, from requirements-gguf.txt

# Tokens; the model's own limit would reserve memory for all of it, which may be gigabytes.
CONTEXT = 8192
# Turns that are answered side by side, each with this share of the context.
PARALLEL = 2


def serve(path: Path, port: int) -> None:
    params = xllamacpp.CommonParams()
    params.model.path = str(path)
    params.model_alias = {path.stem}
    params.hostnames = ["127.0.0.1"]
    params.port = port
    params.n_ctx = CONTEXT * PARALLEL
    params.n_parallel = PARALLEL
    params.cpuparams.n_threads = max(1, os.cpu_count() or 1)
    params.ui = False
    server = xllamacpp.Server(params)
    print(f"Serving {path.name} at {server.listening_address}", flush=True)  # noqa: T201
    threading.Event().wait()


if __name__ == "__main__":
    serve(Path(sys.argv[1]), int(sys.argv[2]))
