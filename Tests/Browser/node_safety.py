"""Who is not let in, and what does not get through: by request and by browser."""

import http.client
import json
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from urllib.parse import urlencode, urlsplit

from browsers import expect, until
from homes import card, friends, live, page
from scenarios import scenario

HOSTILE = "<script>window.hacked = 1</script><img src=x onerror='window.hacked = 2'>\"'><b>bold</b>"
FIELDS = ("price", "host", "note", "details")


def ask(port, method, path, host=None, body=None, **headers):
    """The status, the headers and the text of an answer."""
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=10)
    headers = {name.replace("_", "-"): value for name, value in headers.items()} | {"Host": host or f"127.0.0.1:{port}"}
    if body is not None:
        headers.setdefault("Content-Type", "application/x-www-form-urlencoded")
        body = urlencode(body)
    connection.request(method, path, body=body, headers=headers)
    answer = connection.getresponse()
    return answer.status, answer.headers, answer.read().decode()


def enter(home):
    """A session of a browser that was let in: port, path of the trip's page, cookie."""
    link = urlsplit(home.link())
    status, headers, _ = ask(link.port, "GET", link.path)
    expect(status == 303, f"a fresh link: {status}")
    cookie = headers["Set-Cookie"]
    expect("HttpOnly" in cookie and "SameSite=Strict" in cookie, f"the cookie: {cookie}")
    cookie = cookie.partition(";")[0]
    _, headers, _ = ask(link.port, "GET", "/", Cookie=cookie)
    return link.port, headers["Location"], cookie


@scenario("wrong and used tokens, no cookie, foreign Host and Origin: refused in a line that says what to do, nothing changed",
          engines=("chromium",), needs_caravan=True)
def refused(stage):
    jie, = friends(stage, ("Jie",), [("Casa do Rio",)])
    used = urlsplit(jie.link())
    expect(ask(used.port, "GET", used.path)[0] == 303, "a fresh link")
    port, path, cookie = enter(jie)
    vote = {"do": "vote", "item": list(jie.items().values())[0]["id"][:8], "vote": "for"}
    ours = f"http://127.0.0.1:{port}"
    cases = {
        "a wrong token": (403, ("GET", "/enter/AAAAAAAAAAAAAAAAAAAAAA"), {}),
        "a used token": (403, ("GET", used.path), {}),
        "no cookie": (403, ("GET", path), {}),
        "a wrong cookie": (403, ("GET", path), {"Cookie": cookie[:-2] + "xx"}),
        "a foreign Host": (421, ("GET", path), {"Cookie": cookie, "host": "evil.test"}),
        "a foreign Host and our port": (421, ("GET", path), {"Cookie": cookie, "host": f"evil.test:{port}"}),
        "a foreign Origin": (403, ("POST", path + "act"), {"Cookie": cookie, "body": vote, "Origin": "http://evil.test"}),
        "another port's Origin": (403, ("POST", path + "act"),
                                  {"Cookie": cookie, "body": vote, "Origin": f"http://127.0.0.1:{port + 1}"}),
        "no Origin": (403, ("POST", path + "act"), {"Cookie": cookie, "body": vote}),
        "no cookie, our Origin": (403, ("POST", path + "act"), {"body": vote, "Origin": ours}),
        "a look from elsewhere": (403, ("POST", path + "look"), {"Cookie": cookie, "body": {}, "Origin": "http://evil.test"}),
        "another method": (405, ("OPTIONS", path + "act"), {"Cookie": cookie, "Origin": "http://evil.test"}),
        "another trip": (404, ("GET", "/t/0000/"), {"Cookie": cookie}),
    }
    for what, (wanted, request, options) in cases.items():
        status, headers, text = ask(port, *request, **options)
        expect(status == wanted, f"{what}: {status} {text!r}, and not {wanted}")
        expect(text.count("\n") <= 1 and len(text) > 20, f"{what}: {text!r} is not one line that says what to do")
        expect(not any(name.lower().startswith("access-control") for name in headers), f"{what}: CORS")
    expect(jie.items()["Casa do Rio"].get("tally", 0) == 0, "something got through")
    status, headers, _ = ask(port, "POST", path + "act", body=vote, Cookie=cookie, Origin=ours)
    expect(status == 303 and jie.items()["Casa do Rio"]["tally"] == 1, f"our own form: {status}")
    _, headers, _ = ask(port, "GET", path, Cookie=cookie)
    expect(headers["Cache-Control"] == "no-store" and "default-src 'none'" in headers["Content-Security-Policy"], "headers")


