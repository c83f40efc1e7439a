/// The classes of characters that the text rules speak of, as fixed tables.
///
/// Not the standard library's Unicode tables: those differ from one version of Swift to the next, and two nodes that
/// disagree about a text would show different trips.
package enum TextClasses {
    /// White_Space of Unicode, which is stable.
    package static func isSpace(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        case 0x09...0x0D, 0x20, 0x85, 0xA0, 0x1680, 0x2000...0x200A, 0x2028, 0x2029, 0x202F, 0x205F, 0x3000: true
        default: false
        }
    }

    /// The control characters (general category Cc), and the two separators that act as line ends.
    package static func isControl(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        case 0x00...0x1F, 0x7F...0x9F, 0x2028, 0x2029: true
        default: false
        }
    }

    /// The embeddings, overrides and isolates of the bidirectional algorithm (UAX #9): they can make one name or
    /// title read as another.
    package static func isDirectionOverride(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        case 0x202A...0x202E, 0x2066...0x2069: true
        default: false
        }
    }

    /// Characters that show nothing by themselves: a text of these alone looks empty.
    package static func isInvisible(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        case 0xAD, 0x34F, 0x61C, 0x115F, 0x1160, 0x17B4, 0x17B5, 0x180B...0x180F, 0x200B...0x200F, 0x202A...0x202E,
            0x2060...0x206F, 0x2800, 0x3164, 0xFE00...0xFE0F, 0xFEFF, 0xFFA0, 0xFFF9...0xFFFB, 0x1D173...0x1D17A,
            0xE0000...0xE0FFF:
            true
        default: isSpace(scalar) || isControl(scalar)
        }
    }

    /// Characters that show nothing by themselves and alter what is drawn around them: joiners, variation selectors, tags.
    static func isJoiner(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        case 0x180B...0x180F, 0x200C, 0x200D, 0xFE00...0xFE0F, 0xE0020...0xE007F, 0xE0100...0xE01EF: true
        default: false
        }
    }

    /// The tags. Behind a black flag they spell its region; elsewhere they show nothing.
    static func isTag(_ scalar: Unicode.Scalar) -> Bool { (0xE0020...0xE007F).contains(scalar.value) }

    /// Whether a joiner can alter anything after this character: not in Latin, Greek, Cyrillic and Armenian letters; of
    /// what stands before U+0590, a variation selector makes keycaps of digits, and pictures of © and ®.
    static func isAltered(_ base: Unicode.Scalar, by joiner: Unicode.Scalar) -> Bool {
        switch base.value {
        case 0x590...: true
        case 0x23, 0x2A, 0x30...0x39, 0xA9, 0xAE: joiner.value == 0xFE0E || joiner.value == 0xFE0F
        default: false
        }
    }

    /// Whether a character shows nothing and alters nothing, where `base` is the last one before it that shows something.
    /// White space, control characters and direction overrides are other classes.
    static func isIdle(_ scalar: Unicode.Scalar, after base: Unicode.Scalar?) -> Bool {
        guard isInvisible(scalar), !isSpace(scalar), !isControl(scalar), !isDirectionOverride(scalar) else {
            return false
        }
        return !(isJoiner(scalar) && (base.map { isAltered($0, by: scalar) } ?? false))
    }

    /// The text without white space at its ends.
    package static func trimmed(_ text: String) -> String {
        let scalars = text.unicodeScalars
        guard let first = scalars.firstIndex(where: { !isSpace($0) }),
            let last = scalars.lastIndex(where: { !isSpace($0) })
        else { return "" }
        return String(scalars[first...last])
    }
}
