import ChangeLog
import DeltaCRDT
import SyncEngine
import TripService
import TripStore

extension ServiceError {
    init(_ error: StoreError) {
        let code: Code =
            switch error.code {
            case .owned: .owned
            case .full, .readOnly, .noPermission: .unwritable
            default: .refused
            }
        self.init(code, error.message)
    }

    /// Of whoever is out of the trip, and wants to write.
    init(out removal: RemovalView) {
        let how = removal.by.map { "\($0) took you out" } ?? "you left"
        self.init(
            .out(removal),
            "\(how): what you have stays readable, and nothing new is added; `caravan join` with a fresh invite brings you back"
        )
    }

    /// What a guest who is out is told, and shown.
    ///
    /// - Parameter host: how the guest's host is called, where it is they who are out.
    init(outGuest removal: RemovalView, host: String?) {
        let how =
            host.map { "\($0), whose guest you were, is out of the trip: ask somebody else of it" }
            ?? "\(removal.by ?? "somebody") took you out: ask them"
        self.init(.out(removal), "\(how) to let you in")
    }

    /// Why somebody's act was not written, to themselves.
    init(describing failure: WritingFailure) {
        switch failure {
        case .out: self.init("you are no longer in this trip: what you have stays with you, and nothing new is added")
        case .notAdmitted: self.init("nobody has let you in yet: run `caravan up` near somebody of the trip")
        case .notAbove: self.init("only who brought somebody can take them out: `caravan members` shows who did")
        case .refused(.malformed(.tooLarge)): self.init("this is too much for one change: say it in several")
        case .refused(.chainFull):
            self.init("this device has written as much as one may: join again as a new device")
        case .refused(let refusal):
            self.init("the change was refused (\(refusal)): start again, and tell us if it stays so")
        }
    }

    init(describing refusal: JoinRefusal) {
        switch refusal {
        case .inviteClosed: self.init("this invite was used up, closed, or its time is over: ask for a new one")
        case .invalidRequest: self.init("the request was refused: ask for a new invite")
        }
    }

    init(describing failure: InviteLink.Failure) {
        switch failure {
        case .notAnInvite: self.init("this is not an invite: it begins with caravan: and comes from `caravan invite`")
        case .damaged: self.init("this invite is cut off or altered: copy the whole link")
        case .newerVersion: self.init("this invite was made by a newer caravan: update yours")
        }
    }
}