class Elsewhere:
    """Another site's page, which posts a form to an address as soon as it is loaded."""

    def __init__(self, target, fields):
        inputs = "".join(f"<input name='{name}' value='{value}'>" for name, value in fields.items())
        markup = f"<!doctype html><title>evil</title><form method=post action='{target}'>{inputs}</form>" \
                 "<script>document.forms[0].submit()</script>"

        class Handler(BaseHTTPRequestHandler):
            def do_GET(self):
                self.send_response(200)
                self.send_header("Content-Type", "text/html")
                self.end_headers()
                self.wfile.write(markup.encode())

            def log_message(self, *_):
                pass

        self.server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.port = self.server.server_port
        threading.Thread(target=self.server.serve_forever, args=(0.05,), daemon=True).start()

    def close(self):
        self.server.shutdown()
        self.server.server_close()


@scenario("forms that other sites post, and names that are made to lead here (DNS rebinding), change and show nothing",
          needs_caravan=True)
def elsewhere(stage):
    jie, = friends(stage, ("Jie",), [("Casa do Rio",)])
    ours = page(stage, jie)
    origin, path = ours.run("location.origin"), ours.run("location.pathname")
    fields = {"do": "vote", "item": list(jie.items().values())[0]["id"][:8], "vote": "for"}
    evil = Elsewhere(f"{origin}{path}act", fields)
    stage.closing.append(evil.close)
    # The same site by another port sends the cookie along; another site does not. The name leads here in Chromium alone.
    names = ["127.0.0.1", "evil.test"] if stage.engine.name == "chromium" else ["127.0.0.1"]
    for name in names:
        ours.open(f"http://{name}:{evil.port}/")
        ours.until("document.body?.textContent.includes('another page') || document.body?.textContent.includes('no access')",
                   f"a form of {name} is refused")
        expect(jie.items()["Casa do Rio"].get("tally", 0) == 0, f"a form of {name} got through")
    if stage.engine.name == "chromium":
        ours.open(origin.replace("127.0.0.1", "evil.test") + path)
        expect("another address" in ours.run("document.body.textContent"), "a name that was made to lead here is served")
    ours.open(origin)
    live(ours, "the page, after all that")


@scenario("script in every text that people write is text on every view", needs_caravan=True)
def hostile(stage):
    jie, = friends(stage, ("Jie",))
    ours = page(stage, jie)
    jie.do("add", HOSTILE)
    item = list(jie.items().values())[0]["id"][:12]
    for field in FIELDS:
        jie.do("edit", item, f"--{field}", HOSTILE)
    ours.until(f"{card('window.hacked')} !== undefined", "the card")
    path = ours.run("location.pathname")
    for query in ("", f"?open={item}", f"?open={item}&edit=1", "?view=ranking", f"?view=compare&compare={item}", "?view=history",
                  "?view=bring", "?view=map", "?find=" + "%3Cscript%3Ewindow.hacked%3D3%3C/script%3E", "?view=members"):
        ours.open(ours.run("location.origin") + path + query)
        live(ours)
        expect(ours.run("window.hacked") is None, f"script ran on {query}")
        expect(ours.run("document.querySelectorAll('main b, main img[src=x], main script').length") == 0, f"markup on {query}")
    ours.open(ours.run("location.origin") + path)
    ours.type("#what", HOSTILE)
    ours.press("Enter")
    until(lambda: len(jie.items()) == 1 and len(json.loads(jie.do("list", "--json"))["items"]) == 2, 10, "the second item")
    expect(ours.run("window.hacked") is None, "script ran")


