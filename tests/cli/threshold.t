# Thresholds by rule. X14 of the specification: what keeps 95 % of eight ID
# scores. The decision is score >= threshold, so the smallest double above.
$ printf 's\n.1\n.2\n.2\n.3\n.4\n.5\n.5\n.6\n' > x14.csv
$ ood threshold --keep 0.95 --as scores --id x14.csv --value
0.6000000000000001
ood threshold: warning: too few rows to tell this share from all of them
$ ood threshold --keep 0.95 --as scores --id x14.csv
scorer: s
rule: keep=0.95
threshold: 0.6000000000000001
status: not_resolvable
reason: too few rows to tell this share from all of them
n_id: 8
n_ood: 0
id_kept: 1
id_kept_lo: 0.630583
id_kept_hi: 1
ood_detected: -
ood_detected_lo: -
ood_detected_hi: -
promise: accepts at least 95 % of the ID rows of this sample
ood threshold: warning: too few rows to tell this share from all of them
$ ood threshold --keep 0.875 --as scores --id x14.csv --value
0.5000000000000001
$ ood threshold --keep 0.75 --as scores --id x14.csv --value
0.5000000000000001
$ ood threshold --keep 0.5 --as scores --id x14.csv --value
0.30000000000000004
$ ood threshold --keep 1 --as scores --id x14.csv -f csv
scorer,model_crc32,rule,threshold,status,reason,n_id,n_ood,id_kept,id_kept_lo,id_kept_hi,ood_detected,ood_detected_lo,ood_detected_hi,ci_method,level,promise,slices,higher
s,,keep=1,0.6000000000000001,ok,,8,0,1,0.6305833524471808,1,,,,clopper-pearson,0.95,accepts at least 100 % of the ID rows of this sample,,ood

# B8 (X1, X4, X5): every rule.
$ printf 'y,s,s2\n1,.9,.7\n1,.8,.9\n0,.8,.4\n1,.6,.4\n0,.5,.6\n1,.5,.5\n0,.3,.2\n0,.1,.3\n' > b8.csv
$ for r in '--tpr 0.5' '--tpr 0.75' '--tpr 0.8' '--tpr 0.95' '--fpr 0' '--fpr 0.1' '--fpr 0.25' '--fpr 0.5' --youden '--fbeta 1' '--fbeta 0.5' '--fbeta 2' --eer '--cost 1:1' '--cost 1:10' '--cost 10:1' '--cost 1:1:0.01'; do \
>     echo "$r" $(ood threshold $r --scores b8.csv --truth y -s s -f csv | sed -n 2p | cut -d, -f 4,8-9,12); done
--tpr 0.5 0.8,4,0.75,0.5
--tpr 0.75 0.6,4,0.75,0.75
--tpr 0.8 0.5,4,0.5,1
--tpr 0.95 0.5,4,0.5,1
--fpr 0 0.9,4,1,0.25
--fpr 0.1 0.9,4,1,0.25
--fpr 0.25 0.6,4,0.75,0.75
--fpr 0.5 0.5,4,0.5,1
--youden 0.6,4,0.75,0.75
--fbeta 1 0.5,4,0.5,1
--fbeta 0.5 0.6,4,0.75,0.75
--fbeta 2 0.5,4,0.5,1
--eer 0.6,4,0.75,0.75
--cost 1:1 0.6,4,0.75,0.75
--cost 1:10 0.9,4,1,0.25
--cost 10:1 0.5,4,0.5,1
--cost 1:1:0.01 0.9,4,1,0.25
ood threshold: warning: too few rows to tell this share from all of them
ood threshold: warning: too few rows to tell this share from all of them
ood threshold: warning: too few ID rows to tell this share from none
$ ood threshold --youden --scores b8.csv --truth y -s s -f json | sed -n '/"scorer"/,$p'
  "scorer": "s",
  "model_crc32": null,
  "rule": "youden",
  "threshold": 0.6,
  "words": ["id", "ood"],
  "status": "ok",
  "reason": null,
  "n_id": 4,
  "n_ood": 4,
  "id_kept": 0.75,
  "id_kept_lo": 0.19412044968324335,
  "id_kept_hi": 0.9936905367902902,
  "ood_detected": 0.75,
  "ood_detected_lo": 0.19412044968324335,
  "ood_detected_hi": 0.9936905367902902,
  "ci_method": "clopper-pearson",
  "level": 0.95,
  "tied_optima": 2,
  "promise": "maximises TPR - FPR on this sample; on other rows expect less",
  "slices": null,
  "higher": "ood"
}
$ ood threshold --tpr 0.5 --scores b8.csv --truth y -s s
scorer: s
rule: tpr=0.5
threshold: 0.8
status: ok
n_id: 4
n_ood: 4
id_kept: 0.75
id_kept_lo: 0.19412
id_kept_hi: 0.993691
ood_detected: 0.5
ood_detected_lo: 0.067586
ood_detected_hi: 0.932414
promise: flags at least 50 % of the OoD rows of this sample

