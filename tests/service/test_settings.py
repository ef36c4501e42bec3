from dataclasses import fields
from pathlib import Path

import pytest

from service.settings import BadSetting, RateLimit, Settings, usable_cpus, without_password

KEY = "a-key_of+16/chars"


def read(**environ: str) -> Settings:
    return Settings.from_env(environ)


def test_every_setting_has_a_default() -> None:
    assert read() == Settings(
        host="127.0.0.1",
        port=8000,
        redis_url=None,
        web_concurrency=usable_cpus(),
        log_level="info",
        game_ttl_seconds=86_400,
        data_dir=Path(".data"),
        rate_limit=None,
        api_keys=(),
        cors_origins=(),
        durability="primary",
        trusted_proxies=0,
        traces=False,
        max_streams=600,
    )


def test_every_setting_is_read() -> None:
    settings = read(
        HOST="::1",
        PORT="65535",
        REDIS_URL="rediss://user:secret@store.example:6380/3",
        WEB_CONCURRENCY="256",
        LOG_LEVEL="DEBUG",
        GAME_TTL_SECONDS="60",
        DATA_DIR="/var/lib/thirteens",
        RATE_LIMIT="50/second",
        API_KEYS=f"{KEY}, {KEY[::-1]},",
        CORS_ORIGINS="https://example.org, http://localhost:5173",
        DURABILITY="Replica",
        TRUSTED_PROXIES="2",
        OTEL_EXPORTER_OTLP_ENDPOINT="http://collector:4318",
        MAX_STREAMS="900",
    )
    assert settings == Settings(
        host="::1",
        port=65_535,
        redis_url="rediss://user:secret@store.example:6380/3",
        web_concurrency=256,
        log_level="debug",
        game_ttl_seconds=60,
        data_dir=Path("/var/lib/thirteens"),
        rate_limit=RateLimit(50, 1),
        api_keys=(KEY, KEY[::-1]),
        cors_origins=("https://example.org", "http://localhost:5173"),
        durability="replica",
        trusted_proxies=2,
        traces=True,
        max_streams=900,
    )


def test_an_empty_variable_counts_as_unset() -> None:
    assert Settings.from_env({field.name.upper(): "" for field in fields(Settings)}) == read()


def test_other_variables_are_nobodys_business() -> None:
    assert read(PATH="/bin", PORTS="x", redis_url="x") == read()


@pytest.mark.parametrize(
    "off",
    [{"OTEL_SDK_DISABLED": "true"}, {"OTEL_TRACES_EXPORTER": "none"}, {"OTEL_EXPORTER_OTLP_ENDPOINT": ""}],
)
def test_traces_are_turned_off_as_opentelemetry_says(off: dict[str, str]) -> None:
    assert not read(**{"OTEL_EXPORTER_OTLP_ENDPOINT": "http://collector:4318", **off}).traces


@pytest.mark.parametrize("value", ["-1", "11", "all", "1.0"])
def test_trusted_proxies_are_a_number(value: str) -> None:
    with pytest.raises(BadSetting, match=r"^TRUSTED_PROXIES="):
        read(TRUSTED_PROXIES=value)


@pytest.mark.parametrize("host", ["0.0.0.0", "127.0.0.1", "localhost", "a-b.example", "::", "fe80::1%eth0"])
def test_hosts(host: str) -> None:
    assert read(HOST=host).host == host


@pytest.mark.parametrize(
    "url",
    [
        "redis://localhost",
        "redis://localhost:6379",
        "redis://:secret@localhost:6379/0",
        "redis://[::1]:6379/15?protocol=3",
        "rediss://store.example/",
        "unix:///run/valkey/store.sock",
        "unix://user:secret@/run/store.sock?db=2",
        "redis+cluster://a.example:7000,b.example,[::1]:7002",
        "redis+cluster://user:se%40cret@localhost",
        "redis+sentinel://localhost:26379,localhost:26380/games",
        "redis+sentinel://:secret@localhost/games/3",
    ],
)
def test_stores_that_can_be_named(url: str) -> None:
    assert read(REDIS_URL=url).redis_url == url


@pytest.mark.parametrize(
    ("value", "limit"),
    [
        ("off", None),
        ("1/second", RateLimit(1, 1)),
        ("90/minute", RateLimit(90, 60)),
        ("5000/hour", RateLimit(5000, 3600)),
        ("1000000/day", RateLimit(1_000_000, 86_400)),
    ],
)
def test_rate_limits(value: str, limit: RateLimit | None) -> None:
    assert read(RATE_LIMIT=value).rate_limit == limit


def test_every_page_may_be_allowed() -> None:
    assert read(CORS_ORIGINS="*").cors_origins == ("*",)


