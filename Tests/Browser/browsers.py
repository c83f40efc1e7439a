"""Two engines under one interface: Chromium by Playwright, WebKit (Safari's engine) by WebKitGTK's own driver."""

import os
import shutil
import struct
import subprocess
import tempfile
import time
from glob import glob
from pathlib import Path

WAIT_SECONDS = 10
PATIENCE_MAX = 8
# The pointer begins in the middle, and with no window manager a window has the keys that lies under it: SIZE must reach there.
SCREEN = "1400x1400x24"
SIZE = {"width": 1280, "height": 720}
# What a driver says when the page that it asks gives way to another one.
GIVES_WAY = ("Execution context was destroyed", "Not attached to an active page")
CHROMIUM = ["--no-sandbox", "--disable-dev-shm-usage", "--disable-gpu", "--hide-scrollbars",
            "--host-resolver-rules=MAP guest.test 127.0.0.1, MAP evil.test 127.0.0.1"]


class Failure(Exception):
    """What a scenario wanted, and did not come."""


def patience(seconds):
    """How long to wait for what takes so long at most on a machine that does nothing else; longer where others work on it."""
    return seconds * min(max(1, os.getloadavg()[0] / os.cpu_count()), PATIENCE_MAX)


def until(condition, seconds, what):
    """Waits until `condition` gives something true, and returns it."""
    seconds = round(patience(seconds))
    deadline = time.monotonic() + seconds
    while True:
        value = condition()
        if value:
            return value
        if time.monotonic() > deadline:
            raise Failure(f"not within {seconds} s: {what}")
        time.sleep(0.02)


def expect(condition, what):
    if not condition:
        raise Failure(what)


class Tab:
    """A page in a browser. `run` evaluates an expression in it; `$` there finds an element by its selector."""

    def run(self, expression):
        raise NotImplementedError

    def text(self, selector):
        return self.run(f"$({selector!r})?.textContent ?? null")

    def until(self, expression, what, seconds=WAIT_SECONDS):
        return until(lambda: self.glance(expression), seconds, what)

    def glance(self, expression):
        """What an expression is, as `run`; None while the page gives way to another one."""
        try:
            return self.run(expression)
        except Exception as error:  # each driver has an error of its own for this
            if any(words in str(error) for words in GIVES_WAY):
                return None
            raise


class ChromiumTab(Tab):
    name = "chromium"

    def __init__(self, page):
        self.page = page
        self.faults = []
        page.on("pageerror", lambda error: self.faults.append(str(error)))
        page.on("console", lambda line: line.type == "error" and self.faults.append(line.text))

    def open(self, address):
        self.page.goto(address)

    def run(self, expression):
        return self.page.evaluate(f"() => {{ const $ = it => document.querySelector(it); return ({expression}); }}")

    def click(self, selector):
        self.page.click(selector, timeout=patience(WAIT_SECONDS) * 1000)

    def type(self, selector, text):
        """Types at the caret, as it is where the control has the focus already."""
        if not self.run(f"document.activeElement === $({selector!r})"):
            self.click(selector)
        self.write(text)

    def write(self, text):
        """Types at whatever has the focus."""
        self.page.keyboard.type(text)

    def press(self, key):
        self.page.keyboard.press(key)

    def point_away(self):
        """Moves the pointer to where nothing stands."""
        for step in (2, 1):
            self.page.mouse.move(step, self.page.viewport_size["height"] - step)

    def reload(self):
        self.page.reload()

    def back(self):
        self.page.go_back()

    def picture(self, path):
        """Draws the whole page."""
        self.page.screenshot(path=path, full_page=True)

    def close(self):
        self.page.context.close()


class WebKitTab(Tab):
    name = "webkit"
    KEYS = {"Escape": "\ue00c", "Enter": "\ue007", "Tab": "\ue004", "Backspace": "\ue003"}

    def __init__(self, driver, idle, size, screen):
        self.driver, self.idle, self.screen, self.faults = driver, idle, screen, []
        driver.set_window_size(size["width"], size["height"])

    def picture(self, path):
        """Draws what the screen shows of the window; this driver's own pictures wait for ever where nothing changes."""
        width, height, bar = self.run("[innerWidth, innerHeight, outerHeight - innerHeight]")
        shown = [None]

        def is_still():
            shown.append(self.screen().crop((0, bar, width, bar + height)))
            return shown[-1] == shown[-2]
        self.driver.execute_async_script("const done = arguments[0]; requestAnimationFrame(() => requestAnimationFrame(done));")
        until(is_still, WAIT_SECONDS, "the page is drawn")
        shown[-1].save(path)

    def open(self, address):
        self.driver.get(address)

    def run(self, expression):
        return self.driver.execute_script(f"const $ = it => document.querySelector(it); return ({expression});")

    def element(self, selector):
        return self.driver.find_element("css selector", selector)

    def click(self, selector):
        until(lambda: self.run(f"$({selector!r}) !== null"), WAIT_SECONDS, selector)
        until(lambda: self.clicked(selector), WAIT_SECONDS, f"{selector} takes a click")

    def clicked(self, selector):
        """Clicks; False while another element covers the element or replaces it, because it moves or is redrawn."""
        from selenium.common import exceptions
        self.is_hit(selector)
        try:
            self.element(selector).click()
            return True
        except (exceptions.ElementNotInteractableException, exceptions.ElementClickInterceptedException,
                exceptions.StaleElementReferenceException, exceptions.NoSuchElementException):
            return False

    def type(self, selector, text):
        if not self.run(f"document.activeElement === $({selector!r})"):
            self.click(selector)
        self.write(text)

    def write(self, text):
        """Types at whatever has the focus."""
        self.press(text)

    def press(self, key):
        from selenium.webdriver.common.action_chains import ActionChains
        ActionChains(self.driver, duration=0).send_keys(self.KEYS.get(key, key)).perform()

    def is_hit(self, selector):
        """Waits until a click on the element's middle hits it, and not what lies above it."""
        until(lambda: self.run(f"(it => {{ it.scrollIntoView({{ block: 'nearest' }}); const {{ left, top, width, height }} ="
                               " it.getBoundingClientRect(); const hit = document.elementFromPoint(left + width / 2, top +"
                               f" height / 2); return hit && it.contains(hit); }})($({selector!r}))"),
              WAIT_SECONDS, f"{selector} can be clicked")

    def point_away(self):
        from selenium.webdriver.common.actions.action_builder import ActionBuilder
        actions = ActionBuilder(self.driver, duration=0)
        height = self.run("innerHeight")
        for step in (2, 1):
            actions.pointer_action.move_to_location(step, height - step)
        actions.perform()

    def reload(self):
        self.driver.refresh()

    def back(self):
        self.driver.back()

    def close(self):
        """Forgets what this page kept, and waits for the next who wants a tab: a new process takes a second."""
        self.driver.delete_all_cookies()
        self.run("(localStorage.clear(), sessionStorage.clear())")
        self.driver.get("about:blank")
        self.idle.append(self.driver)


