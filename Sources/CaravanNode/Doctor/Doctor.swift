import Foundation
package import TripService

/// Finds out why trips are not kept or not shared on this machine: each cause by a probe of its own. Changes nothing, except that it writes a
/// block to each mailbox and deletes it.
package struct Doctor: Sendable {
    let home: Home
    let passphrases: PassphraseSource

    /// - Parameter passphrases: for the times that people wrote, of trips whose secrets are under a passphrase.
    package init(home: Home, passphrases: PassphraseSource = .none) {
        self.home = home
        self.passphrases = passphrases
    }

    /// Everything that was found. Takes a few seconds, most of them for what others may still say.
    package func examine() async -> [Finding] {
        let node = await NodeCheck(home: home).examine()
        async let network = NetworkCheck(node: node).examine()
        var findings = HomeCheck(home: home).examine()
        findings += node.findings
        findings += await TripsCheck(home: home, isNodeSilent: node.isSilent, passphrases: passphrases).examine()
        // Several names may lead to one address.
        return (await findings + network).once
    }
}

/// The threads that tasks share are few, and none may block.
func onAnotherThread<Result: Sendable>(_ body: @escaping @Sendable () -> Result) async -> Result {
    await withCheckedContinuation { continuation in
        Thread.detachNewThread { continuation.resume(returning: body()) }
    }
}
