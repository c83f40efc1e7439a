"""Test vectors of the primitives by OpenSSL (`cryptography`), PyCryptodome and Python's own hashes; where two of them
know a primitive, both were asked. Long series are folded into one hash: `BLAKE2b-256` over all outputs."""

import hashlib
import hmac
import json
import struct
import sys
from pathlib import Path

from Crypto.Cipher import ChaCha20, ChaCha20_Poly1305
from Crypto.Hash import SHA256
from Crypto.Protocol.KDF import HKDF as CryptodomeHKDF
from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey, Ed25519PublicKey
from cryptography.hazmat.primitives.asymmetric.x25519 import X25519PrivateKey, X25519PublicKey
from cryptography.hazmat.primitives.ciphers.aead import ChaCha20Poly1305
from cryptography.hazmat.primitives.kdf.hkdf import HKDF

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from lab import curve25519 as curve  # noqa: E402

COUNT = 256


def material(label, number, count):
    """Bytes that any language can make again."""
    blocks = (hashlib.blake2b(label.encode() + struct.pack(">II", number, block), digest_size=32).digest()
              for block in range((count + 31) // 32))
    return b"".join(blocks)[:count]


def fold(outputs):
    return hashlib.blake2b(b"".join(outputs), digest_size=32).hexdigest()


# Signatures


def sign(seed, message):
    return Ed25519PrivateKey.from_private_bytes(seed).sign(message)


def openssl_accepts(key, message, signature):
    try:
        Ed25519PublicKey.from_public_bytes(key).verify(signature, message)
        return True
    except (InvalidSignature, ValueError):
        return False


def forge(key_point, secret, message, r_point=None, nonce=None, key=None):
    """A signature that satisfies the equation under a key of any form, where one can."""
    key = key or curve.encode(key_point)
    nonce = 12345 if nonce is None else nonce
    r = curve.encode(r_point if r_point is not None else curve.multiply(nonce, curve.BASE))
    s = (nonce + curve.challenge(r, key, message) * secret) % curve.L
    return key, r + s.to_bytes(32, "little")


def ed25519():
    cases = []

    def case(comment, key, message, signature, valid, seed=None):
        cases.append({"comment": comment, "key": key.hex(), "message": message.hex(), "signature": signature.hex(),
                      "valid": valid} | ({"seed": seed.hex()} if seed else {}))

    rfc = [("9d61b19deffd5a60ba844af492ec2cc44449c5697b326919703bac031cae7f60", b""),
           ("4ccd089b28ff96da9db6c346ec114e0f5b8a319f35aba624da8cf6ed4fb8a6fb", b"\x72"),
           ("c5aa8df43f9f837bedb7442f31dcb7b166d38535076f094b85ce3a2e0b4458f7", b"\xaf\x82"),
           ("833fe62409237b9d62ec77587520911e9a759cec1d19755b7da901b96dca3d42", hashlib.sha512(b"abc").digest())]
    for number, (seed, message) in enumerate(rfc):
        seed = bytes.fromhex(seed)
        key = Ed25519PrivateKey.from_private_bytes(seed).public_key().public_bytes_raw()
        case(f"RFC 8032, section 7.1, test {number + 1 if number < 3 else 'SHA(abc)'}", key, message,
             sign(seed, message), True, seed)

    seed, message = material("ed25519 edges", 0, 32), b"caravan"
    secret, _ = curve.scalar(seed)
    point = curve.multiply(secret, curve.BASE)
    key, good = curve.encode(point), sign(seed, message)
    assert openssl_accepts(key, message, good) and curve.equation_holds(key, message, good)
    s = int.from_bytes(good[32:], "little")
    for times in range(1, 8):
        beyond = good[:32] + (s + times * curve.L).to_bytes(32, "little")
        assert not openssl_accepts(key, message, beyond)
        case(f"S + {times} L: the same modulo L", key, message, beyond, False)
    case("S = 0 and R = 0", key, message, bytes(64), False)
    case("S = L and R the neutral point", key, message, curve.encode((0, 1)) + curve.L.to_bytes(32, "little"), False)
    for length in (0, 1, 32, 63, 65, 96):
        case(f"{length} bytes", key, message, (good + good)[:length], False)

    # Keys of small order sign everything, or one message in eight: an honest member has none.
    eight = curve.order_eight()
    for times in range(8):
        torsion = curve.multiply(times, eight)
        for number in range(64):
            message = b"signed by nobody %d" % number
            forged_key, signature = forge(torsion, 0, message)
            if curve.equation_holds(forged_key, message, signature):
                case(f"a key of small order, {times} times the generator", forged_key, message, signature, False)
                break
    # The same with other forms of y, as far as there are any below 2^255.
    for y in (0, 1):
        for sign_bit in (0, 1):
            form = ((y + curve.P) | sign_bit << 255).to_bytes(32, "little")
            message = b"another form"
            _, signature = forge(None, 0, message, key=form)
            case(f"a key whose y is {y} + p, sign {sign_bit}", form, message, signature, False)
    # R of small order: a nonce of zero, which gives the secret away.
    for times in range(8):
        r_point = curve.multiply(times, eight)
        for number in range(64):
            message = b"no nonce %d" % number
            _, signature = forge(point, secret, message, r_point=r_point, nonce=0)
            if times == 0 or number == 63:
                case(f"R of small order, {times} times the generator", key, message, signature, False)
                break
    # Keys of mixed order: valid exactly where the equation without the cofactor holds.
    mixed = curve.add(point, eight)
    seen = set()
    for number in range(64):
        message = b"mixed order %d" % number
        mixed_key, signature = forge(mixed, secret, message)
        valid = curve.equation_holds(mixed_key, message, signature)
        assert valid == openssl_accepts(mixed_key, message, signature)
        if valid not in seen:
            seen.add(valid)
            case("a key of mixed order", mixed_key, message, signature, valid)
    assert len(seen) == 2
    # Bytes that are no point at all.
    y = 2
    while True:
        try:
            curve.decode(y.to_bytes(32, "little"))
        except ValueError:
            break
        y += 1
    case("a key that is no point", y.to_bytes(32, "little"), b"caravan", good, False)
    case("R that is no point", key, b"caravan", y.to_bytes(32, "little") + good[32:], False)

    outputs = []
    for number in range(COUNT // 4):
        seed, message = material("ed25519 seed", number, 32), material("ed25519 message", number, number * 3)
        private = Ed25519PrivateKey.from_private_bytes(seed)
        outputs += [private.public_key().public_bytes_raw(), private.sign(message)]
    return {"cases": cases, "count": COUNT // 4, "fold": fold(outputs)}


# Key agreement


def x25519():
    cases = []

    def case(comment, secret, point):
        shared = curve.x25519(secret, point)
        try:
            assert X25519PrivateKey.from_private_bytes(secret).exchange(X25519PublicKey.from_public_bytes(point)) == shared
        except ValueError:
            assert shared == bytes(32), comment
        cases.append({"comment": comment, "secret": secret.hex(), "point": point.hex(),
                      "shared": shared.hex() if any(shared) else None})

    # RFC 7748, section 5.2, both, and the iterated one.
    case("RFC 7748, section 5.2, first", bytes.fromhex("a546e36bf0527c9d3b16154b82465edd62144c0ac1fc5a18506a2244ba449ac4"),
         bytes.fromhex("e6db6867583030db3594c1a424b15f7c726624ec26b3353b10a903a6d0ab1c4c"))
    case("RFC 7748, section 5.2, second", bytes.fromhex("4b66e9d4d1b4673c5ad22691957d6af5c11b6421e0ea01d42ca4169e7918ba0d"),
         bytes.fromhex("e5210f12786811d3f4b7959d0538ae2c31dbe7106fc03c3efc4cd549c715a493"))
    assert cases[0]["shared"] == "c3da55379de9c6908e94ea4df28d084f32eccf03491c71f754b4075577a28552"
    assert cases[1]["shared"] == "95cbde9476e8907d7aade45cb4b873f88b595a68799fa152e6f8f7647aac7957"
    k = u = (9).to_bytes(32, "little")
    for number in range(1_000):
        k, u = curve.x25519(k, u), k
        if number == 0:
            assert k.hex() == "422c8e7a6227d7bca1350b3e2bb7279f7897b87bb6854b783c60e80311ae3079"
    assert k.hex() == "684cf59ba83309552800ef566f2f4d3c1c3887c49360e3875f2eb94d99532c51"

    secret = material("x25519 edges", 0, 32)
    eight = curve.order_eight()
    small = {0, 1, curve.P - 1}
    for times in range(8):
        _, y = curve.multiply(times, eight)
        if y != 1:
            small.add((1 + y) * pow(1 - y, curve.P - 2, curve.P) % curve.P)
    for u in sorted(small):
        for form in (u, u + curve.P):
            for top in (0, 1 << 255):
                if form < 2**255:
                    case("small order", secret, (form | top).to_bytes(32, "little"))
    for u in (2, 3, 9, 18, curve.P - 2, curve.P - 9, 2**254, 2**255 - 20):
        case("a point near an edge", secret, u.to_bytes(32, "little"))
        case("the same with the top bit set", secret, (u | 1 << 255).to_bytes(32, "little"))
    for u in range(2, 19):
        case("not reduced: the same as %d" % u, secret, (u + curve.P).to_bytes(32, "little"))
    for edge in (bytes(32), b"\xff" * 32, (1 << 254).to_bytes(32, "little"), (7).to_bytes(32, "little")):
        case("a secret whose bits are set and cleared", edge, (9).to_bytes(32, "little"))

    outputs = []
    for number in range(COUNT):
        outputs.append(curve.x25519(material("x25519 secret", number, 32), material("x25519 point", number, 32)))
        case_secret = X25519PrivateKey.from_private_bytes(material("x25519 secret", number, 32))
        assert outputs[-1] == case_secret.exchange(X25519PublicKey.from_public_bytes(material("x25519 point", number, 32)))
    return {"cases": cases, "iterated1000": k.hex(), "count": COUNT, "fold": fold(outputs)}


# Hashes and derived keys


def hkdf():
    cases = []
    shapes = [(32, 0, 0), (32, 32, 0), (22, 13, 10), (80, 80, 80), (0, 0, 0), (1, 64, 1), (64, 65, 100), (200, 200, 200)]
    for number, (ikm, salt, info) in enumerate(shapes):
        ikm, salt, info = (material(f"hkdf {what}", number, size) for what, size in
                           (("ikm", ikm), ("salt", salt), ("info", info)))
        for blocks in (1, 3, 255):
            okm = HKDF(algorithm=hashes.SHA256(), length=32 * blocks, salt=salt or None, info=info).derive(ikm)
            assert okm == CryptodomeHKDF(ikm, 32 * blocks, salt, SHA256, context=info)
            cases.append({"ikm": ikm.hex(), "salt": salt.hex(), "info": info.hex(), "blocks": blocks,
                          "fold": fold([okm]), "start": okm[:32].hex()})
    return cases


def hmacs():
    outputs = []
    for number in range(COUNT):
        key, message = material("hmac key", number, number), material("hmac message", number, number * 2)
        outputs.append(hmac.new(key, message, hashlib.sha256).digest())
    return {"count": COUNT, "fold": fold(outputs)}


def blake2b():
    plain, keyed = [], []
    for number in range(COUNT * 2):
        message = material("blake2b message", number, number)
        plain.append(hashlib.blake2b(message, digest_size=32).digest())
        keyed.append(hashlib.blake2b(message, digest_size=32, key=material("blake2b key", number, 32)).digest())
    return {"count": COUNT * 2, "plain": fold(plain), "keyed": fold(keyed)}


# Sealing


def seal(key, nonce, plaintext, header):
    cipher = ChaCha20_Poly1305.new(key=key, nonce=nonce)
    cipher.update(header)
    ciphertext, tag = cipher.encrypt_and_digest(plaintext)
    sealed = ciphertext + tag
    if len(nonce) == 12:
        assert sealed == ChaCha20Poly1305(key).encrypt(nonce, plaintext, header)
    return sealed


def noise_nonce(number):
    return bytes(4) + struct.pack("<Q", number)


def aead(label, nonce_of):
    outputs = []
    for number in range(COUNT):
        key, header = material(f"{label} key", number, 32), material(f"{label} header", number, number % 70)
        outputs.append(seal(key, nonce_of(number), material(f"{label} plaintext", number, number * 2), header))
    return {"count": COUNT, "fold": fold(outputs)}


def poly1305_edges():
    """Messages whose authenticator passes the edges of its arithmetic: sums of zero, of p - 1, and tags that wrap."""
    p, cases = 2**130 - 5, []
    for comment, aim in (
            ("accumulator 0", lambda s: 0), ("accumulator 1", lambda s: 1), ("accumulator p - 1", lambda s: p - 1),
            ("accumulator p - 5", lambda s: p - 5), ("accumulator 2^128", lambda s: 2**128),
            ("accumulator 2^129 - 1", lambda s: 2**129 - 1), ("tag of zeros", lambda s: 2**128 - s),
            ("tag of ones", lambda s: 2**128 - 1 - s if s < 2**128 else 0)):
        for number in range(1_000):
            key = material("poly1305 key", number, 32)
            stream = ChaCha20.new(key=key, nonce=noise_nonce(1)).encrypt(bytes(64 + 32))
            r = int.from_bytes(stream[:16], "little") & 0x0FFFFFFC0FFFFFFC0FFFFFFC0FFFFFFF
            s = int.from_bytes(stream[16:32], "little")
            first = int.from_bytes(material("poly1305 first", number, 16), "little")
            length = 32 << 64 | 1 << 128
            inverse = pow(r, p - 2, p)
            wanted = ((aim(s) - length * r) * inverse * inverse - (first + 2**128) * r) % p
            if 2**128 <= wanted < 2**129:
                break
        else:
            raise SystemExit(comment)
        ciphertext = first.to_bytes(16, "little") + (wanted - 2**128).to_bytes(16, "little")
        plaintext = bytes(a ^ b for a, b in zip(ciphertext, stream[64:]))
        sealed = seal(key, noise_nonce(1), plaintext, b"")
        assert sealed[:32] == ciphertext and int.from_bytes(sealed[32:], "little") == (aim(s) + s) % 2**128
        cases.append({"comment": comment, "key": key.hex(), "plaintext": plaintext.hex(), "sealed": sealed.hex()})
    return cases


def main():
    vectors = {
        "ed25519": ed25519(), "x25519": x25519(), "hkdf": hkdf(), "hmac": hmacs(), "blake2b": blake2b(),
        "chachapoly": aead("chachapoly", lambda number: noise_nonce(number << (number % 57))),
        "xchachapoly": aead("xchachapoly", lambda number: material("xchachapoly nonce", number, 24)),
        "poly1305Edges": poly1305_edges(),
    }
    print(json.dumps(vectors, indent=1))


if __name__ == "__main__":
    main()
