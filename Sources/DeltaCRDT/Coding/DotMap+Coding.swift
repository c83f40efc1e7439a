/// For each dot: 0 and the key where the key is new, else how many keys ago in order of appearance it was new, and then what
/// the key's store holds up with the dot.
extension DotMap: CodableDotStore, CanonicalCodable where Key: CanonicalCodable, Store: CodableDotStore {
    public struct Coding: DotCoding {
        /// The slots of the keys in the order of their first dots.
        fileprivate var slots: [UInt32] = []
        /// Where each slot's key stands among them.
        fileprivate var positions: [UInt32: Int] = [:]
        fileprivate var stores: [Store.Coding] = []

        public init() {}

        fileprivate mutating func append(_ slot: UInt32) -> Bool {
            guard positions.updateValue(slots.count, forKey: slot) == nil else { return false }
            slots.append(slot)
            stores.append(Store.Coding())
            return true
        }
    }

    public func encodeContent(of dot: Dot, into encoder: inout CanonicalEncoder, _ coding: inout Coding) {
        guard let slot = columns[dot], let key = key(at: slot) else { return }
        let position: Int
        if let known = coding.positions[slot] {
            position = known
            encoder.encode(count: coding.slots.count - position)
        } else {
            position = coding.slots.count
            _ = coding.append(slot)
            encoder.encode(UInt64(0))
            key.encode(into: &encoder)
        }
        stores[Int(slot)].encodeContent(of: dot, into: &encoder, &coding.stores[position])
    }

    public mutating func decodeContent(
        of dot: Dot, from decoder: inout CanonicalDecoder, _ coding: inout Coding
    ) throws(DecodingFailure) {
        let back = try decoder.decodeUInt64()
        var position = coding.slots.count
        if back == 0 {
            let slot = makeSlot(of: try Key(from: &decoder))
            guard coding.append(slot) else { throw .notCanonical }
        } else {
            guard back <= UInt64(position) else { throw .unknown }
            position -= Int(back)
        }
        try place(dot, coding.slots[position], from: &decoder, &coding.stores[position])
    }

    public func encode(into encoder: inout CanonicalEncoder) { encodeAlone(into: &encoder) }
    public init(from decoder: inout CanonicalDecoder) throws(DecodingFailure) {
        self = try Self.decodeAlone(from: &decoder)
    }
}
