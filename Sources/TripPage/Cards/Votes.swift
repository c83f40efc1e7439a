import TripModel

extension TripPage {
    /// The fragment of what people say of an item, within its card.
    static func votesFragment(_ item: ItemView, _ name: String, @HTMLBuilder content: () -> HTML) -> HTML {
        let id = "v-" + item.shortID
        return .part(id: id, tag(.div, .id(id), .class(name), content: content))
    }

    /// The two buttons and the tally between them. Their names stay the same, and which is pressed is said beside; what
    /// is pressed again withdraws the vote.
    static func votePill(_ item: ItemView, in frame: CardFrame) -> HTML {
        let vote = frame.you.flatMap(item.vote(of:))
        let tally = tag(.output, .class("tally"), .aria(.label, "\(signed(item.tally)) in total")) {
            signed(item.tally)
        }
        guard frame.mayVote, !item.isRemoved else { return tag(.div, .class("pill")) { tally } }
        return actionForm([("do", "vote"), ("item", item.shortID)], frame.target, class: "pill") {
            voteButton(.for, item, pressed: vote == .for)
            tally
            voteButton(.against, item, pressed: vote == .against)
        }
    }

    /// The third vote, beside the pill of an open card.
    static func ifNeedBeButton(_ item: ItemView, in frame: CardFrame) -> HTML? {
        guard frame.mayVote, !item.isRemoved else { return nil }
        let isPressed = frame.you.flatMap(item.vote(of:)) == .ifNeedBe
        return actionForm([("do", "vote"), ("item", item.shortID)], frame.target, class: "third-vote") {
            tag(
                .button, .class("button"), .plain(.name, "vote"),
                .plain(.value, PageAction.word(isPressed ? nil : .ifNeedBe)),
                .aria(.pressed, isPressed ? "true" : "false"),
                .aria(.label, "OK if need be: \(item.title.displayed(limit: 80))")
            ) { "○ OK if need be" }
        }
    }

    private static func voteButton(_ vote: Vote, _ item: ItemView, pressed: Bool) -> HTML {
        tag(
            .button, .class(vote.name), .plain(.name, "vote"),
            .plain(.value, PageAction.word(pressed ? nil : vote)), .aria(.pressed, pressed ? "true" : "false"),
            .aria(.label, "\(vote.label) \(item.title.displayed(limit: 80))"),
            .data(.key, vote.key)
        ) { vote.sign }
    }

    /// The tally with a true minus.
    static func signed(_ number: Int) -> String { number < 0 ? "−\(number.magnitude)" : String(number) }

    private static let facesMax = 5

    /// Who voted how, yours first, and then who has not yet: five faces and how many more there are; all names by a tap.
    static func faces(of item: ItemView, in frame: CardFrame) -> HTML? {
        let standing = Standing(item, in: frame)
        let voters = standing.voters
        let all = voters.count + standing.waiting.count
        guard all > 0, !voters.isEmpty || frame.people.count > 1 else { return nil }
        let waiting = standing.waiting.prefix(max(0, facesMax - voters.count))
        return tag(.details, .class("faces")) {
            tag(.summary, .aria(.label, standing.summary)) {
                for voter in voters.prefix(facesMax) {
                    avatar(
                        voter.participant, name: voter.name, badge: voter.word, isYou: voter.participant == frame.you,
                        isDecoration: true)
                }
                for person in waiting {
                    avatar(
                        person.id, name: person.name, isYou: person.id == frame.you, hasVoted: false,
                        isDecoration: true)
                }
                if all > facesMax { tag(.span, .class("more-faces")) { "+\(all - facesMax)" } }
            }
            tag(.p, .class("names"), .plain(.dir, "auto")) { standing.sentence }
        }
    }

    /// Everybody's vote on an item, in three groups with faces and names.
    static func ballot(of item: ItemView, in frame: CardFrame) -> HTML {
        let id = "w-" + item.shortID
        let standing = Standing(item, in: frame)
        return .part(
            id: id,
            tag(.div, .id(id), .class("ballot")) {
                for vote in Vote.inOrder { group(vote.label, standing.said(vote), badge: vote, in: frame) }
                waitingGroup("Haven’t voted", standing.waiting, in: frame)
            })
    }

