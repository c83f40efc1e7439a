/// A cost as a person types it: amounts as texts, people by their names.
package struct TypedCost: Codable, Hashable, Sendable {
    /// "84", "50 CHF".
    package var amount: String
    /// "0.9512" for the home currency, "0.9512 EUR"; nil for none.
    package var rate: String?
    /// Names, each perhaps with what the person paid: "Noah", "Noah=30". Nobody is the person who types.
    package var payers: [String]
    package var way: Cost.Way
    /// Names; unless the split is equal, each with a number: "Mia=2", "Mia=12.50", "Mia=33.33". Of an equal split, nobody is
    /// everybody who is in.
    package var sharers: [String]
    /// Names that have no share of an equal split.
    package var except: [String]

    package init(
        amount: String, rate: String? = nil, payers: [String] = [], way: Cost.Way = .equally, sharers: [String] = [],
        except: [String] = []
    ) {
        self.amount = amount
        self.rate = rate
        self.payers = payers
        self.way = way
        self.sharers = sharers
        self.except = except
    }

    /// What somebody would type to have the same cost. A single payer pays all of it, whatever the amount is changed to.
    package init(_ cost: Cost) {
        let currency = cost.amount.currency
        amount = cost.amount.typed
        rate = cost.rate?.typed
        payers = cost.payers.map { share in
            cost.payers.count == 1 ? "\(share.person)" : "\(share.person)=\(Money(share.number, currency).digits)"
        }
        way = cost.way
        sharers = cost.shares.map { share in
            switch cost.way {
            case .equally: "\(share.person)"
            case .parts: "\(share.person)=\(share.number)"
            case .exactly: "\(share.person)=\(Money(share.number, currency).digits)"
            case .percent: "\(share.person)=\(TypedCost.percent(share.number))"
            }
        }
        except = []
    }

    /// The cost in a trip. O(n) in its items, for the home currency.
    /// - Parameter me: who types.
    package func cost(in trip: TripView, by me: ParticipantID) throws(TripError) -> Cost {
        let home = trip.costs.home
        let money = try Money(typed: amount, home: home)
        return try Cost(
            money, rate: try rate.map { text throws(TripError) in try Self.rate(text, home: home) },
            payers: try payerShares(of: money, in: trip, by: me), way, try shares(of: money, in: trip))
    }

    private static func rate(_ text: String, home: Currency?) throws(TripError) -> ExchangeRate {
        let invalid = TripError(.malformedValue, "the rate \(text.quoted) is invalid; write it like 0.9512 EUR")
        guard let (run, words) = Money.scan(text), words.count <= 1,
            let currency = words.isEmpty ? home : Currency(typed: words[0])
        else { throw invalid }
        try Money.checkReading(run, digits: Limits.rateDecimals, of: text)
        guard let (whole, decimals) = Money.parts(run, digits: Limits.rateDecimals),
            let rate = ExchangeRate(decimals.isEmpty ? whole : whole + "." + decimals, to: currency)
        else { throw invalid }
        return rate
    }

    private func payerShares(of money: Money, in trip: TripView, by me: ParticipantID) throws(TripError) -> [Share] {
        guard !payers.isEmpty else { return [Share(me, money.minorUnits)] }
        let typed = try payers.map { text throws(TripError) in try Self.named(text, in: trip) }
        guard typed.contains(where: { $0.number != nil }) else {
            let equal = typed.map { Share($0.person, 1) }.sorted { $0.person < $1.person }
            return Share.dividing(money.minorUnits, by: equal)
        }
        return try typed.map { person, number throws(TripError) in
            guard let number else {
                throw TripError(.malformedValue, "one payer has no amount; write NAME=AMOUNT for each")
            }
            return Share(person, try Money(typed: number, home: money.currency).minorUnits)
        }
    }

    private func shares(of money: Money, in trip: TripView) throws(TripError) -> [Share] {
        guard way == .equally else {
            return try sharers.map { text throws(TripError) in
                let (person, number) = try Self.named(text, in: trip)
                guard let number else { throw TripError(.malformedValue, "write \(text.quoted) as NAME=NUMBER") }
                return Share(person, try self.number(number, money.currency))
            }
        }
        let out = try except.map { text throws(TripError) in try trip.person(named: text) }
        let all =
            sharers.isEmpty
            ? trip.group.members.map(\.id)
            : try sharers.map { text throws(TripError) in try trip.person(named: text) }
        if let stranger = out.first(where: { !all.contains($0) }) {
            throw TripError(
                .malformedValue, "\(trip.displayName(of: stranger).quoted) has no share; leave out this exception")
        }
        return all.filter { !out.contains($0) }.map { Share($0, 1) }
    }

    private func number(_ text: String, _ currency: Currency) throws(TripError) -> Int64 {
        switch way {
        case .equally: return 1
        case .exactly: return try Money(typed: text, home: currency).minorUnits
        case .parts:
            guard let parts = Int64(text), parts > 0 else {
                throw TripError(.malformedValue, "\(text.quoted) is not a number of parts; write 1, 2 or more")
            }
            return parts
        case .percent:
            let digits = text.utf8.last == 0x25 ? String(text.dropLast()) : text
            let parts = digits.split(separator: ".", omittingEmptySubsequences: false)
            let decimals = parts.count == 2 ? String(parts[1]) : ""
            guard (1...2).contains(parts.count), decimals.utf8.count <= 2,
                (digits.utf8.allSatisfy { (0x30...0x39).contains($0) || $0 == 0x2E }), parts[0].utf8.count <= 3,
                let hundredths = Int64(
                    String(parts[0]) + decimals + String(repeating: "0", count: 2 - decimals.utf8.count))
            else { throw TripError(.malformedValue, "\(text.quoted) is not a percentage; write it like 33.33") }
            guard (1...10_000).contains(hundredths) else {
                throw TripError(
                    .outOfRange, "\(text.quoted) is not between 0.01 and 100 percent; write another share")
            }
            return hundredths
        }
    }

    /// "33.33" of 3,333 hundredths.
    package static func percent(_ hundredths: Int64) -> String { Price.digits(hundredths) }

    /// A name, and what follows the last "=".
    private static func named(
        _ text: String, in trip: TripView
    ) throws(TripError) -> (person: ParticipantID, number: String?) {
        guard let sign = text.lastIndex(of: "=") else { return (try trip.person(named: text), nil) }
        return (
            try trip.person(named: String(text[..<sign])), TextClasses.trimmed(String(text[text.index(after: sign)...]))
        )
    }
}

