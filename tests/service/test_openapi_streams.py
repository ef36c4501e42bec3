"""The refusal of a stream too many is as openapi.yaml shows it; test_openapi_errors.py has the others."""

import pytest

from service.app import create_app
from service.settings import Settings
from tests.service.contract import check, operation
from tests.service.scenes import GAMES, Scene
from tests.service.test_openapi_errors import STREAM, assert_shown


@pytest.fixture(scope="module")
def small(redis_url):
    """A client of a service that has a place for one stream."""
    return create_app(Settings.from_env({"REDIS_URL": redis_url, "MAX_STREAMS": "1"})).test_client()


def test_a_stream_too_many(small):
    one = operation("listEvents")
    scene = Scene(small, GAMES["thirteen"])
    held = scene.ask(one.id, headers={"Accept": STREAM})
    for options in ({"headers": {"Accept": STREAM}}, {"query_string": {"after": 1, "wait": 1}}):
        answer = check(scene.ask(one.id, **options))
        assert_shown(answer, one, 503, "too_many_streams")
        assert answer.headers["Retry-After"] == "5"
    assert scene.ask(one.id, query_string={"wait": 1}).status_code == 200, "there is no need to wait"
    held.close()
    assert scene.ask(one.id, headers={"Accept": STREAM}).status_code == 200
