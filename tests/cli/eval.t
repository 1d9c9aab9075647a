# Detection figures. B8 of the specification (examples X1, X3, X4, X5, X8): eight
# rows, two scores; expected values from the specification.
$ printf 'y,s,s2\n1,.9,.7\n1,.8,.9\n0,.8,.4\n1,.6,.4\n0,.5,.6\n1,.5,.5\n0,.3,.2\n0,.1,.3\n' > b8.csv
$ ood eval -q --scores b8.csv --truth y -f csv
scorer,ood,n_id,n_ood,auroc,auroc_lo,auroc_hi,aupr_ood,aupr_id,fpr95_ood,fpr95_id,detection_error,ci_method,level,slice,status,reason
s,ood,4,4,0.8125,0.32934633787697465,0.9745141860319251,0.7708333333333333,0.8303571428571428,0.5,0.75,0.25,delong-logit,0.95,,ok,
s2,ood,4,4,0.84375,0.36406701285365234,0.9807452157928208,0.8541666666666666,0.8541666666666666,0.5,0.5,0.25,delong-logit,0.95,,ok,
$ ood eval -q --scores b8.csv --truth y -s s2,s -f csv | cut -d, -f 1-7
scorer,ood,n_id,n_ood,auroc,auroc_lo,auroc_hi
s2,ood,4,4,0.84375,0.36406701285365234,0.9807452157928208
s,ood,4,4,0.8125,0.32934633787697465,0.9745141860319251
$ ood eval --scores b8.csv --truth y -s s --metrics auroc,auroc_lo,auroc_hi
detection
scorer  ood  n_id  n_ood   auroc  auroc_lo  auroc_hi
s       ood     4      4  0.8125  0.329346  0.974514

# The same from two files, from labels, from words, from booleans, negated.
$ sed -n '1p;/^1/p' b8.csv | cut -d, -f 2 > ood.csv; sed -n '1p;/^0/p' b8.csv | cut -d, -f 2 > id.csv
$ ood eval -q --as scores --id id.csv --ood ood.csv -f csv | cut -d, -f 1-7
scorer,ood,n_id,n_ood,auroc,auroc_lo,auroc_hi
s,ood,4,4,0.8125,0.32934633787697465,0.9745141860319251
$ sed 's/^1/-1/; s/^0/3/; s/^y/label/' b8.csv > minus.csv; ood eval -q --scores minus.csv -s s -f csv | cut -d, -f 1-5
scorer,ood,n_id,n_ood,auroc
s,ood,4,4,0.8125
$ sed 's/^1/out/; s/^0/in/; s/^y/label/' b8.csv > words.csv; ood eval -q --scores words.csv --ood-label out -s s -f csv | cut -d, -f 1-5
scorer,ood,n_id,n_ood,auroc
s,ood,4,4,0.8125
$ ood eval -q --scores words.csv --ood-label ou -s s -f csv
ood eval: words.csv: no out-of-distribution rows: detection figures are undefined for one class only (--allow-undefined reports them as null)
? 3
$ sed 's/^1/True/; s/^0/false/' b8.csv > bool.csv; ood eval -q --scores bool.csv --truth y -s s -f csv | cut -d, -f 1-5
scorer,ood,n_id,n_ood,auroc
s,ood,4,4,0.8125
$ sed 's/^y/label/' b8.csv > zeroone.csv; ood eval -q --scores zeroone.csv -s s -f csv
ood eval: zeroone.csv: no label is -1, so nothing says which rows are OoD (--truth COL with 0/1, or --ood-label VALUE)
? 3
$ ood eval -q --scores zeroone.csv --ood-label 1 -s s -f csv | cut -d, -f 1-5
scorer,ood,n_id,n_ood,auroc
s,ood,4,4,0.8125
$ ood eval -q --scores zeroone.csv --truth label -s s -f csv | cut -d, -f 1-5
scorer,ood,n_id,n_ood,auroc
s,ood,4,4,0.8125
$ ood eval -q --scores b8.csv --truth s -s s2
ood eval: b8.csv:2:2: --truth s: expected 0 or 1, found ".9"
? 3
$ ood eval -q --scores b8.csv --truth z -s s
ood eval: b8.csv: no column "z" (there are y, s, s2)
? 3
$ ood eval -q --scores b8.csv --truth y -s z
ood eval: b8.csv: no column of scores "z" (there are: s s2)
? 2
$ ood eval -q --scores b8.csv -s s
ood eval: b8.csv: nothing says which rows are OoD (--truth COL, or labels with --ood-label VALUE)
? 3
$ awk -F, 'NR == 1 { print "y,conf"; next } { printf "%s,%s\n", $1, -$2 }' b8.csv > conf.csv
$ ood eval -q --scores conf.csv --truth y -f csv | cut -d, -f 1-5
scorer,ood,n_id,n_ood,auroc
conf,ood,4,4,0.8125
$ awk -F, 'NR == 1 { print "y,v"; next } { printf "%s,%s\n", $1, -$2 }' b8.csv > v.csv
$ ood eval -q --scores v.csv --truth y --higher id -f csv | cut -d, -f 1-5
scorer,ood,n_id,n_ood,auroc
v,ood,4,4,0.8125
$ ood eval --scores v.csv --truth y -f csv 2>&1 | cut -d, -f 1-5
scorer,ood,n_id,n_ood,auroc
v,ood,4,4,0.1875
ood eval: warning: the AUROC of v against ood is below 0.5: the score may be reversed (--higher id)
ood eval: warning: ood: with 4 ID and 4 OoD rows a recall of 95% is not resolvable (20 rows a side)

