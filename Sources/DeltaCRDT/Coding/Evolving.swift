/// A value of numbered fields to which a later version may add some: a reader that does not know a field keeps it, and writes it
/// again as it was.
///
/// Only fields that differ from those of `Value()` are written, each with its length. So an earlier version reads what a later one
/// wrote, and one that edits a field of a value gives on the fields that it does not know. Two are equal when their bytes are.
///
/// ```swift
/// struct Place: EvolvingValue {
///     var name = ""
///     var price: Int?  // since the second version
///
///     static let fields: [EvolvingField<Place>] = [.init(1, \.name), .init(2, \.price)]
/// }
///
/// var place = MVRegister<Evolving<Place>>()
/// place.set(Evolving(Place(name: "hut", price: 40)), by: jie)
/// place.values.map(\.name)  // ["hut"]
/// ```
@dynamicMemberLookup
public struct Evolving<Value: EvolvingValue>: CanonicalCodable, Hashable, Sendable {
    /// A field that is not known here, or not in this form.
    struct UnknownField: Hashable, Sendable {
        let number: Int
        let bytes: [UInt8]
    }

    /// What this version knows of the value. Complexity: O(1).
    public private(set) var value: Value
    /// By number, upwards.
    private(set) var unknown: [UnknownField] = []

    /// A value of this version. Complexity: O(1).
    public init(_ value: Value = Value()) {
        self.value = value
    }

    /// Whether something here was written by a later version. Complexity: O(1).
    public var hasUnknownFields: Bool { !unknown.isEmpty }

    /// A field of the value. Setting one leaves those alone that are not known here. Complexity: O(fields) to set.
    public subscript<Field>(dynamicMember path: WritableKeyPath<Value, Field>) -> Field {
        get { value[keyPath: path] }
        set {
            value[keyPath: path] = newValue
            guard !unknown.isEmpty, let number = Value.fields.first(where: { $0.access.keyPath == path })?.number else {
                return
            }
            unknown.removeAll { $0.number == number }
        }
    }

    /// Whether both are written in the same bytes. Complexity: that of `==`, and O(size) where that holds.
    public static func == (left: Evolving, right: Evolving) -> Bool {
        left.unknown == right.unknown && left.value == right.value && left.encoded() == right.encoded()
    }

    /// Hashes what this version knows. Complexity: as of the value.
    public func hash(into hasher: inout Hasher) { hasher.combine(value) }

    /// Appends the value in its one form; see <doc:Format>. Complexity: O(size · log fields).
    public func encode(into encoder: inout CanonicalEncoder) {
        let initial = Value()
        var written = unknown
        for field in Value.fields {
            guard let bytes = field.access.encoded(in: value, unlessAsIn: initial) else { continue }
            written.append(UnknownField(number: field.number, bytes: bytes))
        }
        written.sort { $0.number < $1.number }
        encoder.encode(count: written.count)
        for field in written {
            encoder.encode(count: field.number)
            encoder.encode(field.bytes)
        }
    }

    /// Reads a value, and refuses every form but its only one; see <doc:Format>. A field that cannot be read here is kept as it is.
    ///
    /// Complexity: O(size of the bytes read), with a bound on what they may ask for.
    public init(from decoder: inout CanonicalDecoder) throws(DecodingFailure) {
        self.init()
        let initial = value
        var previous: UInt64 = 0
        for _ in 0..<(try decoder.decodeCount(limit: .max, minimumSize: 2)) {
            let number = try decoder.decodeUInt64()
            guard number > previous else { throw .notCanonical }
            guard number <= UInt64(EvolvingField<Value>.greatestNumber) else { throw .tooLarge }
            previous = number
            let bytes = try decoder.decodeBytes(limit: .max)
            let field = Value.fields.first { $0.number == number }
            if field?.access.decode(bytes, into: &value, unlessAsIn: initial) != true {
                unknown.append(UnknownField(number: Int(number), bytes: bytes))
            }
        }
    }
}

/// A value of an ``Evolving``: its fields, all of them listed.
public protocol EvolvingValue: Hashable, Sendable {
    /// Every field as it is where nobody wrote it. It must stay so in later versions. Complexity: to be O(1).
    init()

    /// Every field, once, under a number that stays its own for ever: a number that was given up is not given again.
    static var fields: [EvolvingField<Self>] { get }
}

/// A field of an ``EvolvingValue``: its number in what is written, and where it is.
public struct EvolvingField<Value: EvolvingValue>: Sendable {
    /// The greatest number of a field: 65,535.
    public static var greatestNumber: Int { 1 << 16 - 1 }

    /// The field's number in what is written.
    public let number: Int
    let access: any EvolvingFieldAccess<Value>

    /// A field with a number from 1 to ``greatestNumber``. Complexity: O(1).
    public init<Field: CanonicalCodable & Hashable>(_ number: Int, _ path: any WritableKeyPath<Value, Field> & Sendable)
    {
        require((1...Self.greatestNumber).contains(number), "fields are numbered from 1 to 65,535")
        self.number = number
        access = ValueFieldAccess(path: path)
    }
}

/// What a value does with one of its fields, whatever the field's type.
protocol EvolvingFieldAccess<Value>: Sendable {
    associatedtype Value

    var keyPath: AnyKeyPath { get }
    /// The field's bytes, alone; nil where it is as in another value.
    func encoded(in value: Value, unlessAsIn other: Value) -> [UInt8]?
    /// Reads the field; says whether it could, and is not as in another value.
    func decode(_ bytes: [UInt8], into value: inout Value, unlessAsIn other: Value) -> Bool
}

private struct ValueFieldAccess<Value, Field: CanonicalCodable & Hashable>: EvolvingFieldAccess {
    let path: any WritableKeyPath<Value, Field> & Sendable

    var keyPath: AnyKeyPath { path }

    func encoded(in value: Value, unlessAsIn other: Value) -> [UInt8]? {
        let bytes = value[keyPath: path].encoded()
        return bytes == other[keyPath: path].encoded() ? nil : bytes
    }

    func decode(_ bytes: [UInt8], into value: inout Value, unlessAsIn other: Value) -> Bool {
        guard let field = try? Field(decoding: bytes), other[keyPath: path].encoded() != bytes else { return false }
        value[keyPath: path] = field
        return true
    }
}
