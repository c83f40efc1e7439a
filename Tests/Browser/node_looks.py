"""What stands beside what: edges that meet, lines that share a height, gaps. All are measured, and all faults are told at once."""

from browsers import expect
from homes import friends, live, page
from scenarios import scenario

BOX = "(it => (({ left, right, top, bottom, width, height }) => ({ left, right, top, bottom, width, height }))(it.getBoundingClientRect()))"
# The box of the text of an element, without its padding.
TEXT = "(it => { const range = document.createRange(); range.selectNodeContents(it); return range.getBoundingClientRect(); })"
TITLES = ("Casa do Rio", "Hostel", "Quinta")


def trip(stage, **options):
    """A page of some places and things to pack; nobody else is in."""
    jie, = friends(stage, ("Jie",), [(title,) for title in TITLES] + [("Towels", "--kind", "bring")])
    jie.do("vote", "Casa do Rio")
    jie.do("choose", "Casa do Rio")
    jie.do("choose", "Hostel")
    jie.do("edit", "Casa do Rio", "--dates", "2026-06-12")
    tab = page(stage, jie, **options)
    return jie, tab


class Faults:
    """What is not where it belongs, each in a line."""

    def __init__(self, tab):
        self.tab, self.lines = tab, []

    def near(self, what, first, second, within=1.5):
        """Notes a fault unless two expressions have one value, in pixels."""
        one, other = self.tab.run(first), self.tab.run(second)
        if one is None or other is None or abs(one - other) > within:
            self.lines.append(f"{what}: {one} and {other}")

    def holds(self, what, expression):
        if not self.tab.run(expression):
            self.lines.append(what)

    def see(self, query):
        self.tab.open(self.tab.run("location.origin + location.pathname") + query)
        live(self.tab)

    def tell(self):
        expect(not self.lines, "\n".join(["misplaced:"] + self.lines))


def of(shape, selector):
    return f"{shape}($({selector!r}))"


@scenario("what is side by side on a desk shares lines and edges, and a suggestion makes no row of cards taller",
          engines=("chromium",), needs_caravan=True, seconds=60)