# OpenOOD's score files need no option (pred, conf, label; -1 = OoD).
$ ood eval -q --scores tests/data/cases/h16.npz -f csv | cut -d, -f 1-5
scorer,ood,n_id,n_ood,auroc
conf,ood,24,16,0.8020833333333334
$ ood eval -q --scores tests/data/cases/h16.npz --scores tests/data/cases/h16.npz -f csv | cut -d, -f 1-5
scorer,ood,n_id,n_ood,auroc
conf,ood,48,32,0.8020833333333334

# Logits: several sets, groups and means. Figures of examples/letters from
# pytorch-ood, scikit-learn and pROC.
$ L=examples/letters; ood eval -s msp,energy --id $L/test --ood near/a=$L/ood_near --ood far/b=$L/ood_far -f csv | cut -d, -f 1-5,8-11
scorer,ood,n_id,n_ood,auroc,aupr_ood,aupr_id,fpr95_ood,fpr95_id
msp,near/a,3000,3000,0.8462615555555556,0.8267444066437768,0.8451229942269577,0.5836666666666667,0.662
energy,near/a,3000,3000,0.7952641111111111,0.7715893102478695,0.8042837189608392,0.6186666666666667,0.6886666666666666
msp,far/b,3000,2000,0.8117815,0.7329777710758053,0.838696052949669,0.6956666666666667,0.6965
energy,far/b,3000,2000,0.7846013333333334,0.7073384335724587,0.8148019213197604,0.76,0.685
msp,near/mean,,,0.8462615555555556,0.8267444066437768,0.8451229942269577,0.5836666666666667,0.662
energy,near/mean,,,0.7952641111111111,0.7715893102478695,0.8042837189608392,0.6186666666666667,0.6886666666666666
msp,far/mean,,,0.8117815,0.7329777710758053,0.838696052949669,0.6956666666666667,0.6965
energy,far/mean,,,0.7846013333333334,0.7073384335724587,0.8148019213197604,0.76,0.685
msp,mean,,,0.8290215277777778,0.779861088859791,0.8419095235883134,0.6396666666666666,0.67925
energy,mean,,,0.7899327222222222,0.739463871910164,0.8095428201402998,0.6893333333333334,0.6868333333333334
$ L=examples/letters; ood eval -s msp --id $L/test --ood $L/ood_near --ood $L/ood_far -f json | sed -n '/"means": \[/,/^  \]/p'
  "means": [
    {
      "scorer": "msp",
      "ood": "mean",
      "n_id": null,
      "n_ood": null,
      "auroc": 0.8290215277777778,
      "auroc_lo": null,
      "auroc_hi": null,
      "aupr_ood": 0.779861088859791,
      "aupr_id": 0.8419095235883134,
      "fpr95_ood": 0.6396666666666666,
      "fpr95_id": 0.67925,
      "detection_error": 0.2366666666666667,
      "ci_method": null,
      "level": null,
      "slice": null,
      "status": "ok",
      "reason": null
    }
  ],
