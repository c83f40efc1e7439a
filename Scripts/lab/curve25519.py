"""Curve25519 and Ed25519 by the formulas of RFC 7748 and RFC 8032, slowly: to make what no library would sign."""

import hashlib

P = 2**255 - 19
L = 2**252 + 27742317777372353535851937790883648493
D = -121665 * pow(121666, P - 2, P) % P
ROOT = pow(2, (P - 1) // 4, P)


def x25519(scalar, point):
    """The Montgomery ladder of RFC 7748, section 5: any 32 bytes are a point."""
    k = bytearray(scalar)
    k[0] &= 248
    k[31] = k[31] & 127 | 64
    k, u = int.from_bytes(k, "little"), int.from_bytes(point, "little") % 2**255 % P
    x1, x2, z2, x3, z3, swap = u, 1, 0, u, 1, 0
    for t in reversed(range(255)):
        bit = k >> t & 1
        if swap ^ bit:
            x2, x3, z2, z3 = x3, x2, z3, z2
        swap = bit
        a, b, c, d = x2 + z2, x2 - z2, x3 + z3, x3 - z3
        aa, bb, da, cb = a * a, b * b, d * a, c * b
        e = aa - bb
        x3, z3 = (da + cb) ** 2 % P, x1 * (da - cb) ** 2 % P
        x2, z2 = aa * bb % P, e * (aa + 121665 * e) % P
    if swap:
        x2, z2 = x3, z3
    return (x2 * pow(z2, P - 2, P) % P).to_bytes(32, "little")


def add(a, b):
    (x1, y1), (x2, y2) = a, b
    product = D * x1 * x2 * y1 * y2 % P
    x = (x1 * y2 + x2 * y1) * pow(1 + product, P - 2, P) % P
    y = (y1 * y2 + x1 * x2) * pow(1 - product, P - 2, P) % P
    return x, y


def multiply(k, point):
    result = (0, 1)
    while k:
        if k & 1:
            result = add(result, point)
        point = add(point, point)
        k >>= 1
    return result


def encode(point, extra=0):
    """32 bytes; `extra` is added to y, which makes another form of the same point where it is P."""
    return (point[1] + extra | (point[0] & 1) << 255).to_bytes(32, "little")


def decode(data):
    y = int.from_bytes(data, "little")
    sign, y = y >> 255, y % 2**255
    square = (y * y - 1) * pow(D * y * y + 1, P - 2, P) % P
    x = pow(square, (P + 3) // 8, P)
    if x * x % P != square:
        x = x * ROOT % P
    if x * x % P != square:
        raise ValueError("no point")
    return (P - x if x & 1 != sign else x), y % P


BASE = decode((4 * pow(5, P - 2, P) % P).to_bytes(32, "little"))


def order_eight():
    """A point whose multiples are all points of small order."""
    y = 2
    while True:
        try:
            point = multiply(L, decode(y.to_bytes(32, "little")))
            if multiply(4, point) != (0, 1):
                return point
        except ValueError:
            pass
        y += 1


def challenge(r, key, message):
    return int.from_bytes(hashlib.sha512(r + key + message).digest(), "little") % L


def scalar(seed):
    digest = bytearray(hashlib.sha512(seed).digest())
    digest[0] &= 248
    digest[31] = digest[31] & 127 | 64
    return int.from_bytes(digest[:32], "little"), bytes(digest[32:])


def equation_holds(key, message, signature):
    """RFC 8032, section 5.1.7, step 3, without the cofactor: what libsodium computes once it likes the form."""
    a, r = decode(key), signature[:32]
    s, h = int.from_bytes(signature[32:], "little"), challenge(r, key, message)
    x, y = multiply(h % L * 1, a)
    return encode(add(multiply(s, BASE), ((P - x) % P, y))) == r
