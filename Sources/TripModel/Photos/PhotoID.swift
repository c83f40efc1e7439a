/// The name of a photo of an item: that of the operation that attached it.
package struct PhotoID: Hashable, Sendable {
    package let operation: OperationID

    package init(operation: OperationID) { self.operation = operation }
}

extension PhotoID: LosslessStringConvertible {
    /// The change's 64 hexadecimal digits, a point, and the operation's index.
    package var description: String { ItemID(operation: operation).description }

    package init?(_ description: String) {
        guard let item = ItemID(description) else { return nil }
        operation = item.operation
    }
}

extension PhotoID: Codable {
    package init(from decoder: any Decoder) throws { operation = try ItemID(from: decoder).operation }
    package func encode(to encoder: any Encoder) throws { try ItemID(operation: operation).encode(to: encoder) }
}