def looks_desk(stage):
    jie, tab = trip(stage, viewport={"width": 1280, "height": 800})
    faults = Faults(tab)
    height = tab.run(f"{BOX}($('#cards > .card')).height")
    item = jie.items()["Casa do Rio"]["id"][:12]
    tab.run(f"(fetch(location.pathname + 'act', {{ method: 'POST', body: new URLSearchParams({{ do: 'edit', item: '{item}',"
            " write: 'title', title: 'Quinta do Sol', saw: 'title', stream: 'none' }) }), 1)")
    tab.until("$('#cards .also') !== null", "the suggestion")
    faults.near("a suggestion makes its row taller", f"{height}", f"{BOX}($('#cards > .card')).height", 8)
    faults.holds("the suggestion is not in its card", "(({ top, bottom }, card) => top >= card.top && bottom <= card.bottom)"
                 f"({of(BOX, '#cards .also')}, {BOX}($('#cards .also').closest('.card')))")
    faults.near("your own face stands left of what is above it", f"{of(BOX, '#just-now .avatar.you')}.left - 3",
                "$('#just-now').getBoundingClientRect().left")

    faults.see("")
    place = tab.run(f"(({{ left, top, width }}) => [left, top, width])({of(BOX, '#find')})")
    tab.type("#find", "hostel")
    tab.until("$('#cards').children.length === 1 && $('.search .text') !== null", "one is found")
    for what, value in zip(("left", "top", "width"), place):
        faults.near(f"while one types, the {what} of the search changes", f"{of(BOX, '#find')}.{what}", str(value))

    faults.see("?view=ranking")
    word = "[...document.querySelectorAll('p.hint')].flatMap(it => [...it.childNodes]).find(it => it.textContent.includes('Download as'))"
    faults.near("“Download as” is not on its line", f"{TEXT}({word}).top", f"{word}.nextElementSibling.getBoundingClientRect().top", 3)
    faults.holds("faces for are not beside ▲", f"{of(BOX, '.side.for .avatar')}.right <= {of(BOX, '.rank-row .pill .for')}.left")
    faults.holds("“Choose” touches what is above it",
                 f"{of(BOX, '.rank-text form')}.top - {of(BOX, '.rank-text .facts')}.bottom >= 6")

    faults.see("?view=days")
    faults.near("“Change” is not on the line of its title", f"{of(TEXT, '.day h3 a')}.top", f"{of(TEXT, '.day .plan summary')}.top", 3)
    faults.near("“Plan” ends elsewhere than “Change”", f"{of(TEXT, '#plans .plan summary')}.right",
                f"{of(TEXT, '.day .plan summary')}.right")
    tab.click("#plans .plan summary")
    faults.near("“Plan” jumps when it opens", f"{of(TEXT, '#plans .plan summary')}.right", f"{of(TEXT, '.day .plan summary')}.right")

    faults.see("?view=members")
    faults.near("the fields of names begin at different places", f"{of(BOX, '#rename-trip-input')}.left",
                f"{of(BOX, '#rename-self-input')}.left")
    faults.holds("a name’s label is not above its field",
                 f"{of(BOX, '[for=rename-self-input]')}.bottom <= {of(BOX, '#rename-self-input')}.top")
    faults.near("your own face stands left of the text", f"{of(BOX, '.people .avatar.you')}.left - 3", f"{of(BOX, '.people')}.left")
    faults.holds("a hint touches the buttons above it",
                 f"{of(BOX, '.guests .buttons + .hint')}.top - {of(BOX, '.guests .buttons')}.bottom >= 6")

    faults.see(f"?open={item}")
    middle = "(({{ top, bottom }}) => (top + bottom) / 2)({})".format
    faults.near("“OK if need be” is not on the line of ▲ and ▼", middle(of(BOX, ".third-vote .button")),
                middle(of(BOX, ".card-head .pill .for")))
    faults.near("“use this” is indented", f"{of(TEXT, '.expanded .also .text')}.left",
                f"{of(TEXT, '.expanded .also-one > span')}.right + 8", 5)

    # Two buttons of a message stand together at its end.
    tab.open(tab.run("location.origin + location.pathname"))
    live(tab)
    tab.type("#what", "Tram")
    tab.press("Enter")
    tab.until("$('#toast .button + form') !== null", "a message with two buttons")
    faults.near("“Show” floats", f"{of(BOX, '#toast .button')}.right + 12", f"{of(BOX, '#toast form')}.left", 4)

    tab.page.emulate_media(media="print")
    faults.holds("faces or news are printed", "[...$('.bar').querySelectorAll('.faces-here, .news')].every(it => !it.getClientRects().length)")
    faults.holds("the name of the view isn't printed", "$('.tools h2').getClientRects().length && !$('.tools .search')?.getClientRects().length")
    faults.holds("what is new is printed", "[...document.querySelectorAll('.tag.new')].every(it => !it.getClientRects().length)")
    faults.holds("an empty strip is printed where a suggestion is", "!$('#cards .card-notes').getClientRects().length")
    faults.near("the title is not above the content", f"{of(TEXT, '.bar h1 a')}.left", f"{of(BOX, '#cards > .card')}.left")
    jie.do("cost", "add", "Dinner", "84 EUR")
    jie.do("ask", "Where do we eat?", "Harbor", "Old town")
    for query, sign in (("", "#cards .card"), ("?view=costs", ".costs .paid"), ("?view=questions", ".question"), ("?view=ranking", "#ranking > *")):
        faults.see(query)
        tab.until(f"$({sign!r}) !== null", f"the view {query}")
        faults.holds(f"controls are printed at “{query}”", "[...document.querySelectorAll('button, .button, .text, .ask, .news-bar')]"
                     ".every(it => !it.getClientRects().length)")
    faults.see("?view=bring")
    faults.holds("the packing list is printed without boxes to tick", "$('.line .box').getClientRects().length")
    faults.tell()


@scenario("on a phone marks keep their size, and forms to start with look alike", engines=("chromium",), needs_caravan=True, seconds=60)
def looks_phone(stage):
    jie, tab = trip(stage, viewport={"width": 390, "height": 800})
    faults = Faults(tab)
    for name, kind, *price in (("Boat", "activity", "--price", "35 EUR"), ("Fado", "idea"), ("Loft", "stay")):
        jie.do("add", name, "--kind", kind, *price)
    tab.page.set_viewport_size({"width": 375, "height": 812})
    tab.until("document.querySelectorAll('.orders').length === 2", "the orders and the kinds")
    faults.holds("the first card begins in the lower half of a phone", f"{of(BOX, '#cards > *')}.top < 340")
    faults.holds("orders and kinds are not on one line, or nothing shows that it goes on",
                 "(([one, other]) => one.top === other.top && other.right > innerWidth)([...document.querySelectorAll('.orders')].map("
                 f"{BOX}))")
    tab.page.set_viewport_size({"width": 390, "height": 800})
    faults.see("?view=bring")
    tab.run("($('.line h3 a').insertAdjacentHTML('afterend', '<span class=\"tag new\">new</span>'), 1)")
    faults.holds("“new” is stretched", f"{of(BOX, '.line .tag.new')}.width < 80")
    faults.holds("“Packing list” touches “Import a list”",
                 f"{TEXT}($('.tools h2')).top - {of(BOX, '.import summary')}.bottom >= 8")
    # The longest label of all, which guests have.
    tab.run("($('.further summary').lastChild.textContent = 'Questions', 1)")
    for width in (390, 320):
        tab.page.set_viewport_size({"width": width, "height": 800})
        faults.holds(f"at {width} a tab takes two lines",
                     f"[...document.querySelectorAll('.tabs > a, .further summary')].every(it => {TEXT}(it.lastChild).height < 20)")
    tab.page.set_viewport_size({"width": 390, "height": 800})
    faults.see("?view=questions")
    tab.run("(document.querySelectorAll('.ask, .ask details').forEach(it => { it.open = true; }), 1)")
    middle = lambda box: f"(({{ top, bottom }}) => (top + bottom) / 2)({box})"
    faults.near("the box of hidden answers is not on the line of its text", middle(of(BOX, "#ask [name=hidden]")),
                middle(f"{TEXT}($('#ask [name=hidden]').nextSibling)"), 4)
    faults.near("the box of hidden answers is not at the left", f"{of(BOX, '#ask [name=hidden]')}.left", f"{of(BOX, '#ask-due')}.left")
    tab.open(tab.run("location.origin") + "/start")
    tab.click(".start-more summary")
    faults.holds("labels differ", "new Set([...document.querySelectorAll('label')].map(it => getComputedStyle(it).color + "
                 "getComputedStyle(it).fontSize)).size === 1")
    faults.holds("a hint touches the label beneath it",
                 f"{TEXT}($('[for=device-link]')).top - {of(TEXT, '[aria-labelledby=device-heading] .hint')}.bottom >= 6")
    faults.tell()