$ L=examples/letters; ood eval -s msp --id $L/test --ood x=$L/ood_near --ood x=$L/ood_far -f csv | cut -d, -f 1-4
scorer,ood,n_id,n_ood
msp,x,3000,5000
$ L=examples/letters; ood eval -s msp --id $L/test --id $L/val --ood $L/ood_near -f csv | cut -d, -f 1-4
scorer,ood,n_id,n_ood
msp,ood_near,5000,3000
$ ood eval --id m6.csv --ood mean=m6.csv
ood eval: a set cannot be named "mean": reports use it
? 2
$ ood eval --id m6.csv --ood a/b/c=m6.csv
ood eval: "a/b/c" cannot name a set (letters, digits, . _ + - and one / are allowed), and no file has the whole name
? 2

# --metrics: which, in this order; parameters behind the name.
$ ood eval -q --scores b8.csv --truth y -s s -f csv --metrics 'youden,fbeta,fbeta:beta=2,eer,aupr_trapz,error_rate' | cut -d, -f 5-10
youden,fbeta,fbeta:beta=2,eer,aupr_trapz,error_rate
0.5,0.8,0.9090909090909091,0.25,0.8125,0.25
$ ood eval -q --scores b8.csv --truth y -s s -f csv --metrics 'fpr:tpr=0.5,fpr:tpr=0.75,fpr:tpr=0.8,fpr' | cut -d, -f 5-8
fpr:tpr=0.5,fpr:tpr=0.75,fpr:tpr=0.8,fpr
0.25,0.25,0.5,0.5
$ ood eval -q --scores b8.csv --truth y -s s -f csv --metrics 'tpr:fpr=0,tpr:fpr=0.1,tpr:fpr=0.25,tpr:fpr=0.5' | cut -d, -f 5-10
tpr:fpr=0,tpr:fpr=0.1,tpr:fpr=0.25,tpr:fpr=0.5,ci_method,level
0.25,0.25,0.75,1,,
$ ood eval -q --scores b8.csv --truth y -s s --metrics aurok
ood eval: unknown metric "aurok" (did you mean auroc?)
? 2
$ ood eval -q --scores b8.csv --truth y -s s --metrics fpr:tpr=2
ood eval: metric fpr: tpr: expected a number (0,1], found "2"
? 2
$ ood eval -q --scores b8.csv --truth y -s s --metrics fpr:q=0.5
ood eval: metric fpr has no parameter "q" (it has tpr, positive, method)
? 2
$ ood eval -q --scores b8.csv --truth y -s s --metrics nll
ood eval: --metrics nll: needs ID rows with labels or correct
? 3
$ ood eval -q --id id.csv --as scores --metrics auroc
ood eval: nothing to judge: no OoD set, and no ID rows with known labels (--ood SET, or labels=FILE in the ID set)
? 3

# One side empty is refused; --allow-undefined gives null with the reason.
$ sed '/^1/d' b8.csv > onlyid.csv; head -n 1 id.csv > none.csv
$ ood eval --scores onlyid.csv --truth y -s s
ood eval: onlyid.csv: no out-of-distribution rows: detection figures are undefined for one class only (--allow-undefined reports them as null)
? 3
$ ood eval -q --scores onlyid.csv --truth y -s s -f json --allow-undefined | sed -n '/"detection": \[/,$p'
  "detection": [
    {
      "scorer": "s",
      "ood": "ood",
      "n_id": 4,
      "n_ood": 0,
      "auroc": null,
      "auroc_lo": null,
      "auroc_hi": null,
      "aupr_ood": null,
      "aupr_id": 1,
      "fpr95_ood": null,
      "fpr95_id": null,
      "detection_error": null,
      "ci_method": null,
      "level": null,
      "slice": null,
      "status": "undefined",
      "reason": "one class only: no OoD rows"
    }
  ]
}
$ ood eval -q --as scores --id id.csv --ood none.csv
ood eval: no out-of-distribution rows: detection figures are undefined for one class only (--allow-undefined reports them as null)
? 3
$ ood eval -q --id tests/data/cases/h07.npy
ood eval: nothing to judge: no OoD set, and no ID rows with known labels (--ood SET, or labels=FILE in the ID set)
? 3

