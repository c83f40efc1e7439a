public import DeltaCRDT

/// A list of a board: a title, and cards in it.
struct CardList<Due: DueDate>: RecordSchema {
    var title = MVRegister<String>()
    var cards = ORMap<String, Record<Card<Due>>>()

    static var fields: [RecordField<CardList>] { [.init(1, \.title), .init(2, \.cards)] }
}

/// A card: each of its fields merges by itself.
struct Card<Due: DueDate>: RecordSchema {
    var title = MVRegister<String>()
    var due = MVRegister<Evolving<Due>>()
    var labels = AddWinsSet<String>()
    var votes = LWWMap<String, Bool>()
    var hours = CausalCounter()

    static var fields: [RecordField<Card>] {
        [.init(1, \.title), .init(2, \.due), .init(3, \.labels), .init(4, \.votes), .init(5, \.hours)]
    }
}

/// When a card is due: a value that versions of the program know differently.
public protocol DueDate: EvolvingValue, CustomStringConvertible {
    /// Sets what words tell, and leaves alone what this version does not know.
    static func set(_ due: inout Evolving<Self>, to words: [String])
}

/// As the first version has it: a day.
public struct DueDay: DueDate {
    public var day = ""
    public init() {}
    public static let fields: [EvolvingField<DueDay>] = [.init(1, \.day)]
    public static func set(_ due: inout Evolving<DueDay>, to words: [String]) { due.day = words[0] }
    public var description: String { day }
}

/// As the second version has it: a day, and a time of it.
public struct DueTime: DueDate {
    public var day = ""
    public var time: String?
    public init() {}
    public static let fields: [EvolvingField<DueTime>] = [.init(1, \.day), .init(2, \.time)]

    public static func set(_ due: inout Evolving<DueTime>, to words: [String]) {
        due.day = words[0]
        if words.count > 1 { due.time = words[1] }
    }

    public var description: String { time.map { "\(day) at \($0)" } ?? day }
}