@scenario("on a phone nothing is broken or cut for want of room: dates to choose, two items side by side, prices, and the bar with news",
          engines=("chromium",), needs_caravan=True, seconds=60)
def looks_room(stage):
    names = ("Jie", "Noah", "Mia", "Ana", "Rui", "Lea")
    jie, noah, *_ = friends(stage, names, [(title, "--price", "120 EUR a night", "--dates", "2026-12-12..15", "--place", "38.7110,-9.1290")
                                           for title in ("Casa do Rio", "Quinta")])
    jie.do("vote", "Casa do Rio")
    jie.do("ask", "When do we meet?", "2026-12-12 14:30", "2026-12-13", "--dates")
    tab = page(stage, jie, viewport={"width": 375, "height": 812})
    faults = Faults(tab)
    faults.holds("what each person pays is not beneath the price",
                 f"{of(BOX, '#cards .each')}.top >= {TEXT}($('#cards .price').firstChild).bottom - 2")
    faults.holds("a vote that is pressed takes a smaller tap", "(({ width, height }) => Math.min(width, height) >= 43.5)"
                 f"({of(BOX, '#cards [aria-pressed=true]')})")
    jie.do("add", "Cups", "--kind", "bring", "--quantity", "12")
    for query, sign in (("?view=bring", ".line h3 a"), ("?view=days", ".calendar > summary"), ("?view=status", "#archive > summary"),
                        ("?view=map", ".map-copy"), ("", ".news-bar .text")):
        faults.see(query)
        tab.until(f"$({sign!r}) !== null", sign)
        faults.holds(f"{sign} takes a small tap", f"(({{ width, height }}) => Math.min(width, height) >= 43.5)({of(BOX, sign)})")
    noah.do("add", "Fado")
    tab.until("$('.news') !== null", "what is new")
    faults.holds("the title is cut", "(it => it.scrollWidth <= it.clientWidth)($('.bar h1'))")
    tab.run("($('.sync a').lastChild.textContent = 'in the mailbox, not yet with Ana', 1)")
    faults.holds("the word beneath the title takes two lines", f"{of(BOX, '.sync')}.height < 30")
    faults.holds("what is new lies over the word beneath the title", f"{of(BOX, '.bar .news')}.left >= {of(BOX, '.sync')}.right")
    one, other = (item["id"][:12] for item in jie.items().values() if item["title"] != "Fado" and "price" in item)
    faults.see(f"?view=compare&compare={one},{other}")
    faults.holds("two items don’t fit side by side", "(it => it.scrollWidth <= it.clientWidth)($('.compare-scroll'))")
    faults.holds("a picture of the comparison is a strip", "(({ width, height }) => width < 2 * height)"
                 f"({of(BOX, '.compare thead .picture')})")
    faults.see("?view=questions")
    faults.holds("a date takes two lines", "[...document.querySelectorAll('.option .what')]"
                 f".every(it => {TEXT}(it).height < 30)")
    faults.holds("the name of the view is no larger than that of a question",
                 "parseFloat(getComputedStyle($('#view > h2')).fontSize) > parseFloat(getComputedStyle($('.question h2')).fontSize)")
    jie.do("edit", one, "--details", "A bright flat on two floors, with a terrace over the river. Quiet at night.")
    faults.see(f"?open={one}")
    jie.do("edit", other, "--details", "https://www.chalet.example/rules?booking=" + 300 * "1")
    faults.see(f"?open={other}")
    faults.holds("a long word makes fields wider than their card", "[...document.querySelectorAll('.fields dd > *')].every(it =>"
                 f" it.getBoundingClientRect().right <= {of(BOX, '.expanded')}.right)")
    jie.do("cost", "add", "Kimchi", "29000 KRW", "--for", "Jie", "--for", "Noah", "--for", "Mia", "--for", "Ana")
    faults.see("?view=costs")
    faults.holds("bars of balances have several scales", "(bars => bars.length === 4 && bars.every(it => Math.abs(it.width - bars[0].width) < 1"
                 " && it.width > 32))([...document.querySelectorAll('.balance-bar')].map(it => it.getBoundingClientRect()))")
    faults.holds("a balance takes two lines", "[...document.querySelectorAll('.balances li')].every(it =>"
                 " it.querySelector('strong').getBoundingClientRect().top < it.querySelector('.balance-of').getBoundingClientRect().bottom)")
    faults.see(f"?open={one}")
    faults.holds("a pencil is beneath its value", "[...document.querySelectorAll('.fields dd')].every(it => it.querySelector('.pencil')"
                 ".getBoundingClientRect().left >= it.firstElementChild.getBoundingClientRect().right)")
    tab.open(tab.run("location.origin") + "/nothing")
    faults.holds("a button touches the line above it", f"{of(BOX, '.refusal .button')}.top - {of(TEXT, '.refusal h1')}.bottom >= 12")
    eva, = friends(stage, ("Eva",))
    tab.open(eva.link())
    tab.until("$('.first-run') !== null", "an empty trip")
    faults.holds("an empty trip has two headings", "[...document.querySelectorAll('main h2')].filter(it => it.getClientRects().length).length === 1")
    faults.tell()


