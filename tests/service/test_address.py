import pytest

from service.address import Address, parse


@pytest.mark.parametrize(
    ("places", "hosts"),
    [
        ("one", [("one", 7000)]),
        ("one:1", [("one", 1)]),
        ("one:65535,two,three:80", [("one", 65_535), ("two", 7000), ("three", 80)]),
        ("10.0.0.1:6379", [("10.0.0.1", 6379)]),
        ("[::1]:6379,[fe80::1]", [("::1", 6379), ("fe80::1", 7000)]),
        ("redis_1.internal-net", [("redis_1.internal-net", 7000)]),
    ],
)
def test_hosts_in_their_order_each_with_its_port_or_the_usual_one(places, hosts):
    assert parse(f"scheme://{places}", 7000) == Address(None, None, tuple(hosts), ())


@pytest.mark.parametrize(
    ("credentials", "username", "password"),
    [
        ("", None, None),
        ("user:secret@", "user", "secret"),
        (":secret@", None, "secret"),
        ("user@", "user", None),
        ("a%40b:p%3A%2F%2C%40%25@", "a@b", "p:/,@%"),
        (":a@b@", None, "a@b"),
    ],
)
def test_credentials_are_decoded(credentials, username, password):
    address = parse(f"scheme://{credentials}one,two:2", 1)
    assert (address.username, address.password) == (username, password)
    assert address.hosts == (("one", 1), ("two", 2))


@pytest.mark.parametrize(
    ("path", "parts"), [("", ()), ("/", ()), ("/games", ("games",)), ("/my-games/3", ("my-games", "3"))]
)
def test_the_path_is_taken_apart(path, parts):
    assert parse(f"scheme://one{path}", 1).path == parts


@pytest.mark.parametrize(
    "places",
    [
        "",
        ":1",
        "one,",
        ",one",
        "one:0",
        "one:65536",
        "one:-1",
        "one:x",
        "one:8_0",
        "one: 80",
        "one:٨٠",
        "one:1:2",
        "::1",
        "[::1",
        "[]:1",
        "one two",
        "one?db=1",
        "one#x",
        "one\n",
        "one:" + 5000 * "1",
    ],
)
def test_what_is_no_host_and_port_is_refused(places):
    with pytest.raises(ValueError, match="no host and port"):
        parse(f"scheme://{places}", 1)
