"""Questions on the page of a real node: asked, answered, closed, and answered too late."""

import json

from browsers import expect, until
from homes import friends, live, page
from scenarios import scenario

PHONE = {"viewport": {"width": 375, "height": 740}}


def questions(tab):
    tab.open(tab.run("location.origin + location.pathname") + "?view=questions")
    live(tab)


def box(title):
    """An expression that finds a question by its title."""
    return f"[...document.querySelectorAll('.question')].find(it => it.querySelector('h2').textContent === {title!r})"


def option(title, text):
    return f"[...({box(title)}?.querySelectorAll('.option') ?? [])].find(it => it.querySelector('.what').textContent.startsWith({text!r}))"


def answered(home, title):
    for item in json.loads(home.do("questions", "--json")):
        if item["title"] == title:
            return {option["option"]: option["score"] for option in item["question"]["options"]}
    return None


@scenario("a question is asked on a phone, answered by one tap on two pages, gets another option, is closed, and says who answered; the cards "
          "say that it waits", needs_caravan=True, seconds=60)
def question(stage):
    jie, noah = friends(stage, ("Jie", "Noah"))
    tab, theirs = page(stage, jie, **PHONE), page(stage, noah, **PHONE)
    questions(tab)
    tab.until("$('.ask[open]') !== null", "the form is open while there is no question")
    # What is typed outlives a reload, and goes once it is asked.
    tab.type("#ask-title", "Where to?")
    tab.type("#ask-options", "Lisbon")
    tab.run("(it => (it.value = 'several', it.dispatchEvent(new Event('input', { bubbles: true })), 1))($('#ask-method'))")
    tab.run("($('#ask-hidden').click(), 1)")
    tab.reload()
    live(tab)
    tab.until("$('#ask-title').value === 'Where to?' && $('#ask-options').value === 'Lisbon' && $('#ask-method').value === 'several'",
              "the draft")
    tab.until("$('#ask-hidden').checked && $('#ask-hidden').closest('details').open", "the tick, in sight")
    tab.run("($('#ask-hidden').click(), $('#ask-options').value = 'Lisbon\\nPorto', $('#ask-method').value = 'one', 1)")
    tab.run("($('#ask').requestSubmit(), 1)")
    tab.until(f"{option('Where to?', 'Porto')} !== undefined", "it is asked")
    tab.until("Object.keys(localStorage).every(key => !key.startsWith('draft')) && $('#ask-title').value === ''", "no draft stays")
    theirs.until("$('.news-bar')?.textContent.includes('“Where to?” waits for your answer')", "the cards say so")
    questions(theirs)
    tab.run(f"({option('Where to?', 'Lisbon')}.querySelector('button').click(), 1)")
    tab.until(f"{option('Where to?', 'Lisbon')}.querySelector('button').getAttribute('aria-pressed') === 'true'", "it is chosen")
    theirs.until(f"{option('Where to?', 'Lisbon')}.querySelector('strong').textContent === '1'", "Noah sees it", 10)
    theirs.run(f"({option('Where to?', 'Porto')}.querySelector('button').click(), 1)")
    tab.until(f"{box('Where to?')}.textContent.includes('Everybody has answered')", "all have answered", 10)
    # What is written stays while others answer.
    tab.type(".question [name=added]", "Faro")
    theirs.run(f"({option('Where to?', 'Lisbon')}.querySelector('button').click(), 1)")
    tab.until(f"{option('Where to?', 'Lisbon')}.querySelector('strong').textContent === '2'", "Noah chose again", 10)
    expect(tab.run(f"{box('Where to?')}.querySelector('[name=added]').value") == "Faro", "what was typed is lost")
    tab.run(f"({box('Where to?')}.querySelector('.add-option').requestSubmit(), 1)")
    theirs.until(f"{option('Where to?', 'Faro')} !== undefined", "the option is there", 10)
    tab.run(f"([...{box('Where to?')}.querySelectorAll('.question-acts button')].find(it => it.textContent === 'Close').click(), 1)")
    theirs.until(f"{box('Where to?')}.textContent.includes('Closed by Jie. “Lisbon” is first.')", "it is closed", 10)
    expect(theirs.run(f"{box('Where to?')}.querySelectorAll('.option button').length") == 0, "it can be answered on")
    noah.do("answer", "Where to?", "Faro")
    tab.until(f"{box('Where to?')}.textContent.includes('Too late: Noah said Faro.')", "the late answer is said", 10)
    until(lambda: answered(jie, "Where to?") == {"Lisbon": 2, "Porto": 0, "Faro": 0}, 10, "it takes nothing away")


@scenario("a question that is closed while another option is written has the buttons of a closed one, and the text is back once it is open "
          "again, also over a reload", needs_caravan=True, seconds=30)
def closed_question(stage):
    jie, = friends(stage, ("Jie",))
    tab = page(stage, jie, **PHONE)
    questions(tab)
    tab.type("#ask-title", "Where to?")
    tab.type("#ask-options", "Lisbon")
    tab.run("($('#ask').requestSubmit(), 1)")
    tab.until(f"{option('Where to?', 'Lisbon')} !== undefined", "it is asked")

    def press(label):
        tab.run(f"([...{box('Where to?')}.querySelectorAll('.question-acts button')].find(it => it.textContent === {label!r}).click(), 1)")

    tab.type(".question [name=added]", "Faro")
    press("Close")
    buttons = f"[...{box('Where to?')}.querySelectorAll('.question-acts button')].map(it => it.textContent).join()"
    tab.until(f"{buttons} === 'Open again,Remove'", f"the buttons of a closed question: {tab.run(buttons)}")
    expect(tab.run("$('.question [name=added]')") is None, "a closed question takes another option")
    tab.reload()
    live(tab)
    press("Open again")
    tab.until("$('.question [name=added]')?.value === 'Faro'", "the text is back")
    tab.run("($('.add-option').requestSubmit(), 1)")
    tab.until(f"{option('Where to?', 'Faro')} !== undefined && $('.question [name=added]').value === ''", "it is added")


