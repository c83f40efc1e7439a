import Testing
import TripPage

/// The parts of the script, which are served as one.
struct ScriptTests {
    @Test("no two parts of the script declare the same name: a browser would run none of it")
    func names() throws {
        let script = String(decoding: TripPage.script.bytes, as: UTF8.self)
        var names: [String] = []
        for line in script.split(separator: "\n") {
            if let function = line.prefixMatch(of: #/(?:async )?function (\w+)/#) { names.append(String(function.1)) }
            guard let variables = line.prefixMatch(of: #/(?:const|let) /#) else { continue }
            // What stands in brackets or quotes declares nothing here.
            var depth = 0
            let rest = line[variables.range.upperBound...].filter { character in
                if "([{".contains(character) { depth += 1 }
                defer { if ")]}".contains(character) { depth -= 1 } }
                return depth == 0
            }
            let ends = rest.split(separator: ";", maxSplits: 1).first ?? ""
            for part in ends.split(separator: ", ") {
                if let name = part.prefixMatch(of: #/(\w+)(?: =|$)/#) { names.append(String(name.1)) }
            }
        }
        #expect(names.count > 100 && names.contains("spoken") && names.contains("morph"))
        let twice = Dictionary(grouping: names) { $0 }.filter { $1.count > 1 }.keys.sorted()
        #expect(twice.isEmpty, "\(twice)")
    }
}
