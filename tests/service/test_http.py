"""What holds for every endpoint: problems, methods, media types, sizes, languages, request ids."""

import re

import pytest

PLAY = "/v1/thirteen/validate-play"
LIMIT = 64 * 1024


def problem(answer, status, code):
    body = answer.get_json()
    assert answer.status_code == body["status"] == status
    assert answer.mimetype == "application/problem+json"
    assert body["code"] == code
    assert body["type"] == f"/problems/{code}"
    assert body["title"]
    assert body["detail"]
    return body


def test_the_front_page_leads_on(client):
    body = client.get("/").get_json()
    assert body["name"] == "thirteens"
    for link in body["links"].values():
        assert client.get(link).status_code == 200


def test_an_unknown_address_is_a_problem(client):
    problem(client.get("/v1/nothing"), 404, "not_found")


def test_doubled_slashes_are_another_address(client):
    problem(client.get("/v1//rules"), 404, "not_found")
    problem(client.get("/v1/games//events"), 404, "not_found")


def test_another_method_is_a_problem_that_names_the_right_ones(client):
    answer = client.get(PLAY)
    problem(answer, 405, "method_not_allowed")
    assert "POST" in answer.headers["Allow"]


@pytest.mark.parametrize("kind", [None, "text/plain", "application/x-www-form-urlencoded", "application/xml"])
def test_a_body_that_is_not_called_json_is_refused(client, kind):
    problem(client.post(PLAY, data=b'{"cards":["3S"]}', content_type=kind), 415, "unsupported_media_type")


@pytest.mark.parametrize(
    "kind", ["application/json", "application/json; charset=utf-8", "application/vnd.x+json"]
)
def test_a_body_that_is_called_json_is_read(client, kind):
    assert client.post(PLAY, data=b'{"cards":["3S"]}', content_type=kind).status_code == 200


@pytest.mark.parametrize(
    "data",
    [
        b"",
        b"{",
        b"nul",
        b'{"cards":[NaN]}',
        b"\xff\xfe",
        b'{"cards":["\\ud800"]}',
        b"[" * 10_000,
        b"{}{}",
        b"'a'",
    ],
)
def test_what_is_not_json_is_malformed(client, data):
    problem(client.post(PLAY, data=data, content_type="application/json"), 400, "malformed_json")


def test_the_largest_body_is_read_and_one_byte_more_is_not(client):
    body = b'{"cards":["3S"]}'
    fits = client.post(PLAY, data=body.ljust(LIMIT), content_type="application/json")
    assert fits.status_code == 200
    problem(
        client.post(PLAY, data=body.ljust(LIMIT + 1), content_type="application/json"), 413, "body_too_large"
    )


@pytest.mark.parametrize("data", [b"1", b"null", b"[]", b'"x"', b"true", b"1.5"])
def test_a_body_that_is_no_object_is_refused_as_a_whole(client, data):
    body = problem(client.post(PLAY, data=data, content_type="application/json"), 422, "invalid_request")
    assert [(error["pointer"], error["code"]) for error in body["errors"]] == [("", "invalid_type")]


def test_a_request_id_is_made_or_taken(client):
    assert re.fullmatch(r"[0-9a-f]{32}", client.get("/livez").headers["X-Request-ID"])
    assert client.get("/livez", headers={"X-Request-ID": "abc-1"}).headers["X-Request-ID"] == "abc-1"
    assert client.get("/nothing", headers={"X-Request-ID": "abc-2"}).headers["X-Request-ID"] == "abc-2"


@pytest.mark.parametrize("given", ["", " ", "a b", "é", "x" * 129, '"quoted"'])
def test_a_request_id_that_is_none_is_replaced(client, given):
    assert re.fullmatch(
        r"[0-9a-f]{32}", client.get("/livez", headers={"X-Request-ID": given}).headers["X-Request-ID"]
    )


def test_the_language_is_said_and_codes_do_not_change_with_it(client):
    answer = client.post(PLAY, json={"cards": ["3S", "4S"]}, headers={"Accept-Language": "xx, en;q=0.1"})
    assert answer.headers["Content-Language"] == "en"
    assert "Accept-Language" in answer.headers["Vary"]
    assert answer.get_json()["reason"]["code"] == "not_a_combination"


def test_every_problem_is_explained_at_its_type(client):
    body = problem(client.get("/v1/nothing"), 404, "not_found")
    page = client.get(body["type"]).get_json()
    assert (page["code"], page["status"]) == ("not_found", 404)
    assert page["explanation"]
    problem(client.get("/problems/nonsense"), 404, "not_found")


def test_a_defect_of_ours_is_a_plain_500_without_its_inside(app):
    def broken():
        raise RuntimeError("secret 3S")

    from_here = app.test_client()
    rule = "/livez"
    original = app.view_functions["health.livez"]
    app.view_functions["health.livez"] = broken
    try:
        answer = from_here.get(rule)
    finally:
        app.view_functions["health.livez"] = original
    problem(answer, 500, "internal_error")
    assert b"secret" not in answer.data