@scenario("answers to a hidden question are seen by nobody else before the person who asked closes it, on a phone",
          needs_caravan=True, seconds=50)
def secret(stage):
    jie, noah = friends(stage, ("Jie", "Noah"))
    tab, theirs = page(stage, jie, **PHONE), page(stage, noah, **PHONE)
    questions(tab)
    tab.until("$('.ask[open]') !== null", "the form is open while there is no question")
    tab.type("#ask-title", "Who cooks?")
    tab.type("#ask-options", "Noah")
    tab.run("($('#ask-options').value = 'Noah\\nJie', $('#ask [name=hidden]').checked = true, $('#ask').requestSubmit(), 1)")
    tab.until(f"{option('Who cooks?', 'Jie')} !== undefined", "it is asked")
    questions(theirs)
    theirs.until(f"{box('Who cooks?')}.textContent.includes('Nobody sees an answer before Jie closes this.')", "it says so", 10)
    theirs.run(f"({option('Who cooks?', 'Jie')}.querySelector('button').click(), 1)")
    chosen = "querySelector('[aria-pressed=true]:not([data-pending])') !== null"
    theirs.until(f"{option('Who cooks?', 'Jie')}.{chosen}", "Noah sees what he chose")
    tab.until(f"{box('Who cooks?')}.textContent.includes('Answered: Noah.')", "Jie sees that he did", 10)
    expect(tab.run(f"{box('Who cooks?')}.querySelector('[aria-pressed=true], .option strong') === null"), "Jie sees what Noah chose")
    expect(answered(jie, "Who cooks?") == {"Noah": 0, "Jie": 0}, "Jie's node counts it")
    expect(theirs.run(f"![...{box('Who cooks?')}.querySelectorAll('button')].some(it => it.textContent.startsWith('Close'))"), "Noah may close it")
    tab.run(f"({option('Who cooks?', 'Noah')}.querySelector('button').click(), 1)")
    tab.until(f"{option('Who cooks?', 'Noah')}.{chosen}", "Jie answers, too")
    tab.run(f"([...{box('Who cooks?')}.querySelectorAll('.question-acts button')].find(it => it.textContent === 'Close for good and show the answers').click(), 1)")
    for one in (tab, theirs):
        one.until(f"{option('Who cooks?', 'Jie')}.querySelector('strong')?.textContent === '1'", "Noah's answer is shown", 10)
        one.until(f"{option('Who cooks?', 'Noah')}.querySelector('strong')?.textContent === '1'", "Jie's answer is shown", 10)
    expect(tab.run(f"![...{box('Who cooks?')}.querySelectorAll('button')].some(it => it.textContent === 'Open again')"), "it can be opened")


@scenario("options are ranked, and dates are answered with yes and if need be", needs_caravan=True, seconds=40)
def ranked(stage):
    jie, noah = friends(stage, ("Jie", "Noah"))
    jie.do("ask", "Which hike?", "Coast", "Hills", "--ranked")
    jie.do("ask", "When?", "2026-06-12", "2026-06-13", "--dates")
    tab = page(stage, noah, **PHONE)
    questions(tab)
    tab.until(f"{option('When?', 'Sat 13 June')} !== undefined", "both are here", 10)
    tab.run(f"({option('Which hike?', 'Hills')}.querySelector('.number').value = '1', 1)")
    tab.run(f"({option('Which hike?', 'Coast')}.querySelector('.number').value = '2', 1)")
    tab.run(f"({box('Which hike?')}.querySelector('.answer-form').requestSubmit(), 1)")
    tab.until(f"{option('Which hike?', 'Hills')}.classList.contains('best')", "it is ranked")
    tab.run(f"({box('Which hike?')}.querySelector('details').open = true, 1)")
    for day, label in (("Fri 12 June", "OK if need be"), ("Sat 13 June", "Yes")):
        tab.run(f"([...{option('When?', day)}.querySelectorAll('button')].find(it => it.textContent === {label!r}).click(), 1)")
        tab.until(f"{option('When?', day)}.querySelector('[aria-pressed=true]:not([data-pending])')?.textContent === {label!r}",
                  f"{day} is answered")
    expect(answered(noah, "When?") == {"2026-06-13": 1, "2026-06-12": 0}, "the days are counted otherwise")
    # Pressed once more, the answer for one day is taken back.
    tab.run(f"({option('When?', 'Fri 12 June')}.querySelector('[aria-pressed=true]').click(), 1)")
    tab.until(f"{option('When?', 'Fri 12 June')}.querySelector('[aria-pressed=true]') === null", "it is taken back")
    until(lambda: answered(jie, "Which hike?") == {"Hills": 1, "Coast": 0}, 10, "Jie has the ranking")
    if tab.name == "chromium":
        tab.page.emulate_media(media="print")
        drawn = "it => it.getClientRects().length > 0"
        expect(tab.run(f"[...document.querySelectorAll('.question .what')].every({drawn})"), "options are not printed")
        expect(not tab.run(f"[...document.querySelectorAll('.question :is(input, button)')].some({drawn})"), "controls are printed")
