import Testing

/// Questions as people type them, in one home.
@Suite struct QuestionCommandTests {
    @Test("leaving says which hidden questions nobody can close afterwards")
    func leaving() async throws {
        let home = Product(home: try ScratchFolder().path)
        try await home.done("new", "Lisbon", "--as", "Ana")
        try await home.done("ask", "Secret?", "A", "B", "--hidden")
        try await home.done("ask", "Open?", "A", "B")
        try await home.done("ask", "Shown?", "A", "B", "--hidden")
        try await home.done("close", "Shown?")
        let dry = try await home.run("leave", "--dry-run")
        #expect(dry.errors.contains("“Secret?” can't be closed afterwards, so the answers stay hidden"), dry.summary)
        #expect(dry.status == 0 && dry.output.hasPrefix("Would leave"), dry.summary)
        let wiping = try await home.done("leave", "--wipe", "--dry-run")
        #expect(wiping.contains("with this device, and delete your copy and its keys from this machine"), "\(wiping)")
        let left = try await home.run("leave", "--yes")
        #expect(left.errors.contains("“Secret?” can't be closed afterwards, so the answers stay hidden"), left.summary)
        #expect(left.status == 0 && !left.errors.contains("other hidden"))
    }

    @Test("a question is asked, answered, closed, and answered too late")
    func question() async throws {
        let home = Product(home: try ScratchFolder().path)
        try await home.done("new", "Lisbon", "--as", "Ana")
        for words in [["Where to?", "Lisbon", "Porto", "lisbon"], ["When?", "2026-06-12", "12 June 2026", "--dates"]] {
            let twice = try await home.run(["ask"] + words)
            #expect(twice.isRefusal(saying: "is given twice; give each once"), twice.summary)
        }
        let asked = try await home.done("ask", "Where to?", "Lisbon", "Porto", "--due", "2099-06-03", "--agree", "80")
        #expect(asked.hasPrefix("Asked 1 “Where to?”"))
        #expect(try await home.done("answer", "1", "lis") == "Answered 1 “Where to?”: Lisbon\n")
        #expect(
            try await home.done("answer", "1", "Lisbon")
                == "Nothing changed: you already answered 1 “Where to?” like that\n")
        #expect(try await home.run("answer", "1", "Rome").isRefusal(saying: "the options are “Lisbon”, “Porto”"))
        #expect(try await home.run("answer", "1", "Lisbon", "Porto").isRefusal(saying: "choose one"))
        let open = try await home.done("questions")
        #expect(open.contains("choose one, 80% have to agree") && open.contains("1  Lisbon  Ana"))
        #expect(open.contains("enough agree on Lisbon: 80% have to") && open.contains("everybody has answered"))
        #expect(try await home.done("list").contains("No items yet"))
        #expect(
            try await home.done("options", "1", "--add", "Faro", "--remove", "Porto")
                == "Changed the options of 1 “Where to?”\n")
        #expect(
            try await home.run("options", "1", "--remove", "Rome").output
                == "Nothing changed: “Where to?” has no option “Rome”\n")
        for there in ["Lisbon", "faro"] {
            #expect(
                try await home.run("options", "1", "--add", there).output
                    == "Nothing changed: “Where to?” already has these options\n")
        }
        let kept = try await home.run("options", "1", "--remove", "Lisbon")
        #expect(kept.errors.contains("“Lisbon” stays while somebody’s answer has it"), kept.summary)
        let again = try await home.run("options", "1", "--remove", "Lisbon")
        #expect(
            again.output == "Nothing changed: “Lisbon” stays while somebody’s answer has it\n" && again.errors == "")
        for stray in [["quantity", "1", "3"], ["going", "1"], ["vote", "1"], ["edit", "1", "--price", "90"]] {
            #expect(try await home.run(stray).isRefusal(saying: "answer it with `caravan answer`"), "\(stray)")
        }
        #expect(try await home.run("share", "1").isRefusal(saying: "is a question, which has no picture"))
        #expect(try await home.done("close", "Where to?") == "Closed 1 “Where to?”\n")
        try await home.done("answer", "1", "Faro")
        try await home.done("undo")
        let restored = try await home.done("show", "1")
        #expect(restored.contains("1  Lisbon  Ana") && !restored.contains("too late"), "\(restored)")
        let withdrawn = try await home.run("answer", "1", "--withdraw")
        #expect(withdrawn.errors.contains("What you answered before that still counts"), withdrawn.summary)
        try await home.done("answer", "1", "Faro")
        let undoing = try await home.run("undo")
        #expect(undoing.errors.contains("What you answered before that still counts"), undoing.summary)
        try await home.done("answer", "1", "Faro")
        let closed = try await home.done("show", "1")
        #expect(
            closed.contains("closed by Ana") && closed.contains("too late: Ana says Faro")
                && closed.contains("1  Lisbon"))
        #expect(try await home.done("history").contains("closed “Where to?”"))
        #expect(try await home.done("close", "1", "--not") == "Opened 1 “Where to?” again\n")
        #expect(try await home.done("questions").contains("1  Faro"))
        let undone = try await home.done("undo")
        #expect(undone.hasPrefix("Undid your last change:\n") && !undone.hasSuffix("\n\n"), "\(undone)")
        #expect(try await home.run("choose", "1").isRefusal(saying: "is a question, and cannot be marked as chosen"))
    }

    @Test("undo says that a hidden question stays closed, and goes on when it is said again")
    func undoOfClosing() async throws {
        let home = Product(home: try ScratchFolder().path)
        try await home.done("new", "Lisbon", "--as", "Ana")
        try await home.done("ask", "Who cooks?", "Ana", "Mia", "--hidden")
        try await home.done("add", "Boat")
        try await home.done("close", "Who cooks?")
        let refused = try await home.run("undo")
        #expect(
            refused.isRefusal(saying: "closing “Who cooks?” can't be undone, because its answers are shown"),
            refused.summary)
        #expect(try await home.done("list").contains("Boat"))
        try await home.done("undo")
        #expect(try await home.done("list").contains("No items yet"))
    }

    @Test("an option is named in either case, so none may be given twice in another")
    func optionsByCase() async throws {
        let home = Product(home: try ScratchFolder().path)
        try await home.done("new", "Lisbon", "--as", "Ana")
        let twice = try await home.run("ask", "Ice?", "Yes", "yes", "No")
        #expect(twice.isRefusal(saying: "the option “yes” is given twice; give each once"), twice.summary)
        try await home.done("ask", "Ice?", "Yes", "No")
        #expect(try await home.done("answer", "1", "yEs") == "Answered 1 “Ice?”: Yes\n")
    }

    @Test("a ranking, points and dates are answered in their own ways")
    func ways() async throws {
        let home = Product(home: try ScratchFolder().path)
        try await home.done("new", "Lisbon", "--as", "Ana")
        try await home.done("ask", "Which hike?", "Coast", "Hills", "River", "--ranked")
        try await home.done("answer", "1", "river", "coast")
        let ranked = try await home.done("questions")
        #expect(
            ranked.contains("1.  River  Ana 1.") && ranked.contains("2.  Coast  Ana 2.") && ranked.contains("3.  Hills")
        )
        #expect(ranked.contains("how many prefer the option of the row over that of the column, in the same order:"))
        #expect(ranked.contains("  River  ·  1  1\n") && ranked.contains("  Coast  0  ·  1\n"), "\(ranked)")
        for method in [["--ranked"], ["--points", "10"]] {
            let refused = try await home.run(["ask", "Which?", "A", "B", "--agree", "80"] + method)
            #expect(refused.status == 64 && refused.errors.contains("--agree goes with"), refused.summary)
        }
        try await home.done("ask", "Which dishes?", "Rice", "Mussels", "--points", "10")
        let excess = try await home.run("answer", "2", "Rice=8", "Mussels=3")
        #expect(excess.isRefusal(saying: "you gave 11 points; share out at most 10"), excess.summary)
        #expect(try await home.run("answer", "2", "Rice").isRefusal(saying: "write OPTION=POINTS"))
        try await home.done("answer", "2", "Rice=7", "Mussels=3")
        #expect(try await home.done("show", "2").contains("7  Rice     Ana 7"))
        try await home.done("ask", "When?", "2026-06-12 14:30", "13 June 2026", "--dates")
        #expect(
            try await home.done("answer", "3", "13 June", "--if-need-be", "2026-06-12 14:30")
                == "Answered 3 “When?”: 13 June 2026; OK if need be: 12 June 2026, 14:30\n")
        let dates = try await home.done("show", "3")
        #expect(dates.contains("13 June 2026") && dates.contains("Ana (OK if need be)"))
        #expect(try await home.run("ask", "When?", "soon", "--dates").isRefusal(saying: "is not a date"))
        let questions = try await home.json("questions").elements.map { $0["question"] }
        let table = questions.first?["preferred_over"].elements.map(\.elements)
        #expect(table == [[0, 1, 1], [0, 0, 1], [0, 0, 0]].map { $0.map { .number($0) } })
        #expect(questions.map { $0["answer_with"].text } == ["ranked", "points 10", "dates"])
    }
}
