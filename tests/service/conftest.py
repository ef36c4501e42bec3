"""A real store for the session, and a client whose every answer is held against openapi.yaml."""

from pathlib import Path
from tempfile import TemporaryDirectory
from time import sleep

import pytest
from flask.testing import FlaskClient

from service.app import create_app
from service.embedded import EmbeddedStore
from service.settings import Settings
from tests.service import contract


class CheckedClient(FlaskClient):
    """Every answer is checked against the contract before a test sees it."""

    def open(self, *args, **kwargs):
        answer = super().open(*args, **kwargs)
        contract.check(answer)
        return answer


@pytest.fixture(scope="session")
def redis_url():
    """A store of the tests' own, gone after the session with all that was in it."""
    with TemporaryDirectory() as folder:
        store = EmbeddedStore(Path(folder))
        store.start(sleep)
        yield store.url
        store.stop()


@pytest.fixture(scope="session")
def app(redis_url):
    app = create_app(Settings.from_env({"REDIS_URL": redis_url, "LOG_LEVEL": "error"}))
    app.test_client_class = CheckedClient
    return app


@pytest.fixture
def client(app):
    return app.test_client()


@pytest.fixture
def plain_client(app):
    """A client whose answers are not held against the contract, for tests that ask very often."""
    return FlaskClient(app, app.response_class)
