package import TripService

/// A node's metrics in the text format of Prometheus, version 0.0.4
/// (https://prometheus.io/docs/instrumenting/exposition_formats/). Names are stable; Documentation/Service.md lists them.
package enum PrometheusText {
    private enum Kind: String { case counter, gauge, histogram }

    /// One metric: what it is, and its value for each set of labels.
    private struct Family {
        let name: String
        let kind: Kind
        let help: String
        var samples: [(suffix: String, labels: String, value: Double)] = []

        var lines: [String] {
            ["# HELP caravan_\(name) \(help)", "# TYPE caravan_\(name) \(kind.rawValue)"]
                + samples.map { "caravan_\(name)\($0.suffix)\($0.labels) \(number($0.value))" }
        }
    }

    package static func text(_ metrics: NodeMetrics) -> String {
        let families = process(metrics) + trips(metrics.trips) + [storeWrites(metrics.trips)]
        return families.filter { !$0.samples.isEmpty }.flatMap(\.lines).map { $0 + "\n" }.joined()
    }

    private static func process(_ metrics: NodeMetrics) -> [Family] {
        func family(_ name: String, _ help: String, _ value: Double?) -> Family {
            Family(name: name, kind: .gauge, help: help, samples: value.map { [("", "", $0)] } ?? [])
        }
        return [
            family("uptime_seconds", "Seconds since the node started.", metrics.uptimeSeconds),
            family("resident_bytes", "Resident memory of the node.", metrics.residentBytes.map(Double.init)),
            family("open_descriptors", "Open file descriptors.", metrics.openDescriptors.map(Double.init)),
            family("commands", "Commands received on the control socket.", Double(metrics.commands)),
        ]
    }

    private static func trips(_ trips: [TripMetrics]) -> [Family] {
        func family(_ name: String, _ kind: Kind, _ help: String, _ value: (TripMetrics) -> Double?) -> Family {
            Family(
                name: name, kind: kind, help: help,
                samples: trips.compactMap { trip in value(trip).map { ("", labels(trip), $0) } })
        }
        var limits = Family(
            name: "limits_reached_total", kind: .counter, help: "How often others exceeded a limit of the node.")
        for trip in trips {
            limits.samples += trip.limits.sorted { $0.key.rawValue < $1.key.rawValue }.map { limit, count in
                ("", labels(trip, ["limit": limit.rawValue]), Double(count))
            }
        }
        return [
            family("changes", .gauge, "Changes stored.") { Double($0.changes) },
            family("sessions", .gauge, "Open sessions with members.") { Double($0.sessions) },
            family("handshakes", .gauge, "Connections whose handshake is in progress.") { Double($0.handshakes) },
            family("names_seen", .gauge, "Names of nodes seen by discovery.") { Double($0.names) },
            family("addresses", .gauge, "Addresses being tried.") { Double($0.addresses) },
            family("discovery_up", .gauge, "1 while discovery works.") { $0.isDiscovering.map { $0 ? 1 : 0 } },
            family("accepted_connections_total", .counter, "Connections accepted.") {
                Double($0.connections.accepted)
            },
            family("dialled_connections_total", .counter, "Connections opened.") {
                Double($0.connections.dialled)
            },
            family("refused_connections_total", .counter, "Connections refused because there were too many.") {
                Double($0.connections.refused)
            },
            family("overflowed_connections_total", .counter, "Connections closed because too much was unsent.") {
                Double($0.connections.overflowed)
            },
            family("received_bytes_total", .counter, "Bytes received from others.") {
                Double($0.connections.receivedBytes)
            },
            family("sent_bytes_total", .counter, "Bytes sent to others.") { Double($0.connections.sentBytes) },
            family("unsent_bytes", .gauge, "Bytes waiting to be sent.") { Double($0.connections.unsentBytes) },
            family("waiting_bytes", .gauge, "Bytes received and waiting to be processed.") { Double($0.waitingBytes) },
            family("refused_changes_total", .counter, "Changes of others that were refused.") {
                Double($0.refusedChanges)
            },
            family("photo_chunks_wanted", .gauge, "Chunks of photos that have not arrived yet.") {
                Double($0.photoChunks.wanted)
            },
            family("photo_chunks_received_total", .counter, "Chunks of photos received from others.") {
                Double($0.photoChunks.received)
            },
            family("photo_chunks_sent_total", .counter, "Chunks of photos sent to others.") {
                Double($0.photoChunks.sent)
            },
            limits,
            family("store_writes_waiting", .gauge, "Writes waiting for the disk.") { Double($0.store.waiting) },
            family("store_failures_total", .counter, "Writes that failed.") { Double($0.store.failures) },
        ]
    }

    private static func storeWrites(_ trips: [TripMetrics]) -> Family {
        var family = Family(
            name: "store_write_seconds", kind: .histogram, help: "Seconds to make changes durable.")
        for trip in trips {
            var sum: UInt64 = 0
            for (place, count) in trip.store.writes.enumerated() {
                sum += count
                let bound = place < StoreMetrics.bounds.count ? number(StoreMetrics.bounds[place]) : "+Inf"
                family.samples.append(("_bucket", labels(trip, ["le": bound]), Double(sum)))
            }
            family.samples.append(("_sum", labels(trip), trip.store.seconds))
            family.samples.append(("_count", labels(trip), Double(sum)))
        }
        return family
    }

    /// In the order of their names. An id has hexadecimal digits alone, so that nothing is to be escaped.
    private static func labels(_ trip: TripMetrics, _ others: [String: String] = [:]) -> String {
        let all = others.merging(["trip": trip.trip]) { $1 }.sorted { $0.key < $1.key }
        return "{" + all.map { "\($0.key)=\"\($0.value)\"" }.joined(separator: ",") + "}"
    }

    /// Whole numbers without a point.
    private static func number(_ value: Double) -> String {
        Int64(exactly: value).map(String.init) ?? String(value)
    }
}
