import CSodium

/// A key made of a passphrase by Argon2id, and what is needed to make it again: the salt and the cost.
package final class PassphraseKey: Sendable {
    /// The salt and the cost, as they are written: 16 bytes, then passes and KiB as 32 bits each, the least significant
    /// byte first. One form for one value.
    package struct Recipe: Hashable, Sendable {
        package let bytes: [UInt8]
        package let cost: PassphraseCost

        package static let size = saltSize + 8
        fileprivate static let saltSize = Int(crypto_pwhash_argon2id_SALTBYTES)

        /// Draws a salt.
        package init(cost: PassphraseCost) {
            var salt = [UInt8](repeating: 0, count: Self.saltSize)
            randombytes_buf(&salt, salt.count)
            bytes = salt + Self.encode(cost.passes) + Self.encode(cost.memory)
            self.cost = cost
        }

        /// Nil where there are not `size` bytes, or where they ask for more work than `PassphraseCost` allows.
        package init?(_ bytes: some Collection<UInt8>) {
            let bytes = Array(bytes)
            guard bytes.count == Self.size,
                let cost = PassphraseCost(
                    passes: Self.decode(bytes[Self.saltSize..<Self.saltSize + 4]),
                    memory: Self.decode(bytes[(Self.saltSize + 4)...]))
            else { return nil }
            self.bytes = bytes
            self.cost = cost
        }

        private static func encode(_ number: UInt32) -> [UInt8] {
            withUnsafeBytes(of: number.littleEndian) { Array($0) }
        }

        private static func decode(_ bytes: ArraySlice<UInt8>) -> UInt32 {
            bytes.reversed().reduce(0) { $0 << 8 | UInt32($1) }
        }
    }

    package let recipe: Recipe
    let key: LockedBytes

    /// Makes the key: takes the time and the memory that the recipe says.
    /// - Throws: `noMemory`.
    package init(_ passphrase: LockedBytes, recipe: Recipe) throws(PassphraseFailure) {
        self.recipe = recipe
        do {
            key = try LockedBytes(capacity: 32) { key in
                let status = passphrase.withUnsafeBytes {
                    crypto_pwhash_argon2id(
                        key.baseAddress!, UInt64(key.count), $0.baseAddress!, UInt64($0.count), recipe.bytes,
                        UInt64(recipe.cost.passes), Int(recipe.cost.memory) << 10, crypto_pwhash_argon2id_ALG_ARGON2ID13
                    )
                }
                guard status == 0 else { throw PassphraseFailure.noMemory }
                return key.count
            }
        } catch {
            throw .noMemory
        }
    }
}

// MARK: - One sealed message

extension PassphraseKey {
    /// How much longer a sealed message is.
    package static let sealSize =
        Recipe.size + nonceSize + Int(crypto_aead_xchacha20poly1305_ietf_ABYTES)
    private static let nonceSize = Int(crypto_aead_xchacha20poly1305_ietf_NPUBBYTES)

    /// The recipe, a random nonce, and the XChaCha20-Poly1305 of the plaintext, bound to the recipe and to `context`.
    package func seal(_ plaintext: UnsafeRawBufferPointer, context: [UInt8]) -> [UInt8] {
        let header = context + recipe.bytes
        var nonce = [UInt8](repeating: 0, count: Self.nonceSize)
        randombytes_buf(&nonce, nonce.count)
        let length = plaintext.count + Int(crypto_aead_xchacha20poly1305_ietf_ABYTES)
        let ciphertext = [UInt8](unsafeUninitializedCapacity: length) { ciphertext, count in
            key.withUnsafeBytes {
                _ = crypto_aead_xchacha20poly1305_ietf_encrypt(
                    ciphertext.baseAddress!, nil, plaintext.baseAddress, UInt64(plaintext.count), header,
                    UInt64(header.count), nil, nonce, $0.baseAddress!)
            }
            count = length
        }
        return recipe.bytes + nonce + ciphertext
    }

    /// The recipe of a sealed message.
    /// - Throws: `malformed`.
    package static func recipe(of sealed: [UInt8]) throws(PassphraseFailure) -> Recipe {
        guard sealed.count >= sealSize, let recipe = Recipe(sealed.prefix(Recipe.size)) else { throw .malformed }
        return recipe
    }

    /// Opens a message that was sealed with the same recipe.
    /// - Throws: `malformed` for another recipe's, `wrongPassphrase` where anything differs, `noMemory`.
    package func open(_ sealed: [UInt8], context: [UInt8]) throws(PassphraseFailure) -> LockedBytes {
        guard try Self.recipe(of: sealed) == recipe else { throw .malformed }
        let header = context + recipe.bytes
        do {
            return try LockedBytes(capacity: sealed.count - Self.sealSize) { plaintext in
                let status = sealed.withUnsafeBufferPointer { sealed in
                    let nonce = sealed.baseAddress! + Recipe.size
                    return key.withUnsafeBytes {
                        crypto_aead_xchacha20poly1305_ietf_decrypt(
                            plaintext.baseAddress!, nil, nil, nonce + Self.nonceSize,
                            UInt64(sealed.count - Recipe.size - Self.nonceSize), header, UInt64(header.count), nonce,
                            $0.baseAddress!)
                    }
                }
                guard status == 0 else { throw PassphraseFailure.wrongPassphrase }
                return plaintext.count
            }
        } catch {
            throw error as? PassphraseFailure ?? .noMemory
        }
    }
}
