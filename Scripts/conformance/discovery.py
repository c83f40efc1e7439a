"""Section 9: instance names and what their TXT records hold."""

import base64
import os

from .handshake import endpoint
from .keys import discovery_key, mac

TYPE = "_caravan._tcp"
NONCE, TAG, ADDRESSES = 8, 8, 8


def base32(data):
    return base64.b32encode(data).decode().rstrip("=").lower()


def from_base32(text):
    """The bytes of a text in base 32, or None where it is not in its one form."""
    try:
        data = base64.b32decode(text.upper() + "=" * (-len(text) % 8))
    except ValueError:
        return None
    return data if base32(data) == text else None


def instance(secret, nonce):
    return base32(nonce + mac(discovery_key(secret), nonce)[:TAG])


def address_tag(secret, nonce, address, port):
    tagged = endpoint(address, port)
    return mac(discovery_key(secret), nonce + tagged[16:] + tagged[:16])[:TAG]


def txt(secret, nonce, addresses, port):
    """The TXT record of an instance: what follows each key's equals sign, as bytes."""
    tags = [address_tag(secret, nonce, address, port) for address in addresses][:ADDRESSES]
    tags += [os.urandom(TAG) for _ in range(ADDRESSES - len(tags))]
    return {"v": b"1"} | {f"a{index}": tag for index, tag in enumerate(tags)}


def fits(secret, name):
    """The nonce of an instance that a secret made, or None."""
    data = from_base32(name)
    if data is None or len(data) != NONCE + TAG or mac(discovery_key(secret), data[:NONCE])[:TAG] != data[NONCE:]:
        return None
    return data[:NONCE]


def may_dial(secret, name, record, address, port):
    """Whether a name and its TXT record say under a secret that somebody listens at an address."""
    nonce = fits(secret, name)
    if nonce is None or record.get("v") != b"1":
        return False
    tag = address_tag(secret, nonce, address, port)
    return any(record.get(f"a{index}") == tag for index in range(ADDRESSES))
