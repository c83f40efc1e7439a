import ArgumentParser
import CaravanNode
import Console
import TripModel
import TripService
import TripText

/// How a command tells what it did: in words, as JSON, or not at all. Errors are told in any case.
struct TellOptions: ParsableArguments {
    @Flag(name: .shortAndLong, help: "Print what was done as JSON, with ids.")
    var json = false

    @Flag(name: .shortAndLong, help: "Print nothing but errors.")
    var quiet = false

    func validate() throws {
        if json, quiet { throw ValidationError("--json and --quiet cannot be combined") }
    }

    /// Tells what was done.
    func tell(_ words: String, _ value: JSONValue) {
        if !quiet { Output.text(json ? value.line : Reader.fitted(words) + "\n") }
    }

    func tell(_ answer: TripAnswer) {
        if !quiet { Reader.show(answer, json: json) }
    }

    /// Tells that all was so already, which is no failure.
    func tellUnchanged(_ error: ServiceError) {
        tell(TerminalText.nothingChanged(error.message), TripJSON.unchanged(error.message))
    }

    /// Tells people what they should know besides.
    func note(_ words: String) {
        if !quiet, !json { Output.note(words) }
    }
}

/// Of a command that changes a trip: which one, and how that is told.
struct WritingOptions: ParsableArguments {
    @OptionGroup var report: TellOptions
    @OptionGroup var trip: TripOptions

    func access() async throws(ServiceError) -> TripAccess { try await trip.access(isReading: false) }
    func answer(_ request: TripRequest) async throws(ServiceError) -> TripAnswer {
        try await access().answer(request)
    }
    func view() async throws(ServiceError) -> TripView { try await access().view() }
    func item(_ reference: String) async throws(ServiceError) -> ItemView { try await access().item(reference) }

    /// The item that a number alone names; nil for any other text, and where no item has the number.
    func item(numbered text: String) async throws(ServiceError) -> ItemView? {
        guard Self.isNumber(text) else { return nil }
        do {
            let item = try await item(text)
            return item.title == text ? nil : item
        } catch {
            guard error.code == .refused else { throw error }
            return nil
        }
    }

    /// Whether a text may be the number of an item.
    static func isNumber(_ text: String) -> Bool {
        !text.isEmpty && text.utf8.allSatisfy { (0x30...0x39).contains($0) }
    }

    func me() async throws(ServiceError) -> ParticipantID { try await access().me() }

    /// An item of one sort, by what a person types for it: nothing else is meant, whatever has the same title.
    /// - Parameters:
    ///   - command: what lists those of the sort.
    ///   - refusal: why another one isn't meant, after its title.
    func item(
        _ reference: String, that isMeant: (ItemView) -> Bool, listedBy command: String, refusal: (String) -> String
    ) async throws(ServiceError) -> ItemView {
        let failure: ServiceError
        do {
            let item = try await item(reference)
            if isMeant(item) { return item }
            failure = ServiceError("\(refusal(item.title.quoted)); see `\(command)`")
        } catch {
            failure = ServiceError(error.code, error.message.replacing("`caravan list`", with: "`\(command)`"))
        }
        let meant = try await view().items.filter(isMeant)
        let name = TextClasses.trimmed(reference)
        for isSame in [{ $0 == name }, { $0.lowercased() == name.lowercased() }] as [(String) -> Bool] {
            let titled = meant.filter { isSame($0.title) }
            if titled.count == 1 { return titled[0] }
            if titled.count > 1 { throw failure }
        }
        throw failure
    }

    /// Asks the trip's node, or the trip itself, and tells the answer.
    /// - Parameters:
    ///   - photos: how many of them are attached or removed.
    ///   - note: what is done with the note of an item, “Wrote” or “Cleared”.
    func ask(
        _ request: TripRequest, photos: Int? = nil, saying: String? = nil, note: String? = nil
    ) async throws(ServiceError) {
        let access = try await access()
        let answer: TripAnswer
        do { answer = try await access.answer(request) } catch {
            guard Self.isMet(request, by: error) else { throw error }
            return await tellUnchanged(request, error, access)
        }
        if case .note(let whole) = answer {
            report.tell("\(whole == nil ? "Cleared" : "Wrote") the note of the trip", TripJSON.edited(note: whole))
        } else if photos != nil || saying != nil || note != nil, case .done(let receipt) = answer, !report.json,
            !report.quiet
        {
            let words = TerminalText.receipt(receipt, photos: receipt.photos ?? photos, saying: saying, note: note)
            Output.text(Reader.fitted(words))
        } else {
            report.tell(answer)
        }
        if Self.isOfChange(answer) { await noteUnsent(access) }
    }

    /// Tells that all was so already, of one item as of several: by its number.
    private func tellUnchanged(_ request: TripRequest, _ error: ServiceError, _ access: TripAccess) async {
        guard !report.json, !report.quiet, case .act(let action, let items) = request, action.isWithdrawal,
            case .item(let item, _)? = try? await access.answer(.shown(.show(item: items[0], isLook: false)))
        else { return report.tellUnchanged(error) }
        report.tell(.done(Receipt(Receipt.Act(action), [], unchanged: [item])))
    }

    /// Whether all is already as a request would make it. Of several things one may be so, and the others not.
    private static func isMet(_ request: TripRequest, by error: ServiceError) -> Bool {
        switch request {
        case .act(.remove, let items): items.count == 1 && error.code == .removed
        case .act(.detach(let photos), _): photos.count == 1 && error.code == .unchanged
        case .act(_, let items), .move(let items, _): items.count == 1 && error.code == .unchanged
        case .attach, .editList, .restoreList, .editNote, .keepMember: error.code == .unchanged
        default: false
        }
    }

    /// Says where a change is, once it is made and nobody hears of it yet.
    func noteUnsent(_ access: TripAccess) async {
        guard Reader.isErrorTerminal, !report.quiet, !report.json, !Home().isNodeRunning else { return }
        // Alone in a trip, there is nobody to send it to.
        guard case .status(let status)? = try? await access.answer(.status), !status.devices.isEmpty else { return }
        Output.note("Saved here, not sent yet. Run `caravan up` to sync.")
    }

    private static func isOfChange(_ answer: TripAnswer) -> Bool {
        switch answer {
        case .done(let receipt): !receipt.items.isEmpty
        case .list, .note: true
        default: false
        }
    }
}