    /// Those who said the same.
    static func group<Word>(
        _ title: String, _ words: [LastWord<Word>], badge: Vote? = nil, in frame: CardFrame
    ) -> HTML? {
        guard !words.isEmpty else { return nil }
        return group(
            "\(title) (\(words.count))",
            words.map { word in
                let isYou = word.participant == frame.you
                return face(
                    avatar(word.participant, name: word.name, badge: badge, isYou: isYou, isDecoration: true),
                    word.name,
                    isYou: isYou)
            })
    }

    /// Those who said nothing yet.
    static func waitingGroup(_ title: String, _ people: [CardFrame.Person], in frame: CardFrame) -> HTML? {
        guard !people.isEmpty else { return nil }
        return group(
            title,
            people.map { person in
                let isYou = person.id == frame.you
                return face(
                    avatar(person.id, name: person.name, isYou: isYou, hasVoted: false, isDecoration: true),
                    person.name,
                    isYou: isYou)
            })
    }

    private static func group(_ title: String, _ faces: [HTML]) -> HTML {
        tag(.div, .class("vote-group")) {
            tag(.h4) { title }
            tag(.ul) { faces }
        }
    }

    private static func face(_ avatar: HTML, _ name: String, isYou: Bool) -> HTML {
        tag(.li) {
            avatar
            tag(.span, .plain(.dir, "auto")) { isYou ? "you" : name }
        }
    }
}

extension Vote {
    /// As they are read: for, if need be, against.
    static let inOrder = [Vote.for, .ifNeedBe, .against]

    var label: String {
        switch self {
        case .for: "For"
        case .against: "Against"
        case .ifNeedBe: "OK if need be"
        }
    }

    var sign: String {
        switch self {
        case .for: "▲"
        case .against: "▼"
        case .ifNeedBe: "○"
        }
    }

    /// The key that votes so.
    var key: String {
        switch self {
        case .for: "f"
        case .against: "a"
        case .ifNeedBe: "i"
        }
    }
}

/// Who said something of an item, the viewer first, and who has not.
struct Standing<Word: Codable & Hashable & Sendable> {
    let voters: [LastWord<Word>]
    let waiting: [CardFrame.Person]
    private let you: ParticipantID?

    init(_ words: [LastWord<Word>], in frame: CardFrame) {
        you = frame.you
        let counted = words.filter { !$0.isOut }
        voters = counted.filter { $0.participant == frame.you } + counted.filter { $0.participant != frame.you }
        let voted = Set(counted.map(\.participant))
        let waiting = frame.people.filter { !voted.contains($0.id) }
        self.waiting = waiting.filter { $0.id == frame.you } + waiting.filter { $0.id != frame.you }
    }

    func said(_ word: Word) -> [LastWord<Word>] { voters.filter { $0.word == word } }
}

extension Standing<Vote> {
    fileprivate init(_ item: ItemView, in frame: CardFrame) { self.init(item.votes, in: frame) }

    /// The faces as numbers, for readers who cannot see them.
    fileprivate var summary: String {
        var parts: [String] = []
        for vote in Vote.inOrder {
            let count = said(vote).count
            if count > 0 { parts.append("\(count) \(vote.label.lowercased())") }
        }
        if !waiting.isEmpty { parts.append("\(waiting.count) haven’t voted") }
        return parts.joined(separator: ", ") + ": names"
    }

    fileprivate var sentence: String {
        let groups: [(String, [String])] =
            Vote.inOrder.map { vote in
                (vote.label, said(vote).map { name($0.participant, $0.name) })
            } + [("Haven’t voted", waiting.map { name($0.id, $0.name) })]
        return groups.filter { !$0.1.isEmpty }
            .map { title, names in
                "\(title): \(names.prefix(Self.namesMax).joined(separator: ", "))"
                    + (names.count > Self.namesMax ? " and \(names.count - Self.namesMax) more" : "")
            }
            .joined(separator: " · ")
    }

    private static var namesMax: Int { 20 }

    private func name(_ id: ParticipantID, _ name: String) -> String { id == you ? "you" : name }
}
