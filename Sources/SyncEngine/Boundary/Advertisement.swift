/// What discovery is asked to publish.
package struct Advertisement: Hashable, Sendable {
    /// The instance name of the service.
    package let instance: String
    /// The first label of the host's name, random like the instance's.
    package let hostLabel: String
    package let port: UInt16

    package init(instance: String, hostLabel: String, port: UInt16) {
        self.instance = instance
        self.hostLabel = hostLabel
        self.port = port
    }
}