# ID rows alone: what OoD rows would do is not known.
$ ood threshold --fpr 0.2 --as scores --id x14.csv -f json | grep -E '"(threshold|status|n_id|n_ood|id_kept|ood_detected)"'
  "command": ["ood", "threshold", "--fpr", "0.2", "--as", "scores", "--id", "x14.csv", "-f", "json"],
  "threshold": 0.6,
  "status": "ok",
  "n_id": 8,
  "n_ood": 0,
  "id_kept": 0.875,
  "ood_detected": null,
$ ood threshold --tpr 0.9 --as scores --id x14.csv
ood threshold: --tpr: the rule needs OoD rows, and there are none
? 3
$ ood threshold --youden --as scores --id x14.csv
ood threshold: --youden: the rule needs OoD rows, and there are none
? 3

# A threshold file goes with its scorer; the word is decision.
$ printf '2,0.5,-1\n0.2,1.5,0.1\n-0.5,0.3,2.2\n1,1.2,-0.3\n3,0,0\n0.4,0.3,0.2\n' > m6.csv
$ ood threshold --keep 0.5 -s energy:T=2 --id m6.csv -o t.json
$ ood score -s msp,energy:T=2 --threshold t.json m6.csv
row,pred,confidence,msp,energy:T=2,decision
1,0,0.7855970345892759,0.21440296541072412,-3.0559514877106198,id
2,1,0.6582720492967729,0.34172795070322715,-2.904839197574852,ood
3,2,0.8218452165704931,0.1781547834295068,-3.1966734633116847,id
4,1,0.4897493230427077,0.5102506769572924,-2.9318499897355763,ood
5,0,0.9094429985127419,0.09055700148725813,-3.7379622708026305,id
6,0,0.3671654011109255,0.6328345988890746,-2.4988908969059964,ood
$ ood score -s energy:T=2.0 --threshold t.json m6.csv | cut -d, -f 1,5
row,decision
1,id
2,ood
3,id
4,ood
5,id
6,ood
$ ood score -s e=energy:T=2 --threshold t.json m6.csv | head -n 2
row,pred,confidence,e,decision
1,0,0.7855970345892759,-3.0559514877106198,id
$ ood score -s energy --threshold t.json m6.csv
ood score: t.json: the threshold is for scorer energy:T=2, which is not asked for (-s energy:T=2)
? 3
$ ood score -s msp --threshold t.json m6.csv
ood score: t.json: the threshold is for scorer energy:T=2, which is not asked for (-s energy:T=2)
? 3
$ ood score --threshold t.json m6.csv
ood score: t.json: the threshold is for scorer energy:T=2, which is not asked for (-s energy:T=2)
? 3
$ ood score -s msp --threshold 0.5 m6.csv
row,pred,confidence,msp,decision
1,0,0.7855970345892759,0.21440296541072412,id
2,1,0.6582720492967729,0.34172795070322715,id
3,2,0.8218452165704931,0.1781547834295068,id
4,1,0.4897493230427077,0.5102506769572924,ood
5,0,0.9094429985127419,0.09055700148725813,id
6,0,0.3671654011109255,0.6328345988890746,ood
$ ood score -s energy --threshold -2 m6.csv | cut -d, -f 1,5
row,decision
1,id
2,ood
3,id
4,ood
5,id
6,ood
$ ood score -s energy --threshold=-2 m6.csv | cut -d, -f 1,5
row,decision
1,id
2,ood
3,id
4,ood
5,id
6,ood
$ ood score -s energy --threshold inf m6.csv | sed -n 2p
1,0,0.7855970345892759,-2.241311296657157,id
$ ood score -s energy --threshold -inf m6.csv | sed -n 2p
1,0,0.7855970345892759,-2.241311296657157,ood
$ ood score -s msp,energy --threshold 0.5 m6.csv
ood score: --threshold NUMBER needs exactly one scorer, found 2 (a threshold file names its own)
? 2
$ ood score -s energy --threshold nan m6.csv
ood score: --threshold nan is no number
? 2
$ ood score -s energy --threshold 1.5x m6.csv
ood score: 1.5x: no such file
? 4
$ ood score -s energy --threshold none.json m6.csv
ood score: none.json: no such file
? 4
$ ood score -s energy --threshold m6.csv m6.csv
ood score: m6.csv: not a JSON report of ood threshold (write one with ood threshold -f json)
? 3
$ echo '{"schema":"ood.eval/1"}' > e.json; ood score -s energy --threshold e.json m6.csv
ood score: e.json: not a report of ood threshold (its schema is ood.threshold/1)
? 3
$ sed 's/"threshold": .*/"threshold": null,/; s/"status": .*/"status": "infeasible",/' t.json > i.json; ood score -s energy:T=2 --threshold i.json m6.csv
ood score: i.json: holds no threshold that meets its rule (status infeasible)
? 3
$ ood score -f npz -s energy:T=2 --threshold t.json m6.csv > t.npz; ood info -f csv t.npz | cut -d, -f 2
name
pred
confidence
scores.energy:T=2
decision
$ ood score -f npy -s energy:T=2 --threshold t.json m6.csv | ood convert --as scores - | wc -l
7

