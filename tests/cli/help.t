# Help is on standard output, exits 0, and names every option of the command.
$ for c in score eval threshold info convert list help version; do \
>     ood $c --help > $c.txt && ood $c -h | cmp - $c.txt && ood help $c | cmp - $c.txt; \
>     ood help --names $c > $c.names; [ -s $c.names ] || echo "$c: no names"; \
>     for o in $(cat $c.names); do grep -q -- " $o\b" $c.txt || echo "$c: $o"; done; \
>     grep -oE '^ +(-[a-z], )?--[a-z-]+' $c.txt | sed 's/.*--/--/' | sort -u > a; \
>     grep -- '^--' $c.names | sort | diff - a; \
>     awk -v c=$c 'length > 79 { print c ": " $0 }' $c.txt; done
$ ood --help | head -n 3
ood scores saved model outputs for out-of-distribution data.

usage: ood COMMAND [OPTION]... [SET]...
$ ood | head -n 1
ood scores saved model outputs for out-of-distribution data.
$ ood help > h; ood --help | cmp - h; ood -h | cmp - h
$ ood version | head -n 1; ood --version | head -n 1
ood: ...
ood: ...
$ ood version -f json | sed -n '/"tool"/,/}/p'
  "tool": {
    "name": "ood",
    "version": "..."
  },

# Every scorer, metric, map, rule and format has its page.
$ for r in scorers metrics maps rules formats commands; do for n in $(ood list $r -f csv | sed 1d | cut -d, -f 1); do \
>     ood help $n > page || echo "$n: no page"; [ -s page ] || echo "$n: empty"; done; done
$ ood help energy
scorer energy - free energy of the logits

Needs    logits
Formula  -T ln sum exp(z/T)
Source   Liu, Wang, Owens, Li: Energy-based Out-of-distribution Detection, NeurIPS 2020
Also     ebo

Parameters
  T (1; > 0)                 temperature
$ ood help fpr95_ood
metric fpr95_ood - share of ID rows flagged where 95 % of the OoD rows are

Needs    ID and OoD scores
Formula  #{ID >= t}/N, t = k-th largest OoD score, k = ceil(0.95 P)
Source   Hendrycks, Mazeika, Dietterich: Deep anomaly detection with outlier exposure, ICLR 2019
$ ood help npy
format npy - NumPy array

Needs    read and written

# Unknown words get a hint, or the place where all are listed.
$ ood scor
ood: no command "scor" (did you mean score? ood help)
? 2
$ ood frobnicate
ood: no command "frobnicate" (see ood help)
? 2
$ ood help energie
ood help: nothing is called "energie" (did you mean energy?...)
? 2
$ ood help nothing-like-it
ood help: nothing is called "nothing-like-it" (ood help lists the commands, ood list everything else)
? 2
$ ood score --outptu x
ood score: unknown option --outptu (did you mean --output?)
? 2
$ ood score --out x
ood score: unknown option --out (ood score --help lists them)
? 2
$ ood score -Z
ood score: unknown option -Z (ood score --help lists them)
? 2
$ ood score -s enrgy -
ood score: no scorer "enrgy" (did you mean energy?)
? 2
$ ood score -s energy:t=2 -
ood score: scorer energy has no parameter "t" (it has T)
? 2
$ ood score -s energy:T=x -
ood score: scorer energy: T: expected a number > 0, found "x"
? 2
$ ood score -s energy:T=0 -
ood score: scorer energy: T: expected a number > 0, found "0"
? 2
$ ood score -s '' -
ood score: an empty name in the list ""
? 2
$ ood score -s 'msp,,energy' -
ood score: an empty name in the list "msp,,energy"
? 2
$ ood score -s 'msp:' -
ood score: an empty parameter in "msp:" (expected NAME or NAME:KEY=VALUE)
? 2
$ ood score -s 'a b=msp' -
ood score: no valid column name in "a b=msp" (expected NAME or NAME:KEY=VALUE)
? 2
$ ood eval --metrics auruc --id x
ood eval: unknown metric "auruc" (did you mean auroc?)
? 2
$ ood score -s mahalanobis -
ood score: scorer mahalanobis must be fitted first (ood fit -s mahalanobis --train SET -o MODEL)
? 2
