#!/bin/sh
# demo.sh - the main job on real data: scores, an AUROC report, a threshold
#
# Run by `make demo`, or by hand with ood on the PATH, from any folder.
set -eu
cd "$(dirname "$0")/letters"

say() {
	printf '\n\033[1m$ %s\033[0m\n' "$*" | if [ -t 1 ]; then cat; else sed 's/\x1b\[[0-9]*m//g'; fi
}
try() {
	say "$*"
	"$@"
}

echo "A classifier of printed letters, and what it has never seen (examples/letters/README.md)."
try ood info test
say "ood score -s msp,entropy,energy test | head -n 5"
ood score -s msp,entropy,energy test | head -n 5
try ood eval -s msp,entropy,energy,gen --id test --ood near=ood_near --ood far=ood_far
try ood threshold --keep 0.95 -s entropy --id val --ood ood_near
echo
echo "Larger scores mean more out-of-distribution. Next: the tour in README.md, and \`build/ood help\`."
