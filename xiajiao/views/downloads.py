"""Files on their way to a browser."""

from __future__ import annotations

from collections.abc import AsyncIterator
from typing import IO

from asgiref.sync import sync_to_async
from django.http import StreamingHttpResponse
from django.utils.http import content_disposition_header

PIECE = 1 << 16
PLAIN_BYTES = "application/octet-stream"


def download(file: IO[bytes], size: int, name: str, content_type: str = PLAIN_BYTES) -> StreamingHttpResponse:
    """As an attachment of that name. The file is closed when it is through, or the browser has left."""
    headers = {
        "Content-Type": content_type,
        "Content-Disposition": content_disposition_header(True, name) or "attachment",
        "Content-Length": str(size),
        "Cache-Control": "no-store",
        "X-Content-Type-Options": "nosniff",
    }
    return StreamingHttpResponse(read_pieces(file), headers=headers)


async def read_pieces(file: IO[bytes]) -> AsyncIterator[bytes]:
    """Async, since an ASGI server collects what a synchronous iterator gives to the end before it sends any."""
    read = sync_to_async(file.read, thread_sensitive=False)
    try:
        while piece := await read(PIECE):
            yield piece
    finally:
        file.close()
