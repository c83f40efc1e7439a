import CAvahi
import LibC

/// What rtnetlink(7) says of links.
enum LinkNews {
    /// The numbers of the links that a datagram of the system's calls down, or without a carrier.
    ///
    /// A link may be back before anybody looks at the interfaces, and lead to another network with the same address.
    static func lost(in datagram: ArraySlice<UInt8>) -> [Int32] {
        var lost: [Int32] = []
        var rest = datagram
        // A header, whose length is that of the whole message, and what it is about; the next begins at four bytes.
        let headerBytes = MemoryLayout<nlmsghdr>.size
        while rest.count >= headerBytes {
            let header = rest.withUnsafeBytes { $0.loadUnaligned(as: nlmsghdr.self) }
            let length = Int(header.nlmsg_len)
            guard length >= headerBytes, length <= rest.count else { break }
            let body = rest.dropFirst(headerBytes).prefix(length - headerBytes)
            if Int32(header.nlmsg_type) == RTM_NEWLINK, body.count >= MemoryLayout<ifinfomsg>.size {
                let link = body.withUnsafeBytes { $0.loadUnaligned(as: ifinfomsg.self) }
                if link.ifi_flags & UInt32(IFF_RUNNING) == 0 { lost.append(link.ifi_index) }
            }
            rest = rest.dropFirst((length + 3) & ~3)
        }
        return lost
    }
}
