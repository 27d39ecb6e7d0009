"""The explorer below a path of a real nginx, as on a course's own server."""

import json
import os
import shutil
import subprocess
import time
import urllib.request
from collections.abc import Iterator
from urllib.parse import urljoin, urlsplit

import pytest
from playwright.sync_api import Page, expect

from tests.browser.explorer import FOUR, draw, open_view, prediction
from tests.browser.server import free_port, running
from tests.patience import START_S

PREFIX = "/ml-101/explorer"

NGINX = """
{user}
daemon off;
pid {folder}/nginx.pid;
error_log stderr;
events {{}}
http {{
    access_log off;
    client_max_body_size 20m;
    client_body_temp_path {folder}/body;
    proxy_temp_path {folder}/proxy;
    fastcgi_temp_path {folder}/fastcgi;
    uwsgi_temp_path {folder}/uwsgi;
    scgi_temp_path {folder}/scgi;
    server {{
        listen 127.0.0.1:{port};
        location {prefix}/ {{
            proxy_pass {explorer}/;
            proxy_http_version 1.1;
            proxy_set_header Connection "";
            proxy_set_header X-Forwarded-Host $http_host;
            proxy_set_header X-Forwarded-Proto $scheme;
            proxy_set_header X-Forwarded-Prefix {prefix};
        }}
    }}
}}
"""

pytestmark = pytest.mark.skipif(
    shutil.which("nginx", path=f"{os.environ.get('PATH')}:/usr/sbin") is None,
    reason="needs nginx: apt-get install nginx-light",
)


@pytest.fixture(scope="session")
def base_url(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The address of an explorer behind nginx; the page may ask nothing above it."""
    folder = tmp_path_factory.mktemp("nginx")
    port = free_port()
    options = ("--behind-proxy", "--allow-training", "--runs", str(folder / "runs"))
    with running(*options) as explorer:
        settings = NGINX.format(
            user="user root;" if os.geteuid() == 0 else "",
            folder=folder,
            port=port,
            prefix=PREFIX,
            explorer=explorer,
        )
        (folder / "nginx.conf").write_text(settings)
        program = shutil.which("nginx", path=f"{os.environ['PATH']}:/usr/sbin")
        with subprocess.Popen([str(program), "-c", folder / "nginx.conf"]) as nginx:
            try:
                address = f"http://127.0.0.1:{port}{PREFIX}"
                wait_for(f"{address}/api/health")
                yield address
            finally:
                nginx.terminate()


def wait_for(address: str) -> None:
    """Wait until something answers there."""
    end = time.monotonic() + START_S
    while True:
        try:
            urllib.request.urlopen(address, timeout=START_S).close()
            return
        except OSError:
            assert time.monotonic() < end
            time.sleep(0.05)


def test_it_is_explored_drawn_on_and_shared_below_a_path(page: Page, base_url: str):
    page.goto(f"{base_url}/#sample=three-round")
    expect(prediction(page)).to_have_text("3")
    draw(page, FOUR)
    expect(prediction(page)).to_have_text("4")
    open_view(page, "routing")
    with page.expect_popup() as opened:
        page.evaluate("open(location.href)")  # what is shared is the address
    shared = opened.value
    assert shared.url.startswith(f"{base_url}/#view=routing&")
    expect(shared.locator("#view-routing")).to_be_visible()
    expect(prediction(shared)).to_have_text("4")


def test_every_link_of_its_pages_leads_on_below_the_path(page: Page, base_url: str):
    for name in ("", "guide", "guide/worksheet/1", "claims"):
        page.goto(f"{base_url}/{name}")
        addresses = page.evaluate(
            "[...document.querySelectorAll('a[href]')].map(({ href }) => href)"
        )
        assert addresses
        paths = {urlsplit(address).path for address in addresses}
        for path in paths:
            assert path.startswith(f"{PREFIX}/"), f"{name} leads to {path}"
            with urllib.request.urlopen(urljoin(base_url, path)) as answer:
                assert answer.status == 200
    page.goto(f"{base_url}/api/docs")
    expect(page.get_by_text("CapsNet Explorer").first).to_be_visible()
    with urllib.request.urlopen(f"{base_url}/api/openapi.json") as answer:
        assert json.load(answer)["servers"] == [{"url": base_url}]
