"""Model servers that run on this machine, at the ports where they usually listen."""

from __future__ import annotations

import json
from collections.abc import Mapping
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from http.client import HTTPConnection, HTTPException

from django.conf import settings

from xiajiao.llm.names import read_names

USUAL_PORTS = {11434: "Ollama", 1234: "LM Studio", 8080: "llama.cpp", 8000: "vLLM"}
# Seconds. A closed port refuses at once; only a server that is busy loading a model needs them.
TIMEOUT = 0.8
LONGEST_ANSWER = 1_000_000  # bytes


@dataclass(frozen=True)
class DiscoveredServer:
    """`models` as the server lists them; there may be none yet."""

    name: str
    base_url: str
    models: tuple[str, ...]


def discover(ports: Mapping[int, str] = USUAL_PORTS) -> list[DiscoveredServer]:
    """Of servers on `ports`, with their names; our own port is not asked. Takes about TIMEOUT; never raises."""
    asked = [port for port in ports if port != settings.PORT]
    with ThreadPoolExecutor(max(1, len(asked))) as pool:
        found = pool.map(lambda port: probe(port, ports[port]), asked)
    return [server for server in found if server is not None]


def probe(port: int, name: str) -> DiscoveredServer | None:
    """None where nothing listens, or something that doesn't speak OpenAI's protocol."""
    connection = HTTPConnection("127.0.0.1", port, timeout=TIMEOUT)
    try:
        connection.request("GET", "/v1/models")
        answer = connection.getresponse()
        listing = json.loads(answer.read(LONGEST_ANSWER)) if answer.status == 200 else None
    except (OSError, HTTPException, ValueError, RecursionError):
        return None
    finally:
        connection.close()
    if not isinstance(listing, dict) or not isinstance(listing.get("data", ""), list | None):
        return None
    # Ollama without a model lists null.
    names = read_names(entry.get("id") for entry in listing["data"] or [] if isinstance(entry, dict))
    return DiscoveredServer(name, f"http://127.0.0.1:{port}/v1", tuple(names))
