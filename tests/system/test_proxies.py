"""Behind proxies: whose address counts, by `TRUSTED_PROXIES`."""

import pytest

from tests.faults.servers import Service

ONE, OTHER, LIAR = "198.51.100.1", "2001:db8::2", "192.0.2.66"


def remaining(client, forwarded):
    """What remains to the caller, after this request, of what its address may ask."""
    answer = client.get("/v1/rules", headers={"X-Forwarded-For": forwarded} if forwarded else {})
    assert answer.status_code == 200
    return int(answer.headers["RateLimit"].split("r=")[1].split(";")[0])


@pytest.fixture
def started(tmp_path):
    """`started(TRUSTED_PROXIES="1")`: a client of a service with a limit of ten requests a day."""
    running = []

    def start(**settings):
        running.append(Service(tmp_path / str(len(running)), RATE_LIMIT="10/day", **settings))
        running[-1].start()
        return running[-1].client()

    yield start
    for one in running:
        assert one.end() == 0


def test_nobody_is_believed_unless_it_is_said_so(started):
    with started() as client:
        assert [remaining(client, sent) for sent in (None, ONE, OTHER, f"{ONE}, {OTHER}")] == [9, 8, 7, 6]


def test_one_proxy_is_believed_what_it_added_and_the_caller_nothing(started):
    with started(TRUSTED_PROXIES="1") as client:
        assert [remaining(client, sent) for sent in (ONE, OTHER, ONE, f"{LIAR}, {ONE}")] == [9, 9, 8, 7]
        assert remaining(client, f"{ONE}, {LIAR}") == 9
        assert remaining(client, None) == 9


def test_of_two_proxies_the_first_says_who_called(started):
    with started(TRUSTED_PROXIES="2") as client:
        assert [remaining(client, f"{ONE}, {proxy}") for proxy in ("10.0.0.1", "10.0.0.2")] == [9, 8]
        assert remaining(client, f"{LIAR}, {ONE}, 10.0.0.1") == 7


def test_other_forwarded_fields_are_believed_from_nobody(started):
    odd = {"X-Forwarded-Host": "evil.example", "X-Forwarded-Prefix": "/evil", "X-Forwarded-Port": "1"}
    with started(TRUSTED_PROXIES="1") as client:
        body = {"game": "thirteen", "players": [{"name": "An"}, {"name": "Binh"}]}
        answer = client.post("/v1/games", json=body, headers=odd)
        assert answer.headers["Location"] == f"/v1/games/{answer.json()['id']}"