PORTS = ["0", "-1", "65536", "http", "80.0", "8_000", " 80", "+80", "٨٠", "80\n", "1e3", "9" * 5000]


@pytest.mark.parametrize(
    ("name", "value"),
    [
        *(("PORT", value) for value in PORTS),
        *(("WEB_CONCURRENCY", value) for value in ["0", "257", "many", "-2", "1.5"]),
        *(("GAME_TTL_SECONDS", value) for value in ["59", "31536001", "1d", "-60"]),
        *(("LOG_LEVEL", value) for value in ["loud", "warn", "10", "info ", "info,debug"]),
        *(
            ("HOST", value)
            for value in ["http://localhost", "a b", "localhost:80", "[::1]", "a\nb", "/tmp/s"]
        ),
        *(
            ("REDIS_URL", value)
            for value in [
                "localhost:6379",
                "localhost",
                "http://localhost:6379",
                "redis+cluster://",
                "redis+cluster://localhost:7000/0",
                "redis+cluster://localhost:0",
                "redis+cluster://localhost,",
                "redis+sentinel://localhost",
                "redis+sentinel://localhost/games/zero",
                "redis+sentinel://localhost/games/0/0",
                "redis+sentinel:///games",
                "redis:localhost",
                "redis://",
                "redis://:6379",
                "redis://localhost:port",
                "redis://localhost:70000",
                "redis://localhost:0",
                "redis://localhost/zero",
                "redis://[::1",
                "unix://",
                "unix:///",
            ]
        ),
        *(
            ("RATE_LIMIT", value)
            for value in ["on", "50", "0/second", "-1/second", "1.5/second", "1000001/day", "5/week"]
        ),
        *(
            ("API_KEYS", value)
            for value in [",", " ", " , ", "k" * 15, f"{KEY},short", "k" * 16 + "é", "a key with blanks"]
        ),
        *(
            ("CORS_ORIGINS", value)
            for value in ["example.org", "https://", "https://example.org/", "https://*.org", "null"]
        ),
        *(("DURABILITY", value) for value in ["both", "1", "replica ", "replica"]),
    ],
)
def test_a_bad_value_is_named_in_one_line(name: str, value: str) -> None:
    with pytest.raises(BadSetting, match=rf"\A{name}='.*': must be .+\Z") as caught:
        Settings.from_env({name: value})
    assert caught.value.name == name
    assert len(str(caught.value)) < 300


@pytest.mark.parametrize(
    ("name", "value", "line"),
    [
        ("PORT", "http", "PORT='http': must be a whole number from 1 to 65535"),
        ("WEB_CONCURRENCY", "0", "WEB_CONCURRENCY='0': must be a whole number from 1 to 256"),
        ("GAME_TTL_SECONDS", "1", "GAME_TTL_SECONDS='1': must be a whole number from 60 to 31536000"),
        ("LOG_LEVEL", "x\ny", r"LOG_LEVEL='x\ny': must be one of debug, info, warning, error"),
    ],
)
def test_what_the_line_says(name: str, value: str, line: str) -> None:
    with pytest.raises(BadSetting) as caught:
        Settings.from_env({name: value})
    assert str(caught.value) == line


@pytest.mark.parametrize(
    ("url", "shown"),
    [
        ("redis://localhost:6379/0", "redis://localhost:6379/0"),
        ("redis://:secret@localhost/0", "redis://***@localhost/0"),
        ("redis://user:sec@r/e:t@localhost/0", "redis://***@localhost/0"),
        ("redis://user:sec?r@et@localhost?db=1", "redis://***@localhost?***"),
        ("user:secret@localhost", "***@localhost"),
        ("unix:///run/s.sock?db=1&password=secret", "unix:///run/s.sock?***"),
    ],
)
def test_passwords_are_not_shown(url: str, shown: str) -> None:
    assert without_password(url) == shown


def test_no_api_key_in_a_refusal_nor_in_the_settings_own_text() -> None:
    with pytest.raises(BadSetting) as caught:
        read(API_KEYS=f"{KEY},hunter2")
    assert "hunter2" not in str(caught.value)
    assert KEY not in str(caught.value)
    assert KEY not in repr(read(API_KEYS=KEY))


def test_no_password_in_a_refusal_nor_in_the_settings_own_text() -> None:
    with pytest.raises(BadSetting) as caught:
        read(REDIS_URL="ftp://user:hunter2@store.example/0?password=hunter2")
    assert "hunter2" not in str(caught.value)
    assert "ftp://***@store.example/0" in str(caught.value)
    assert "hunter2" not in repr(read(REDIS_URL="redis://:hunter2@localhost"))
