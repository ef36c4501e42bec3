"""How gunicorn serves; it reads this file itself, in its master process, before there is any worker."""

import os
import sys
from typing import Any

from service.metrics_folder import MetricsFolder
from service.settings import BadSetting, Settings

try:
    settings = Settings.from_env(os.environ)
except BadSetting as fault:
    print(fault, file=sys.stderr)
    raise SystemExit(2) from None

wsgi_app = "service.wsgi:create()"
bind = f"[{settings.host}]:{settings.port}" if ":" in settings.host else f"{settings.host}:{settings.port}"
workers = settings.web_concurrency
worker_class = "service.worker.Worker"  # gevent
worker_connections = 1000
preload_app = False  # each worker opens its own connections to the store, after the fork

keepalive = 5  # an idle connection holds up the end of a worker for this long
timeout = 30
graceful_timeout = 8  # within the 10 s that container engines wait before they kill

limit_request_line = 4094
limit_request_fields = 64
limit_request_field_size = 8190
forwarder_headers = ""  # no header of a request, whoever sends it, says where the application is mounted

# Heartbeats are file changes: in memory, so that a slow disk does not look like a hung worker.
worker_tmp_dir = "/dev/shm" if os.access("/dev/shm", os.W_OK) else None
control_socket_disable = True

accesslog = None  # the app logs every request itself
# At a lower level gunicorn quotes what it was sent, tokens too.
loglevel = "error" if settings.log_level == "error" else "warning"


def on_starting(server: Any) -> None:
    """Prepare what the workers share, before there is any."""
    server.metrics = MetricsFolder(worker_tmp_dir)


def child_exit(server: Any, worker: Any) -> None:
    """Take a worker that has ended out of the numbers of those that run."""
    server.metrics.forget(worker.pid)


def on_exit(server: Any) -> None:
    """Leave nothing behind."""
    server.metrics.remove()


def when_ready(server: object) -> None:
    """Tell where it listens, now that it does."""
    noun = "worker" if workers == 1 else "workers"
    print(f"listening on http://{bind} with {workers} {noun}", file=sys.stderr, flush=True)
