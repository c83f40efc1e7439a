import TripModel

extension TripSpecification.Meaning: CustomStringConvertible {
    /// The item that it is about; nil for one that makes an item, and for what is about none.
    var item: TripSpecification.Name? {
        switch self {
        case .add, .setTitle, .setName, .addList, .editList, .removeList, .restoreList, .removeComment, .undo,
            .wish, .unwish, .editNote(nil, _):
            nil
        case .editNote(let item?, _), .claim(let item, _), .attend(let item, _), .comment(let item, _),
            .amenities(let item, _, _),
            .answer(let item, _), .seal(let item, _, _), .close(let item), .reveal(let item, _),
            .options(let item, _, _),
            .move(let item, _),
            .attach(let item, _), .detach(let item, _), .edit(let item, _, _), .plan(let item, _), .remove(let item),
            .restore(let item), .vote(let item, _), .quantity(let item, _):
            item
        }
    }

    /// Whether only its author's devices can read it.
    var isOwn: Bool {
        switch self {
        case .wish, .unwish: true
        default: false
        }
    }

    /// Whether what it does depends on what is there, and not only on what was made.
    var asksWhatIsThere: Bool {
        switch self {
        case .undo, .move, .editNote: true
        default: false
        }
    }

    /// The item, list or comment that it is done to; nil for what makes one, and for what is done to none.
    var target: TripSpecification.Name? {
        switch self {
        case .editList(let list, _), .removeList(let list), .restoreList(let list): list
        case .removeComment(let comment): comment
        default: item
        }
    }

    var description: String {
        switch self {
        case .add(let drafts, let list):
            "add " + drafts.map(\.description).joined(separator: ", ") + (list.map { " to the list \($0)" } ?? "")
        case .edit(let item, let fields, let shown):
            "edit \(item)\(shown.isEmpty ? "" : " as seen before"): \(Self.text(fields))"
        case .plan(let item, let day): day.map { "plan \(item) for \($0)" } ?? "take \(item) off its day"
        case .editNote(let item, let text): "make the note of \(item.map(\.description) ?? "the trip") \(text)"
        case .remove(let item): "remove \(item)"
        case .restore(let item): "restore \(item)"
        case .vote(let item, let vote): "vote \(vote?.name ?? "no more") on \(item)"
        case .quantity(let item, let step): "\(step) more of \(item)"
        case .claim(let item, let count): "bring \(count.map { String($0) } ?? "none") of \(item)"
        case .attend(let item, let attendance): "answer \(attendance?.name ?? "nothing") for \(item)"
        case .answer(let item, let answer):
            "reply \(answer.map { "\($0.choices.map(\.option))" } ?? "nothing") to \(item)"
        case .seal(let item, _, let answer): "seal \(answer.choices.map(\.option)) for \(item)"
        case .close(let item): "close \(item)"
        case .reveal(let item, _): "reveal the answer to \(item)"
        case .options(let item, let added, let removed):
            "change the options of \(item)" + added.map { " +" + $0 }.joined() + removed.map { " −" + $0 }.joined()
        case .comment(let item, let text): "say \(text) of \(item)"
        case .removeComment(let comment): "take the comment \(comment) away"
        case .amenities(let item, let added, let removed):
            "note of \(item)" + added.map { " +" + $0 }.joined() + removed.map { " −" + $0 }.joined()
        case .addList(let fields, let drafts):
            "make the list \(fields[.title] ?? "")" + drafts.map { ", with \($0)" }.joined()
        case .editList(let list, let fields): "edit the list \(list): \(Self.text(fields))"
        case .removeList(let list): "remove the list \(list)"
        case .restoreList(let list): "restore the list \(list)"
        case .move(let item, .end(let list)): "move \(item) \(list.map { "to \($0)" } ?? "out")"
        case .move(let item, .before(let other)): "move \(item) before \(other)"
        case .move(let item, .behind(let other)): "move \(item) behind \(other)"
        case .attach(let item, let photo): "attach the photo \(photo) to \(item)"
        case .detach(let item, let photo): "take the photo \(photo) from \(item)"
        case .undo(let change): "take back \(change)"
        case .wish(let title): "wish for \(title)"
        case .unwish(let title): "wish no more for \(title)"
        case .setTitle(let title): "call the trip \(title)"
        case .setName(let name): "be called \(name)"
        }
    }

    private static func text(_ fields: [Field: String?]) -> String {
        fields.keys.sorted().map { "\($0.name) \((fields[$0] ?? nil) ?? "cleared")" }.joined(separator: ", ")
    }
}

extension TripSpecification.Draft: CustomStringConvertible {
    var description: String { "\(fields[.title] ?? "")\(quantity == 0 ? "" : " ×\(quantity)")" }
}
