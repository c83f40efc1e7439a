"""What Scripts/golden reads of sequences, by what the article on the format says."""

BEGINNING = (None, 0)


class Sequences:
    """Reads packed bytes, places and texts; a part of the reader."""

    def packed(self):
        """Bytes, packed or not."""
        head = self.unsigned()
        if head & 1 == 0:
            return self.take(head >> 1)
        lengths = [half for pair in self.take(128) for half in (pair & 15, pair >> 4)]
        codes, code = {}, 0
        for length in range(1, 13):
            for byte in (byte for byte in range(256) if lengths[byte] == length):
                codes[f"{code:0{length}b}"] = byte
                code += 1
            code *= 2
        found, word = bytearray(), ""
        while len(found) < head >> 1:
            for bit in range(8) if (byte := self.byte()) >= 0 else ():
                word += str(byte >> bit & 1)
                if word in codes and len(found) < head >> 1:
                    found.append(codes[word])
                    word = ""
        assert "1" not in word, "bits left over"
        return bytes(found)

    def places(self):
        """The elements by dot: whether alive, their parent, and whether they are its left child."""
        names = [self.replica() for _ in range(self.unsigned())]
        stretches, origins = type(self)(self.packed(), []), type(self)(self.packed(), [])
        elements = {}
        for name in names:
            counter = 0
            for _ in range(stretches.unsigned()):
                head = stretches.unsigned()
                for index in range(head >> 3 if head & 3 != 0 else 0):
                    parent = ((name, counter + index) if counter + index else BEGINNING, False)
                    if index == 0 and head & 4:
                        parent = origins.origin(names, name, counter + 1)
                    elements[name, counter + index + 1] = (head & 3 == 2, *parent)
                counter += head >> 3
        return elements

    def origin(self, names, name, start):
        head = self.unsigned()
        if head & 1:
            return (names[head >> 2], self.unsigned()), bool(head & 2)
        counter = start - (-(head >> 3) - 1 if head & 4 else head >> 3)
        return (name, counter) if counter else BEGINNING, bool(head & 2)

    def elements(self, element):
        """The elements that are alive, in their order."""
        return [element(self) for alive, _, _ in self.places().values() if alive]

    def written(self):
        """The text that is shown, as the places order it, and what waits."""
        hidden, characters, elements = self.unsigned(), self.packed().decode(), self.places()
        def walk(node):
            for side in (True, False):
                if not side and node in elements:
                    yield node
                for child in sorted(dot for dot, (_, parent, left) in elements.items() if parent == node and left == side):
                    yield from walk(child)
        shown = [dot for dot in walk(BEGINNING) if elements[dot][0]]
        assert len(characters) == sum(alive for alive, _, _ in elements.values()), "not a character for each that is alive"
        assert len(characters[len(shown):].encode()) == hidden, "another number is not shown"
        return characters[:len(shown)], characters[len(shown):]