# One row a side: AUROC is defined, its interval is not.
$ printf 'y,s\n1,2\n0,1\n' > two.csv
$ ood eval -q --scores two.csv --truth y -f csv | cut -d, -f 1-7,16-
scorer,ood,n_id,n_ood,auroc,auroc_lo,auroc_hi,status,reason
s,ood,1,1,1,,,undefined,an interval needs two rows on each side
$ ood eval -q --scores two.csv --truth y --metrics auroc_lo
ood eval: auroc_lo of s is undefined: an interval needs two rows on each side (--allow-undefined reports it as null)
? 3
$ ood eval -q --scores two.csv --truth y --metrics auroc_lo --allow-undefined -f csv
scorer,ood,n_id,n_ood,auroc_lo,ci_method,level,slice,status,reason
s,ood,1,1,,,,,undefined,an interval needs two rows on each side

# Perfect and constant scores (X8: newcombe5).
$ printf 'y,a,c\n1,5,1\n1,6,1\n1,7,1\n1,8,1\n0,1,1\n0,2,1\n0,3,1\n0,4,1\n' > ends.csv
$ ood eval -q --scores ends.csv --truth y -f csv | cut -d, -f 1-7,13
scorer,ood,n_id,n_ood,auroc,auroc_lo,auroc_hi,ci_method
a,ood,4,4,1,0.5822840455834579,1,newcombe5
c,ood,4,4,0.5,0.1825599251014714,0.8174400748985287,newcombe5

# Infinite scores have a rank; NaN has none.
$ printf 'y,s\n1,inf\n1,2\n0,2\n0,-inf\n' | ood eval -q --scores - --truth y --metrics auroc -f csv | cut -d, -f 5
auroc
0.875
$ printf 'y,s\n1,nan\n1,2\n0,2\n0,1\n' > nan.csv; ood eval -q --scores nan.csv --truth y
ood eval: nan.csv:2:2: NaN (--nan skip drops such rows)
? 3
$ ood eval --nan skip --scores nan.csv --truth y --metrics auroc -f csv 2>&1 | cut -d, -f 1-5
scorer,ood,n_id,n_ood,auroc
s,ood,2,1,0.75
ood eval: warning: nan.csv: 1 of 4 rows dropped (--nan skip)
$ ood eval -q --nan worst --scores nan.csv --truth y --metrics auroc -f csv | cut -d, -f 1-5
scorer,ood,n_id,n_ood,auroc
s,ood,2,2,0.875
$ ood eval -q --nan keep --scores nan.csv --truth y
ood eval: --nan keep is for ood score (a NaN has no rank: skip or worst)
? 2

# Groups: no interval, unless --ci delong is typed.
$ printf 'y,s,group\n1,.9,a\n1,.8,a\n0,.8,b\n1,.6,b\n0,.5,c\n1,.5,c\n0,.3,d\n0,.1,d\n' > g.csv
$ ood eval --scores g.csv --truth y -f csv --metrics auroc,auroc_lo
scorer,ood,n_id,n_ood,auroc,auroc_lo,ci_method,level,slice,status,reason
s,ood,4,4,0.8125,,,,,ok,
ood eval: warning: the rows have groups: intervals would have to be clustered, which is not built, so there are none (--ci delong takes rows as independent)
$ ood eval --ci delong --scores g.csv --truth y -f csv --metrics auroc,auroc_lo
scorer,ood,n_id,n_ood,auroc,auroc_lo,ci_method,level,slice,status,reason
s,ood,4,4,0.8125,0.32934633787697465,delong-logit,0.95,,ok,
$ ood eval --ci bootstrap --scores g.csv --truth y
ood eval: --ci bootstrap: expected delong (the only method built in)
? 2
$ ood eval -q --level 0.9 --scores b8.csv --truth y -s s -f csv | cut -d, -f 5-7,14
auroc,auroc_lo,auroc_hi,level
0.8125,0.41070256480305,0.9642132893563067,0.9

