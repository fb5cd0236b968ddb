"""The inspector in a real browser: Chromium, as Debian has it."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("starlette", reason="Starlette, of the extra web, is not installed")
pytest.importorskip("uvicorn", reason="uvicorn, of the extra web, is not installed")
pytest.importorskip("rapidfuzz", reason="RapidFuzz, of the extra web, is not installed")

from browsers import Served, chromium, opened, serving, wait_for
from collected import collected
from hostile_pages import HOSTILE

from ncfilters.inspector.analysis import Analysis, Settings
from ncfilters.inspector.app import Site
from ncfilters.inspector.labels import LabelFile
from ncfilters.inspector.views import report

ROOT = Path(__file__).resolve().parents[2]
DATA = ROOT / "tests" / "data"
TRAIN = [sys.executable, str(ROOT / "bin" / "nc-train")]
# A place for screenshots, for people to look at.
SHOTS = os.environ.get("NC_SCREENSHOTS")
pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def analysis() -> Analysis:
    return Analysis()


@pytest.fixture(scope="module")
def browser() -> Iterator[Any]:
    with chromium() as out:
        yield out


@pytest.fixture(scope="module")
def served(analysis: Analysis, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    labels = LabelFile(str(tmp_path_factory.mktemp("labels") / "labelled.jsonl"), TRAIN)
    with collected(DATA / "crawl.jsonl", DATA / "pages-with-gold.jsonl") as collection:
        site = Site(collection, analysis, labels=labels, token="secret")
        with serving(site) as out:
            yield out


@pytest.fixture(autouse=True)
def settings_of_its_own(request: pytest.FixtureRequest) -> Iterator[None]:
    yield
    if "browser" in request.fixturenames:
        request.getfixturevalue("browser").execute_script("try { sessionStorage.clear() } catch {}")


def shot(browser: Any, name: str) -> None:
    if SHOTS:
        browser.save_screenshot(os.path.join(SHOTS, f"{name}.png"))


def in_frame(browser: Any, code: str) -> Any:
    """The value of an expression about the document of the frame, `page`."""
    return browser.execute_script(f"const page = document.getElementById('page').contentDocument; return {code}")


def redrawn(browser: Any, change: str) -> None:
    """Waits until the view is drawn again after a change by a script."""
    before = int(browser.execute_script("return document.documentElement.dataset.drawn"))
    browser.execute_script(change)
    wait_for(lambda: int(browser.execute_script("return document.documentElement.dataset.drawn")) > before)


def set_control(side: str, name: str, value: str) -> str:
    return (
        f"const one = document.querySelector('#settings-{side} [name={name}]'); one.value = {value!r}; "
        "one.dispatchEvent(new Event('input', { bubbles: true }))"
    )


def errors_of(browser: Any) -> list[str]:
    """What the console reports."""
    return [entry["message"] for entry in browser.get_log("browser") if entry["level"] == "SEVERE"]


def test_the_page_is_drawn_with_its_segments(browser: Any, served: Served) -> None:
    opened(browser, served.address + "d/0")
    count = browser.execute_script("return document.querySelectorAll('#segments li').length")
    assert (
        in_frame(browser, "new Set([...page.querySelectorAll('[data-nc]')].map((e) => e.dataset.nc)).size") >= count - 1
    )
    kept = in_frame(browser, "page.querySelector('h1').closest('[data-nc]').dataset.keep")
    assert kept == "1"
    assert "segments kept" in browser.find_element("id", "facts").text
    shot(browser, "document")
    assert errors_of(browser) == []


def test_pointing_shows_the_reasons_and_clicking_selects(browser: Any, served: Served) -> None:
    from selenium.webdriver import ActionChains

    opened(browser, served.address + "d/0")
    browser.switch_to.frame("page")
    heading = browser.find_element("css selector", "h1")
    ActionChains(browser).move_to_element(heading).perform()
    browser.switch_to.default_content()
    tip = wait_for(lambda: (one := browser.find_element("id", "tip")).is_displayed() and one)
    assert "Last tram" in tip.text and "bits" in tip.text and "path" in tip.text
    wait_for(lambda: "for it" in tip.text)
    shot(browser, "tip")
    browser.switch_to.frame("page")
    heading.click()
    browser.switch_to.default_content()
    selected = browser.find_element("css selector", "#segments [aria-selected=true]")
    assert "Last tram to Saltmarsh" in selected.text
    wait_for(lambda: "for it" in browser.find_element("id", "detail").text)
    shot(browser, "selected")


def test_settings_redraw_in_less_than_a_tenth_of_a_second(browser: Any, served: Served) -> None:
    opened(browser, served.address + "d/0")
    kept = "[...document.querySelectorAll('#segments li.kept')].length"
    before = browser.execute_script(f"return {kept}")
    times = []
    for bits in ("12", "11", "10", "9", "8"):
        redrawn(browser, set_control("a", "threshold", bits))
        times.append(int(browser.execute_script("return document.documentElement.dataset.ms")))
    assert browser.execute_script(f"return {kept}") < before
    assert min(times) < 100, times
    redrawn(browser, set_control("a", "threshold", ""))
    redrawn(browser, set_control("a", "model", "ncleaner-nonlexical"))
    assert "ncleaner-nonlexical" in browser.find_element("id", "facts").text


def test_two_models_are_compared(browser: Any, served: Served) -> None:
    opened(browser, served.address + "d/0")
    redrawn(browser, "document.getElementById('compare').click()")
    redrawn(browser, set_control("b", "model", "ncleaner-nonlexical"))
    assert "decided differently" in browser.find_element("id", "facts").text
    assert in_frame(browser, "page.querySelectorAll('[data-differs]').length") > 0
    assert browser.execute_script("return document.querySelectorAll('#segments li.differs').length") > 0
    shot(browser, "compare")


def test_forms_and_the_record(browser: Any, served: Served) -> None:
    opened(browser, served.address + "d/0")
    browser.find_element("id", "tab-text").click()
    for form, start in (("markdown", "# Last tram"), ("cleaneval", "<h>Last tram"), ("xml", "<TEI")):
        redrawn(
            browser,
            f"const f = document.getElementById('form'); f.value = '{form}'; f.dispatchEvent(new Event('change'))",
        )
        assert start in browser.find_element("id", "text").text[:200]
    redrawn(
        browser, "const f = document.getElementById('form'); f.value = 'rendered'; f.dispatchEvent(new Event('change'))"
    )
    heading = "return document.getElementById('rendered').contentDocument?.querySelector('h1')?.textContent"
    wait_for(lambda: "Last tram" in (browser.execute_script(heading) or ""))
    shot(browser, "rendered")
    browser.find_element("id", "tab-record").click()
    wait_for(lambda: '"id": "news"' in browser.find_element("id", "record").text)


def test_gold_marks_what_is_missed_and_kept_wrongly(browser: Any, served: Served) -> None:
    opened(browser, served.address + "d/15")
    assert browser.find_element("css selector", ".key.missed").is_displayed()
    browser.find_element("id", "tab-gold").click()
    wait_for(lambda: "precision" in browser.find_element("id", "panel-gold").text)
    shot(browser, "gold")


def test_clicks_label_a_page_and_a_model_learns_from_it(browser: Any, served: Served, tmp_path: Path) -> None:
    for number in range(3):
        opened(browser, f"{served.address}d/{number}")
        browser.execute_script("const box = document.getElementById('labelling'); if (!box.checked) box.click()")
        browser.find_element("css selector", "#segments li.dropped").click()
        wait_for(lambda: browser.execute_script("return document.documentElement.dataset.saved"))
    assert browser.execute_script("return document.documentElement.dataset.saved") == "3"
    assert browser.find_element("css selector", "#segments li").get_attribute("class").split()[0] == "kept"
    shot(browser, "labelling")
    opened(browser, f"{served.address}d/0")  # what was labelled is there again
    assert "labelled" in browser.find_element("css selector", "#segments li").get_attribute("class")
    browser.execute_script("const box = document.getElementById('labelling'); if (!box.checked) box.click()")
    browser.find_element("id", "train").click()
    model = wait_for(lambda: browser.execute_script("return document.documentElement.dataset.trained"))
    assert model.endswith("labelled.ngram.model")
    wait_for(lambda: "decided differently" in browser.find_element("id", "facts").text)
    shot(browser, "trained")


def test_a_click_with_shift_labels_all_segments_between(browser: Any, analysis: Analysis, tmp_path: Path) -> None:
    from selenium.webdriver import ActionChains, Keys

    labels = LabelFile(str(tmp_path / "labelled.jsonl"))
    with (
        collected(DATA / "crawl.jsonl") as collection,
        serving(Site(collection, analysis, labels=labels, token="secret")) as served,
    ):
        opened(browser, served.address + "d/0")
        browser.find_element("css selector", "body").send_keys("l")
        browser.find_element("id", "s3").click()
        last = browser.find_element("id", "s7")
        ActionChains(browser).key_down(Keys.SHIFT).click(last).key_up(Keys.SHIFT).perform()
        kinds = [row.get_attribute("class").split()[0] for row in browser.find_elements("css selector", "#segments li")]
        assert kinds[2:9] == ["dropped", *["kept"] * 5, "dropped"]
        assert not browser.execute_script("return String(getSelection())")
        browser.find_element("css selector", "body").send_keys("kkX")  # from the seventh back to the fifth
        wait_for(lambda: browser.execute_script("return document.documentElement.dataset.saved"))
    record = json.loads((tmp_path / "labelled.jsonl").read_text().splitlines()[-1])
    assert record["gold"]["text"].splitlines()[:6] == [
        *["Accept all", "Reject all", "Manage options", "News", "Sport"],
        "Last tram to Saltmarsh runs again after sixty years",
    ]
    assert record["labels"][:9] == [False, False, False, *[True] * 5, False]


def test_two_settings_that_are_compared_begin_apart(browser: Any, served: Served) -> None:
    opened(browser, served.address + "d/0")
    redrawn(browser, "document.getElementById('compare').click()")
    assert (
        browser.find_element("css selector", "#settings-b [name=model]").get_attribute("value") == "ncleaner-nonlexical"
    )
    browser.find_element("id", "tab-text").click()
    only = [mark.text for mark in browser.find_elements("css selector", "#text-b mark")]
    text = browser.find_element("id", "text").text.splitlines()
    assert only and not set(only) & set(text)
    browser.execute_script("sessionStorage.clear()")


def test_settings_and_labelling_stay_from_page_to_page(browser: Any, served: Served) -> None:
    opened(browser, served.address + "d/4")
    redrawn(browser, set_control("a", "model", "xx"))
    if not browser.find_element("id", "labelling").is_selected():
        browser.find_element("id", "labelling").click()
    browser.find_element("css selector", "body").send_keys("n")
    wait_for(lambda: "/d/5" in browser.current_url)
    wait_for(lambda: browser.execute_script("return document.documentElement.dataset.drawn"))
    assert browser.find_element("css selector", "#settings-a [name=model]").get_attribute("value") == "xx"
    browser.find_element("id", "accept").click()
    wait_for(lambda: "saved" in browser.find_element("id", "status").text)
    browser.find_element("id", "reset").click()
    browser.execute_script("sessionStorage.clear()")


def test_keys_go_through_segments_and_documents(browser: Any, served: Served) -> None:
    from selenium.webdriver import Keys

    opened(browser, served.address + "d/0?sort=n&at=0")
    body = browser.find_element("css selector", "body")
    body.send_keys("jjj")
    assert browser.find_element("css selector", "#segments [aria-selected=true]").get_attribute("data-at") == "2"
    body.send_keys("k")
    assert browser.find_element("css selector", "#segments [aria-selected=true]").get_attribute("data-at") == "1"
    body.send_keys("2")
    assert browser.find_element("id", "tab-text").get_attribute("aria-selected") == "true"
    browser.find_element("id", "tab-text").send_keys(Keys.ARROW_RIGHT)
    assert browser.find_element("id", "tab-text").get_attribute("aria-selected") == "false"
    browser.find_element("css selector", "body").send_keys("n")
    wait_for(lambda: "/d/1" in browser.current_url)


def test_the_table_is_searched(browser: Any, served: Served) -> None:
    browser.get(served.address + "documents")
    shot(browser, "documents")
    box = browser.find_element("name", "q")
    box.send_keys("tram")
    box.submit()
    wait_for(lambda: "q=tram" in browser.current_url)
    assert len(browser.find_elements("css selector", "tbody tr")) == 1


def test_a_page_of_300_kilobytes_is_painted_in_a_second(browser: Any, analysis: Analysis, tmp_path: Path) -> None:
    pages = [json.loads(line)["html"] for line in (DATA / "crawl.jsonl").read_text(encoding="utf-8").splitlines()[:1]]
    body = pages[0].partition("<body")[2].partition(">")[2].rpartition("</body>")[0]
    html = "<title>Large</title>" + body * (300_000 // len(body) + 1)
    path = tmp_path / "large.jsonl"
    path.write_text(json.dumps({"id": "large", "html": html}) + "\n")
    with collected(path) as collection, serving(Site(collection, analysis)) as served:
        opened(browser, served.address + "d/0")
        paint = "return performance.getEntriesByName('first-contentful-paint')[0].startTime"
        assert wait_for(lambda: browser.execute_script(paint)) < 1000
        redrawn(browser, set_control("a", "threshold", "1"))


def test_a_report_works_without_a_server(browser: Any, analysis: Analysis, tmp_path: Path) -> None:
    record = json.loads((DATA / "crawl.jsonl").read_text(encoding="utf-8").splitlines()[0])
    path = tmp_path / "report.html"
    path.write_text(report(analysis, "report", record, Settings()), encoding="utf-8")
    opened(browser, path.as_uri())
    assert in_frame(browser, "page.querySelectorAll('[data-keep=\"1\"]').length") > 0
    browser.find_element("css selector", "#segments li.kept").click()
    assert "path" in browser.find_element("id", "detail").text
    assert errors_of(browser) == []
    shot(browser, "report")


def test_hostile_pages_run_nothing_and_ask_for_nothing(browser: Any, analysis: Analysis, tmp_path: Path) -> None:
    path = tmp_path / "hostile.jsonl"
    texts = [f"{html}<p>Some text of page {number}." for number, html in enumerate(HOSTILE)]
    path.write_text("".join(json.dumps({"id": html, "url": html, "html": html}) + "\n" for html in texts))
    with collected(path) as collection, serving(Site(collection, analysis)) as served:
        browser.get(served.address + "documents")
        assert "<script>" in browser.find_element("css selector", "tbody").text
        for number in range(len(texts)):
            opened(browser, f"{served.address}d/{number}")  # an alert would end the script with an error
            in_frame(browser, "page.querySelectorAll('a, [data-nc]').forEach((e) => e.click())")
            assert browser.current_url == f"{served.address}d/{number}"
            assert browser.execute_script("return document.getElementById('page').contentWindow.location.pathname") == (
                f"/page/{number}"
            )
        ours = {"/documents", "/static/", "/d/", "/page/", "/api/d/", "/api/reasons/", "/favicon.ico", "/api/progress"}
        strange = {path for _, path in served.requests if not any(path.startswith(one) for one in ours)}
        assert strange == set()
        assert {method for method, _ in served.requests} == {"GET"}
        # the table asks for progress, no page does
        assert served.requests.count(("GET", "/api/progress")) <= 2


def test_the_frame_allows_no_script_even_if_markup_had_one(browser: Any, served: Served) -> None:
    opened(browser, served.address + "d/0")
    seen = len(served.requests)
    browser.execute_script(
        "const page = document.getElementById('page').contentDocument;"
        "page.body.insertAdjacentHTML('beforeend', '<img src=/api/progress onerror=\"parent.broken = 1\">');"
        "page.body.append(Object.assign(page.createElement('script'), {textContent: 'parent.broken = 2'}));"
        "page.body.append(Object.assign(page.createElement('iframe'), {src: '/documents'}))"
    )
    browser.execute_async_script("setTimeout(arguments[0], 500)")
    assert browser.execute_script("return window.broken === undefined")
    assert served.requests[seen:] == []
    assert any("Content Security Policy" in message for message in errors_of(browser))


def axe_source() -> str:
    """The source of axe-core, from the npm registry; skips the test where it cannot be had."""
    npm = shutil.which("npm")
    if npm is None:
        pytest.skip("npm is not installed: axe-core cannot be fetched")
    folder = Path(os.environ.get("NC_AXE_FOLDER") or ROOT / ".pytest_cache" / "axe")
    source = folder / "node_modules" / "axe-core" / "axe.min.js"
    if not source.exists():
        folder.mkdir(parents=True, exist_ok=True)
        command = [npm, "install", "--no-save", "--ignore-scripts", "--prefix", str(folder), "axe-core@4"]
        if subprocess.run(command, capture_output=True, timeout=120).returncode or not source.exists():
            pytest.skip("axe-core could not be fetched from the npm registry")
    return source.read_text(encoding="utf-8")


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_axe_finds_no_violation(theme: str, browser: Any, served: Served, analysis: Analysis) -> None:
    source = axe_source()
    rules = "" if theme == "light" else "runOnly: ['color-contrast'],"  # all that a theme changes
    for path in ("d/0", "d/15", "documents", "nothing"):
        opened(browser, served.address + path) if path.startswith("d/") else browser.get(served.address + path)
        browser.execute_script(f"document.documentElement.dataset.theme = '{theme}'")
        browser.execute_script(source)  # by the driver, which no policy binds
        assert violations(browser, rules) == [], path
        for tab in browser.find_elements("css selector", "[role=tab]")[1:]:
            tab.click()
            assert violations(browser, rules) == [], (path, tab.text)
        shot(browser, f"{theme}-{path.replace('/', '-')}")


def violations(browser: Any, rules: str) -> list[str]:
    found = browser.execute_async_script(
        "const done = arguments[0];"
        f"axe.run(document, {{ iframes: false, {rules} resultTypes: ['violations'] }}).then((r) => done(r.violations"
        ".map((v) => v.id + ': ' + v.nodes.slice(0, 3).map((n) => n.html).join(' | '))), (e) => done([String(e)]))"
    )
    out: list[str] = found
    return out


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_print_is_dark_on_white_and_says_what_edges_mean(theme: str, browser: Any, served: Served) -> None:
    opened(browser, served.address + "d/0")
    browser.execute_script(f"document.documentElement.dataset.theme = {theme!r}")
    browser.execute_cdp_cmd("Emulation.setEmulatedMedia", {"media": "print"})
    try:
        style = "const style = getComputedStyle(document.body); return [style.color, style.backgroundColor]"
        assert browser.execute_script(style) == ["rgb(0, 0, 0)", "rgb(255, 255, 255)"]
        edges = "return getComputedStyle(document.getElementById('facts'), '::after').content"
        assert "dashed edge: dropped" in browser.execute_script(edges)
        height = (
            "return document.getElementById('segments').scrollHeight - document.getElementById('segments').clientHeight"
        )
        assert browser.execute_script(height) <= 0  # nothing is cut off
        assert not browser.find_element("id", "controls").is_displayed()
        shot(browser, f"print-{theme}")
    finally:
        browser.execute_cdp_cmd("Emulation.setEmulatedMedia", {"media": ""})


def test_phones(served: Served) -> None:
    with chromium("--window-size=390,844") as phone:
        phone.execute_cdp_cmd(
            "Emulation.setDeviceMetricsOverride", {"width": 390, "height": 844, "deviceScaleFactor": 1, "mobile": True}
        )
        opened(phone, served.address + "d/0")
        assert phone.execute_script("return document.documentElement.scrollWidth") <= 391
        shot(phone, "phone")
        phone.get(served.address + "documents")
        assert phone.execute_script("return document.documentElement.scrollWidth") <= 391
        shot(phone, "phone-documents")


def test_a_pasted_page_is_shown(browser: Any, analysis: Analysis) -> None:
    with collected() as collection, serving(Site(collection, analysis)) as served:
        browser.get(served.address)
        browser.execute_script("document.getElementById('html').value = '<h1>Rain</h1><p>It rained all day.'")
        shot(browser, "paste")
        browser.find_element("css selector", "#paste button").click()
        wait_for(lambda: "/d/p-" in browser.current_url)
        wait_for(lambda: "It rained all day." in browser.find_element("id", "segments").text)