# A threshold of a column is for sets of scores with it, and for the scorer of
# its name; one of a scorer is for the column of its name too.
$ ood score -s energy:T=2.0,e=energy,msp m6.csv -o own.csv; awk -F, 'NR == 1 { print "y," $0; next } { print NR % 2 "," $0 }' own.csv > y.csv
$ ood threshold -q --fpr 0.5 --scores y.csv --truth y -s energy:T=2.0 -o c.json; ood score --threshold c.json own.csv | cut -d, -f 2,5 > a; ood score -s energy:T=2 --threshold c.json m6.csv | cut -d, -f 4,5 | sed '1s/=2/=2.0/' | cmp - a
$ ood score --threshold t.json own.csv | cut -d, -f 5 > a; ood score -s energy:T=2 --threshold t.json m6.csv | cut -d, -f 5 | cmp - a
$ ood score -s msp --threshold c.json own.csv
ood score: c.json: the threshold is for scorer energy:T=2, and no column taken from this set of scores is called so
? 3
$ ood threshold -q --fpr 0.5 --scores y.csv --truth y -s e -o e.json; ood score -s e --threshold e.json own.csv | head -n 1
row,e,decision
$ ood score -s e=energy --threshold e.json m6.csv
ood score: e.json: the threshold is for column e of a set of scores, which is no scorer (give a set of scores with it, or make the threshold with -s SCORER and outputs of the model)
? 3
$ ood score --threshold 0.5 own.csv
ood score: --threshold NUMBER needs exactly one scorer, found 3 (a threshold file names its own)
? 2
$ ood score -s f --threshold 0.5 own.csv
ood score: own.csv: no column of scores "f" (there are: energy:T=2.0 e msp confidence)
? 2

# Scores that were negated are on another scale.
$ ood threshold -q --fpr 0.5 --higher id --scores y.csv --truth y -s msp -o h.json; ood score -s msp --threshold h.json --higher id own.csv | head -n 1
row,msp,decision
$ ood score -s msp --threshold h.json own.csv
ood score: h.json: the threshold is for scores read with --higher id, these are of --higher ood
? 3
$ ood score -s msp --threshold h.json m6.csv
ood score: h.json: the threshold is for scores read with --higher id, these are of --higher ood
? 3
$ ood score --higher id --threshold t.json own.csv
ood score: t.json: the threshold is for scores read with --higher ood, these are of --higher id
? 3
$ sed 's/"model_crc32": null/"model_crc32": "00c0ffee"/' t.json > m.json; ood score --threshold m.json own.csv
ood score: m.json: the threshold is for the scores of a model, and a set of scores does not say which model made it (score with -m MODEL)
? 3

