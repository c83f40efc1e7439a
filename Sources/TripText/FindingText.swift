package import TripService

/// What `caravan doctor` says of each finding: a name for programs, what is wrong, and what to do.
package struct FindingText: Hashable, Sendable {
    /// Stable; in `--json` alone.
    package let cause: String
    package let message: String
    package let remedy: String

    package init(_ finding: Finding) {
        (cause, message, remedy) =
            switch finding {
            case .home(let finding): Self.words(finding)
            case .clock(let finding): Self.words(finding)
            case .node(let finding): Self.words(finding)
            case .network(let finding): Self.words(finding)
            case .peer(let finding): Self.words(finding)
            }
    }

    private typealias Words = (cause: String, message: String, remedy: String)

    private static func words(_ finding: HomeFinding) -> Words {
        switch finding {
        case .writableByOthers(let path):
            return (
                "writable_by_others", "other users of this machine can write to \(path)",
                "take that from them: chmod go-w \(path)"
            )
        case .unwritable(let path, let reason):
            return (
                "unwritable", "nothing can be written in \(path) (\(reason))",
                "give yourself permission for it, or set CARAVAN_HOME to another folder"
            )
        case .diskFull(let path, let free):
            return (
                "disk_full", "the disk under \(path) is full (\(free >> 10) KiB are free)",
                "free some room: until then trips can be read and not changed"
            )
        case .storeDamaged(let trip, let reason):
            return (
                "store_damaged", "what is kept of trip \(trip.prefix(6)) is damaged: \(reason)",
                "put its folder aside, then `caravan restore` a backup or join again by a new invite"
            )
        case .storeSealed(let trip):
            return (
                "store_sealed", "trip \(trip.prefix(6)) is under a passphrase, so its contents were not looked at",
                "run this in a terminal, or name a file that holds it in CARAVAN_PASSPHRASE_FILE"
            )
        case .heldByAnother(let path, let process):
            return (
                "held_by_another", "another caravan\(suffix(process)) has \(path) open",
                "end that one: no two may write to one trip"
            )
        }
    }

    private static func words(_ finding: ClockFinding) -> Words {
        let what =
            switch finding.witness {
            case .people(let names):
                "this machine's clock is \(span(finding.secondsBehind)) behind that of \(names.joined(separator: ", "))"
            case .files: "this home has files from \(span(finding.secondsBehind)) in the future"
            }
        return (
            "clock_behind", what, "set whichever is wrong: times that people read depend on it, and when invites end"
        )
    }

    private static func words(_ finding: NodeFinding) -> Words {
        switch finding {
        case .none:
            return ("no_node", "no node runs here", "start one: caravan up, or caravan up --detach")
        case .stopped(let process):
            return (
                "node_stopped", "your node\(suffix(process)) is stopped",
                "let it go on with `fg` in its terminal, or: kill -CONT \(process)"
            )
        case .notAnswering(let process):
            return (
                "node_not_answering", "your node\(suffix(process)) does not answer",
                "end it and start another" + (process.map { ": kill \($0), then caravan up" } ?? "")
            )
        }
    }

    private static func words(_ finding: NetworkFinding) -> Words {
        switch finding {
        case .noAddress(let unplugged):
            return (
                "no_address",
                "this machine has no address on any network"
                    + (unplugged.isEmpty ? "" : " (no carrier at \(unplugged.joined(separator: ", ")))"),
                "join a Wi-Fi or plug in a cable; a hotspot of somebody's phone will do"
            )
        case .routedElsewhere(let network, let interface):
            return (
                "routed_elsewhere", "what goes to your network \(network) is taken by \(interface), a VPN for one",
                "end it, or let it leave the local network alone (\"allow LAN access\", \"split tunnel\")"
            )
        case .routeRefused(let network, let reason):
            return (
                "route_refused", "nothing may be sent to your network \(network) (\(reason))",
                "look at this machine's firewall and routes: a VPN's kill switch does this"
            )
        case .noBus(let reason):
            return (
                "no_bus", "D-Bus does not answer (\(reason)), so avahi-daemon cannot",
                "sudo systemctl start dbus avahi-daemon; or go without: caravan up --peer HOST:PORT"
            )
        case .noDaemon(let reason):
            return (
                "no_daemon", "avahi-daemon does not answer (\(reason)), so nobody is found by themselves",
                "sudo apt install avahi-daemon; sudo systemctl start avahi-daemon; or: caravan up --peer HOST:PORT"
            )
        case .multicastNotSent(let interface, let reason):
            return (
                "multicast_not_sent", "this machine lets no multicast out at \(interface) (\(reason))",
                "let UDP port 5353 out in its firewall; or go without: caravan up --peer HOST:PORT"
            )
        case .multicastNotReceived(let interface):
            return (
                "multicast_not_received", "this machine lets no multicast in at \(interface)",
                "let UDP port 5353 in: sudo ufw allow 5353/udp; or go without: caravan up --peer HOST:PORT"
            )
        case .multicastNotForwarded:
            return (
                "multicast_not_forwarded", "this network carries no multicast between machines that reach each other",
                "newcomers join with --peer HOST:PORT; switch \"multicast filter\" or \"IGMP snooping\" off at the router"
            )
        case .ownPortClosed(let address):
            return (
                "own_port_closed", "your node's own address \(address) accepts nothing",
                "let TCP in there in this machine's firewall"
            )
        case .neverReached(let port, let firewall):
            return (
                "never_reached",
                "your node reached others, and nobody has reached it at port \(port) yet"
                    + (firewall.map { "; \($0) runs here" } ?? ""),
                "where others cannot come in, let one port in and use it: "
                    + (firewall == "firewalld" ? "sudo firewall-cmd --add-port=4000/tcp" : "sudo ufw allow 4000/tcp")
                    + ", then caravan up --port 4000"
            )
        }
    }

    private static func words(_ finding: PeerFinding) -> Words {
        switch finding {
        case .isolated(let address):
            return (
                "isolated", "a node is seen at \(address), and its machine answers to nothing",
                "this network keeps its machines apart (\"client isolation\", a guest Wi-Fi): use another, or a hotspot"
            )
        case .portFiltered(let address):
            return (
                "peer_port_filtered", "a node is seen at \(address), and a firewall there or here turns you away",
                "let TCP in there: whose machine it is may run caravan doctor too"
            )
        case .portClosed(let address):
            return (
                "peer_port_closed", "nobody is at \(address) any more, though its name is still seen",
                "nothing: names of nodes that ended without a goodbye last for an hour"
            )
        }
    }

    private static func suffix(_ process: Int32?) -> String { process.map { " (process \($0))" } ?? "" }

    /// "40 seconds", "12 minutes", "3 hours", "40 days".
    private static func span(_ seconds: Int64) -> String {
        switch seconds {
        case ..<120: "\(seconds) seconds"
        case ..<7_200: "\(seconds / 60) minutes"
        case ..<172_800: "\(seconds / 3_600) hours"
        default: "\(seconds / 86_400) days"
        }
    }
}

extension TerminalText {
    /// The text of `caravan doctor`: a line for each finding, problems first.
    package static func findings(_ findings: [Finding]) -> String {
        let ordered = findings.filter(\.isProblem) + findings.filter { !$0.isProblem }
        let lines = ordered.map { finding in
            let text = FindingText(finding)
            return (finding.isProblem ? "" : "note: ") + plain(text.message) + ": " + plain(text.remedy)
        }
        let isWell = findings.allSatisfy { !$0.isProblem }
        return (lines + (isWell ? ["Nothing is wrong here."] : [])).map { $0 + "\n" }.joined()
    }
}

extension TripJSON {
    /// The object of `caravan doctor --json`: `well`, and of each of `findings` its `cause`, what is wrong (`message`), what
    /// to do (`remedy`), and whether it is a `problem`.
    package static func findings(_ findings: [Finding]) -> JSONValue {
        .object([
            "well": .bool(findings.allSatisfy { !$0.isProblem }),
            "findings": .array(
                findings.map { finding in
                    let text = FindingText(finding)
                    return .object([
                        "cause": .string(text.cause), "message": .string(text.message), "remedy": .string(text.remedy),
                        "problem": .bool(finding.isProblem),
                    ])
                }),
        ])
    }
}
