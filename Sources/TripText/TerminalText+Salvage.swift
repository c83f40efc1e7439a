import TripModel
package import TripService

extension TerminalText {
    /// The text of `caravan salvage`.
    package static func salvage(_ view: SalvageView, style: TextStyle) -> String {
        if view.isWhole { return "Nothing is damaged in \(quoted(view)): \(counted(view.kept, "change"))\n" }
        let isDone = view.damagedFolder != nil
        var lines = ["\(isDone ? "Recovered" : "Would recover") \(quoted(view)): \(counted(view.kept, "change"))"]
        if view.mended > 0 { lines.append("Repaired: \(counted(view.mended, "flipped bit"))") }
        lines += view.lost.map { "Lost: " + lost($0, style) }
        lines += view.waiting.map { waiting in
            let times = span(waiting.from, waiting.to, style)
            return "Waiting: \(counted(waiting.count, "change")) by \(waiting.author)\(times), which "
                + "\(waiting.count == 1 ? "builds" : "build") on lost ones"
        }
        if !view.lost.isEmpty || !view.waiting.isEmpty {
            lines.append("What other members have comes back when you sync: run `caravan up` near them")
        }
        if let folder = view.damagedFolder { lines.append("The damaged folder is kept as \(folder)") }
        return lines.map { plain($0) + "\n" }.joined()
    }

    private static func quoted(_ view: SalvageView) -> String {
        view.title.isEmpty ? "trip \(view.id.prefix(6))" : view.title.quoted
    }

    private static func lost(_ loss: SalvageView.Loss, _ style: TextStyle) -> String {
        let what = counted(loss.count, "change") + (loss.author.map { " by \($0)" } ?? ", author unknown")
        switch (loss.after, loss.before) {
        case (let after?, let before?): return "\(what), between \(style.time(after)) and \(style.time(before))"
        case (let after?, nil): return "\(what), after \(style.time(after))"
        case (nil, let before?): return "\(what), before \(style.time(before))"
        case (nil, nil): return what
        }
    }

    private static func span(_ from: Int64, _ to: Int64, _ style: TextStyle) -> String {
        let (first, last) = (style.time(from), style.time(to))
        return first == last ? ", \(first)" : ", \(first) to \(last)"
    }
}
