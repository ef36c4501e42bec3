"""The pages in a real browser: /docs shows and tries every operation, and no other host is asked anything."""

import shutil
from contextlib import contextmanager

import pytest
from playwright.sync_api import expect, sync_playwright

from service.errors import STATUS
from tests.driver import Table
from tests.faults.servers import Service
from tests.service.contract import operation, operations

KEY = "the-right-key-0123456789"
DESKTOP, PHONE = (1280, 900), (360, 740)
LANGUAGES = ("en", "vi", "ka", "ru", "sk", "ky")
WATCH = """addEventListener("securitypolicyviolation", (it) =>
  console.error(it.violatedDirective, it.blockedURI, it.sourceFile, it.lineNumber, it.columnNumber))"""


@pytest.fixture(scope="module")
def running(tmp_path_factory):
    """A service that asks for API keys."""
    with Service(tmp_path_factory.mktemp("service"), API_KEYS=KEY) as running:
        yield running


@pytest.fixture(scope="module")
def chromium():
    program = shutil.which("chromium")
    assert program, "these tests drive Chromium: apt-get install chromium fonts-noto-core"
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=program, args=["--no-sandbox"])
        yield browser
        browser.close()


@pytest.fixture
def visit(running, chromium):
    """Opens a page; when it is closed, all its requests have gone to the service, and it had no complaint."""

    @contextmanager
    def visit(path, size=DESKTOP, **options):
        asked, complaints = [], []
        viewport = dict(zip(("width", "height"), size, strict=True))
        context = chromium.new_context(base_url=running.address, viewport=viewport, **options)
        context.add_init_script(WATCH)
        page = context.new_page()
        page.on("request", lambda request: asked.append(request.url))
        page.on("pageerror", lambda error: complaints.append(str(error)))
        page.on("console", lambda said: complaints.append(said.text) if said.type == "error" else None)
        page.goto(path)
        yield page
        context.close()
        assert asked
        assert [url for url in asked if not url.startswith((f"{running.address}/", "data:"))] == []
        assert complaints == []

    return visit


@pytest.fixture
def keep(tmp_path):
    """Takes a picture of a page, to be looked at."""

    def keep(page, name):
        page.screenshot(path=tmp_path / f"{name}.png")

    return keep


def heading(page, one):
    """The heading of an operation, gone to by its own address."""
    tag = one.spec["tags"][0].lower().replace(" ", "-")
    page.goto(f"/docs#tag/{tag}/{one.method.upper()}{one.path}")
    return page.get_by_role("heading", name=one.spec["summary"], exact=True)


def form(page, one):
    """The opened form of an operation, as its first example fills it in."""
    expect(heading(page, one)).to_be_visible()
    page.get_by_role("button", name=f"({one.method} {one.path})").click()
    return page.get_by_role("dialog", name="API Client")


def send(page, opened):
    """Sends a form; the request, and its answer."""
    button = opened.get_by_role("button", name="Send").first
    with page.expect_response(lambda answer: "/v1/" in answer.url) as answered:
        button.click()
    return answered.value.request, answered.value


@pytest.mark.parametrize(("size", "scheme"), [(DESKTOP, "light"), (PHONE, "dark")], ids=["desktop", "phone"])
def test_every_operation_can_be_read(visit, keep, size, scheme):
    with visit("/", size, color_scheme=scheme) as page:
        assert page.url.endswith("/docs")
        expect(page.get_by_role("heading", name="thirteens")).to_be_visible()
        keep(page, "docs")
        for one in operations():
            expect(heading(page, one)).to_be_visible()
        keep(page, "operation")
        assert page.evaluate("document.documentElement.scrollWidth") == size[0]


@pytest.mark.parametrize("size", [DESKTOP, PHONE], ids=["desktop", "phone"])
def test_a_question_is_asked_with_an_api_key(visit, keep, size):
    with visit("/docs", size) as page:
        opened = form(page, operation("validatePlay"))
        opened.get_by_label("Value", exact=True).first.fill(KEY)
        request, answer = send(page, opened)
        assert (request.headers["x-api-key"], answer.status) == (KEY, 200)
        expect(opened.get_by_text('"legal": true')).to_be_visible()
        keep(page, "answer")


def test_a_seat_looks_at_its_hand_with_its_token(visit, keep, running):
    with running.client(headers={"X-API-Key": KEY}) as client:
        table = Table(client, "thirteen", 2, seed="0d" * 32)
        turn = table.created["state"]["turn"]
        hand = table.get(seat=turn)["you"]["hand"]
    with visit("/docs") as page:
        page.get_by_label("Bearer Token").first.fill(table.tokens[turn])
        opened = form(page, operation("getGame"))
        opened.get_by_role("row").filter(has_text="id").get_by_label("Value").fill(table.created["id"])
        request, answer = send(page, opened)
        assert request.headers["authorization"] == f"Bearer {table.tokens[turn]}"
        assert "if-none-match" not in request.headers
        assert answer.json()["you"]["hand"] == hand
        expect(opened.get_by_text(f'"{hand[0]}"').first).to_be_visible()
        keep(page, "hand")
        kept = page.evaluate("JSON.stringify([localStorage, sessionStorage, document.cookie])")
        assert table.tokens[turn] not in kept


def test_a_key_is_not_sent_unasked(visit):
    """Else all who try would share the key of the example, and with it a game."""
    with visit("/docs") as page:
        opened = form(page, operation("createGame"))
        opened.get_by_label("Value", exact=True).first.fill(KEY)
        request, answer = send(page, opened)
        assert answer.status == 201
        assert "idempotency-key" not in request.headers


@pytest.mark.parametrize(("size", "scheme"), [(DESKTOP, "light"), (PHONE, "dark")], ids=["desktop", "phone"])
@pytest.mark.parametrize("language", LANGUAGES)
def test_a_problem_is_explained_in_the_readers_language(visit, keep, language, size, scheme):
    with visit("/problems", size, locale=language, color_scheme=scheme) as page:
        said = page.request.get("/problems/store_unavailable", headers={"Accept-Language": language}).json()
        assert page.get_by_role("listitem").get_by_role("code").all_inner_texts() == list(STATUS)
        assert page.evaluate("document.documentElement.scrollWidth") == size[0]
        keep(page, "problems")
        page.get_by_role("link", name=said["title"]).click()
        assert page.url.endswith("/problems/store_unavailable")
        assert page.locator("html").get_attribute("lang") == language
        expect(page.get_by_role("heading", level=1)).to_have_text(said["title"])
        expect(page.get_by_text(said["explanation"], exact=True)).to_be_visible()
        assert page.evaluate("document.documentElement.scrollWidth") == size[0]
        keep(page, "problem")
