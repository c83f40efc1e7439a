import Convergence
import Testing

/// Programs as replicas, played by closures: what they say, and what is no answer.
struct ProgramTests {
    /// A program in this process.
    private struct Closure: LineProgram {
        let play: @Sendable (JSON) throws(ProgramFailure) -> String

        func answer(to line: String) throws(ProgramFailure) -> String {
            guard let json = try? JSON(parsing: line) else { throw ProgramFailure("no JSON: \(line)") }
            return try play(json)
        }
    }

    private static let greeting = #"{"convergence":1,"name":"test","type":"counter","saves":false}"#

    private func failure(_ answers: @escaping @Sendable (JSON) throws(ProgramFailure) -> String) -> String? {
        do throws(ProgramFailure) {
            _ = try ProgramSubject([Closure(play: answers)]).firstFailure(seeds: 1...2)
            return nil
        } catch {
            return error.description
        }
    }

    @Test(
        "what is no answer is said in one line",
        arguments: [
            ("nonsense", "no JSON"), ("[]", "with an object"), ("{}", "needs a \"view\""),
            (#"{"view":"three"}"#, "needs a \"view\" of a counter, a whole number"),
            (#"{"error":"out of order"}"#, "out of order"),
            (#"{"view":1.5}"#, "whole number"), (String(repeating: "[", count: 100_000), "in one another"),
        ])
    func nonsense(_ answer: String, _ complaint: String) throws {
        let said = failure { json throws(ProgramFailure) in json["request"] == "hello" ? Self.greeting : answer }
        let text = try #require(said)
        #expect(text.contains(complaint) && !text.contains("\n") && text.count < 500, "\(text)")
    }

    @Test(
        "what is no greeting is said in one line",
        arguments: [
            "hi", "{}", #"{"convergence":2,"type":"set"}"#, #"{"convergence":1,"type":"heap"}"#,
            #"{"convergence":1,"type":"set","policy":"maybe"}"#,
        ])
    func noGreeting(_ answer: String) throws {
        let text = try #require(failure { _ throws(ProgramFailure) in answer })
        #expect(!text.contains("\n") && text.count < 500, "\(text)")
    }

    @Test("a program that ends in the middle of a run ends the search")
    func gone() throws {
        let text = try #require(
            failure { json throws(ProgramFailure) in
                if json["request"] == "act" { throw ProgramFailure("gone") }
                return json["request"] == "hello" ? Self.greeting : #"{"view":0}"#
            })
        #expect(text == "gone")
    }

    @Test("programs of different types are no versions of one")
    func differentTypes() {
        let set = Closure { _ throws(ProgramFailure) in #"{"convergence":1,"type":"set"}"# }
        let counter = Closure { _ throws(ProgramFailure) in Self.greeting }
        #expect(throws: ProgramFailure.self) { try ProgramSubject([set, counter]) }
        #expect(throws: ProgramFailure.self) { try ProgramSubject([]) }
    }

    @Test("values are written and read again")
    func coding() throws {
        let value: JSON = [
            "a": ["\u{1}\n\"\\é😀", -1, true, .null], "b": .object([:]), "": .array([.integer(.max), .integer(.min)]),
        ]
        #expect(try JSON(parsing: value.description) == value)
        #expect(try JSON(parsing: #" {"a" : "\ud83d\ude00\u00e9\/" , "b":[ ]} "#) == ["a": "😀é/", "b": .array([])])
        #expect(try JSON(parsing: "3.0") == 3)
        for wrong in [
            "", "{", "[1,]", "01x", "1e3", "1.5", "\"\u{1}\"", "\"\\ud83d\"", "{\"a\":1,\"a\":2}", "tru", "1 2", "-",
        ] {
            #expect(throws: JSON.Malformed.self, "\(wrong)") { try JSON(parsing: wrong) }
        }
    }
}
