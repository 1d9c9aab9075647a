#!/usr/bin/python3
"""Writes tests/ref/digest.tsv: digests to 60 digits (decimal), rounded once.

A row is given by numbers that C makes again without rounding: a generator of
64 bits (Knuth, MMIX), its top 31 bits times a power of two. Columns: kind, C,
log2 of the range, T, seed, then max second arg s w q e2 top nlog entropy
energy alpha.
"""
from decimal import Decimal as D, getcontext

getcontext().prec = 60
getcontext().Emin = -10**6


def numbers(seed, c):
    state = seed
    for _ in range(c):
        state = (state * 6364136223846793005 + 1442695040888963407) % 2**64
        yield state >> 33


def row(kind, c, shift, seed):
    z = [n * 2.0**(shift - 31) for n in numbers(seed, c)]
    if kind == "probs":  # many orders of magnitude
        z = [x * 2.0**-(n % 40) for x, n in zip(z, numbers(seed + 99, c))]
    return [D(x) for x in z]


def digest(kind, z, T):
    m = max(z)
    k = z.index(m)
    others = [x for j, x in enumerate(z) if j != k]
    if kind == "logits":
        d = [(x - m) / T for x in others]
    else:
        d = [(x / m).ln() for x in others]
    e = [x.exp() for x in d]
    s, w, q = sum(e, D(0)), sum((-a * b for a, b in zip(d, e)), D(0)), sum(
        (a * a for a in e), D(0))
    e2 = max(e, default=D(0))
    top = 1 / (1 + s) if kind == "logits" else m
    if kind == "probs":
        nlog = -m.ln()
    elif s < D("1e-20"):  # 1 + s would lose digits
        nlog = s - s**2 / 2 + s**3 / 3
    else:
        nlog = (1 + s).ln()
    entropy = top * (w + (1 + s) * nlog)
    energy = -(m + T * nlog)
    alpha = (2 * s + (s * s - q)) / (1 + q)
    second = max(others, default=D("-inf"))
    return [m, second, k, s, w, q, e2, top, nlog, entropy, energy, alpha]


def cases():
    seed = 1
    for kind in "logits", "probs":
        for c in 1, 2, 3, 5, 10, 17, 33, 63, 64, 65, 100, 129, 1000:
            for shift in (0, 3, 6, 9, 11) if kind == "logits" else (-1, 0):
                for T in (1, .5, 2.5, 1000) if kind == "logits" else (1, ):
                    seed += 1
                    yield kind, c, shift, T, seed


print("# made by tests/ref/digest.py")
for kind, c, shift, T, seed in cases():
    out = digest(kind, row(kind, c, shift, seed), D(T))
    print(kind, c, shift, T, seed, *(repr(float(x)) for x in out), sep="\t")
