#!/usr/bin/env python3
"""peers.py - times ood beside numpy, pandas, Python's json and scikit-learn

    peers.py OOD [FOLDER] [--only WORD] [--small] [--repeat N]

Makes its inputs once (1.4 GB, seeded) in FOLDER [bench-data]. ood is timed as
a whole process, best of 5, scores written as NPY; a peer inside a running
interpreter, imports left out, best of N [2]. Both run in turn, in one go.
Tasks whose peer is not installed are skipped and named.
"""
import argparse
import json
import pathlib
import subprocess
import tempfile
import time

import numpy as np

try:
    import pandas
except ImportError:
    pandas = None
try:
    import sklearn.metrics as skm
except ImportError:
    skm = None


def logits(rng, rows, classes):
    x = rng.standard_normal((rows, classes), dtype=np.float32) * 1.5
    x[np.arange(rows), rng.integers(0, classes, rows)] += rng.gamma(4.0, 2.0, rows).astype(np.float32)
    return x


def make_inputs(folder, cut):
    rng = np.random.default_rng(1)
    x = logits(rng, 200_000 // cut, 1000)
    np.save(folder / "wide.npy", x)
    np.savetxt(folder / "wide.csv", x[: 20_000 // cut], fmt="%.7g", delimiter=",")
    x = logits(rng, 5_000_000 // cut, 10)
    np.save(folder / "narrow.npy", x)
    head = ",".join(f"logit_{k}" for k in range(10))
    np.savetxt(folder / "narrow.csv", x[: 1_000_000 // cut], fmt="%.7g", delimiter=",", header=head, comments="")
    with open(folder / "narrow.jsonl", "w") as f:
        for i, row in enumerate(x[: 300_000 // cut]):
            f.write(json.dumps({"id": i, "logits": [round(float(v), 6) for v in row]}) + "\n")
    n = 5_000_000 // cut
    np.save(folder / "id.npy", rng.standard_normal(n))
    np.save(folder / "ood.npy", rng.standard_normal(n) + 1.0)
    (folder / "complete").write_text(str(cut))


def scores(x):
    m = x.max(1)
    e = np.exp(x - m[:, None])
    s = e.sum(1)
    p = e / s[:, None]
    return p.max(1), -(p * np.log(p + 1e-30)).sum(1), -(m + np.log(s))


def score_jsonl(path):
    with open(path) as f:
        return scores(np.array([json.loads(line)["logits"] for line in f], dtype=np.float32))


def write_csv(path, rows):
    x = np.load(path, mmap_mode="r")[:rows].astype(np.float64)
    msp, entropy, energy = scores(x)
    with tempfile.NamedTemporaryFile(suffix=".csv") as f:
        pandas.DataFrame({"msp": 1 - msp, "entropy": entropy, "energy": energy}).to_csv(f.name)


def evaluate(folder):
    a, b = np.load(folder / "id.npy"), np.load(folder / "ood.npy")
    s, y = np.concatenate([a, b]), np.repeat([0, 1], [len(a), len(b)])
    fpr, tpr, _ = skm.roc_curve(y, s)
    return skm.roc_auc_score(y, s), skm.average_precision_score(y, s), fpr[np.argmax(tpr >= 0.95)]


def tasks(d, out, cut):
    """Name, ood's words, peer's name, peer (None: not installed), aim."""
    three = ["score", "-s", "msp,entropy,energy"]
    npy = ["-o", str(out / "s.npy")]
    rows = 1_000_000 // cut
    return [
        ("wide NPY, 200,000 x 1,000 float32", [*three, str(d / "wide.npy"), *npy],
         "numpy", lambda: scores(np.load(d / "wide.npy")), 6),
        ("narrow NPY, 5,000,000 x 10 float32", [*three, str(d / "narrow.npy"), *npy],
         "numpy", lambda: scores(np.load(d / "narrow.npy")), 6),
        ("wide CSV, 20,000 x 1,000", [*three, "--header", "no", str(d / "wide.csv"), *npy],
         "pandas", pandas and (lambda: scores(pandas.read_csv(d / "wide.csv", header=None).to_numpy(np.float32))), 6),
        ("narrow CSV, 1,000,000 x 10", [*three, str(d / "narrow.csv"), *npy],
         "pandas", pandas and (lambda: scores(pandas.read_csv(d / "narrow.csv").to_numpy(np.float32))), 4),
        ("JSON Lines, 300,000 x 10", [*three, str(d / "narrow.jsonl"), *npy],
         "json", lambda: score_jsonl(d / "narrow.jsonl"), 8),
        ("eval, 10,000,000 scores", ["eval", "--as", "scores", "--id", str(d / "id.npy"), "--ood", str(d / "ood.npy")],
         "scikit-learn", skm and (lambda: evaluate(d)), 15),
        ("a million rows written as CSV", [*three, str(d / "million.npy"), "-o", str(out / "s.csv")],
         "pandas", pandas and (lambda: write_csv(d / "narrow.npy", rows)), 10),
    ]


def best(run, times):
    took = []
    for _ in range(times):
        start = time.perf_counter()
        run()
        took.append(time.perf_counter() - start)
    return min(took), max(took)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("ood")
    parser.add_argument("folder", nargs="?", default="bench-data")
    parser.add_argument("--only", default="")
    parser.add_argument("--small", action="store_true", help="a tenth of the rows: for a look, not for a figure")
    parser.add_argument("--repeat", type=int, default=2)
    args = parser.parse_args()
    folder, cut = pathlib.Path(args.folder), 10 if args.small else 1
    folder.mkdir(parents=True, exist_ok=True)
    mark = folder / "complete"
    if not mark.exists() or mark.read_text() != str(cut):
        print("making inputs ...", flush=True)
        make_inputs(folder, cut)
    np.save(folder / "million.npy", np.load(folder / "narrow.npy", mmap_mode="r")[: 1_000_000 // cut])
    print(f"{'task':36} {'ood s':>13} {'peer s':>13}  ratio  aim")
    with tempfile.TemporaryDirectory() as tmp:
        for name, words, peer_name, peer, aim in tasks(folder, pathlib.Path(tmp), cut):
            if args.only not in name:
                continue
            def run():
                subprocess.run([args.ood, *words], check=True, stdout=subprocess.DEVNULL)
            ours = best(run, 5)
            if not peer:
                print(f"{name:36} {ours[0]:6.3f}-{ours[1]:6.3f} skipped: {peer_name} is not installed")
                continue
            theirs = best(peer, args.repeat)
            print(f"{name:36} {ours[0]:6.3f}-{ours[1]:6.3f} {theirs[0]:6.3f}-{theirs[1]:6.3f}"
                  f" {theirs[0] / ours[0]:6.1f} {aim:4}  {peer_name}", flush=True)
        data = folder / "wide.npy"
        cat = best(lambda: subprocess.run(["cat", str(data)], stdout=subprocess.DEVNULL), 5)
        print(f"{'cat of the wide NPY':36} {cat[0]:6.3f}-{cat[1]:6.3f}")


if __name__ == "__main__":
    main()