# A row at the threshold is OoD.
$ printf '0.5,0.5\n' | ood score --as probs -s msp --threshold 0.5 - | cut -d, -f 5
decision
ood
$ printf '0.5,0.5\n' | ood score --as probs -s msp --threshold 0.5000000000000001 - | cut -d, -f 5
decision
id

# Infinite scores; a threshold that is infinite.
$ printf 's\n1\n2\ninf\n' > inf.csv; ood threshold --keep 1 --as scores --id inf.csv --value
ood threshold: --keep: ID rows of score +inf would have to be accepted
? 5
$ ood threshold --fpr 0 --as scores --id inf.csv -f json
ood threshold: --fpr: too many ID rows have the score +inf, which every threshold flags
? 5
$ printf 'y,s\n1,2\n0,2\n' > tied.csv; ood threshold --fpr 0 --scores tied.csv --truth y -f json | grep -E '"(threshold|status|id_kept|ood_detected)"'
  "command": ["ood", "threshold", "--fpr", "0", "--scores", "tied.csv", "--truth", "y", "-f", "json"],
  "threshold": "inf",
  "status": "ok",
  "id_kept": 1,
  "ood_detected": 0,

# Usage.
$ ood threshold --id m6.csv
ood threshold: expected exactly one rule, found 0 (--keep 0.95, --fpr 0.05 ...; ood list rules)
? 2
$ ood threshold --keep 0.9 --fpr 0.1 --id m6.csv
ood threshold: expected exactly one rule, found 2 (--keep 0.95, --fpr 0.05 ...; ood list rules)
? 2
$ ood threshold --keep 1.5 --id m6.csv
ood threshold: rule keep: q: expected a number (0,1], found "1.5"
? 2
$ ood threshold --keep 0 --id m6.csv
ood threshold: rule keep: q: expected a number (0,1], found "0"
? 2
$ ood threshold --keep 0.9o --id m6.csv
ood threshold: rule keep: q: expected a number (0,1], found "0.9o"
? 2
$ ood threshold --cost 1 --id m6.csv --ood m6.csv
ood threshold: rule cost needs cost=FN:FP[:PRIOR]
? 2
$ ood threshold --cost 1:0 --id m6.csv --ood m6.csv
ood threshold: rule cost: fp: expected a number (0,1000000000000], found "0"
? 2
$ ood threshold --keep 0.9 -s msp,energy --id m6.csv
ood threshold: a threshold is for one scorer, found 2 (-s names one)
? 2
$ ood threshold --keep 0.9
ood threshold: nothing to judge (--id SET --ood SET, or --scores SET --truth COL)
? 2
$ ood threshold --keep 0.9 --scores b8.csv --truth y
ood threshold: a threshold is for one scorer, found 2 (-s names one)
? 2
$ head -n 1 b8.csv | ood threshold --keep 0.9 --as scores --id - -s s
ood threshold: --keep: the rule needs ID rows, and there are none
? 3

$ ood threshold --keep 0.5 --value -f json --as scores --id none.npy
ood threshold: --value prints the number alone: -f and --report do not go with it
? 2

# A threshold file that is not as it was written never lets rows through.
$ printf '1,2\n3,5\n' > two.csv; ood threshold --keep 0.5 --header no --id two.csv -o t.json && sed 's/"threshold": .*/"threshold": "nan",/' t.json > nan.json && ood score --header no --threshold nan.json two.csv
ood score: nan.json: its threshold is no number, inf or -inf
? 3
$ sed 's/"threshold": .*/"threshold": 1e400,/' t.json > big.json; ood score --header no --threshold big.json two.csv
ood score: big.json: its threshold is no number, inf or -inf
? 3
$ sed 's/"status": .*/"status": "undefined",/' t.json > s.json; ood score --header no --threshold s.json two.csv
ood score: s.json: holds no threshold that meets its rule (status undefined)
? 3
$ sed 's/"words": .*/"words": ["id"],/' t.json > w.json; ood score --header no --threshold w.json two.csv
ood score: w.json: its words are not two short texts, such as ["id", "ood"]
? 3
$ sed 's/"ood.threshold.1"/"ood.threshold\/2"/' t.json > v.json; ood score --header no --threshold v.json two.csv
ood score: v.json: not a report of ood threshold (its schema is ood.threshold/1)
? 3
