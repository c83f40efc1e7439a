import DeltaCRDT
import Testing

private let jie = ReplicaID(high: 0x9E37_79B9, low: 1)
private let noah = ReplicaID(high: 0x85EB_CA6B, low: 2)

/// The examples in the comments of structures and of coding, line for line.
@Suite struct StructureExampleTests {
    @Test func decodingReports() {
        let bytes: [UInt8] = [0x14, 1, 1]
        var list = AddWinsSet<String>()
        var logged = ""
        func askForAnUpdate() { logged = "update" }
        func log(_ text: String) { logged = text }
        do {
            list = try AddWinsSet(decoding: bytes)
        } catch .newerVersion {
            askForAnUpdate()
        } catch {
            // AddWinsSet<String>: truncated at byte 17 of 230
            log("\(DecodingReport(of: bytes, as: AddWinsSet<String>.self)!)")
        }
        #expect(list.isEmpty && logged == "AddWinsSet<String>: tooLarge at byte 2 of 3")
    }

    @Test func openEnumerations() {
        enum Color: UInt64, CaseIterable { case red = 1, green, blue }

        var color = MVRegister<Open<Color>>()
        color.set(Open(.green), by: jie)
        #expect(color.values.map(\.known) == [.green])
    }

    @Test func restorableMaps() {
        var board = RestorableMap<String, Record<Card>>()
        board.updateValue(forKey: "tent", by: jie) { $0.title.set("Buy a tent", by: jie) }
        var copy = board
        let removal = board.removeValue(forKey: "tent")
        copy.updateValue(forKey: "tent", by: noah) { $0.labels.insert("urgent", by: noah) }
        copy.merge(removal)
        #expect(copy["tent"]?.title.values == ["Buy a tent"])
    }

    @Test func pathChanges() {
        var board = ORMap<String, Record<Card>>()
        board.updateValue(forKey: "tent") { $0.title.set("Buy a tent", by: jie) }
        var theirs = board
        let delta = theirs.updateValue(forKey: "tent") {
            $0.title.set("Borrow a tent", by: noah)
            $0.labels.insert("urgent", by: noah)
        }
        let told = board.mergeReportingChanges(delta).map(\.description)
        #expect(told == [#"tent.title: ["Buy a tent"] → ["Borrow a tent"]"#, "tent.labels.urgent: nil → urgent"])
    }

    @Test func writers() {
        var board = ORMap<String, Record<Card>>()
        let delta = board.update(by: jie) { board in
            board["tent"].title.set("Buy a tent")
            board["tent"].labels.insert("shopping")
            board["tent"].estimate.add(2)
        }
        #expect(delta == board)
    }
}