@scenario("without script: read, vote, add and edit, by forms and loads alone", engines=("chromium",), needs_caravan=True)
def scriptless(stage):
    jie, = friends(stage, ("Jie",), [("Casa do Rio", "--price", "90")])
    tab = stage.tab(java_script_enabled=False)
    tab.open(jie.link())
    there = tab.page
    expect("Casa do Rio" in there.content(), "the card")
    there.click("#cards .pill .for")
    there.wait_for_load_state()
    expect(jie.items()["Casa do Rio"]["tally"] == 1, f"the vote: {there.inner_text('body')[:200]}")
    expect(there.locator("#cards .pill .for").get_attribute("aria-pressed") == "true", "the vote is not shown")
    there.fill("#what", "Quinta")
    there.press("#what", "Enter")
    there.wait_for_load_state()
    expect("Quinta" in jie.items() and "Quinta" in there.inner_text("#cards"), "what was added")
    there.click("#cards h3 a >> nth=0")
    there.click(".expanded .answers [value=maybe]")
    there.wait_for_load_state()
    expect([one["attendance"] for one in jie.items()["Casa do Rio"]["attendance"]] == ["maybe"], "the answer")
    expect(there.locator(".expanded .answers [aria-pressed=true]").inner_text() == "Maybe", "the answer is not shown")
    expect("Everybody has answered." in there.inner_text(".expanded .attendance"), "who has answered")
    there.click(".expanded a[href*='edit=1'] >> nth=0")
    there.fill(".expanded input[name=price]", "80")
    there.click(".expanded form.edit .primary")
    there.wait_for_load_state()
    expect(jie.items()["Casa do Rio"]["price"] == "80", "the price")
    expect("edit=1" not in there.url and there.locator("form.edit").count() == 0, "the form stayed")
    there.click(".expanded a[href*='edit=1'] >> nth=0")
    there.fill(".expanded input[name=title]", "Casa alta")
    there.fill(".expanded input[name=beds]", "three")
    there.click(".expanded form.edit .primary")
    there.wait_for_load_state()
    typed = [there.input_value(f".expanded input[name={name}]") for name in ("title", "beds")]
    expect(typed == ["Casa alta", "three"], f"what was typed and refused: {typed}")
    expect("must be a number" in there.inner_text(".expanded .field-beds .fault"), "what is wrong is not at its field")


@scenario("without script, a form leads back to its card on a phone, which stays open, and an opened card is in sight",
          engines=("chromium",), needs_caravan=True)
def scriptless_place(stage):
    jie, = friends(stage, ("Jie",))
    ideas = Path(stage.folder, "ideas.csv")
    ideas.write_text("title\n" + "".join(f"Idea {number}\n" for number in range(212)))
    jie.do("import", ideas)
    tab = stage.tab(java_script_enabled=False, viewport={"width": 375, "height": 740})
    tab.open(jie.link())
    there = tab.page

    def is_seen(what):
        there.wait_for_load_state()
        box = there.locator(".card", has=there.get_by_role("link", name=title, exact=True)).bounding_box()
        expect(box is not None and -60 < box["y"] < 700, f"{what}: {title} is at {box} of {there.url}")

    title = "Idea 40"
    vote = there.get_by_role("button", name=f"For {title}", exact=True)
    vote.click()
    is_seen("after the vote")
    expect(vote.get_attribute("aria-pressed") == "true", "the vote is not shown")
    there.get_by_role("link", name=title, exact=True).click()
    is_seen("opened")
    there.fill(".expanded .comments [name=text]", "By the sea")
    there.click(".expanded .comments .button")
    is_seen("after the comment")
    expect("By the sea" in there.inner_text(".expanded .comments"), "the card is closed")
    there.get_by_role("link", name=title, exact=True).click()
    is_seen("closed")
    expect(there.locator(".expanded").count() == 0, "the card is open")
    there.click("#later a")
    title = "Idea 79"
    there.get_by_role("button", name=f"For {title}", exact=True).click()
    is_seen("after a vote further down")
