import ArgumentParser
import TripModel
import TripService
import TripText

struct Ask: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "ask", abstract: "Ask the group a question with options.",
        discussion: """
            Each person chooses one option, unless you say otherwise here. Nobody can change that later. Anybody can add options, and \
            close the question with `caravan close`.

            Examples:
              caravan ask "Where to?" Lisbon Porto --due 2026-06-03
              caravan ask "Which museums?" MAAT Gulbenkian --several
              caravan ask "Which hike?" Coast Hills River --ranked
              caravan ask "When do we meet?" "2026-06-12 14:30" 2026-06-13 --dates
              caravan ask "Rent a car?" Yes No --agree 80
              caravan ask "Whose turn to cook?" Ana Mia Noah --hidden
            """)

    @Argument(help: "The question.")
    var question: String

    @Argument(help: "Options.")
    var option: [String] = []

    @Flag(help: "Each person chooses any number of options.")
    var several = false

    @Flag(help: "Each person ranks the options. Schulze's method counts.")
    var ranked = false

    @Flag(help: "The options are dates. Each person says which suit, and which are OK if need be.")
    var dates = false

    @Option(help: ArgumentHelp("Each person shares out so many points.", valueName: "n"))
    var points: Int?

    @Option(help: ArgumentHelp("How many percent of the group have to agree on an option.", valueName: "percent"))
    var agree: Int?

    @Flag(help: "Nobody sees an answer before you close the question.")
    var hidden = false

    @Option(help: ArgumentHelp("By when people should answer. It closes nothing.", valueName: "day"))
    var due: String?

    @OptionGroup var trip: WritingOptions

    func validate() throws {
        guard [several, ranked, dates, points != nil].count(where: \.self) < 2 else {
            throw ValidationError("--several, --ranked, --dates and --points cannot be combined")
        }
        guard points.map((1...Limits.pointsMax).contains) ?? true else {
            throw ValidationError("--points takes a number from 1 to \(Limits.pointsMax)")
        }
        guard agree.map((1...100).contains) ?? true, let method else {
            throw ValidationError("--agree takes a percentage from 1 to 100, such as 80")
        }
        guard agree == nil || method.method.takesThreshold else {
            throw ValidationError("--agree goes with choosing options or dates, and not with --ranked or --points")
        }
    }

    private var method: Question? {
        let method: Question.Method =
            points.map { .points($0) } ?? (several ? .several : ranked ? .ranked : dates ? .dates : .one)
        return Question(method, threshold: agree, isHidden: hidden)
    }

    func run() async throws {
        let given: [Field: String?] = [.question: method?.text, .due: due]
        let fields = given.compactMapValues(\.self)
        try fields.checkDeadline()
        if let method { try Self.refuseRepetition(of: option, in: method) }
        try await trip.ask(.add([NewItem(title: question, fields: fields, options: option)]))
    }
}

extension Ask {
    /// What is given twice may be a slip for another option, and nobody sees it later.
    fileprivate static func refuseRepetition(of options: [String], in question: Question) throws(ServiceError) {
        var known: Set<String> = []
        // What is no option is refused where all of them are checked.
        for option in options.compactMap({ try? question.checkedOption($0) }) {
            guard known.insert(option.appearance).inserted else {
                throw ServiceError("the option \(question.words(of: option).quoted) is given twice; give each once")
            }
        }
    }
}

