"""A batch is answered as its items are when they are asked one by one."""

import json
import random

import pytest

from tests.service.test_openapi_mutations import bodies

BATCHES = {
    "validatePlay": "/v1/thirteen/validate-play",
    "listLegalPlays": "/v1/thirteen/legal-plays",
    "scoreHand": "/v1/three-thirteen/score-hand",
}
LANGUAGES = ("en", "vi", "ka", "ru", "sk", "ky")


def alone(client, path, item, language):
    """What stands in a batch's results for an item that was asked on its own."""
    headers = {"Accept-Language": language}
    answer = client.post(path, data=json.dumps(item), content_type="application/json", headers=headers)
    assert answer.status_code in (200, 422)
    return answer.json if answer.status_code == 200 else {"error": answer.json}


@pytest.mark.parametrize("operation_id", BATCHES)
def test_a_batch_is_a_loop_of_singles(client, plain_client, operation_id):
    path, chance = BATCHES[operation_id], random.Random(operation_id)
    good, changed = bodies(operation_id)
    for language in LANGUAGES:
        items = chance.choices(good, k=30) + chance.sample(changed, 120)
        chance.shuffle(items)
        body, headers = json.dumps({"items": items}), {"Accept-Language": language}
        answer = client.post(f"{path}/batch", data=body, content_type="application/json", headers=headers)
        assert answer.status_code == 200
        results = answer.json["results"]
        assert results == [alone(plain_client, path, item, language) for item in items]
        assert 0 < len([one for one in results if "error" in one]) < len(items)


@pytest.mark.parametrize("path", BATCHES.values())
@pytest.mark.parametrize(("size", "status"), [(1, 200), (1000, 200), (1001, 422)])
def test_a_batch_has_a_thousand_items_at_most(plain_client, path, size, status):
    answer = plain_client.post(f"{path}/batch", json={"items": [{}] * size})
    assert answer.status_code == status
    if status == 200:
        assert [one["error"]["code"] for one in answer.json["results"]] == ["invalid_request"] * size


def test_an_answer_of_any_length_is_one_document(client):
    hand = [
        rank + suit
        for rank, suits in [("3", "SCD"), ("4", "SCD"), ("5", "SCDH"), ("6", "SCD")]
        for suit in suits
    ]
    answer = client.post("/v1/thirteen/legal-plays/batch", json={"items": [{"hand": hand}] * 200})
    assert len(answer.data) > 2**22
    results = answer.json["results"]
    assert len(results) == 200
    assert all(one == results[0] for one in results)
    assert len(results[0]["plays"]) > 400


def test_as_much_as_a_batch_may_have_is_taken(client):
    item = json.dumps({"items": [{"cards": ["3S"]}]})
    path, limit = "/v1/thirteen/validate-play/batch", 2**20
    full = client.post(path, data=item.ljust(limit), content_type="application/json")
    assert (full.status_code, len(full.json["results"])) == (200, 1)
    assert client.post(path, data=item.ljust(limit + 1), content_type="application/json").status_code == 413
