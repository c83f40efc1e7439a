import TripModel
package import TripService

extension Toast {
    /// Says what was done with mailboxes.
    ///
    /// - Parameter mailboxes: as they are after it.
    package init(_ act: MailboxAct, _ mailboxes: [MailboxView]) {
        switch act {
        case .add(let place):
            let address = mailboxes.last?.address ?? ""
            let next =
                if place.code == nil {
                    ". Now send its code to the others"
                } else if mailboxes.last?.trial?.wasEmpty == true {
                    ". The mailbox has no blocks under this code yet. If others already use it, check the code and the address"
                } else {
                    ""
                }
            self.init("Added mailbox \(address). It works\(next)")
        case .remove(let name): self.init("Removed mailbox \(name). What is in it stays")
        case .list, .test:
            let broken = mailboxes.filter { $0.problem != nil }
            self.init(
                (broken.isEmpty ? mailboxes : broken).map(Self.outcome).joined(separator: " · "),
                isProblem: !broken.isEmpty)
        }
    }

    private static func outcome(_ mailbox: MailboxView) -> String {
        if let problem = mailbox.problem { return "\(mailbox.address) doesn’t work: \(problem)" }
        let clutter = mailbox.clutter.map { "; it holds \($0.words): \($0.advice)" } ?? ""
        return "\(mailbox.address) works\(mailbox.trial.map { ": " + $0.words } ?? "")\(clutter)"
    }
}
