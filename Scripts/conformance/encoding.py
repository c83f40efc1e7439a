"""Section 1: how values are written, each in one form, and a reader that refuses every other."""


class Malformed(ValueError):
    """The bytes are not what the document says."""


class NewerVersion(ValueError):
    """The bytes begin as a later version's do: a newer program is needed to read them."""


U64_MAX, I64_MIN, I64_MAX = 2**64 - 1, -2**63, 2**63 - 1


def u(number):
    """An unsigned integer, LEB128."""
    if not 0 <= number <= U64_MAX:
        raise ValueError("not an unsigned integer of 64 bits")
    written = bytearray()
    while number >= 0x80:
        written.append(number & 0x7F | 0x80)
        number >>= 7
    return bytes(written) + bytes([number])


def i(number):
    """A signed integer, zigzag."""
    if not I64_MIN <= number <= I64_MAX:
        raise ValueError("not a signed integer of 64 bits")
    return u((number << 1 ^ number >> 63) & U64_MAX)


def data(value):
    return u(len(value)) + value


def text(value):
    return data(value.encode())


def flag(value):
    return b"\1" if value else b"\0"


def sequence(values, write=bytes):
    values = list(values)
    return u(len(values)) + b"".join(write(value) for value in values)


def optional(value, write=bytes):
    return b"\0" if value is None else b"\1" + write(value)


class Reader:
    """Reads values from the front of `data`; whatever is not in the one form is `Malformed`."""

    def __init__(self, data):
        self.data, self.at = data, 0

    @property
    def left(self):
        return len(self.data) - self.at

    def take(self, count):
        if count > self.left:
            raise Malformed("it ends too early")
        self.at += count
        return self.data[self.at - count:self.at]

    def byte(self):
        return self.take(1)[0]

    def u(self, most=U64_MAX, least=0):
        number = 0
        for shift in range(0, 70, 7):
            byte = self.byte()
            number |= (byte & 0x7F) << shift
            if byte < 0x80:
                if byte == 0 and shift > 0:
                    raise Malformed("an integer is longer than it need be")
                if not least <= number <= most:
                    raise Malformed("a number is out of its bounds")
                return number
        raise Malformed("an integer has more than 64 bits")

    def i(self):
        zigzag = self.u()
        return zigzag >> 1 ^ -(zigzag & 1)

    def bytes(self, most=U64_MAX):
        return self.take(self.u(most))

    def text(self, most=U64_MAX):
        try:
            return self.bytes(most).decode()
        except UnicodeDecodeError as error:
            raise Malformed("a text is not UTF-8") from error

    def flag(self):
        value = self.byte()
        if value > 1:
            raise Malformed("a flag is neither 0 nor 1")
        return bool(value)

    def sequence(self, read, most=U64_MAX, each=1):
        """As many as it says, each of at least `each` bytes, which must be left."""
        count = self.u(most)
        if count * each > self.left:
            raise Malformed("a list is longer than what is left")
        return [read() for _ in range(count)]

    def ascending(self, read, most=U64_MAX, each=1, key=lambda value: value):
        values = self.sequence(read, most, each)
        if any(key(a) >= key(b) for a, b in zip(values, values[1:])):
            raise Malformed("a list is not in ascending order")
        return values

    def optional(self, read):
        return read() if self.flag() else None

    def end(self):
        if self.left:
            raise Malformed("there are bytes left over")
