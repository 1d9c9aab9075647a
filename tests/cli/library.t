# The example programs of the library, as a user would build them.
$ printf '2,0.5,-1\n0.2,1.5,0.1\n' > m.csv
$ example-score_rows m.csv
msp	energy
0.214403	-2.241311
0.341728	-1.918137
$ example-score_rows m.csv entropy
entropy
0.621585
0.878616
$ example-score_rows m.csv enrgy
no scorer "enrgy" (did you mean energy?)
? 2
$ example-score_rows none.csv
none.csv: no such file
? 4
$ printf '1,2\n3,x\n' > bad.csv; example-score_rows bad.csv
bad.csv:2:2: expected a number, found "x" (--missing x --nan skip drops such rows)
? 3
$ example-score_rows
? 2
$ L=examples/letters; example-score_rows $L/test | head -n 2
msp	energy
0.385947	-4.827237
$ L=examples/letters; for s in test ood_near; do ood score -s energy $L/$s -f npy > $s.npy; done
$ example-judge_scores test.npy ood_near.npy
AUROC 0.795264 (0.783932 to 0.806149), FPR95 0.618667
a row is OoD if its score is at least -4.771110
$ printf 's\n1\n' > one.csv; example-judge_scores one.csv none.csv
none.csv: no such file
? 4
$ printf 's\nnan\n' > nan.csv; example-judge_scores one.csv nan.csv
nan.csv:2:1: NaN (--nan skip drops such rows)
? 3