# Predictions: M6 with labels (X24), S8 (X11), correct, pred.
$ printf 'label,logit_0,logit_1,logit_2\n0,2,0.5,-1\n1,0.2,1.5,0.1\n2,-0.5,0.3,2.2\n0,1,1.2,-0.3\n1,3,0,0\n2,0.4,0.3,0.2\n' > m6.csv
$ ood eval --id m6.csv --bins 5 -f csv
scorer,n,accuracy,auroc_failure,aurc,eaurc,augrc,nll,brier,ece,mce,slice,status,reason
msp,6,0.5,0.6666666666666666,0.49722222222222223,0.3055555555555556,0.20833333333333334,1.0110631487844006,0.5648379587515641,0.35738897589180324,0.4897493230427077,,ok,
$ ood eval --id m6.csv --bins 5 --table bins -f csv
bin,lower,upper,n,confidence,accuracy,gap
1,0,0.2,0,,,
2,0.2,0.4,1,0.3671654011109255,0,0.3671654011109255
3,0.4,0.6,1,0.4897493230427077,0,0.4897493230427077
4,0.6,0.8,2,0.7219345419430243,1,-0.2780654580569757
5,0.8,1,2,0.8656441075416175,0.5,0.36564410754161747
$ ood eval --id m6.csv --bins 5 -f json | sed -n '/"selective"/,/]/p'
  "selective": [
    {
      "scorer": "msp",
      "n": 6,
      "accuracy": 0.5,
      "auroc_failure": 0.6666666666666666,
      "aurc": 0.49722222222222223,
      "eaurc": 0.3055555555555556,
      "augrc": 0.20833333333333334,
      "nll": 1.0110631487844006,
      "brier": 0.5648379587515641,
      "ece": 0.35738897589180324,
      "mce": 0.4897493230427077,
      "slice": null,
      "status": "ok",
      "reason": null
    }
  ],
$ printf 'conf,correct\n.95,1\n.9,1\n.9,0\n.8,1\n.7,1\n.7,0\n.6,0\n.5,1\n' > s8.csv
$ ood eval --as scores --id s8.csv -f csv | cut -d, -f 1-7
scorer,n,accuracy,auroc_failure,aurc,eaurc,augrc
conf,8,0.625,0.6,0.2837797619047619,0.18035714285714285,0.1640625
$ printf 'conf,label,pred\n.95,1,1\n.9,1,1\n.9,0,2\n.8,1,1\n.7,1,1\n.7,0,1\n.6,0,1\n.5,1,1\n' > pred.csv
$ ood eval --as scores --id pred.csv -f csv | cut -d, -f 1-7
scorer,n,accuracy,auroc_failure,aurc,eaurc,augrc
conf,8,0.625,0.6,0.2837797619047619,0.18035714285714285,0.1640625
$ ood eval --as scores --id s8.csv --metrics nll
ood eval: nll of conf is undefined: no class scores with labels (--allow-undefined reports it as null)
? 3
$ ood eval -q --id m6.csv --ood m6.csv --table selective -f csv | cut -d, -f 1-3
scorer,n,accuracy
msp,6,0.5
$ ood eval --id m6.csv --table nothing
ood eval: --table nothing: expected detection, selective or bins
? 2

# --bins-left on C8 (X24), as probabilities of two classes.
$ awk 'BEGIN { print "label,prob_0,prob_1"; n = split(".05 .2 .2 .4 .6 .8 .95 1", p, " "); split("0 0 1 0 1 1 1 1", y, " "); \
>     for (i = 1; i <= n; i++) print y[i] "," 1 - p[i] "," p[i] }' > c8.csv
$ ood eval --id c8.csv --metrics nll,accuracy -f csv | cut -d, -f 3-4
nll,accuracy
0.39749535642120026,0.875

# --report: more outputs at once; -o and -f the first.
$ ood eval -q --scores b8.csv --truth y -s s --metrics auroc -f csv --report json:r.json --report md:r.md --report metrics:m.json --report openmetrics:o.txt --report csv:r.csv | cut -d, -f 1-5
scorer,ood,n_id,n_ood,auroc
s,ood,4,4,0.8125
$ sed -n '/"detection": \[/,$p' r.json; cat r.md m.json o.txt; cut -d, -f 1-5 r.csv
  "detection": [
    {
      "scorer": "s",
      "ood": "ood",
      "n_id": 4,
      "n_ood": 4,
      "auroc": 0.8125,
      "ci_method": null,
      "level": null,
      "slice": null,
      "status": "ok",
      "reason": null
    }
  ]
}
### detection

