"""What documents say of the sources, and Scripts/tidy checks without a build: messages that they quote, tests that they name, and the walk
of a vote."""

import re
from collections import Counter

from plain_words import PAGES_READ_BY_PEOPLE

WALK = "Documentation/Walk.md"
COMMAND = re.compile(r"(?:\w+)?\$ |> ")
PEOPLE = {"ana", "jie", "mia", "noah"}
IN_CODE, IN_STRING = re.compile(r'//|/\*|"""|#?"|[()]'), re.compile(r'\\|"""|"')


def constants(text):
    """The constant parts of a Swift file's string literals: what stands between interpolations."""
    inside, place = [["", 0]], 0  # of code the open parentheses; of a literal its end, and what was read since the last interpolation
    while True:
        context = inside[-1]
        found = (IN_STRING if context[0] else IN_CODE).search(text, place)
        if not found:
            return
        mark, before, place = found[0], text[place:found.start()], found.end()
        if not context[0]:
            if mark in ("//", "/*"):
                place = text.find("\n" if mark == "//" else "*/", place) % (len(text) + 1)
            elif mark == '#"':
                place = text.index('"#', place) + 2
            elif mark in "()":
                context[1] += 1 if mark == "(" else -1
                if context[1] < 0 and len(inside) > 1:
                    inside.pop()
            else:
                inside.append([mark, ""])
            continue
        context[1] += before
        if mark == context[0]:
            yield context[1]
            inside.pop()
        elif mark != "\\":
            context[1] += mark[0]
            place = found.start() + 1
        elif text[place] == "(":
            yield context[1]
            context[1] = ""
            inside.append(["", 0])
            place += 1
        else:
            skipped = re.compile(r"\n *|.").match(text, place)
            context[1] += "\n" if skipped[0] == "n" else "" if skipped[0][0] == "\n" else skipped[0]
            place = skipped.end()


def messages(root):
    """What the sources print, in parts of two words or more between which values stand."""
    parts = set()
    for path in sorted((root / "Sources").rglob("*.swift")):
        parts.update(line.lstrip() if "\n" in part else line for part in constants(path.read_text(encoding="utf-8")) for line in part.split("\n"))
    for path in sorted((root / "Sources").rglob("*.js")):
        parts.update(part for text in re.findall("[\"'`]([^\"'`\n]+)", path.read_text(encoding="utf-8")) for part in re.split(r"\$\{[^}]*\}", text))
    return {part.replace("’", "'") for part in parts if re.search(r"[^\W\d_]", part) and " " in part}


def unknown(text, parts, typed):
    """Words next to each other that are in no message, nor values; nil where there are none."""
    text = text.replace("’", "'")
    covered = [False] * len(text)
    for part in parts:
        if part in text:
            for place in re.finditer(rf"(?:\b|(?=\W)){re.escape(part)}(?:\b|(?<=\W))", text):
                covered[place.start():place.end()] = [True] * len(part)
    for value in re.finditer("“[^”]*”", text):
        covered[value.start():value.end()] = [True] * len(value[0])
    run = []
    for word in re.finditer(r"\w+|, ", text):
        is_value = re.search(r"[\d_]", word[0]) or word[0].lower() in typed | PEOPLE
        if word[0] == ", " or all(covered[word.start():word.end()]):
            run = []
        elif not is_value:
            run.append(word[0])
        if len(run) > 1:
            return " ".join(run)
    return None


def quotations(name, text):
    """Yields (line, quotation, words that the page's reader typed) for what a page says that the program prints."""
    typed, blocks, block = set(), [], None
    for number, line in enumerate(text.split("\n"), 1):
        if line.startswith("```"):
            if block is None:
                block = [] if line == "```" else ()
            else:
                blocks += [block] if any(re.match(r"(?:\w+)?\$ caravan", shown) for _, shown in block) else []
                block = None
        elif block is not None:
            if block != ():
                block.append((number, line))
            elif line == "":
                continue
        elif name in PAGES_READ_BY_PEOPLE:
            for quoted in re.findall(r'"([^"]+)"', re.sub(r'`[^`]*"[^`]*`', "", line)):
                yield number, quoted, frozenset()
    for block in blocks:
        for _, line in block:
            if COMMAND.match(line):
                typed.update(re.findall(r"\w+", line.lower()))
    for block in blocks:
        for number, line in block:
            if not COMMAND.match(line):
                yield number, line, typed


def check_messages(name, text, parts):
    """Yields (line, reason) for each message that a page quotes and no source has."""
    for number, quoted, typed in quotations(name, text):
        words = unknown(quoted, parts, typed)
        if words:
            yield number, f"no source prints \"{words}\""


def identifiers(root):
    """The words in all tests and scripts."""
    paths = [path for folder in ("Tests", "Scripts") for path in sorted((root / folder).rglob("*")) if path.suffix in (".swift", ".py", ".js", "")]
    return {word for path in paths if path.is_file() and not path.is_symlink() for word in re.findall(r"\w+", path.read_text("utf-8", "replace"))}


