package import TripModel
package import TripService

/// Expenses that other programs exported as a table: Splitwise, Spliit, and `CostTable`. The first row tells which it is.
///
/// A payment of two people is read as an expense, because only the two may record a payment. Balances are the same.
package struct CostFile {
    /// What a table does not say.
    package struct Reading {
        /// Who a name in the table is, for names that nobody in the trip has.
        package var people: [String: String]
        /// Of all amounts; nil for that in the table.
        package var currency: Currency?
        /// Who paid where a row does not say it, as Spliit's do of a payer without a share.
        package var payer: String?

        package init(people: [String: String] = [:], currency: Currency? = nil, payer: String? = nil) {
            self.people = people
            self.currency = currency
            self.payer = payer
        }
    }

    /// The expenses, in the order of the rows, with the trip's people.
    package let items: [NewItem]

    private static let firstOfSplitwise = ["Date", "Description", "Category", "Cost", "Currency"]
    private static let firstOfSpliit = ["Date", "Description", "Category", "Currency", "Cost"]

    /// Reads a table. O(n) in its bytes.
    /// - Throws: `ServiceError` naming the row, where anything in it is not understood: then nothing is read.
    package init(_ bytes: [UInt8], in trip: TripView, by me: ParticipantID, _ reading: Reading) throws(ServiceError) {
        let bytes = bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? bytes.dropFirst(3) : bytes[...]
        var rows = CSVRows(bytes)
        var row = Row(cells: [], number: 1)
        guard let head = try rows.cells() else { throw Self.unknown }
        var items: [NewItem] = []
        let read: (Row) throws(ServiceError) -> NewItem?
        let reader = Reader(trip: trip, me: me, reading: reading, head: head)
        if Set(CostTable.columns).isSubset(of: head) {
            read = reader.own
        } else if head.starts(with: Self.firstOfSplitwise) {
            read = reader.splitwise
        } else if head.starts(with: Self.firstOfSpliit), head.contains("Is Reimbursement") {
            read = reader.spliit
        } else {
            throw Self.unknown
        }
        while let cells = try rows.cells() {
            row = Row(cells: cells, number: rows.number)
            guard row.number <= ExchangeLimits.rows else {
                throw ServiceError("the table has more than \(ExchangeLimits.rows) rows; split it")
            }
            if let item = try read(row) { items.append(item) }
        }
        self.items = items
    }

    /// Whether a table with this first row is one of expenses.
    static func isHead(_ names: [String]) -> Bool {
        Set(CostTable.columns).isSubset(of: names) || names.starts(with: firstOfSplitwise)
            || names.starts(with: firstOfSpliit)
    }

    private static let unknown = ServiceError(
        "this is not a table of expenses from Splitwise, Spliit or `caravan cost export`; export it there as CSV")

    struct Row {
        let cells: [String]
        let number: Int
    }

    /// One table.
    struct Reader {
        let trip: TripView
        let me: ParticipantID
        let reading: Reading
        let head: [String]

        // MARK: - Our own

        func own(_ row: Row) throws(ServiceError) -> NewItem? {
            let cell = { (name: String) in head.firstIndex(of: name).map { row.cells[safe: $0] } ?? "" }
            let split = cell("split")
            guard let way = split == CostTable.payment ? .exactly : Cost.Way(rawValue: split) else {
                throw problem(
                    row, "\(split.quoted) is not a way to split; write equally, parts, exactly, percent or payment")
            }
            let names = { (text: String) throws(ServiceError) in
                try text.split(separator: ";").map { part throws(ServiceError) in
                    let part = String(part).trimmed
                    let sign = part.lastIndex(of: "=") ?? part.endIndex
                    return try person(String(part[..<sign]), row, isShown: true).description + part[sign...]
                }
            }
            let typed = TypedCost(
                amount: "\(cell("amount")) \(reading.currency?.code ?? cell("currency"))",
                rate: cell("rate").isEmpty ? nil : ExchangeRate(exported: cell("rate"))?.typed ?? cell("rate"),
                payers: try names(cell("paid_by")), way: way,
                sharers: try names(cell("shares")))
            let cost: Cost
            do throws(TripError) { cost = try typed.cost(in: trip, by: me) } catch { throw problem(row, error.message) }
            return item(
                cell("title"), cost, date: cell("date"), category: cell("category"), note: cell("note"))
        }

        // MARK: - Splitwise

        /// A row has what each person paid less their share. Who is owed something paid; of several, each paid what they are
        /// owed and a part of the rest.
        func splitwise(_ row: Row) throws(ServiceError) -> NewItem? {
            // The last row has the sums.
            guard row.cells.count > 5, !row.cells[3].trimmed.isEmpty else { return nil }
            guard let total = try money(row.cells[3], row.cells[4], row), total.minorUnits > 0 else {
                throw problem(row, "the cost is not above 0; add it by hand")
            }
            let nets = try people(row, from: 5, total.currency).filter { $0.number != 0 }
            // All shares are paid by their people themselves.
            guard !nets.isEmpty else { return nil }
            let owed = nets.filter { $0.number > 0 }
            let sum = owed.reduce(0) { $0 + $1.number }
            guard nets.reduce(0, { $0 + $1.number }) == 0, sum <= total.minorUnits else {
                throw problem(row, "the amounts of the people do not add up to 0")
            }
            let rest = Share.dividing(total.minorUnits - sum, by: owed)
            let payers = zip(owed, rest).map { Share($0.person, $0.number + $1.number) }
            let shares =
                rest.filter { $0.number > 0 } + nets.filter { $0.number < 0 }.map { Share($0.person, -$0.number) }
            return try item(row, total, payers, .exactly, shares)
        }

        // MARK: - Spliit

        /// A row has the share of each person, above 0 for the person who paid and below 0 for all others.
        func spliit(_ row: Row) throws(ServiceError) -> NewItem? {
            guard row.cells.count > 5, let total = try money(row.cells[4], row.cells[3], row), total.minorUnits > 0
            else {
                throw problem(row, "the cost is not above 0; add it by hand")
            }
            guard let first = head.firstIndex(of: "Split mode") else { throw CostFile.unknown }
            let shares = try people(row, from: first + 1, total.currency).filter { $0.number != 0 }
            guard !shares.isEmpty else { throw problem(row, "nobody has a share") }
            let paying = shares.filter { $0.number > 0 }
            guard paying.count <= 1 else { throw problem(row, "several people seem to have paid") }
            var payer = paying.first?.person
            if payer == nil { payer = try missingPayer(row) }
            guard let payer else {
                throw problem(row, "the table does not say who paid, because the payer has no share; add --payer NAME")
            }
            let weights = shares.map { Share($0.person, abs($0.number)) }.sorted { $0.person < $1.person }
            let isEqual = row.cells[safe: first] == "Evenly"
            // Its shares are rounded each for itself, and may miss the cost by some units.
            return try item(
                row, total, [Share(payer, total.minorUnits)], isEqual ? .equally : .exactly,
                isEqual
                    ? weights.map { Share($0.person, 1) }
                    : Share.dividing(total.minorUnits, by: weights).filter { $0.number > 0 })
        }

        private func missingPayer(_ row: Row) throws(ServiceError) -> ParticipantID? {
            guard let name = reading.payer else { return nil }
            return try person(name, row)
        }

        // MARK: - Cells

        private func item(
            _ row: Row, _ total: Money, _ payers: [Share], _ way: Cost.Way, _ shares: [Share]
        ) throws(ServiceError) -> NewItem {
            let cost: Cost
            do throws(TripError) { cost = try Cost(total, payers: payers, way, shares) } catch {
                throw problem(row, error.message)
            }
            return item(row.cells[1], cost, date: row.cells[0], category: row.cells[2], note: "")
        }

        private func item(_ title: String, _ cost: Cost, date: String, category: String, note: String) -> NewItem {
            var fields: [Field: String] = [.cost: cost.text, .itemKind: ItemView.expenseKind]
            // A date may have a time behind it.
            if let day = DateSpan(typed: date) ?? DateSpan(typed: String(date.prefix(10))) { fields[.dates] = day.text }
            if !category.isEmpty { fields[.category] = SpreadsheetText.read(category) }
            if !note.isEmpty { fields[.note] = SpreadsheetText.read(note) }
            return NewItem(title: SpreadsheetText.read(title), fields: fields)
        }

        private func money(_ amount: String, _ currency: String, _ row: Row) throws(ServiceError) -> Money? {
            guard let currency = reading.currency ?? Currency(typed: currency.trimmed) else {
                throw problem(row, "\(currency.quoted) is not a currency code; add --currency CODE")
            }
            return try units(amount, currency, row).map { Money($0, currency) }
        }

        /// A signed amount, with a point before its decimals, or with marks between its digits as in a typed one; nil where the cell is
        /// empty.
        private func units(_ text: String, _ currency: Currency, _ row: Row) throws(ServiceError) -> Int64? {
            let text = SpreadsheetText.read(text.trimmed)
            let digits = text.hasPrefix("-") ? String(text.dropFirst()) : text
            guard !digits.isEmpty else { return nil }
            guard !digits.utf8.allSatisfy({ $0 == 0x30 || $0 == 0x2E || $0 == 0x2C }) else { return 0 }
            if digits.utf8.contains(0x2C),
                digits.utf8.allSatisfy({ (0x30...0x39).contains($0) || $0 == 0x2C || $0 == 0x2E })
            {
                do throws(TripError) {
                    let amount = try Money(typed: digits, home: currency).minorUnits
                    return text.hasPrefix("-") ? -amount : amount
                } catch { throw problem(row, error.message) }
            }
            let parts = digits.split(separator: ".", omittingEmptySubsequences: false)
            var decimals = parts.count == 2 ? parts[1] : ""
            // Some programs write more zeros than the currency has digits.
            while decimals.utf8.count > currency.digits, decimals.last == "0" { decimals.removeLast() }
            guard parts.count <= 2, decimals.utf8.count <= currency.digits,
                (digits.utf8.allSatisfy { (0x30...0x39).contains($0) || $0 == 0x2E }),
                let units = Int64(
                    String(parts[0]) + decimals + String(repeating: "0", count: currency.digits - decimals.utf8.count)),
                units <= Limits.moneyMax
            else { throw problem(row, "\(text.quoted) is not an amount in \(currency.code); write it like 1200.50") }
            return text.hasPrefix("-") ? -units : units
        }

        private func people(_ row: Row, from first: Int, _ currency: Currency) throws(ServiceError) -> [Share] {
            var shares: [Share] = []
            for place in head.indices where place >= first {
                guard let units = try units(row.cells[safe: place], currency, row), units != 0 else { continue }
                shares.append(Share(try person(head[place], row), units))
            }
            return shares.sorted { $0.person < $1.person }
        }

        /// - Parameter isShown: whether Caravan wrote the name, as it shows it.
        private func person(_ name: String, _ row: Row, isShown: Bool = false) throws(ServiceError) -> ParticipantID {
            let name = SpreadsheetText.read(name.trimmed)
            do throws(TripError) {
                if let typed = reading.people[name] { return try trip.person(named: typed) }
                return try isShown ? trip.person(shown: name) : trip.person(named: name)
            } catch {
                let naming = error.message.hasSuffix("?") ? " Name" : ", or name"
                throw problem(row, "\(error.message)\(naming) that person with --person \"\(name)=NAME\"")
            }
        }

        private func problem(_ row: Row, _ what: String) -> ServiceError { ServiceError("row \(row.number): \(what)") }
    }
}

extension CSVRows {
    /// The texts of the next row; nil at the end.
    fileprivate mutating func cells() throws(ServiceError) -> [String]? {
        guard let row = try next() else { return nil }
        guard row.count <= ExchangeLimits.columns else {
            throw problem("it has more than \(ExchangeLimits.columns) columns; split the table")
        }
        var cells: [String] = []
        for field in row { cells.append(try text(field)) }
        return cells
    }
}

extension [String] {
    /// The text of a column; empty where the row is shorter.
    fileprivate subscript(safe place: Int) -> String { indices.contains(place) ? self[place] : "" }
}