class Chromium:
    """One process; each tab is somebody else's, with cookies and storage of its own."""

    name = "chromium"

    @staticmethod
    def missing():
        return None if shutil.which("chromium") else "there is no chromium here"

    def __enter__(self):
        from playwright.sync_api import sync_playwright
        self.playwright = sync_playwright().start()
        self.browser = self.playwright.chromium.launch(executable_path=shutil.which("chromium"), args=CHROMIUM)
        return self

    def tab(self, **options):
        """`options` are those of a context of Playwright."""
        return ChromiumTab(self.browser.new_context(**options).new_page())

    def __exit__(self, *_):
        self.browser.close()
        self.playwright.stop()


# The browser's own bar keeps a window from being as narrow as a phone, unless all in it is small.
SMALL_BAR = "* { min-width: 0; min-height: 0; padding: 0; margin: 0; border-width: 0; font-size: 1px; }\n"


class WebKit:
    """A process a tab, on a screen of its own that nobody sees. Tabs that were closed are used again, emptied."""

    name = "webkit"

    @staticmethod
    def mini_browser():
        return next(iter(sorted(glob("/usr/lib/*/webkit2gtk-4.*/MiniBrowser"), reverse=True)), None)

    @staticmethod
    def missing():
        for name in ("WebKitWebDriver", "Xvfb"):
            if not shutil.which(name):
                return f"there is no {name} here"
        return None if WebKit.mini_browser() else "there is no MiniBrowser of WebKitGTK here"

    def __enter__(self):
        self.settings = tempfile.TemporaryDirectory()
        style = Path(self.settings.name, "gtk-3.0", "gtk.css")
        style.parent.mkdir()
        style.write_text(SMALL_BAR, encoding="utf-8")
        reading, writing = os.pipe()
        self.screen = subprocess.Popen(
            ["Xvfb", "-displayfd", str(writing), "-screen", "0", SCREEN, "-nolisten", "tcp", "-fbdir", self.settings.name],
            pass_fds=[writing], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        os.close(writing)
        with os.fdopen(reading) as number:
            display = number.readline().strip()
        # As root in a container WebKit's own sandbox cannot be made; it shows our own pages only.
        self.environment = dict(os.environ, DISPLAY=f":{display}", WEBKIT_DISABLE_SANDBOX_THIS_IS_DANGEROUS="1",
                                WEBKIT_DISABLE_COMPOSITING_MODE="1", LIBGL_ALWAYS_SOFTWARE="1", NO_AT_BRIDGE="1",
                                XDG_CONFIG_HOME=self.settings.name)
        self.drivers, self.idle = [], {}
        return self

    def tab(self, color_scheme="light", viewport=None, **_):
        """`color_scheme` and `viewport` are as in a context of Playwright, whose other options WebKitGTK has not."""
        idle = self.idle.setdefault(color_scheme, [])
        return WebKitTab(idle.pop() if idle else self.driver(color_scheme), idle, viewport or SIZE, self.shown)

    def shown(self):
        """The screen as a picture: Xvfb keeps it in a file, a dump as of xwd, with the windows in its corner."""
        from PIL import Image
        dump = Path(self.settings.name, "Xvfb_screen0").read_bytes()
        fields = struct.unpack(">25I", dump[:100])
        start, width, height, line, colours = fields[0], fields[4], fields[5], fields[12], fields[19]
        return Image.frombuffer("RGB", (width, height), dump[start + colours * 12:], "raw", "BGRX", line, 1)

    def driver(self, color_scheme):
        from selenium import webdriver
        from selenium.webdriver.webkitgtk.options import Options
        from selenium.webdriver.webkitgtk.service import Service
        options = Options()
        options.binary_location = self.mini_browser()
        options.add_argument("--automation")
        # A page is light or dark as its desktop is.
        environment = self.environment | {"GTK_THEME": "Adwaita:dark" if color_scheme == "dark" else "Adwaita"}
        service = Service(executable_path=shutil.which("WebKitWebDriver"), env=environment)
        driver = webdriver.WebKitGTK(options=options, service=service)
        driver.set_script_timeout(WAIT_SECONDS)
        self.drivers.append(driver)
        return driver

    def __exit__(self, *_):
        for driver in self.drivers:
            driver.quit()
        self.screen.terminate()
        self.screen.wait(10)
        self.settings.cleanup()
