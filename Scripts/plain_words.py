"""Words that do not come back in what people read: Scripts/tidy finds them in string literals and pages."""

import re

# What people read says it in plainer words: CONTRIBUTING, "Words that people read".
PLAINER = [(re.compile(pattern, re.IGNORECASE), plainer) for pattern, plainer in [
    (r"\bwho(?:m|ever|mever|soever)\b", "a noun, you, members"),
    (r"(?<!-)\banew\b", "again, new"),
    (r"\blikewise\b", "also"),
    (r"\bfor ever\b", "never expires, always"),
    (r"\bin capitals or not\b", "case-insensitive"),
    (r"\b(?:take|takes|took|taken|taking)\b(?:\s[^\s.,;:]+){0,2}?\s(?:out|away)\b", "remove, delete"),
    (r"\b(?:take|takes|took|taken|taking)\b(?:\s[^\s.,;:]+){0,3}?\sback\b", "undo, withdraw"),
    (r"\b(?:come|comes|came|coming) in\b", "join"),
    (r"\blet(?:s|ting)?\b(?:\s[^\s.,;:]+){0,3}?\sin\b", "admit, allow"),
    (r"\bis started\b", "created, started"),
    (r"\bof one's own\b", "your"),
    (r"(?<!ok )\bif need be\b", "OK if need be"),
    (r"(?<!usb )(?<!/)\bsticks?\b(?!/)", "USB stick"),
    (r"\bsays nothing\b", "no answer"),
    (r"\bfrom now on\b", "switched to"),
    (r"\b(?:is|was) like that\b", "is already chosen"),
    (r"\btrip in use\b", "current trip"),
    (r"\bcut off\b", "truncated"),
    (r"\ba further\b", "another"),
    (r"\b(?:in the clear|put aside)\b", "unencrypted; moved"),
    (r"\b(?:colour|behaviour|favourite|(?-i:[Cc]ancelled))\w*", "American spelling"),  # CANCELLED is iCalendar's
]]
# The targets and pages whose words are checked.
READ_BY_PEOPLE = {
    "AvahiDiscovery", "CaravanNode", "CaravanSimulate", "Console", "Desktop", "Geography", "PeerTransport", "Sodium", "TripExchange",
    "TripModel", "TripRules", "TripService", "TripStore", "TripText", "caravan",
}
PAGES_READ_BY_PEOPLE = {"README.md", "CHANGELOG.md"} | {
    f"Documentation/{page}.md" for page in (
        "Commands", "Content", "Log", "Membership", "Page", "Safety", "Security", "Service", "Simulation", "Tour", "Walk")}


def literals(text):
    """The contents of a Swift file's string literals, with the line of each; what interpolations hold is code, and left in."""
    inside_long_string = False
    for number, line in enumerate(text.split("\n"), 1):
        position = 0
        while position < len(line):
            if line.startswith('"""', position):
                inside_long_string = not inside_long_string
                position += 3
            elif inside_long_string:
                end = line.find('"""', position)
                end = len(line) if end < 0 else end
                yield number, line[position:end]
                position = end
            elif line[position] == '"':
                end = re.compile(r'"(?:\\.|[^"\\])*"?').match(line, position).end()
                yield number, line[position:end].strip('"')
                position = end
            elif line.startswith("//", position):
                break
            else:
                position += 1


def check_words(lines):
    """Yields (line, reason) for each word of what people read that has a plainer one."""
    for number, line in lines:
        for pattern, plainer in PLAINER:
            found = pattern.search(line)
            if found:
                yield number, f"\"{found[0]}\": say it in plainer words ({plainer})"
