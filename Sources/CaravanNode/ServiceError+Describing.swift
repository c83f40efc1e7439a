import ChangeLog
import DeltaCRDT
import SyncEngine
import TripService
import TripStore

extension ServiceError {
    /// What any error says to people; one that is for people already stays as it is.
    init(anyOf error: any Error) {
        switch error {
        case let error as ServiceError: self = error
        case let error as StoreError: self.init(error)
        default: self.init("\(error)")
        }
    }

    init(_ error: StoreError) {
        let code: Code =
            switch error.code {
            case .owned: .owned
            case .full, .readOnly, .noPermission: .unwritable
            default: .refused
            }
        self.init(code, error.message)
    }

    /// The error for a person who is out of the trip and wants to write.
    /// - Parameter act: what a person who waits can't do; nil for statements of members.
    init(out removal: RemovalView, refusing act: String? = nil) {
        let act = act ?? "invite or remove anyone, or leave"
        let consequence =
            removal.waiting.map {
                "until \($0.keeper) keeps you, you can't \(act); ask \($0.keeper) to run `caravan members`"
            } ?? "you can read your copy, but not change it; \(removal.wayBack)"
        self.init(.out(removal), "\(removal.explanation()); \(consequence)")
    }

    /// The message for a guest who is out.
    ///
    /// - Parameter host: how the guest's host is called, where it is they who are out.
    init(outGuest removal: RemovalView, host: String?) {
        let how =
            host.map { "\($0), your host, is no longer in the trip; ask another member" }
            ?? "\(removal.by ?? "someone") removed you; ask them"
        self.init(.out(removal), "\(how) to admit you")
    }

    /// Why somebody's act was not written, to themselves.
    init(describing failure: WritingFailure) {
        switch failure {
        case .out: self.init("you are no longer in this trip; you can read your copy, but not change it")
        case .notAdmitted: self.init("you are not admitted yet; run `caravan up` on the same network as a member")
        case .notAbove:
            self.init(
                "only members who invited someone, directly or indirectly, can remove them; see `caravan members`")
        case .refused(.malformed(.tooLarge)): self.init("this is too much for one change; do it in smaller steps")
        case .refused(.chainFull):
            self.init("this device has reached its limit of changes; join again as a new device")
        case .refused(let refusal):
            self.init("the change was refused (\(refusal)); restart caravan, and report it if it happens again")
        }
    }

    init(describing refusal: JoinRefusal) {
        switch refusal {
        case .inviteClosed: self.init("this invite was used, revoked or has expired; ask for a new one")
        case .invalidRequest: self.init("the request to join was refused; ask for a new invite")
        }
    }

    init(describing failure: InviteLink.Failure) {
        switch failure {
        case .notAnInvite:
            self.init("this is not an invite link; an invite link starts with caravan: and comes from `caravan invite`")
        case .damaged: self.init("this invite link is truncated or altered; copy the whole link")
        case .newerVersion: self.init("this invite was made by a newer version of caravan; update yours")
        }
    }
}