struct AnswerQuestion: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "answer", abstract: "Answer a question.",
        discussion: """
            Your last answer counts. The beginning of an option is enough. Give ranked options in the order in which you like them, and \
            points as OPTION=POINTS. `caravan questions` lists the options.

            Examples:
              caravan answer 3 Lisbon
              caravan answer 5 Coast River Hills
              caravan answer 6 Coast=7 River=3
              caravan answer 7 2026-06-13 --if-need-be "2026-06-12 14:30"
              caravan answer 3 --none
            """)

    @Argument(help: "The question: its number, title or ID.", completion: .questions)
    var question: String

    @Argument(help: "Options.")
    var option: [String] = []

    @Option(help: ArgumentHelp("A date that is OK if need be (repeatable).", valueName: "option"))
    var ifNeedBe: [String] = []

    @Flag(help: "None of the options.")
    var none = false

    @Flag(help: "Withdraw your answer.")
    var withdraw = false

    @OptionGroup var trip: WritingOptions

    func validate() throws {
        guard [!option.isEmpty || !ifNeedBe.isEmpty, none, withdraw].count(where: \.self) == 1 else {
            throw ValidationError("give options, or --none, or --withdraw")
        }
    }

    func run() async throws {
        let item = try await trip.question(question)
        guard let question = item.question else { return }
        let answer: Answer?
        do {
            answer =
                withdraw ? nil : try TypedAnswer(options: option, ifNeedBe: ifNeedBe).answer(to: question, of: item)
        } catch { throw ServiceError(error) }
        try await trip.ask(
            .act(.answer(answer), on: [.id(item.id)]),
            saying: answer.map { question.words(of: $0).displayed(limit: 400) })
        if question.isHidden, answer != nil {
            trip.report.note("Nobody else sees your answer before \(item.addedByName) closes this question.")
        }
        guard let closing = item.fields[.done] else { return }
        trip.report.note(
            "\(closing.shown.authorName) closed this question. "
                + (withdraw
                    ? "What you answered before that still counts."
                    : "Your answer is shown as late, and doesn’t count."))
    }
}

struct ChangeOptions: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "options", abstract: "Add options to a question, or remove some.",
        discussion: """
            An option that somebody has chosen stays.

            Examples:
              caravan options 3 --add Faro --add Sintra
              caravan options 3 --remove Porto
            """)

    @Argument(help: "The question: its number, title or ID.", completion: .questions)
    var question: String

    @Option(help: ArgumentHelp("An option to add (repeatable).", valueName: "option"))
    var add: [String] = []

    @Option(help: ArgumentHelp("An option to remove (repeatable).", valueName: "option"))
    var remove: [String] = []

    @OptionGroup var trip: WritingOptions

    func validate() throws {
        guard !add.isEmpty || !remove.isEmpty else { throw ValidationError("give --add or --remove") }
    }

    func run() async throws {
        let item = try await trip.question(question)
        try await trip.ask(.act(.changeOptions(added: add, removed: remove), on: [.id(item.id)]))
        let answers = item.sayings.answers.compactMap(\.word.counted)
        for option in remove.compactMap({ try? item.question?.checkedOption($0) })
        where item.sayings.options.contains(option) && answers.contains(where: { $0[option] != nil }) {
            trip.report.note(
                "\(item.question?.words(of: option).quoted ?? option) stays while somebody’s answer has it.")
        }
    }
}

struct CloseQuestion: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "close", abstract: "Close a question.",
        discussion: """
            Later answers are shown as late, and don't count. The person who asked a hidden question alone closes it, once and for all: \
            then the answers are shown.

            Examples:
              caravan close 3
              caravan close 3 --not
            """)

    @Argument(help: "The question: its number, title or ID.", completion: .questions)
    var question: String

    @Flag(help: "Open it again.")
    var not = false

    @OptionGroup var trip: WritingOptions

    func run() async throws {
        let item = try await trip.question(question)
        try await trip.ask(.act(.mark(.done, !not), on: [.id(item.id)]))
    }
}

struct ListQuestions: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "questions", abstract: "List questions, options and answers.",
        discussion: """
            Open questions come first.

            Examples:
              caravan questions
              caravan questions --json
            """)

    @OptionGroup var reading: ReadingOptions
    @OptionGroup var trip: TripOptions

    func run() async throws {
        try await trip.page(reading, TripJSON.questions) { TerminalText.questions($0, style: Reader.style) }
    }
}

extension WritingOptions {
    func question(_ reference: String) async throws(ServiceError) -> ItemView {
        try await item(reference, that: { $0.question != nil }, listedBy: "caravan questions") {
            "\($0) is not a question"
        }
    }
}
