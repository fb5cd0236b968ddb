"""A browser for the tests, and a server of the inspector for it.

with chromium() as browser, serving(collection, analysis) as served:
    browser.get(served.address)
"""

from __future__ import annotations

import os
import shutil
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any

import pytest

BROWSERS, DRIVERS = ("chromium", "chromium-browser", "google-chrome"), ("chromedriver", "chromium-driver")


@dataclass
class Served:
    """A server: its address, and the requests that it has seen, as method and path."""

    address: str
    requests: list[tuple[str, str]] = field(default_factory=list)


@contextmanager
def serving(site: Any) -> Iterator[Served]:
    """Serves a site in a thread."""
    import uvicorn

    from ncfilters.inspector.app import address_of, application, bind

    listener = bind(0)
    served = Served(address_of(listener))
    app = application(site)

    async def watched(scope: Any, receive: Any, send: Any) -> None:
        served.requests.append((scope["method"], scope["path"]))
        await app(scope, receive, send)

    config = uvicorn.Config(watched, log_level="error", lifespan="off", timeout_graceful_shutdown=1)
    running = uvicorn.Server(config)
    thread = threading.Thread(target=lambda: running.run(sockets=[listener]), daemon=True)
    thread.start()
    wait_for(lambda: running.started)
    try:
        yield served
    finally:
        running.should_exit = True
        thread.join(10)


@contextmanager
def chromium(*arguments: str) -> Iterator[Any]:
    """Chromium without a window; skips the test where there is none."""
    pytest.importorskip("selenium", reason="Selenium is not installed")
    from selenium import webdriver
    from selenium.webdriver.chrome.service import Service

    program = next(filter(None, map(shutil.which, BROWSERS)), None)
    driver = next(filter(None, map(shutil.which, DRIVERS)), None)
    if program is None or driver is None:
        pytest.skip("Chromium and its driver are not installed: the browser tests are skipped")
    options = webdriver.ChromeOptions()
    options.binary_location = program
    own = ("--headless=new", "--disable-gpu", "--disable-dev-shm-usage", "--window-size=1400,900")
    for argument in (*own, *arguments):
        options.add_argument(argument)
    if os.geteuid() == 0:
        options.add_argument("--no-sandbox")  # Chromium's own, which root cannot use
    options.set_capability("goog:loggingPrefs", {"browser": "ALL"})
    browser = webdriver.Chrome(options=options, service=Service(driver))
    browser.set_page_load_timeout(60)
    try:
        yield browser
    finally:
        browser.quit()


def wait_for(condition: Callable[[], Any], seconds: float = 30) -> Any:
    """The first true value of a condition. Fails after so many seconds."""
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        if value := condition():
            return value
        time.sleep(0.02)
    raise AssertionError("it does not come true")


def opened(browser: Any, address: str) -> Any:
    """The browser at a document, when its page is drawn; its log begins there."""
    browser.get_log("browser")
    browser.get(address)
    drawn = "const d = document.documentElement.dataset; return d.framed && d.drawn"
    wait_for(lambda: browser.execute_script(drawn))
    return browser
