"""The web server: uvicorn on a socket that it is handed (`python -m xiajiao.webserver <descriptor>`)."""

import socket
import sys

import uvicorn

# Seconds that open answers are given when the server stops.
GRACE = 4


def serve(listener: socket.socket) -> None:
    config = uvicorn.Config(
        "xiajiao.asgi:application",
        log_config=None,
        access_log=False,
        lifespan="off",
        timeout_graceful_shutdown=GRACE,
        # Where a proxy stands in front, it is on this machine or BASE_URL says what people see.
        proxy_headers=True,
        forwarded_allow_ips="127.0.0.1,::1",
        server_header=False,
    )
    uvicorn.Server(config).run(sockets=[listener])


if __name__ == "__main__":
    serve(socket.socket(fileno=int(sys.argv[1])))
