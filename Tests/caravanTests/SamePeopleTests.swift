import Foundation
import Testing

/// `caravan new --with`: the people of a trip come along to the next one.
struct SamePeopleTests {
    @Test("people see the next trip in the old one and come along by its title, under their names, with a copied list")
    func along() async throws {
        let trip = try await Gathering()
        let noah = try await trip.joined("noah", as: "Noah")
        try await trip.founder.done("lists", "new", "Packing", "3 towels", "Corkscrew", "--kind", "bring")
        try await trip.founder.done("edit", "Corkscrew", "--done")
        let made = try await trip.founder.run(
            "new", "Porto in May", "--with", "Lisbon in June", "--list", "packing")
        #expect(made.status == 0 && made.errors.contains("Asked 1 person of “Lisbon in June” along"), made.summary)
        // The node that runs, runs the new trip too.
        #expect(made.output == "Created “Porto in May”. Next: caravan add, caravan invite\n", made.summary)
        #expect(!made.errors.contains("caravan up"), made.summary)
        let items = try await trip.founder.json("list")["items"].elements
        #expect(Set(items.compactMap { $0["title"].text }) == ["towels", "Corkscrew"], "\(items)")
        #expect(items.allSatisfy { $0["done"] != .flag(true) }, "what was done there is not done here")
        #expect(try await trip.founder.json("members").elements.first?["name"].text == "Jie")

        // A file that is passed on may reach people who are not asked along.
        let linked = "An invite link is in it, from the note of “Porto in May”. Anyone"
        for form in ["markdown", "csv", "ics", "json", "url"] {
            let text = try await trip.founder.run("export", "-t", "Lisbon in June", "--as", form)
            #expect(text.status == 0 && text.errors.contains(linked), text.summary)
        }

        let node = try await trip.node(of: noah)
        let isThere = try await eventually {
            try await noah.run("show", "Porto in May").output.contains("Come along: caravan:")
        }
        #expect(isThere)
        let port = "\(try await trip.founder.json("status")["port"])".filter(\.isNumber)
        // From any of their trips.
        try await noah.done("new", "Evora", "--as", "Nono")
        let elsewhere = try await noah.run("-t", "Evora", "join", "Porto in May")
        #expect(elsewhere.isRefusal(saying: "no item with this title holds one"), elsewhere.summary)
        let joined = try await noah.run("join", "Porto in May", "--peer", "127.0.0.1:" + port)
        #expect(joined.output == "Joined “Porto in May”. Next: caravan list\n", joined.summary)
        let members = try await trip.founder.json("members").elements.compactMap { $0["name"].text }
        #expect(Set(members) == ["Jie", "Noah"], "\(members)")
        try await node.end()
    }

    @Test("nothing is created where nobody could come along, or a list is not there")
    func refused() async throws {
        let scratch = try ScratchFolder()
        let caravan = Product(home: scratch.path)
        let none = try await caravan.run("new", "Porto", "--with", "Lisbon")
        #expect(none.isRefusal(saying: "there are no trips"), none.summary)
        try await caravan.done("new", "Lisbon", "--as", "Jie")
        let alone = try await caravan.run("new", "Porto", "--with", "Lisbon")
        #expect(alone.isRefusal(saying: "nobody else is in “Lisbon”"), alone.summary)
        let unnamed = try await caravan.run("new", "Porto", "--list", "Packing", "--as", "Jie")
        #expect(unnamed.status == 64 && unnamed.errors.contains("--list needs --with"), unnamed.summary)
        try await caravan.done("add", "Casa", "--note", "no link here, only caravan: and words")
        let item = try await caravan.run("join", "Casa")
        #expect(
            item.isRefusal(saying: "“Casa” is not an invite link, and no item with this title holds one"), item.summary)
        let bare = try await caravan.run("join", "caravan:ae")
        #expect(bare.status == 64, bare.summary)
        #expect(try await caravan.json("trips").elements.count == 1)
    }

    @Test("a beginning that several lists or items have is refused with their names, and an id names one")
    func ambiguous() async throws {
        let trip = try await Gathering()
        _ = try await trip.joined("noah", as: "Noah")
        let jie = trip.founder
        for title in ["Packing for sun", "Packing for rain"] { try await jie.done("lists", "new", title) }
        for month in ["May", "July"] {
            let link = try await jie.done("invite", "--quiet").trimmingCharacters(in: .newlines)
            try await jie.done("add", "Porto in \(month)", "--note", "Come along: \(link)")
        }
        for (words, titles) in [
            (["join", "porto"], ["Porto in May", "Porto in July"]),
            (
                ["new", "Porto", "--with", "Lisbon in June", "--list", "packing"],
                ["Packing for sun", "Packing for rain"]
            ),
        ] {
            let refused = try await jie.run(words)
            #expect(refused.isRefusal(saying: "could be “\(titles[0])” ("), refused.summary)
            #expect(refused.errors.contains(" or “\(titles[1])” (") && refused.errors.contains("; give an id"))
        }
        #expect(try await jie.json("trips").elements.count == 1)
        let id = try #require(try await jie.json("lists").elements.first?["id"].text)
        try await jie.done("new", "Porto", "--with", "Lisbon in June", "--list", String(id.prefix(12)))
        #expect(try await jie.json("lists").elements.map { $0["title"].text } == ["Packing for sun"])
    }

    @Test("a list that is not there, and an archived trip, are refused before anything is created")
    func lists() async throws {
        let trip = try await Gathering()
        _ = try await trip.joined("noah", as: "Noah")
        let list = try await trip.founder.run("new", "Porto", "--with", "Lisbon in June", "--list", "Packing")
        #expect(list.isRefusal(saying: "“Lisbon in June” has no list “Packing”"), list.summary)
        let link = try await trip.founder.done("invite", "--quiet").trimmingCharacters(in: .newlines)
        try await trip.founder.done("note", "set", "Join by \(link)")
        let kept = try await trip.founder.run("archive", trip.scratch.path + "/kept.html")
        #expect(kept.errors.contains("An invite link is in it, from the note of the trip."), kept.summary)
        let archived = try await trip.founder.run("new", "Porto", "--with", "Lisbon in June")
        #expect(archived.isRefusal(saying: "is archived"), archived.summary)
        #expect(try await trip.founder.json("trips").elements.count == 1)
    }
}