extension TripView {
    /// The person of a name, as `[ParticipantView].person(named:)` finds them.
    package func person(named text: String) throws(TripError) -> ParticipantID {
        try participants.person(named: text)
    }

    /// The person of a name that Caravan wrote, as it is shown. Other names and ids are found as if they were typed.
    package func person(shown text: String) throws(TripError) -> ParticipantID {
        let wanted = text.appearance
        let shown = participants.first { $0.displayName.appearance == wanted }
        guard let shown, !participants.contains(where: { $0.id.description == wanted }) else {
            return try person(named: text)
        }
        return shown.id
    }

    /// What names somebody in a command: the name as it is shown, or the beginning of the id if several members have that name.
    package func reference(to person: ParticipantID) -> String {
        let name = displayName(of: person)
        return (try? self.person(named: name)) == person ? name : String(person.description.prefix(6))
    }
}

extension [ParticipantView] {
    /// The person of an id, of a name as it is shown or as they wrote it, or of an id's beginning. A whole id comes first: nobody
    /// can be taken for another by a name. Members come before people who are out, and a name before one in another case outside A to
    /// Z, where both may be shown. If several members have a name, an id is required.
    package func person(named text: String) throws(TripError) -> ParticipantID {
        let wanted = text.appearance
        if let person = first(where: { $0.id.description == wanted }) { return person.id }
        func called(_ fold: (String) -> String) -> [ParticipantView] {
            let folded = fold(text)
            return filter { person in
                [person.displayName, person.name ?? person.displayName].contains { fold($0) == folded }
            }
        }
        let everybody = [called(\.appearance), called(\.caselessAppearance)]
        let members = everybody.map { people in people.filter { !$0.isOut } }
        let named = (members + everybody).first { !$0.isEmpty } ?? []
        if named.count == 1 { return named[0].id }
        if named.count > 1 {
            let choices = named.map { "\($0.id.description.prefix(6)) \($0.displayName)" }.joined(separator: "; ")
            throw TripError(
                .ambiguousItem, "\(named.count) members are called \(text.quoted); give an id (\(choices))")
        }
        if wanted.utf8.count >= 4 {
            let found = filter { $0.id.description.utf8.starts(with: wanted.utf8) }
            if found.count == 1 { return found[0].id }
        }
        let near = NearNames.nearest(to: text, among: map(\.displayName)).map { self[$0] }
        throw TripError(
            .unknownItem,
            "there is nobody called \(text.quoted) in this trip; "
                + (near.map { "did you mean \($0.displayName.quoted)?" } ?? "see `caravan members`"))
    }
}
