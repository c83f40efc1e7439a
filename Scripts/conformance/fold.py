"""Section 7, its meaning: the trip's state as a fold of what is effective, each change after its past."""

from dataclasses import dataclass, field, replace

from . import bounds, content, notes, texts
from .membership import IN
from .versions import CURRENT


# What has an effect although its change is only upheld.
WHERE_UPHELD = {content.ADD, content.ADD_LIST, content.CLOSE, content.NOTE, content.TRIP_NOTE}


@dataclass
class Made:
    """A list, or what of an item a list has too."""

    tokens: set = field(default_factory=set)  # operations, as (a change's index, the operation's position in it)
    fields: dict = field(default_factory=dict)  # of each, its writes: {operation: text}


@dataclass
class Item(Made):
    votes: dict = field(default_factory=dict)  # of each participant, the way
    claims: dict = field(default_factory=dict)
    attendance: dict = field(default_factory=dict)
    quantity: int = 0
    amenities: dict = field(default_factory=dict)  # of each word, its tokens
    photos: dict = field(default_factory=dict)  # {attach: manifest}
    comments: list = field(default_factory=list)  # the operations, in the order of stamps
    placed: tuple | None = None  # the operation that put it where it stands
    options: dict = field(default_factory=dict)  # of a question, as amenities
    answers: dict = field(default_factory=dict)  # of each participant, (operation, answer) in the order of stamps
    seals: dict = field(default_factory=dict)  # of a hidden question, the same with commitments; None where one is taken back
    reveals: list = field(default_factory=list)  # of a hidden question, (operation, author, commitment, answer)
    closings: list = field(default_factory=list)  # of a hidden question, of each {participant: operation of the answer that counts}
    note: notes.Note | None = None

    @property
    def is_hidden(self):
        """Whether it is a question whose answers are sealed. How a question is answered is written once."""
        return any(map(texts.is_hidden, self.fields.get(texts.QUESTION, {}).values()))


@dataclass
class Comment:
    author: bytes
    text: str
    tokens: set


@dataclass(frozen=True)
class Node:
    """What an operation puts into a list, or into none."""

    item: tuple
    list: tuple | None = None
    anchor: tuple | None = None
    side: int = content.BEHIND


def without(operation, field):
    """An edit without its writes of a field."""
    return replace(operation, writes=tuple(write for write in operation.writes if write[0] != field))


def shown(participant):
    """A participant as content and people see one."""
    return participant[:16].hex()


