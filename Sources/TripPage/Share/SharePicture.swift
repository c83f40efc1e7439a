package import TripModel

/// The trip as a picture for a chat: SVG that any program draws, with no script, no style sheet and no address in it.
package enum SharePicture {
    package enum Shape: String, CaseIterable, Hashable, Sendable {
        /// 300 × 300, clear around its round corners: what chats take for a sticker.
        case sticker
        /// 1200 × 630: what chats show wide, and beside links.
        case card

        package var width: Int { self == .sticker ? 300 : 1_200 }
        package var height: Int { self == .sticker ? 300 : 630 }

        /// The most items that are listed.
        var itemsMax: Int { self == .sticker ? 3 : 4 }
    }

    /// The list's top by votes, or one item, as SVG.
    ///
    /// - Parameter item: the one that is drawn; the list where it is nil or unknown.
    package static func svg(_ view: TripView, shape: Shape, item: ItemID? = nil) -> String {
        let item = item.flatMap(view.item)
        let content =
            switch (shape, item) {
            case (.sticker, nil): listSticker(view)
            case (.card, nil): listCard(view)
            case (.sticker, let item?): itemSticker(item)
            case (.card, let item?): itemCard(item, view)
            }
        return tag(
            .svg, .plain(.xmlns, "http://www.w3.org/2000/svg"), .plain(.width, shape.width),
            .plain(.height, shape.height), .plain(.viewBox, "0 0 \(shape.width) \(shape.height)"),
            .plain(.fontFamily, "sans-serif"), .plain(.role, "img"), .aria(.label, label(view, item))
        ) { content }.rendered
    }

    /// A description of the picture, for readers who cannot see it.
    package static func label(_ view: TripView, _ item: ItemView? = nil) -> String {
        guard let item else {
            let top = leading(view, atMost: Shape.card.itemsMax)
                .map { "\(Lettering.plain($0.title)) \(TripPage.signed($0.tally))" }
            return ([title(of: view), turnout(view)] + top).joined(separator: " · ")
        }
        return [Lettering.plain(item.title), TripPage.signed(item.tally), title(of: view)].joined(separator: " · ")
    }

    // MARK: - What is said

    static func title(of view: TripView) -> String {
        view.title.map { Lettering.plain($0.value) } ?? "A trip with no title"
    }

    /// Whether the group decides on an item: no thing to bring, and no cost or question, which are not for a chat.
    private static func isProposed(_ item: ItemView) -> Bool { item.isOfPlan && item.isProposed }

    static func proposed(_ view: TripView) -> [ItemView] { view.items.filter(isProposed) }

    /// The proposed items that are not done, highest tally first.
    static func leading(_ view: TripView, atMost count: Int) -> [ItemView] {
        Array(view.items(sortedBy: .votes).filter { isProposed($0) && !$0.isDone }.prefix(count))
    }

    /// How many of those who are in voted on anything that is proposed: "4 of 5 voted".
    static func turnout(_ view: TripView) -> String {
        let people = Set(view.participants.filter { !$0.isOut }.map(\.id))
        let voters = Set(proposed(view).flatMap { $0.votes.map(\.participant) }).intersection(people)
        return "\(voters.count) of \(max(people.count, voters.count)) voted"
    }

    /// What an item costs and who offers it; empty where nobody has said.
    static func facts(_ item: ItemView) -> String {
        [Field.price, .host].compactMap { item.fields[$0]?.value }.joined(separator: " · ")
    }

    /// The votes that count, those for first.
    static func votes(_ item: ItemView) -> [VoteView] {
        let counting = item.votes.filter { !$0.isOut }
        return counting.filter { $0.word == .for } + counting.filter { $0.word == .against }
    }
}
