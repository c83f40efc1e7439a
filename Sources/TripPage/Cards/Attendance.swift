import TripModel

extension TripPage {
    /// Who is going, in groups with faces and names, and the viewer's buttons: what is pressed again withdraws the answer.
    /// Nil where nobody answered and nobody is asked: of a thing to bring, people say that they bring it.
    /// - Parameter target: where the buttons lead without script.
    static func attendance(of item: ItemView, in frame: CardFrame, _ target: PageTarget) -> HTML? {
        let standing = Standing(item.sayings.attendance, in: frame)
        let isAsked = frame.mayVote && !item.isRemoved
        guard !standing.voters.isEmpty || isAsked && !item.isToBring else { return nil }
        let id = "a-" + item.shortID
        return .part(
            id: id,
            tag(.section, .id(id), .class("attendance"), .aria(.label, "Who is going")) {
                if isAsked { tag(.h4) { "Are you going?" } }
                if isAsked { attendanceButtons(item, in: frame, target) }
                if !standing.voters.isEmpty {
                    tag(.div, .class("ballot")) {
                        for attendance in Attendance.allCases {
                            group(attendance.title, standing.said(attendance), in: frame)
                        }
                        waitingGroup("Haven’t answered", standing.waiting, in: frame)
                    }
                    if standing.waiting.isEmpty { tag(.p, .class("facts")) { "Everybody has answered." } }
                }
            })
    }

    private static func attendanceButtons(_ item: ItemView, in frame: CardFrame, _ target: PageTarget) -> HTML {
        let answer = frame.you.flatMap(item.attendance(of:))
        return actionForm([("do", "attend"), ("item", item.shortID)], target, class: "answers") {
            for attendance in Attendance.allCases {
                tag(
                    .button, .class("button"), .plain(.name, "attendance"),
                    .plain(.value, PageAction.word(attendance == answer ? nil : attendance)),
                    .aria(.pressed, attendance == answer ? "true" : "false"),
                    .aria(.label, "\(attendance.title): \(item.title.displayed(limit: 80))")
                ) { attendance.title }
            }
        }
    }
}

extension Attendance {
    fileprivate var title: String {
        switch self {
        case .going: "Going"
        case .maybe: "Maybe"
        case .notGoing: "Not going"
        }
    }
}
