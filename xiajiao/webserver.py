"""The web server: uvicorn on a socket that it is handed (`python -m xiajiao.webserver <descriptor>`)."""

import os
import socket
import sys
import threading

import django
import uvicorn
from django.core.management import call_command
from django.db import connections
from django.utils.module_loading import import_string

# Seconds that open answers are given when the server stops.
GRACE = 4


def serve(listener: socket.socket) -> None:
    """End what a killed predecessor left half done, then answer until SIGTERM."""
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "xiajiao.settings")
    django.setup()
    call_command("sweep")
    connections.close_all()
    threading.Thread(target=import_string("xiajiao.warming.warm_up"), name="warm-up", daemon=True).start()
    config = uvicorn.Config(
        "xiajiao.asgi:application",
        log_config=None,
        access_log=False,
        lifespan="off",
        timeout_graceful_shutdown=GRACE,
        # Only a proxy on this machine is believed about whom it speaks for.
        proxy_headers=True,
        forwarded_allow_ips="127.0.0.1,::1",
        server_header=False,
    )
    uvicorn.Server(config).run(sockets=[listener])


if __name__ == "__main__":
    serve(socket.socket(fileno=int(sys.argv[1])))
