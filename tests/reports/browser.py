"""A headless Chromium, driven through its debugging pipe: no driver, no port, no package.

The browser is VERITILE_CHROMIUM, or the first of the usual names that is there; tests skip where there is none.
"""

from __future__ import annotations

import base64
import json
import os
import shutil
import subprocess
import tempfile
from pathlib import Path
from typing import Any

NAMES = ("chromium", "chromium-browser", "google-chrome", "chrome")
ROOT = Path(__file__).resolve().parents[2]
MODULES = ROOT / "build" / "browser" / "node_modules"


def chromium() -> str | None:
    return os.environ.get("VERITILE_CHROMIUM") or next((path for name in NAMES if (path := shutil.which(name))), None)


class Browser:
    """One browser with one page; every request, console message and exception of the page is kept."""

    def __init__(self, path: str):
        self.folder = tempfile.TemporaryDirectory(ignore_cleanup_errors=True)
        to_read, self.out = os.pipe()
        self.source, to_write = os.pipe()

        def wire() -> None:  # the browser reads commands on 3 and answers on 4
            first, second = os.dup(to_read), os.dup(to_write)
            os.dup2(first, 3)
            os.dup2(second, 4)

        self.process = subprocess.Popen(
            [path, "--headless=new", "--no-sandbox", "--disable-gpu", "--remote-debugging-pipe", "--no-first-run",
             "--disable-background-networking", "--disable-dev-shm-usage", f"--user-data-dir={self.folder.name}",
             "about:blank"],
            stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, preexec_fn=wire,
            close_fds=False,
        )  # fmt: skip
        os.close(to_read)
        os.close(to_write)
        self.rest = b""
        self.number = 0
        self.events: list[dict[str, Any]] = []
        self.session: str | None = None
        targets = self.send("Target.getTargets")["targetInfos"]
        page = next(t["targetId"] for t in targets if t["type"] == "page")
        self.session = self.send("Target.attachToTarget", targetId=page, flatten=True)["sessionId"]
        for domain in ("Page", "Runtime", "Network", "Log"):
            self.send(f"{domain}.enable")
        self.send("Page.setLifecycleEventsEnabled", enabled=True)

    def _message(self) -> dict[str, Any]:
        while b"\0" not in self.rest:
            block = os.read(self.source, 1 << 16)
            if not block:
                raise EOFError("the browser ended")
            self.rest += block
        line, self.rest = self.rest.split(b"\0", 1)
        return json.loads(line)

    def send(self, method: str, **parameters: Any) -> dict[str, Any]:
        self.number += 1
        told = {"id": self.number, "method": method, "params": parameters}
        if self.session is not None:
            told["sessionId"] = self.session
        data = json.dumps(told).encode() + b"\0"
        while data:
            data = data[os.write(self.out, data) :]
        while True:
            message = self._message()
            if message.get("id") == self.number:
                if "error" in message:
                    raise RuntimeError(f"{method}: {message['error']}")
                return message["result"]
            self.events.append(message)

    def open(self, path: Path, hash_: str = "") -> None:
        """Opens a file, and waits until it is loaded."""
        self.send("Page.navigate", url="about:blank")
        self.events.clear()
        loader = self.send("Page.navigate", url=path.resolve().as_uri() + hash_)["loaderId"]
        while not any(_is_load(event, loader) for event in self.events):
            self.events.append(self._message())

    def run(self, script: str) -> Any:
        """The value of an expression in the page; a promise is waited for."""
        answer = self.send("Runtime.evaluate", expression=script, returnByValue=True, awaitPromise=True)
        if "exceptionDetails" in answer:
            raise RuntimeError(json.dumps(answer["exceptionDetails"])[:800])
        return answer["result"].get("value")

    def key(self, key: str, text: str = "", code: int = 0) -> None:
        """A key pressed and let go."""
        common = {"key": key, "windowsVirtualKeyCode": code}
        self.send("Input.dispatchKeyEvent", type="keyDown", text=text, **common)
        self.send("Input.dispatchKeyEvent", type="keyUp", **common)

    def media(self, **features: str) -> None:
        """The kind of medium (``type="print"``) or features such as ``scheme="dark"``."""
        scheme = [{"name": "prefers-color-scheme", "value": features.get("scheme", "light")}]
        self.send("Emulation.setEmulatedMedia", media=features.get("type", ""), features=scheme)

    def picture(self, path: Path, width: int = 1200, height: int = 900) -> None:
        self.send("Emulation.setDeviceMetricsOverride", width=width, height=height, deviceScaleFactor=1, mobile=False)
        path.write_bytes(base64.b64decode(self.send("Page.captureScreenshot")["data"]))

    def complaints(self) -> list[str]:
        """Console errors, exceptions, and requests for anything but the page itself."""
        found = []
        for event in self.events:
            method, told = event.get("method"), event.get("params", {})
            if method == "Runtime.exceptionThrown":
                found.append(json.dumps(told)[:300])
            elif method == "Runtime.consoleAPICalled" and told["type"] in ("error", "warning"):
                found.append(json.dumps(told["args"])[:300])
            elif method == "Log.entryAdded" and told["entry"]["level"] in ("error", "warning"):
                found.append(told["entry"]["text"])
            elif method == "Network.requestWillBeSent" and not told["request"]["url"].startswith(("file:", "about:")):
                found.append(f"request: {told['request']['url']}")
        return found

    def axe(self) -> list[str]:
        """What axe-core finds wrong with the page, a line each."""
        source = (MODULES / "axe-core" / "axe.min.js").read_text(encoding="utf-8")
        self.run(source + ";0")
        told = "v.id + ': ' + v.nodes.map((n) => n.html).slice(0, 3).join(' ; ')"
        return list(self.run(f"axe.run().then((r) => r.violations.map((v) => {told}))"))

    def close(self) -> None:
        self.process.terminate()
        self.process.wait()
        os.close(self.out)
        os.close(self.source)
        self.folder.cleanup()


def _is_load(event: dict[str, Any], loader: str) -> bool:
    """Whether this is the end of the loading of one document."""
    told = event.get("params", {})
    return event.get("method") == "Page.lifecycleEvent" and told["name"] == "load" and told["loaderId"] == loader
