"""Section 10, of texts: what content may say. What the document leaves open is decided here, by lists of code points that no
version of Unicode can change."""

import re

SPACE = {*range(0x09, 0x0E), 0x20, 0x85, 0xA0, 0x1680, *range(0x2000, 0x200B), 0x2028, 0x2029, 0x202F, 0x205F, 0x3000}
CONTROL = {*range(0x20), *range(0x7F, 0xA0)}
DIRECTION = {0x061C, 0x200E, 0x200F, *range(0x202A, 0x202F), *range(0x2066, 0x206A)}
UNSEEN = SPACE | CONTROL | DIRECTION | {
    0xAD, 0x034F, 0x115F, 0x1160, 0x17B4, 0x17B5, *range(0x180B, 0x1810), *range(0x200B, 0x2010), *range(0x2060, 0x2070), 0x2800, 0x3164,
    *range(0xFE00, 0xFE10), 0xFEFF, 0xFFA0, *range(0xFFF0, 0xFFFC), *range(0x1BCA0, 0x1BCA4), *range(0x1D173, 0x1D17B),
    *range(0xE0000, 0xE1000)}
TITLE, NOTE, LINK, PRICE, PLACE, HOST, DETAILS, DONE, ROOMS = range(1, 10)
LONGEST = {TITLE: 200, NOTE: 10_000, LINK: 2_000, PRICE: 200, PLACE: 200, HOST: 200, DETAILS: 10_000, DONE: 4, ROOMS: 200}
DEGREES = re.compile(r"(-?[0-9]{1,3}(?:\.[0-9]+)?),(-?[0-9]{1,3}(?:\.[0-9]+)?)")


def is_sound(text, longest, lines=False):
    """Whether a text keeps the rules of all texts."""
    points = [ord(character) for character in text]
    if not 1 <= len(points) <= longest or points[0] in SPACE or points[-1] in SPACE or set(points) <= UNSEEN:
        return False
    forbidden = CONTROL - {0x09, 0x0A} if lines else CONTROL | DIRECTION | {0x2028, 0x2029}
    return forbidden.isdisjoint(points)


def is_place(text):
    match = DEGREES.fullmatch(text)
    return bool(match) and abs(float(match[1])) <= 90 and abs(float(match[2])) <= 180


def may_stand(field, text, title=LONGEST[TITLE]):
    """Whether a text may stand in a field of an item that the document knows."""
    if not is_sound(text, title if field == TITLE else LONGEST[field], lines=field in (NOTE, DETAILS)):
        return False
    if field == LINK:
        return text.startswith(("http://", "https://"))
    if field == PLACE:
        return is_place(text)
    return field != DONE or text == "true"