@scenario("the bar is in line with what is below it on every width, and takes a small part of a magnified window",
          engines=("chromium",), needs_caravan=True, seconds=60)
def looks_bar(stage):
    jie, tab = trip(stage, viewport={"width": 1280, "height": 800})
    jie.do("add", "فندق على البحر باسم طويل جدا لا يتسع له سطر واحد على هاتف صغير")
    faults = Faults(tab)
    middle = lambda selector: f"(({{ top, bottom }}) => (top + bottom) / 2)({of(BOX, selector)})"
    for width in (960, 1280, 1920):
        tab.page.set_viewport_size({"width": width, "height": 800})
        faults.near(f"at {width} the tabs are not in the middle of the bar", middle(".bar"), middle(".tabs .tab"), 2.5)
        faults.near(f"at {width} the title is not above the content", f"{of(TEXT, '.bar h1 a')}.left",
                    f"{of(BOX, '#cards > .card')}.left", 2)
    tab.run("($('.further').open = true, 1)")
    faults.holds("entries of “More” begin at different places or take two lines",
                 "(boxes => new Set(boxes.map(it => Math.round(it.left))).size === 1 && boxes.every(it => it.height < 30))"
                 f"([...document.querySelectorAll('.further li .tab')].map(it => {TEXT}(it.lastChild)))")
    tab.run("($('.further').open = false, 1)")
    # A title that is written from right to left begins at the right, on each of its lines.
    tab.page.set_viewport_size({"width": 375, "height": 740})
    arabic = "[...document.querySelectorAll('#cards h3')].find(it => it.textContent.includes('فندق'))"
    faults.holds("an Arabic title does not begin at the right",
                 f"(style => style.direction === 'rtl' && ['start', 'right'].includes(style.textAlign))(getComputedStyle({arabic}))")
    # 200 % of a phone of 375 × 667.
    tab.page.set_viewport_size({"width": 188, "height": 334})
    tab.run("($('.bar h1').insertAdjacentHTML('afterend', '<a class=\"news\" href=\"?sort=new\">5 new</a>'), 1)")
    faults.holds("at 188 px the title has no room", f"{of(BOX, '.bar h1')}.width > 100 && {of(BOX, '.bar h1')}.height > 0")
    faults.holds("at 188 px what is new lies over another word of the bar",
                 "[...document.querySelectorAll('.bar h1, .bar .sync')].map(it => it.getBoundingClientRect().bottom)"
                 f".every(it => it <= {of(BOX, '.bar .news')}.top + 1)")
    # 200 % of 1280 × 800.
    tab.page.set_viewport_size({"width": 640, "height": 400})
    faults.holds("what is fixed takes more than a third of a magnified window",
                 "[...document.querySelectorAll('.bar, .tabs')].filter(it => ['fixed', 'sticky'].includes(getComputedStyle(it).position))"
                 ".reduce((sum, it) => sum + it.getBoundingClientRect().height, 0) < 134")
    faults.tell()