class Fold:
    def __init__(self, membership, version=CURRENT):
        self.membership, self.held, self.version = membership, membership.held, version
        self.title, self.items, self.lists, self.comments, self.nodes, self.names = {}, {}, {}, {}, {}, {}
        self.note = notes.Note(self.note_name)
        for index in sorted(self.held.members(membership.roster.shown), key=membership.stamp):
            is_upheld = not membership.effective >> index & 1
            for position, operation in enumerate(content.read_content(self.held.changes[index].content, version)):
                if operation is not None and (not is_upheld or operation.kind in WHERE_UPHELD):
                    self.apply((index, position), operation)
            # What others act on exists by what they do, and not by having been made or closed.
            for at, made in [*self.items.items(), *self.lists.items()] if is_upheld else ():
                if at[0] == index:
                    made.tokens.discard(at)

    def precedes(self, one, other):
        """Whether an operation lies in another's past, or earlier in its change."""
        if one[0] == other[0]:
            return one[1] < other[1]
        return bool(self.held.pasts[other[0]] >> one[0] & 1)

    def resolved(self, reference, at):
        """The operation that a reference of another names; None where it is not here."""
        if reference.change is None:
            return (at[0], reference.index) if reference.index < at[1] else None
        index = self.held.indices.get(reference.change)
        return None if index is None else (index, reference.index)

    def order(self, operation):
        return *self.membership.stamp(operation[0]), operation[1]

    def note_name(self, operation):
        """What orders operations that insert at the same place of a note."""
        index, position = operation
        hash = self.held.changes[index].hash
        return hash[:8], int.from_bytes(hash[8:16], "big") ^ position

    def apply(self, at, operation):
        author = self.membership.writer(at[0])
        if operation.kind == content.TRIP_TITLE:
            if texts.is_sound(operation.text, self.version.title):
                self.write(self.title, at, operation.text, operation.beside)
        elif operation.kind == content.NAME:
            if texts.is_sound(operation.text, 64):
                self.names[author] = operation.text  # in the order of stamps: the last stays
        elif operation.kind in (content.ADD, content.ADD_LIST):
            self.add(at, operation)
        elif operation.kind == content.TRIP_NOTE:
            if self.has_effect(operation):
                notes.edit(self, self.note, at, operation)
        elif operation.item is not None:
            name = self.resolved(operation.item, at)
            if name is not None and self.precedes(name, at):
                self.do(at, operation, name, author)

    def add(self, at, operation):
        writes = [write for write in operation.writes if self.may_stand(*write)]
        if not any(where == texts.TITLE for where, _ in writes):
            return
        made = Item({at}) if operation.kind == content.ADD else Made({at})
        for where, text in writes:
            self.write(made.fields.setdefault(where, {}), at, text, ())
        if operation.kind == content.ADD and made.is_hidden:
            made.fields.pop(texts.DONE, None)  # it begins open
        if operation.kind == content.ADD_LIST:
            self.lists[at] = made
            return
        if 0 < operation.number <= bounds.STEP:
            made.quantity = operation.number
        made.note = notes.Note(self.note_name)
        for text in made.fields.pop(texts.NOTE, {}).values():
            made.note.insert(at, text)
        self.items[at] = made
        if operation.position:
            self.put(at, operation.position, at)

    def put(self, at, position, name):
        """Makes a node; False where it names a list that is not in its past."""
        inside = self.resolved(position.list, at) if position.list else None
        if position.list and (inside not in self.lists or not self.precedes(inside, at)):
            return False
        anchor = self.resolved(position.anchor, at) if position.anchor else None
        if anchor is not None and not (self.precedes(anchor, at) and self.is_node(anchor, inside)):
            anchor = None
        self.nodes[at] = Node(name, inside, anchor, position.side)
        self.items[name].placed = at  # in the order of stamps: the last stays
        if inside is not None:
            self.uphold(self.lists[inside], at)
        return True

    def is_node(self, operation, inside):
        if operation in self.nodes:
            return self.nodes[operation].list == inside
        return inside is None and operation in self.items

    def do(self, at, operation, name, author):
        """What is done to an item, a list or a comment."""
        if name in self.items:
            self.change_item(at, operation, self.items[name], author, name)
        elif name in self.lists and operation.kind in (content.EDIT, content.REMOVE, content.RESTORE):
            self.change_made(at, operation, self.lists[name])
        elif name in self.comments and operation.kind in (content.REMOVE, content.RESTORE) and self.comments[name].author == author:
            self.change_made(at, operation, self.comments[name])

    def uphold(self, made, at):
        made.tokens = self.unseen(made.tokens, at) | {at}

    def unseen(self, tokens, at):
        return {token for token in tokens if not self.precedes(token, at)}

    def change_made(self, at, operation, made):
        if operation.kind == content.REMOVE:
            made.tokens = self.unseen(made.tokens, at)
            return
        self.uphold(made, at)
        if operation.kind == content.EDIT:
            last = {}  # of each field, the last write that can be read
            for where, text, beside in operation.writes:
                if where == texts.QUESTION:
                    continue  # it is written once, by the add
                # A title is never cleared.
                if where != texts.TITLE if text is None else self.may_stand(where, text):
                    last[where] = text, beside
            for where, (text, beside) in last.items():
                self.write(made.fields.setdefault(where, {}), at, text, beside)

    def has_effect(self, operation):
        """Whether it keeps the rules of what it says."""
        number = operation.number
        return {
            content.VOTE: lambda: number in self.version.ways_to_vote,
            content.QUANTITY: lambda: 0 < abs(number) <= bounds.STEP,
            content.CLAIM: lambda: number <= bounds.STEP,
            content.ATTENDANCE: lambda: number in range(4),
            content.COMMENT: lambda: texts.is_comment(operation.text),
            content.NOTE: lambda: notes.says_something(operation),
            content.TRIP_NOTE: lambda: notes.says_something(operation),
            content.ANSWER: lambda: all(texts.is_option(option) for option, _ in operation.answer or ()),
            content.REVEAL: lambda: all(texts.is_option(option) for option, _ in operation.answer),
            content.OPTIONS: lambda: any(operation.words) and all(texts.is_option(word) for words in operation.words for word in words),
            content.AMENITIES: lambda: any(operation.words) and all(texts.is_amenity(word) for words in operation.words for word in words),
        }.get(operation.kind, lambda: True)()

    def change_item(self, at, operation, item, author, name):
        if not self.has_effect(operation) or operation.kind == content.PLACE and not self.put(at, operation.position, name):
            return
        if operation.kind == content.EDIT and item.is_hidden:
            # The person who asked closes it, by an operation of its own.
            operation = without(operation, texts.DONE)
        written = [write for write in operation.writes if write[0] == texts.NOTE and (write[1] is None or self.may_stand(*write[:2]))]
        operation = without(operation, texts.NOTE)
        # What is only upheld leaves no token, and to reveal an answer is nobody's wish to keep the question.
        if operation.kind != content.REVEAL and self.membership.effective >> at[0] & 1:
            self.change_made(at, operation, item)
        if operation.kind == content.VOTE:
            item.votes[author] = operation.number  # in the order of stamps: the last stays
        elif operation.kind == content.EDIT:
            for _, text, beside in written[-1:]:
                notes.write(self, item.note, at, text, beside)
        elif operation.kind == content.NOTE:
            notes.edit(self, item.note, at, operation)
        elif operation.kind == content.CLAIM:
            item.claims[author] = operation.number
        elif operation.kind == content.ATTENDANCE:
            item.attendance[author] = operation.number
        elif operation.kind == content.QUANTITY:
            item.quantity += operation.number
        elif operation.kind == content.COMMENT:
            self.comments[at] = Comment(author, operation.text, {at})
            item.comments.append(at)
        elif operation.kind == content.ATTACH:
            item.photos[at] = operation.bytes
        elif operation.kind == content.DETACH:
            attach = self.resolved(operation.other, at)
            if attach in item.photos and self.precedes(attach, at):
                del item.photos[attach]
        elif operation.kind == content.AMENITIES:
            self.change_words(item.amenities, operation.words, at)
        elif operation.kind == content.OPTIONS and texts.QUESTION in item.fields:
            self.change_words(item.options, operation.words, at)
        elif item.is_hidden:
            self.change_seals(at, operation, item, author, name)
        elif operation.kind == content.ANSWER and texts.QUESTION in item.fields:
            item.answers.setdefault(author, []).append((at, operation.answer))

    def change_seals(self, at, operation, item, author, name):
        """What somebody seals, takes back, closes or reveals: an open answer counts for nothing."""
        if operation.kind == content.SEAL or operation.kind == content.ANSWER and operation.answer is None:
            given = item.seals.setdefault(author, [])
            if len(given) < bounds.SEALED:
                given.append((at, operation.bytes if operation.kind == content.SEAL else None))
        elif operation.kind == content.CLOSE and author == self.membership.writer(name[0]):
            item.closings.append({participant: self.resolved(answer, at) for participant, answer in operation.counted})
            self.write(item.fields.setdefault(texts.DONE, {}), at, "true", ())
        elif operation.kind == content.REVEAL:
            question = content.Reference(self.held.changes[name[0]].hash, name[1])
            commitment = content.commitment(question, author[:16], operation.bytes, operation.answer)
            item.reveals.append((at, author, commitment, operation.answer))

    def change_words(self, words, changes, at):
        added, removed = changes
        for word in removed:
            words[word] = self.unseen(words.get(word, set()), at)
        for word in added:
            words[word] = self.unseen(words.get(word, set()), at) | {at}

    def may_stand(self, where, text):
        return where not in texts.LONGEST or texts.may_stand(where, text, self.version.title)

    def write(self, writes, at, text, beside):
        """One write at a place: it replaces those in its past, but for those that it names beside itself."""
        stays = {self.resolved(reference, at) for reference in beside}
        for other in [other for other in writes if (other == at or self.precedes(other, at)) and other not in stays]:
            del writes[other]
        if text is not None:
            writes[at] = text

    def shown(self, writes):
        """What stands at a place, the highest first and equal texts once."""
        return list(dict.fromkeys(writes[operation] for operation in sorted(writes, key=self.order, reverse=True)))

    def sequence(self, inside):
        """The items of a list, or of none, in their order."""
        nodes = {at: node for at, node in self.nodes.items() if node.list == inside}
        if inside is None:
            nodes |= {at: Node(at) for at in self.items if at not in self.nodes}
        children = {}
        for at in sorted(nodes, key=self.order):
            children.setdefault((nodes[at].anchor, nodes[at].side if nodes[at].anchor else content.BEHIND), []).append(at)
        order, steps = [], [(at, False) for at in reversed(children.get((None, content.BEHIND), []))]
        while steps:
            at, is_alone = steps.pop()
            if is_alone:
                order.append(at)
                continue
            steps += [(child, False) for child in reversed(children.get((at, content.BEHIND), []))]
            steps.append((at, True))
            steps += [(child, False) for child in reversed(children.get((at, content.BEFORE), []))]
        return [nodes[at].item for at in order
                if self.items[nodes[at].item].tokens and (self.items[nodes[at].item].placed or nodes[at].item) == at]

    def name(self, at):
        return f"{self.held.changes[at[0]].hash.hex()}.{at[1]}"

    def made_view(self, at, made):
        fields = {str(where): self.shown(writes) for where, writes in sorted(made.fields.items()) if writes}
        return {"id": self.name(at), "exists": bool(made.tokens), "fields": fields}

    def item_view(self, at, item):
        def words(ballot):
            return {shown(name): word for name, word in sorted(ballot.items()) if word and self.membership.standings[name] == IN}

        comments = [{"by": shown(self.comments[name].author), "text": self.comments[name].text} for name in sorted(item.comments, key=self.order)
                    if self.comments[name].tokens]
        made = self.made_view(at, item)
        fields = made["fields"] | ({str(texts.NOTE): item.note.shown} if item.note.shown else {})
        return made | {
            "fields": fields, "votes": words(item.votes), "claims": words(item.claims), "attendance": words(item.attendance), "quantity": item.quantity,
            "comments": comments,
            "amenities": sorted(word for word, tokens in item.amenities.items() if tokens),
            **self.question_view(item),
            "photos": list(dict.fromkeys(item.photos[at].hex() for at in sorted(item.photos, key=self.order)))}

    def question_view(self, item):
        """The options as they were added, and the answers: what its author said knowing of a closing that stands is late."""
        if texts.QUESTION not in item.fields:
            return {}
        added = {word: min(map(self.order, tokens)) for word, tokens in item.options.items() if tokens}
        options = sorted(added, key=lambda word: (added[word], word.encode()))
        if item.is_hidden:
            return {"options": options, "answers": self.hidden_answers(item)}
        closings, answers = item.fields.get(texts.DONE, {}), {}
        for author, given in item.answers.items():
            if self.membership.standings[author] != IN:
                continue
            counted = [pair for pair in given if not any(self.precedes(closing, pair[0]) for closing in closings)][-1:]
            late = given[-1:] if given[-1:] != counted else []
            found = {word: pair[0][1] for word, pair in (("counted", counted), ("late", late)) if pair and pair[0][1] is not None}
            if found:
                answers[shown(author)] = {word: [list(choice) for choice in answer] for word, answer in found.items()}
        return {"options": options, "answers": dict(sorted(answers.items()))}

    def hidden_answers(self, item):
        """Of each participant the answer that all closings name: as it was revealed. Before, that they answered."""
        answers = {}
        for author, given in sorted(item.seals.items()):
            if self.membership.standings[author] != IN:
                continue
            counted = given[-1:]
            if item.closings:
                counted = [pair for pair in given if all(closing.get(author[:16]) == pair[0] for closing in item.closings)]
            if not counted or counted[0][1] is None:
                if given[-1][1] is not None:
                    answers[shown(author)] = {"sealed": "late"}
                continue
            revealed = [answer for at, by, commitment, answer in item.reveals
                        if by == author and commitment == counted[0][1] and self.precedes(counted[0][0], at)]
            if item.closings and revealed:
                answers[shown(author)] = {"counted": [list(choice) for choice in revealed[0]]}
            else:
                answers[shown(author)] = {"sealed": "whole"}
        return answers

    def view(self):
        """The state as plain values, alike on all nodes that hold the same changes and know the same."""
        def in_order(made):
            return sorted(made.items(), key=lambda pair: self.order(pair[0]))

        lists = [self.made_view(at, made) | {"items": [self.name(item) for item in self.sequence(at)]}
                 for at, made in in_order(self.lists)]
        return {"title": self.shown(self.title), "note": self.note.shown, "items": [self.item_view(at, item) for at, item in in_order(self.items)],
                "lists": lists, "unlisted": [self.name(item) for item in self.sequence(None)],
                "names": {shown(name): text for name, text in sorted(self.names.items())}}
