extension Membership {
    /// Every invite that was ever opened, the earliest first.
    package var allInvites: [OpenedInvite] { sortedInvites { _ in true }.map(\.invite) }

    /// The invites that one may come by at a time, the earliest opened first.
    package func openInvites(at wallTime: Int64) -> [(id: Bytes32, invite: OpenedInvite)] {
        sortedInvites { $0.isOpen(at: wallTime) }
    }

    /// The invites that are used up, closed or past their time, in the order of the log, but for those that somebody
    /// outside may know.
    package func endedInvites(at wallTime: Int64) -> [(id: Bytes32, invite: OpenedInvite)] {
        sortedInvites { !$0.isOpen(at: wallTime) && !$0.isKnownOutside }
    }

    private func sortedInvites(
        where isMeant: (OpenedInvite) -> Bool
    ) -> [(id: Bytes32, invite: OpenedInvite)] {
        invites.map { (id: $0.key, invite: $0.value) }
            .filter { isMeant($0.invite) }
            .sorted { $0.invite.place < $1.invite.place }
    }
}
