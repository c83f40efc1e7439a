import DeltaCRDT

// What a change may say about who is in: by the change and its past alone, so that every node says the same.
extension TripLog {
    func contains(_ place: Int, _ past: Past) -> Bool {
        isKept(place) && past.contains(place, in: branches)
    }

    func check(_ operation: MembershipOperation, in change: Change, past: Past) throws(Refusal) {
        switch operation {
        case .found(let founder, _):
            guard change.counter == 1, change.heads.isEmpty, change.replica == founder.replica,
                TripLog.trip(ofRootKey: founder.signingKey, using: cryptography) == trip,
                founder.isFirst(using: cryptography)
            else { throw .membership }
        case .invite(let invite):
            if let participant = invite.participant {
                guard participant == membership.device(change.replica)?.device.participant else { throw .membership }
            }
        case .closeInvite(let id):
            guard membership.openings(of: id).contains(where: { contains($0.place, past) }) else { throw .membership }
        case .admit(let admission):
            try check(admission, by: change.replica, past: past)
        case .remove(let participant, let grant):
            guard
                membership.admissions.contains(where: {
                    $0.device.participant == participant && contains($0.place, past)
                })
            else { throw .membership }
            try checkEpochs(of: change.replica, past)
            if let grant { try check(grant) }
        case .beginEpoch(let grant):
            try checkEpochs(of: change.replica, past)
            try check(grant)
        case .grant(let grant):
            // What nobody began is no epoch.
            let isBegun = membership.epochFacts.contains {
                $0.beginsEpoch && $0.epoch == grant.epoch && contains($0.place, past)
            }
            guard isBegun else { throw .membership }
            try check(grant)
        }
    }

    private func check(_ admission: Admission, by author: ReplicaID, past: Past) throws(Refusal) {
        let participant = admission.device.participant
        let host = membership.device(author)?.device.participant
        guard admission.sealedSecrets.count <= SealedBox.overhead + ChangeLimits.epochsMax * 32 else {
            throw .membership
        }
        if let id = admission.invite {
            let isOpened = membership.openings(of: id).contains {
                contains($0.place, past) && ($0.invite.participant ?? participant) == participant
            }
            guard isOpened else { throw .membership }
        }
        let isFirst = admission.device.isFirst(using: cryptography)
        guard isFirst || participant == host, isFirst || !admission.isGuest else { throw .membership }
        if admission.isGuest || !isFirst {
            let earlier = membership.admissions.filter { contains($0.place, past) }
            let guests = Set(
                earlier.filter { $0.isGuest && membership.device($0.author)?.device.participant == host }
                    .map(\.device.replica))
            let devices = Set(earlier.filter { $0.device.participant == participant }.map(\.device.replica))
            guard guests.union([admission.device.replica]).count <= ChangeLimits.guestsMax || !admission.isGuest,
                devices.union([admission.device.replica]).count <= ChangeLimits.devicesMax
            else { throw .membership }
        }
    }

    /// An admission hands over the secrets of all epochs: each device begins only so many. Of all together there is no such
    /// bound: whoever had reached it could not be taken out.
    private func checkEpochs(of author: ReplicaID, _ past: Past) throws(Refusal) {
        let earlier = membership.epochFacts.count {
            $0.beginsEpoch && $0.author == author && contains($0.place, past)
        }
        guard earlier < ChangeLimits.epochsOfDeviceMax else { throw .membership }
    }

    /// Nobody reads a longer one: whoever wrote it could write no more.
    private func check(_ grant: EpochGrant) throws(Refusal) {
        guard grant.boxes.count <= ChangeLimits.grantBoxesMax else { throw .membership }
    }
}
