#!/usr/bin/env python3
"""Calculate ledgers again, by other means than TripModel, and compare.

Reads the lines that LedgerTests writes: costs, and for each currency balances and transfers. It shares no code with the
program: amounts are `decimal` numbers, shares are `fractions`, and the fewest transfers are found by trying all groups.
"""

import sys
from decimal import ROUND_HALF_UP, Decimal, getcontext
from fractions import Fraction

getcontext().prec = 60
DIGITS = {"EUR": 2, "CHF": 2, "JPY": 0, "KWD": 3, "CLF": 4}
EXACT_PEOPLE_MAX = 8


def shares(total, weights):
    """Hamilton's method: whole parts, then one unit each by the largest remainder, then by id."""
    whole = sum(weights.values())
    exact = {person: Fraction(total * weight, whole) for person, weight in weights.items()}
    given = {person: share.numerator // share.denominator for person, share in exact.items()}
    order = sorted(exact, key=lambda person: (given[person] - exact[person], person))
    for person in order[: total - sum(given.values())]:
        given[person] += 1
    return given


def numbers(words):
    return {person: int(number) for person, number in (word.split(":") for word in words)}


def entries(text):
    """The currency in which a cost counts, and what it adds to each balance."""
    head, tail = text.split(" for ")
    head, payers = head.split(" by ")
    words = head.split(" ")
    currency, units = words[0], int(words[1])
    payers = numbers(payers.split(" "))
    way, *sharers = tail.split(" ")
    assert sum(payers.values()) == units, text
    weights = {person: 1 for person in sharers} if way == "equally" else numbers(sharers)
    if way == "exactly":
        assert sum(weights.values()) == units, text
    if way == "percent":
        assert sum(weights.values()) == 10_000, text
    if len(words) > 2:
        amount = Decimal(units).scaleb(-DIGITS[currency]) * Decimal(words[3])
        currency = words[4]
        unit = Decimal(1).scaleb(-DIGITS[currency])
        units = int(amount.quantize(unit, ROUND_HALF_UP).scaleb(DIGITS[currency]))
    changes = shares(units, payers)
    for person, share in shares(units, weights).items():
        changes[person] = changes.get(person, 0) - share
    return currency, changes


def most_groups(values):
    """The most groups that each sum to zero, of values that do: all ways to part them."""
    if not values:
        return 0
    first, others = values[0], values[1:]
    most = 0
    for chosen in range(1 << len(others)):
        if first + sum(value for place, value in enumerate(others) if chosen >> place & 1) == 0:
            rest = [value for place, value in enumerate(others) if not chosen >> place & 1]
            most = max(most, 1 + most_groups(rest))
    return most


def main(path):
    ledgers = costs = settlements = minimal = 0
    for number, line in enumerate(open(path), 1):
        texts, *answers = line.rstrip("\n").split("\t")
        expected = {}
        for text in filter(None, texts.split("|")):
            currency, changes = entries(text)
            costs += 1
            for person, change in changes.items():
                balances = expected.setdefault(currency, {})
                balances[person] = balances.get(person, 0) + change
        assert {answer.split(" ")[0] for answer in answers} == set(expected), f"line {number}: currencies"
        for answer in answers:
            currency, balances, transfers = answer.split(" ")
            balances = numbers(filter(None, balances.split(",")))
            assert balances == {p: n for p, n in expected[currency].items() if n}, f"line {number}: {currency} balances"
            assert sum(balances.values()) == 0, f"line {number}: {currency} does not sum to zero"
            left, count = dict(balances), 0
            for transfer in filter(None, transfers.split(",")):
                people, amount = transfer.split(":")
                payer, receiver = people.split(">")
                assert int(amount) > 0, f"line {number}: a transfer of nothing"
                left[payer] += int(amount)
                left[receiver] -= int(amount)
                count += 1
            assert not any(left.values()), f"line {number}: {currency} is not settled"
            settlements += 1
            assert count <= max(0, len(balances) - 1), f"line {number}: {currency} takes too many transfers"
            if len(balances) <= EXACT_PEOPLE_MAX:
                fewest = len(balances) - most_groups(list(balances.values()))
                assert count == fewest, f"line {number}: {currency} takes {count} transfers, not {fewest}"
                minimal += count < len(balances) - 1
        ledgers += 1
    assert ledgers > 0, "there are no ledgers"
    print(
        f"{ledgers} ledgers with {costs} costs agree to the last unit; {settlements} settlements, {minimal} of them "
        "shorter than people less one"
    )


main(sys.argv[1])
