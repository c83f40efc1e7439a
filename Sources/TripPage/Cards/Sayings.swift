import TripModel

extension TripPage {
    /// What members wrote about an item besides votes: who picked it, its list, its amenities, who brings it, and comments.
    static func sayings(of item: ItemView, in frame: CardFrame, state: PageState) -> HTML {
        let sayings = item.sayings
        return tag(.div, .class("sayings")) {
            if let chosen = item.fields[.chosen] {
                // A plan chooses again what is chosen, so who planned it is known, and who chose it first isn't.
                let isPlan = item.fields[.dates]?.shown.author == chosen.shown.author
                tag(.p, .class("facts")) {
                    isolated(chosen.shown.authorName)
                    isPlan ? " planned this" : " chose this"
                }
            }
            if let list = sayings.list { tag(.p, .class("facts"), .plain(.dir, "auto")) { "in \(list.title)" } }
            if !sayings.amenities.isEmpty {
                tag(.p, .class("facts"), .plain(.dir, "auto")) {
                    "Amenities: \(sayings.amenities.joined(separator: ", "))"
                }
            }
            claims(of: item, in: frame)
            comments(of: item, in: frame, state: state)
        }
    }

    /// Everybody who brings it, and the button for the viewer.
    private static func claims(of item: ItemView, in frame: CardFrame) -> HTML? {
        let claims = item.sayings.claims
        guard !claims.isEmpty || item.kind == .bring || item.quantity != nil else { return nil }
        let isMine = claims.contains { $0.participant == frame.you }
        return tag(.div, .class("claims")) {
            for claim in claims {
                tag(.p, .class("claim")) {
                    avatar(
                        claim.participant, name: claim.name, isYou: claim.participant == frame.you, isDecoration: true)
                    tag(.span) {
                        claim.participant == frame.you
                            ? HTML.text("You’re bringing ") : HTML.group([isolated(claim.name), " is bringing "])
                        claim.word == 1 ? "it" : String(claim.word)
                    }
                }
            }
            if frame.mayVote, !item.isRemoved {
                actionButton(
                    .act(.claim(isMine ? nil : 1), on: [item.shortID]), frame.target,
                    label: isMine ? "I won’t bring it" : "I’ll bring it",
                    description: "\(isMine ? "I won’t bring" : "I’ll bring") \(item.title.displayed(limit: 80))")
            }
        }
    }

    /// The comments, oldest first, and the box for another one.
    private static func comments(of item: ItemView, in frame: CardFrame, state: PageState) -> HTML? {
        let comments = item.sayings.comments
        let mayComment = frame.mayVote && !item.isRemoved
        guard !comments.isEmpty || mayComment else { return nil }
        return tag(.section, .class("comments"), .aria(.label, "Comments")) {
            tag(.h4) {
                "Comments"
                if !comments.isEmpty { tag(.span, .class("count")) { " \(comments.count)" } }
            }
            for (index, comment) in comments.enumerated() {
                tag(.div, .class("comment")) {
                    avatar(
                        comment.author, name: comment.authorName, isYou: comment.author == frame.you,
                        isDecoration: true)
                    tag(.p, .class("facts")) {
                        tag(.strong, .plain(.dir, "auto")) { comment.authorName }
                        moment(comment.at, state: state)
                    }
                    tag(.p, .class("prose"), .plain(.dir, "auto")) { prose(comment.text, mayJoin: frame.mayJoin) }
                    if mayComment, comment.author == frame.you {
                        actionButton(
                            .uncomment(item: item.shortID, comment: comment.id.digits), frame.target,
                            label: "Delete",
                            description: "Delete your comment \(index + 1)", class: "text")
                    }
                }
            }
            if mayComment {
                actionForm([("do", "comment"), ("item", item.shortID)], frame.target, class: "add") {
                    tag(.label, .class("unseen"), .plain(.for, "say-" + item.shortID)) { "Add a comment" }
                    tag(
                        .input, .id("say-" + item.shortID), .plain(.name, "text"), .plain(.type, "text"),
                        .plain(.placeholder, "Add a comment"), .plain(.autocomplete, "off"), .plain(.dir, "auto"),
                        state.typed(in: "comment", of: item.shortID)?["text"].map { .plain(.value, $0[0]) },
                        .flag(.required))
                    tag(.button, .class("button"), .plain(.type, "submit")) { "Post" }
                }
            }
        }
    }

    /// The button that says that the group decided for an item, or takes that back.
    static func choice(_ item: ItemView, _ target: PageTarget) -> HTML {
        let action = PageAction.act(
            .edit(
                [.chosen: item.isChosen ? nil : Field.setValue], shown: [.chosen: item.standing(at: .chosen)]),
            on: [item.shortID])
        return actionForm(action.fields, target) {
            tag(
                .button, .class("button"), .plain(.type, "submit"), .aria(.pressed, item.isChosen ? "true" : "false"),
                .aria(.label, "\(item.isChosen ? "Chosen" : "Choose"): \(item.title.displayed(limit: 80))")
            ) { item.isChosen ? "★ Chosen" : "★ Choose" }
        }
    }
}
