import TripModel
import TripService

/// A listing as a table: its first row names the columns, in any order; those that are not known are passed over.
enum ListingTable {
    static func read(_ bytes: [UInt8]) throws(ServiceError) -> ImportedList {
        var rows = CSVRows(bytes.withoutByteOrderMark)
        guard let heading = try rows.next() else { throw ServiceError("it contains nothing to add") }
        var names: [String] = []
        for field in heading { names.append(try rows.text(field)) }
        if CostFile.isHead(names) {
            throw ServiceError("this is a table of expenses; import it with `caravan cost import`")
        }
        let columns = try columns(heading, rows)
        guard isListing(columns) else {
            throw rows.problem("no column is called title, name or link; name the columns in the first row")
        }
        let known = columns.enumerated().compactMap { place, column in column.map { (place, $0) } }
        var unknown = columns.indices.filter { columns[$0] == nil }
        var ignored: Set<Int> = []
        var list = ImportedList(entryName: "row")
        while let row = try rows.next() {
            guard row.count <= columns.count else {
                throw rows.problem("\(row.count) fields, but the first row has \(columns.count)")
            }
            var record = ListingRecord()
            for (place, column) in known where place < row.count {
                record.note(SpreadsheetText.read(try rows.text(row[place])), as: column)
            }
            for place in unknown where place < row.count {
                let text = try rows.text(row[place])
                if !text.isBlank { ignored.insert(place) }
            }
            unknown.removeAll { ignored.contains($0) }
            do throws(ServiceError) {
                let part = try record.text(.list).map { title throws(ServiceError) in
                    try list.part(ImportedList.Part(title: title.displayed().trimmed))
                }
                try list.add(record, number: rows.number, part: part)
            } catch { throw rows.problem(error.message) }
        }
        list.ignoredColumns = ignored.sorted().map { names[$0].isBlank ? "column \($0 + 1)" : names[$0].trimmed }
        return list
    }

    private static func columns(_ heading: [CSVRows.Field], _ rows: CSVRows) throws(ServiceError) -> [ListingColumn?] {
        var columns: [ListingColumn?] = []
        for field in heading { columns.append(ListingColumn(named: try rows.text(field).trimmed)) }
        return columns
    }

    private static func isListing(_ columns: [ListingColumn?]) -> Bool {
        columns.contains(.field(.title)) || columns.contains(.field(.link))
    }

    /// Whether a text is a table: it begins with a row of names of columns, several and known ones, or all its rows have
    /// as many fields; or it is one column of titles. People write a space behind a comma, and tables none; no column is called 5 kg.
    static func isBegun(by text: ArraySlice<UInt8>) -> Bool {
        var rows = CSVRows(text)
        guard let heading = try? rows.next(), let columns = try? columns(heading, rows) else { return false }
        guard heading.count > 1 else { return isTitles(heading, rows, in: text) }
        if isListing(columns), columns.compactMap(\.self).count > 1 { return true }
        guard heading.allSatisfy({ isName($0, in: text) }) else { return false }
        var count = 0
        var row: [CSVRows.Field]? = heading
        while let fields = row, count < rowsLooked {
            guard fields.count == heading.count, fields.dropFirst().allSatisfy({ !isSpaced($0, in: text) }) else {
                return false
            }
            count += 1
            do { row = try rows.next() } catch { return false }
        }
        return count > 1
    }

    /// Whether "title" alone is above rows of one field, none with the mark of a list or of a heading.
    private static func isTitles(_ heading: [CSVRows.Field], _ rows: CSVRows, in text: ArraySlice<UInt8>) -> Bool {
        guard heading.count == 1, let name = try? rows.text(heading[0]), name.trimmed.lowercased() == "title" else {
            return false
        }
        var rest = rows
        var count = 0
        do {
            while count < rowsLooked, let row = try rest.next() {
                guard row.count == 1, !isMarked(row[0], in: text) else { return false }
                count += 1
            }
        } catch { return false }
        return count > 0
    }

    private static func isMarked(_ field: CSVRows.Field, in text: ArraySlice<UInt8>) -> Bool {
        !field.range.isEmpty && "#*+-=".utf8.contains(text[field.range.lowerBound])
    }

    /// So many rows tell what a text is.
    private static let rowsLooked = 100

    private static func isName(_ field: CSVRows.Field, in text: ArraySlice<UInt8>) -> Bool {
        !field.range.isEmpty && !(0x30...0x39).contains(text[field.range.lowerBound])
    }

    private static func isSpaced(_ field: CSVRows.Field, in text: ArraySlice<UInt8>) -> Bool {
        !field.range.isEmpty && text[field.range.lowerBound] == 0x20
    }
}
