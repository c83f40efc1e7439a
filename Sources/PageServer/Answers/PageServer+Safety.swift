import NIOHTTP1
import TripPage
import TripService

// The passphrase of a trip's keys, and backups. What was typed is in no address, and no page shows it.
extension PageServer {
    /// Does what makes a key of a passphrase, which takes much memory for a second: one at a time.
    func sealing<Success: Sendable>(
        _ work: @Sendable () async throws(ServiceError) -> Success
    ) async throws(ServiceError) -> Success {
        guard !isSealing else {
            throw ServiceError("another passphrase or backup is being worked on: try again in a moment")
        }
        isSealing = true
        defer { isSealing = false }
        return try await work()
    }

    func setPassphrase(old: String, new: String?, _ visit: Visit) async throws(ServiceError) -> Toast {
        let trip = visit.feed.trip
        let wasThere = try await home.isUnderPassphrase(trip: trip)
        guard new != nil || wasThere else { throw ServiceError("no passphrase is set") }
        try await sealing { () throws(ServiceError) in
            try await self.home.setPassphrase(
                new.map { Array($0.utf8) }, old: old.isEmpty ? nil : Array(old.utf8), trip: trip)
        }
        try await visit.feed.readStatus()
        guard new != nil else {
            return Toast("Passphrase removed. Anyone who can read this disk can read the trip")
        }
        return Toast(
            wasThere
                ? "Passphrase changed. Backups made before still open with their own"
                : "Passphrase set. If you forget it, nobody can recover it")
    }

    /// A backup to download.
    func backup(_ request: HTTPRequest, _ visit: Visit) async -> HTTPResponse {
        if let refusal = request.refusal(unless: .POST) ?? limited(visit) { return refusal }
        guard let form = request.form else { return Self.noForm }
        do {
            let passphrase = try PageAction.newPassphrase(form["new"] ?? "", again: form["again"])
            let trip = visit.feed.trip
            let bytes = try await sealing { () throws(ServiceError) in
                try await self.home.backUp(trip: trip, under: Array(passphrase.utf8))
            }
            let headers = [
                ("Content-Type", "application/octet-stream"),
                Self.attachment(called: await visit.feed.title ?? "", ending: "backup"),
                ("Cache-Control", "no-store"),
            ]
            return HTTPResponse(.ok, headers, body: .whole(bytes))
        } catch {
            let message = (error as? ServiceError)?.message ?? (error as? PageFormError)?.message ?? "\(error)"
            return await answer(
                Toast(message, isProblem: true), back: "view=safety", isLive: form["stream"] != nil, visit)
        }
    }
}
