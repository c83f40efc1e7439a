import Testing

@testable import Sodium

func passphrase(_ text: String) throws -> LockedBytes {
    try LockedBytes(capacity: text.utf8.count) {
        $0.copyBytes(from: text.utf8)
        return text.utf8.count
    }
}

extension PassphraseKey {
    /// A key at the least cost that Argon2 takes.
    static func quick(_ text: String = "horse") throws -> PassphraseKey {
        try PassphraseKey(
            passphrase(text), recipe: Recipe(cost: #require(PassphraseCost(passes: 1, memory: 8))))
    }
}

struct PassphraseKeyTests {
    private func number(_ number: UInt32) -> [UInt8] { withUnsafeBytes(of: number.littleEndian) { Array($0) } }

    /// The values are those of the reference implementation of Argon2, as argon2-cffi 23 for Python has it.
    @Test func argon2id() throws {
        for (passes, memory, key) in [
            (3, 65_536, "fd0b5b63bf6ae6b41e3ea90f90442737868292a51774473c86fae04b4c7919ed"),
            (1, 8, "4dad83c831a567ca2acffdd54709eb969f6beb75c22d6de6ed69b2f6803d1629"),
        ] as [(UInt32, UInt32, String)] {
            let recipe = try #require(PassphraseKey.Recipe(Array(0..<16) + number(passes) + number(memory)))
            let made = try PassphraseKey(passphrase("Käse und Brot"), recipe: recipe)
            #expect(made.key.withUnsafeBytes { hex(Array($0)) } == key)
        }
    }

    @Test func whatIsWrittenAsksForNoMoreThanAnybodyMeans() throws {
        func recipe(_ passes: UInt32, _ memory: UInt32) -> PassphraseKey.Recipe? {
            PassphraseKey.Recipe([UInt8](repeating: 7, count: 16) + number(passes) + number(memory))
        }
        for (passes, memory) in [(1, 8), (16, 262_144), (4, 1 << 20)] as [(UInt32, UInt32)] {
            let read = try #require(recipe(passes, memory))
            #expect(read.cost.passes == passes && read.cost.memory == memory && read.bytes.count == 24)
        }
        for (passes, memory) in [
            (0, 8), (1, 7), (1, 0), (17, 8), (5, 1 << 20), (16, 262_145), (1, 1 << 20 + 1), (1, 100 << 20), (1, .max),
            (.max, 8), (.max, .max),
        ] as [(UInt32, UInt32)] {
            #expect(recipe(passes, memory) == nil, "\(passes) \(memory)")
        }
        #expect(PassphraseKey.Recipe([UInt8](repeating: 1, count: 23)) == nil)
        #expect(PassphraseKey.Recipe([UInt8](repeating: 1, count: 25)) == nil)
        for cost in [PassphraseCost.keyFile, .backup] {
            #expect(PassphraseCost(passes: cost.passes, memory: cost.memory) == cost)
        }
    }

    @Test func aSealOpensWithItsPassphraseAloneAndUnaltered() throws {
        let key = try PassphraseKey.quick()
        let text = Array("the secrets".utf8)
        let sealed = text.withUnsafeBytes { key.seal($0, context: [1]) }
        #expect(sealed.count == text.count + PassphraseKey.sealSize)
        #expect(text.withUnsafeBytes { key.seal($0, context: [1]) } != sealed)
        func open(_ sealed: [UInt8], _ key: PassphraseKey, context: [UInt8] = [1]) throws -> [UInt8] {
            try key.open(sealed, context: context).withUnsafeBytes { Array($0) }
        }
        #expect(try open(sealed, key) == text)
        let recipe = try PassphraseKey.recipe(of: sealed)
        #expect(try open(sealed, PassphraseKey(passphrase("horse"), recipe: recipe)) == text)
        #expect(throws: PassphraseFailure.wrongPassphrase) {
            try open(sealed, PassphraseKey(passphrase("Horse"), recipe: recipe))
        }
        #expect(throws: PassphraseFailure.wrongPassphrase) { try open(sealed, key, context: [2]) }
        #expect(throws: PassphraseFailure.malformed) { try open(sealed, .quick()) }
        for offset in sealed.indices {
            var altered = sealed
            altered[offset] ^= 1
            // Of an altered recipe, the key is another one.
            guard let recipe = try? PassphraseKey.recipe(of: altered), recipe.cost.memory <= 1_024 else { continue }
            let other = try PassphraseKey(passphrase("horse"), recipe: recipe)
            #expect(throws: PassphraseFailure.wrongPassphrase, "byte \(offset)") { try open(altered, other) }
        }
        for count in 0..<sealed.count {
            #expect(throws: PassphraseFailure.self, "\(count) bytes") { try open(Array(sealed.prefix(count)), key) }
        }
    }
}
