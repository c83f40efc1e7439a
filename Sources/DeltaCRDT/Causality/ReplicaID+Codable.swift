extension ReplicaID: Codable {
    /// Reads 32 hexadecimal digits. Complexity: O(1).
    public init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        guard let replica = ReplicaID(try container.decode(String.self)) else {
            throw DecodingError.dataCorruptedError(
                in: container, debugDescription: "a replica's name is 32 hexadecimal digits")
        }
        self = replica
    }

    /// Writes 32 lowercase hexadecimal digits. Complexity: O(1).
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(description)
    }
}