| scorer | ood | n_id | n_ood |  auroc |
| ------ | --- | ---: | ----: | -----: |
| s      | ood |    4 |     4 | 0.8125 |
{
  "s": {
    "ood": {
      "n_id": 4,
      "n_ood": 4,
      "auroc": 0.8125
    }
  }
}
# TYPE ood_n_id gauge
ood_n_id{scorer="s",set="ood"} 4
# TYPE ood_n_ood gauge
ood_n_ood{scorer="s",set="ood"} 4
# TYPE ood_auroc gauge
ood_auroc{scorer="s",set="ood"} 0.8125
# EOF
scorer,ood,n_id,n_ood,auroc
s,ood,4,4,0.8125
$ ood eval -q --scores b8.csv --truth y -s s --metrics auroc -o r2.json; grep -c detection r2.json
1
$ ood eval -q --scores b8.csv --truth y -s s --run first -f json | grep -E '"(run|seed|schema|command)"'
  "schema": "ood.eval/1",
  "command": ["ood", "eval", "-q", "--scores", "b8.csv", "--truth", "y", "-s", "s", "--run", "first", "-f", "json"],
  "run": "first",
  "seed": 0,
$ ood eval -q --scores b8.csv --truth y -s s --report pdf:x
ood eval: unknown format of a report "pdf" (there are table, md, json, csv, tsv, jsonl, metrics, openmetrics)
? 2
$ ood eval -q --scores b8.csv --truth y -s s --report json
ood eval: --report json: expected KIND:FILE, such as json:report.json
? 2
$ ood eval -q --scores b8.csv --truth y -s s --report json:b8.csv
ood eval: output b8.csv is an input as well (write to another file)
? 2
$ ood eval -q --scores b8.csv --truth y -s s -o b8.csv
ood eval: output b8.csv is an input as well (write to another file)
? 2
$ head -n 1 b8.csv
y,s,s2

# What was read is told, with its CRC-32.
$ ood eval -q --id m6.csv --ood tests/data/cases/h48_logits.npy -f json | sed -n '/"inputs"/,/^  \]/p'
  "inputs": [
    {
      "set": "id",
      "role": "labels",
      "path": "m6.csv",
      "format": "csv",
      "dtype": "text",
      "shape": [6],
      "rows": 6,
      "skipped": 0,
      "crc32": "4afa697d"
    },
    {
      "set": "id",
      "role": "logits",
      "path": "m6.csv",
      "format": "csv",
      "dtype": "text",
      "shape": [6, 3],
      "rows": 6,
      "skipped": 0,
      "crc32": "4afa697d"
    },
    {
      "set": "h48_logits",
      "role": "logits",
      "path": "tests/data/cases/h48_logits.npy",
      "format": "npy",
      "dtype": "float32",
      "shape": [5, 3],
      "rows": 5,
      "skipped": 0,
      "crc32": "559bbc8e"
    }
  ],
$ ood eval -q --id m6.csv --ood n=tests/data/cases/h02.npy -f json | sed -n '/"inputs"/,/^  \]/p'
  "inputs": [
    {
      "set": "id",
      "role": "labels",
      "path": "m6.csv",
      "format": "csv",
      "dtype": "text",
      "shape": [6],
      "rows": 6,
      "skipped": 0,
      "crc32": "4afa697d"
    },
    {
      "set": "id",
      "role": "logits",
      "path": "m6.csv",
      "format": "csv",
      "dtype": "text",
      "shape": [6, 3],
      "rows": 6,
      "skipped": 0,
      "crc32": "4afa697d"
    },
    {
      "set": "n",
      "role": "logits",
      "path": "tests/data/cases/h02.npy",
      "format": "npy",
      "dtype": "float64",
      "shape": [4, 3],
      "rows": 4,
      "skipped": 0,
      "crc32": "3624f4a1"
    }
  ],

# Usage.
$ ood eval
ood eval: nothing to judge (--id SET --ood SET, or --scores SET --truth COL)
? 2
$ ood eval --scores b8.csv --id b8.csv
ood eval: --scores holds both sides: --id and --ood do not go with it
? 2
$ ood eval --id m6.csv --truth y
ood eval: --truth and --ood-label go with --scores
? 2
$ ood eval m6.csv
ood eval: unexpected word "m6.csv" (sets go with --id, --ood or --scores)
? 2
$ ood eval --ood m6.csv
ood eval: OoD sets need ID rows to be judged against (--id SET)
? 2