def check_tests(name, text, known):
    """Yields (line, reason) for each test that a page names and no test has; in the threats' table, tests need no suite before them."""
    for number, line in enumerate(text.split("\n"), 1):
        named = re.findall(r"`(\w+Tests\.\w+)`", line)
        if name == "Documentation/Security.md" and line.count(" | ") == 2:
            named += re.findall(r"`([a-z]+[A-Z]\w+)`", line.rsplit(" | ", 1)[1])
        for test in named:
            if not known.issuperset(test.split(".")):
                yield number, f"there is no test `{test}`"


class Step:
    """A row of one of the walks: by a command (its number stands alone), or on the page (p1, p2 and so on)."""

    def __init__(self, line, row):
        self.line, self.is_on_page, self.number, self.part = line, bool(row[1]), int(row[2]), row[3]
        self.files, self.functions = re.findall("`([^`]+)`", row[4]), re.findall("`([^`]+)`", row[5])
        self.forms = [int(form) for form in re.findall(r"\*\*(\d+)\*\*", row[6])]
        # The rows of the first walk that it stands for, from one to another.
        self.others = [(int(a), int(b or a)) for a, b in re.findall(r"\brows? (\d+)(?: to (\d+))?", row[4])]


def steps(text):
    for number, line in enumerate(text.split("\n"), 1):
        row = re.match(r"\| (p?)(\d+) \| ([^|]*) \| ([^|]*) \| (.*) \| ([^|]*) \|$", line)
        if row:
            yield Step(number, row)


def sums(walk, first):
    """What the rows of a walk add up to: [steps, files, forms] of each part, and files of each target. Each counts where it is first."""
    parts, targets, files, forms = {}, Counter(), set(), set()
    for step in walk:
        rows = [step] if not step.others else [first[number] for a, b in step.others for number in range(a, b + 1) if number in first]
        for row in rows:
            new = set(row.files) - files, set(row.forms) - forms
            files, forms = files | new[0], forms | new[1]
            targets.update(file.split("/")[0] for file in new[0])
            parts[step.part] = [a + b for a, b in zip(parts.get(step.part, [0, 0, 0]), (1, *map(len, new)))]
    return parts, targets


def check_steps(root, rows, first):
    """Yields (line, reason) where rows name files, functions or other rows that are not there, or are not numbered one after the other."""
    met, last = set(), Counter()
    for step in rows:
        last[step.is_on_page] += 1
        if step.number != last[step.is_on_page]:
            yield step.line, f"this row has the number {last[step.is_on_page]}"
        for form in step.forms:
            if (step.is_on_page, form) in met:
                yield step.line, f"form {form} is in bold already"
            met.add((step.is_on_page, form))
        yield from ((step.line, f"there are no rows {a} to {b}") for a, b in step.others if not all(n in first for n in range(a, b + 1)))
        paths = {file: root / "Sources" / (file if file.endswith((".js", ".css")) else f"{file}.swift") for file in step.files}
        yield from ((step.line, f"there is no {path.relative_to(root)}") for path in paths.values() if not path.exists())
        code = "\n".join(path.read_text(encoding="utf-8") for path in paths.values() if path.exists())
        for function in step.functions:
            if re.fullmatch(r"[\w.]+(\([\w:]*\))?", function) and any(not re.search(rf"\b{word}\b", code) for word in re.findall(r"\w+", function)):
                yield step.line, f"`{function}` is not in the files of its step"
    forms = {form for _, form in met}
    yield from ((rows[0].line, f"form {form} is nowhere in bold") for form in range(1, max(forms, default=0)) if form not in forms)


def check_walk(root, text):
    """Yields (line, reason) where a walk names what its files don't have, or counts otherwise than its rows."""
    rows = list(steps(text))
    first = {step.number: step for step in rows if not step.is_on_page}
    yield from check_steps(root, rows, first)
    (parts, targets), (page_parts, page_targets) = (sums([step for step in rows if step.is_on_page == it], first) for it in (False, True))
    current, told = parts, set()
    for number, line in enumerate(text.split("\n"), 1):
        cells = [cell.strip(" *") for cell in line.strip("|").split("|")]
        if len(cells) == 7:
            # The sum of all belongs to the walk whose parts stand above it.
            current = next((of for of in (parts, page_parts) if cells[0] in of), current)
            counted = [sum(column) for column in zip(*current.values())] if cells[0] == "all" else current.get(cells[0])
            if counted and cells[4:] != [str(count) for count in counted]:
                yield number, f"the rows of \"{cells[0]}\" have {', '.join(map(str, counted))} steps, files and forms"
        elif len(cells) == 5 and re.fullmatch("`[A-Za-z]+`", cells[0]):
            counted = [of[cells[0].strip("`")] for of in (targets, page_targets)]
            if [cells[2], cells[4]] != [str(count) for count in counted]:
                yield number, f"the rows have {' and '.join(map(str, counted))} files of {cells[0]}"
        told.add(cells[0].strip("`"))
    missing = {*parts, *page_parts, *targets, *page_targets} - told
    yield from ((rows[0].line, f"no table says how many files of {name} there are") for name in sorted(missing))
