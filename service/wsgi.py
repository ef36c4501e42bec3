"""Where gunicorn starts: `gunicorn 'service.wsgi:create()'`."""

import os

from flask import Flask

from service import metrics
from service.app import create_app
from service.settings import Settings


def create() -> Flask:
    """The application with the settings of the environment; raises `BadSetting`."""
    app = create_app(Settings.from_env(os.environ))
    metrics.started()
    return app