# Properties: order of rows, doubling, equal rows twice, sides swapped (section
# 16 of the evaluation specification).
$ awk 'BEGIN { print "y,s"; x = 1; for (i = 0; i < 400; i++) { x = (x * 16807) % 2147483647; print (x % 3 == 0) "," int(x / 7919) % 40 / 8 + (x % 3 == 0) } }' > r.csv
$ echo 'ood eval --scores "$1" --truth y --metrics auroc,aupr_ood,aupr_id,fpr95_ood,fpr95_id,detection_error,eer,youden,pauroc -f csv | cut -d, -f 5-' > figures; sh figures r.csv > a; wc -l < a
2
$ (head -n 1 r.csv; sed 1d r.csv | sort -t, -k2) | sh figures - | cmp - a
$ awk -F, 'NR == 1 { print; next } { print $1 "," 2 * $2 }' r.csv | sh figures - | cmp - a
$ (cat r.csv; sed 1d r.csv) | sh figures - | cmp - a
$ awk -F, 'NR == 1 { print; next } { print 1 - $1 "," 0 - $2 }' r.csv | ood eval --scores - --truth y --metrics auroc,aupr_id,aupr_ood,fpr95_id,fpr95_ood -f csv | sed 1d | cut -d, -f 5-9 > b; ood eval --scores r.csv --truth y --metrics auroc,aupr_ood,aupr_id,fpr95_ood,fpr95_id -f csv | sed 1d | cut -d, -f 5-9 | cmp - b
$ (ood eval -q --scores r.csv --truth y --metrics auroc -f csv; ood eval -q --higher id --scores r.csv --truth y --metrics auroc -f csv) | awk -F, '$5 > 0 { s += $5 } END { print s }'
1

# Two outputs of one name would lose one.
$ ood eval -q --scores b8.csv --truth y -s s -o two.json --report json:two.json
ood eval: ...two.json...
? 2
$ ln -s same.csv alias.csv; ood eval -q --scores b8.csv --truth y -s s -o ./same.csv --report csv:alias.csv; ls same.csv
ood eval: two outputs would go to ./same.csv
ls: cannot access 'same.csv': No such file or directory
? 2

# Outputs appear together, or none does.
$ ood eval -q --scores b8.csv --truth y -s s -o a.json --report json:b.json --report csv:none/c.csv; ls a.json b.json
ood eval: none/c.csv: cannot create: no such file or directory
ls: cannot access 'a.json': No such file or directory
ls: cannot access 'b.json': No such file or directory
? 2
$ ood eval -q --scores b8.csv --truth y -s s --report json:b.json > /dev/full; ls b.json
ood eval: standard output: cannot write: no space left on device
ls: cannot access 'b.json': No such file or directory
? 2

# The truth is told once.
$ ood eval --scores b8.csv --truth y --ood-label 1
ood eval: --truth names a column with 1 for OoD rows, --ood-label a label of OoD rows: one of them
? 2

# What ood score wrote is scores, in every format.
$ printf '2,0.5,-1\n0.2,1.5,0.1\n' > i.csv; printf '0,0.5,0\n0.2,0.5,0.1\n' > o.csv
$ for f in csv jsonl json npz; do ood score -s msp,energy i.csv -o si.$f; ood score -s msp,energy o.csv -o so.$f; ood eval -q --id si.$f --ood ood=so.$f -f csv | cut -d, -f 1-5; done
scorer,ood,n_id,n_ood,auroc
msp,ood,2,2,1
energy,ood,2,2,1
scorer,ood,n_id,n_ood,auroc
msp,ood,2,2,1
energy,ood,2,2,1
scorer,ood,n_id,n_ood,auroc
msp,ood,2,2,1
energy,ood,2,2,1
scorer,ood,n_id,n_ood,auroc
msp,ood,2,2,1
energy,ood,2,2,1
$ ood score -s msp,energy -o again.csv si.csv; ood score --as scores again.csv | cmp - again.csv; cut -d, -f 1,4,5 si.csv | cmp - again.csv
$ ood eval --as scores --id si.csv
ood eval: nothing to judge: no OoD set, and no ID rows with known labels (--ood SET, or labels=FILE in the ID set)
? 3

