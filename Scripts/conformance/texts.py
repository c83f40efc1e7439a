"""Section 10, of texts: what content may say, by the document's classes of characters."""

import datetime
import re

from . import bounds


def code_points(text):
    """The code points of ranges in hexadecimal."""
    ends = ([int(end, 16) for end in part.split("–")] for part in text.split(", "))
    return {point for first, *last in ends for point in range(first, (last or [first])[0] + 1)}


SPACE = code_points("9–D, 20, 85, A0, 1680, 2000–200A, 2028, 2029, 202F, 205F, 3000")
CONTROL = code_points("0–1F, 7F–9F, 2028, 2029")
DIRECTION = code_points("202A–202E, 2066–2069")
JOINER = code_points("180B–180F, 200C, 200D, FE00–FE0F, E0020–E007F, E0100–E01EF")
INVISIBLE = SPACE | CONTROL | DIRECTION | JOINER | code_points(
    "AD, 34F, 61C, 115F, 1160, 17B4, 17B5, 200B, 200E, 200F, 2060–206F, 2800, 3164, FEFF, FFA0, FFF9–FFFB, 1D173–1D17A, E0000–E0FFF")
PICTURED = {ord(character) for character in "#*0123456789©®"}
TITLE, NOTE, LINK, PRICE, PLACE, HOST, DETAILS, DONE, ROOMS, KIND, DATES, BEDS, ADDRESS_FIELD, CHOSEN = range(1, 15)
QUESTION, PHONE = 20, 21
LONGEST = {TITLE: 200, NOTE: 10_000, LINK: 2_000, PRICE: 200, PLACE: 200, HOST: 200, DETAILS: 10_000, DONE: 4, ROOMS: 200,
           KIND: 32, DATES: 21, BEDS: 4, ADDRESS_FIELD: 200, CHOSEN: 4, QUESTION: 40, PHONE: 200}
COMMENT, AMENITY, NAME, OPTION = 2_000, 40, 64, 120
ANSWERED = re.compile(r"(?:one|several|ranked|dates|points ([1-9][0-9]{0,3}))(?: threshold ([1-9][0-9]{0,2}))?( hidden)?", re.ASCII)
DEGREES = re.compile(r"(-?[0-9]{1,3}(?:\.[0-9]{1,15})?),(-?[0-9]{1,3}(?:\.[0-9]{1,15})?)")
ADDRESS = re.compile(r"https?://.+", re.IGNORECASE | re.ASCII | re.DOTALL)


def is_sound(text, longest, lines=False):
    """Whether a text keeps the rules of all texts; `lines` where it may have several."""
    points = [ord(character) for character in text]
    if not 1 <= len(points) <= longest or points[0] in SPACE or points[-1] in SPACE or set(points) <= INVISIBLE:
        return False
    if lines:
        return (CONTROL - {0x09, 0x0A}).isdisjoint(points)
    return CONTROL.isdisjoint(points) and DIRECTION.isdisjoint(points) and not has_idle(points)


def has_idle(points):
    """Whether something invisible alters nothing."""
    base = -1
    for point in points:
        if point not in INVISIBLE:
            base = point
        elif point not in SPACE and not (
                point in JOINER and (base >= 0x590 or base in PICTURED and point in (0xFE0E, 0xFE0F))):
            return True
    return False


def is_place(text):
    match = DEGREES.fullmatch(text)
    return bool(match) and abs(float(match[1])) <= 90 and abs(float(match[2])) <= 180


def may_stand(field, text, title=LONGEST[TITLE]):
    """Whether a text may stand in a field of an item that the document knows."""
    if not is_sound(text, title if field == TITLE else LONGEST[field], lines=field in (NOTE, DETAILS)):
        return False
    if field == LINK:
        return bool(ADDRESS.fullmatch(text)) and SPACE.isdisjoint(map(ord, text))
    if field == PLACE:
        return is_place(text)
    if field == QUESTION:
        return is_question(text)
    if field in (DONE, CHOSEN):
        return text == "true"
    if field == BEDS:
        return bool(re.fullmatch("[1-9][0-9]*", text)) and int(text) <= bounds.BEDS
    return field != KIND and field != DATES or (is_kind if field == KIND else is_dates)(text)


def is_question(text):
    match = ANSWERED.fullmatch(text)
    return bool(match) and int(match[1] or 1) <= bounds.POINTS and int(match[2] or 1) <= 100


def is_hidden(text):
    """Whether a question of that text is a hidden one."""
    match = ANSWERED.fullmatch(text)
    return bool(match and match[3])


def is_kind(text):
    return bool(re.fullmatch("[a-z]+", text))


def is_dates(text):
    """A day, or two with the later one second."""
    if not re.fullmatch(r"[0-9]{4}-[0-9]{2}-[0-9]{2}(/[0-9]{4}-[0-9]{2}-[0-9]{2})?", text):
        return False
    try:
        first, *last = (datetime.date.fromisoformat(day) for day in text.split("/"))
    except ValueError:
        return False
    return not last or 0 < (last[0] - first).days <= bounds.NIGHTS


def is_comment(text):
    return is_sound(text, COMMENT, lines=True)


def is_option(text):
    return is_sound(text, OPTION)


def may_insert(text):
    """Whether a text may be inserted into a note."""
    return text != "" and (CONTROL - {0x09, 0x0A}).isdisjoint(map(ord, text))


def shown_note(text):
    """What of a note's text is shown; nothing where all of it is invisible."""
    shown = text[:bounds.NOTE_SHOWN].strip("".join(map(chr, SPACE)))
    return [] if INVISIBLE.issuperset(map(ord, shown)) else [shown]


def is_amenity(text):
    return is_sound(text, AMENITY) and "," not in text and not re.search("[A-Z]", text)
