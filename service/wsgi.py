"""Where gunicorn starts: `gunicorn 'service.wsgi:create()'`."""

import os

from flask import Flask

from service.app import create_app
from service.settings import Settings


def create() -> Flask:
    """The application with the settings of the environment; raises `BadSetting`."""
    return create_app(Settings.from_env(os.environ))