# Of a pipe the checksum is that of its bytes, as of the file.
$ awk 'BEGIN { print "s"; for (i = 0; i < 50000; i++) print i }' > s.csv; for set in s.csv -; do ood eval -q --as scores --id $set --ood s.csv -f json < s.csv | grep crc32; done | uniq -c | xargs
4 crc32: 6cd26429

# Only figures of sets can go to dvc and Prometheus.
$ for c in list "info si.csv" "threshold --keep 0.5 --id i.csv"; do ood $c --report metrics:m; done; ls m
ood list: format metrics needs a table with columns scorer and ood, as `ood eval` makes it
ood info: format metrics needs a table with columns scorer and ood, as `ood eval` makes it
ood threshold: format metrics needs a table with columns scorer and ood, as `ood eval` makes it
ls: cannot access 'm': No such file or directory
? 2

# Sets of different width come from different networks or layers.
$ printf '1,2\n3,4\n' > two.csv; printf '1,2,3\n3,4,5\n' > three.csv; ood eval --header no --id two.csv --ood three.csv
ood eval: the ID rows have 2 classes, those of three have 3 (outputs of one network, the same layer)
? 3
$ ood threshold --tpr 0.5 --header no --ood two.csv --value
0.2689414213699951

# Formats are checked before anything is read; a refusal is one line, warnings
# come when all is written, control bytes are escaped.
$ ood eval -f nonsense --id none --ood none
ood eval: unknown format of a report "nonsense" (there are table, md, json, csv, tsv, jsonl, metrics, openmetrics)
? 2
$ ood eval --header no --id two.csv --ood two.csv -o none/x.csv
ood eval: none/x.csv: ...
? 4

# Metrics by the names that others have for them.
$ for m in auc AUROC ROC_AUC fpr95 fpr@95 AP aupr aupr_in acc f1 pauc; do ood eval --scores b8.csv --truth y --metrics $m; done
ood eval: unknown metric "auc" (did you mean auroc?)
ood eval: unknown metric "AUROC" (did you mean auroc?)
ood eval: unknown metric "ROC_AUC" (did you mean auroc?)
ood eval: unknown metric "fpr95" (did you mean fpr95_ood?)
ood eval: unknown metric "fpr@95" (did you mean fpr95_ood?)
ood eval: unknown metric "AP" (did you mean aupr_ood?)
ood eval: unknown metric "aupr" (did you mean aupr_ood?)
ood eval: unknown metric "aupr_in" (did you mean aupr_id?)
ood eval: unknown metric "acc" (did you mean accuracy?)
ood eval: unknown metric "f1" (did you mean fbeta?)
ood eval: unknown metric "pauc" (did you mean pauroc?)
? 2

# A partial area below that of the diagonal stands, and is told. All OoD rows
# score less: no TPR up to an FPR of 1/10, chance is (1/10)^2/2; corrected,
# (1 - 0.005/(0.1 - 0.005))/2 = 9/19.
$ printf 's\n1\n2\n3\n' > up.csv; printf 's\n-1\n-2\n-3\n' > down.csv; ood eval --as scores --id up.csv --ood down.csv --metrics pauroc,pauroc:corrected=1,pauroc:from=0.5:to=1:axis=tpr -f csv | cut -d, -f 5-7
pauroc,pauroc:corrected=1,pauroc:from=0.5:to=1:axis=tpr
0,0.47368421052631576,0
ood eval: warning: pauroc of s against down is below chance: the score may be reversed (--higher id)
ood eval: warning: pauroc:corrected=1 of s against down is below chance: the score may be reversed (--higher id)
ood eval: warning: pauroc:from=0.5:to=1:axis=tpr of s against down is below chance: the score may be reversed (--higher id)
$ ood eval --as scores --id down.csv --ood up.csv --metrics pauroc,pauroc:corrected=1 -f csv | cut -d, -f 5-6
pauroc,pauroc:corrected=1
0.1,1
$ printf 's\n1\n1\n' > tie.csv; ood eval --as scores --id tie.csv --ood tie.csv --metrics pauroc,pauroc:corrected=1 -f csv | cut -d, -f 5-6
pauroc,pauroc:corrected=1
0.005,0.5
