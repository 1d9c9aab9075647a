# Output formats: one set, every format. Numbers have the fewest digits that
# read back as the same double; infinities and NaN are strings in JSON.
$ printf 'id,label,logit_cat,logit_dog\na-1,dog,1,3\n"b,""2",cat,2,-1\n' > pets.csv
$ ood score pets.csv
id,label,pred,pred_name,confidence,msp
a-1,dog,1,dog,0.8807970779778823,0.11920292202211755
"b,""2",cat,0,cat,0.9525741268224334,0.04742587317756679
$ ood score -f csv pets.csv
id,label,pred,pred_name,confidence,msp
a-1,dog,1,dog,0.8807970779778823,0.11920292202211755
"b,""2",cat,0,cat,0.9525741268224334,0.04742587317756679
$ ood score -f tsv pets.csv
id	label	pred	pred_name	confidence	msp
a-1	dog	1	dog	0.8807970779778823	0.11920292202211755
"b,""2"	cat	0	cat	0.9525741268224334	0.04742587317756679
$ ood score -f json pets.csv
[
{"id":"a-1","label":"dog","pred":1,"pred_name":"dog","confidence":0.8807970779778823,"msp":0.11920292202211755},
{"id":"b,\"2","label":"cat","pred":0,"pred_name":"cat","confidence":0.9525741268224334,"msp":0.04742587317756679}
]
$ ood score -f jsonl pets.csv
{"id":"a-1","label":"dog","pred":1,"pred_name":"dog","confidence":0.8807970779778823,"msp":0.11920292202211755}
{"id":"b,\"2","label":"cat","pred":0,"pred_name":"cat","confidence":0.9525741268224334,"msp":0.04742587317756679}
$ ood score -f table pets.csv
id    label  pred  pred_name  confidence        msp
a-1     dog     1  dog          0.880797   0.119203
b,"2    cat     0  cat          0.952574  0.0474259
$ ood score -f table --digits 3 pets.csv
id    label  pred  pred_name  confidence     msp
a-1     dog     1  dog             0.881   0.119
b,"2    cat     0  cat             0.953  0.0474
$ ood score -f md pets.csv
| id   | label | pred | pred_name | confidence |       msp |
| ---- | ----: | ---: | --------- | ---------: | --------: |
| a-1  |   dog |    1 | dog       |   0.880797 |  0.119203 |
| b,"2 |   cat |    0 | cat       |   0.952574 | 0.0474259 |

# What is not a number.
$ printf '1,2\nnan,0\n' > hole.csv
$ ood score -q -f json --nan keep hole.csv
[
{"row":1,"pred":1,"confidence":0.7310585786300049,"msp":0.26894142136999516},
{"row":2,"pred":null,"confidence":null,"msp":"nan"}
]
$ ood score -q -f jsonl --nan worst hole.csv
{"row":1,"pred":1,"confidence":0.7310585786300049,"msp":0.26894142136999516}
{"row":2,"pred":null,"confidence":null,"msp":"inf"}
$ ood score -q -f tsv --nan worst hole.csv
row	pred	confidence	msp
1	1	0.7310585786300049	0.26894142136999516
2			inf

# NPY: the scores alone, rows x scorers; NPZ: columns by name, no row.
$ ood score -s msp,energy -f npy pets.csv > s.npy; ood info s.npy
path: s.npy
format: npy

arrays
member  name  dtype    size
     1  -     float64  (2, 2)

roles
role    path   format  dtype    size
logits  s.npy  npy     float64  (2, 2)

rows: 2
classes: 2
$ ood convert --as scores s.npy
score_0,score_1
0.11920292202211755,-3.1269280110429727
0.04742587317756679,-2.048587351573742
$ ood score -s msp,energy -f npz pets.csv > s.npz; ood info -f csv s.npz | cut -d, -f 2
name
id
label
pred
pred_name
confidence
scores.msp
scores.energy
$ ood info s.npz
path: s.npz
format: npz

arrays
member  name           dtype    size
     1  id             text     (2,)
     2  label          text     (2,)
     3  pred           int64    (2,)
     4  pred_name      text     (2,)
     5  confidence     float64  (2,)
     6  scores.msp     float64  (2,)
     7  scores.energy  float64  (2,)

roles
role    path   format  dtype    size
ids     s.npz  npz     text     (2,)
labels  s.npz  npz     text     (2,)
pred    s.npz  npz     int64    (2,)
scores  s.npz  npz     float64  (2,)

rows: 2

labels
label  rows
cat       1
dog       1
$ ood convert s.npz
id,label,pred,confidence,msp,energy
a-1,dog,1,0.8807970779778823,0.11920292202211755,-3.1269280110429727
"b,""2",cat,0,0.9525741268224334,0.04742587317756679,-2.048587351573742
$ ood score -f npz hole.csv --nan keep -q > h.npz; ood info -f csv h.npz | cut -d, -f 2
name
pred
confidence
scores.msp

# The extension of -o decides if -f does not.
$ for e in csv tsv json jsonl ndjson npy npz md txt; do ood score pets.csv -o out.$e; \
>     printf '%s %s\n' $e "$(ood info -f csv out.$e 2> /dev/null | sed -n '2p' | cut -d, -f 1-3)"; done
csv 1,id,text
tsv 
json 1,id,text
jsonl 1,id,text
ndjson 1,id,text
npy 1,,float64
npz 1,id,text
md 
txt 1,id    label  pred  pred_name  confidence        msp,text
$ ood score pets.csv -f json -o out.csv; head -c 1 out.csv
[\
$ ood score pets.csv -f xml
ood score: -f xml: unknown format (csv, tsv, json, jsonl, npy, npz, table or md)
? 2
$ ood score pets.csv -f jason
ood score: -f jason: unknown format (csv, tsv, json, jsonl, npy, npz, table or md)
? 2

# Equal input, equal bytes.
$ ood score -f npz pets.csv > a.npz; ood score -f npz pets.csv | cmp - a.npz

# No rows: still a valid file of every format.
$ ood score tests/data/cases/h07.npy -f json
[]
$ ood score tests/data/cases/h07.npy -f jsonl
$ ood score tests/data/cases/h07.npy -f tsv
row	pred	confidence	msp
$ ood score tests/data/cases/h07.npy -f npy | ood info -q -f csv - | cut -d, -f 1-6
member,name,dtype,size
1,,float64,"(0, 1)"
$ ood score tests/data/cases/h07.npy -f md
| row | pred | confidence | msp |
| --: | ---: | ---------: | --: |

# Control bytes, non-ASCII and quotes in ids.
$ printf 'id,a,b\n"x\ty",1,2\n"l1\nl2",1,2\n"ü ""q""",1,2\n' > odd.csv
$ ood score odd.csv
id,pred,confidence,msp
x	y,1,0.7310585786300049,0.26894142136999516
"l1
l2",1,0.7310585786300049,0.26894142136999516
"ü ""q""",1,0.7310585786300049,0.26894142136999516
$ ood score -f tsv odd.csv
id	pred	confidence	msp
"x	y"	1	0.7310585786300049	0.26894142136999516
"l1
l2"	1	0.7310585786300049	0.26894142136999516
"ü ""q"""	1	0.7310585786300049	0.26894142136999516
$ ood score -f jsonl odd.csv
{"id":"x\ty","pred":1,"confidence":0.7310585786300049,"msp":0.26894142136999516}
{"id":"l1\nl2","pred":1,"confidence":0.7310585786300049,"msp":0.26894142136999516}
{"id":"ü \"q\"","pred":1,"confidence":0.7310585786300049,"msp":0.26894142136999516}
$ ood score -f md odd.csv
| id      | pred | confidence |      msp |
| ------- | ---: | ---------: | -------: |
| x\\ty   |    1 |   0.731059 | 0.268941 |
| l1\\nl2 |    1 |   0.731059 | 0.268941 |
| ü "q"   |    1 |   0.731059 | 0.268941 |
$ printf 'id,a,b\n\374,1,2\n' > latin.csv
$ ood score latin.csv | od -c | sed -n '2p' | cut -c 1-20
0000020   c   e   , 
$ ood score -f jsonl latin.csv
ood score: latin.csv:2...: id "\xFC" is not UTF-8, ...
? 3

# Reports have their formats too.
$ printf 'y,s\n1,.9\n1,.8\n0,.8\n1,.6\n0,.5\n1,.5\n0,.3\n0,.1\n' > b8.csv
$ ood eval -q --scores b8.csv --truth y -s s -f npy
ood eval: unknown format of a report "npy" (there are table, md, json, csv, tsv, jsonl, metrics, openmetrics)
? 2
$ ood eval -q --scores b8.csv --truth y -s s -f csv
scorer,ood,n_id,n_ood,auroc,auroc_lo,auroc_hi,aupr_ood,aupr_id,fpr95_ood,fpr95_id,detection_error,ci_method,level,slice,status,reason
s,ood,4,4,0.8125,0.32934633787697465,0.9745141860319251,0.7708333333333333,0.8303571428571428,0.5,0.75,0.25,delong-logit,0.95,,ok,
$ ood eval -q --scores b8.csv --truth y -s s -f tsv | head -c 20
scorer	ood	n_id	n_oo\
$ ood eval -q --scores b8.csv --truth y -s s -f md --metrics auroc,aupr_ood
### detection

| scorer | ood | n_id | n_ood |  auroc | aupr_ood |
| ------ | --- | ---: | ----: | -----: | -------: |
| s      | ood |    4 |     4 | 0.8125 | 0.770833 |
$ ood eval -q --scores b8.csv --truth y -s s --metrics auroc,aupr_ood
detection
scorer  ood  n_id  n_ood   auroc  aupr_ood
s       ood     4      4  0.8125  0.770833
$ ood eval -q --scores b8.csv --truth y -s s --metrics auroc -f jsonl
{"scorer":"s","ood":"ood","n_id":4,"n_ood":4,"auroc":0.8125,"ci_method":null,"level":null,"slice":null,"status":"ok","reason":null}
$ ood eval -q --scores b8.csv --truth y -s s --metrics auroc -f json
{
  "schema": "ood.eval/1",
  "tool": {
    "name": "ood",
    "version": "..."
  },
  "command": ["ood", "eval", "-q", "--scores", "b8.csv", "--truth", "y", "-s", "s", "--metrics", "auroc", "-f", "json"],
  "run": null,
  "seed": 0,
  "conventions": {
    "score": "larger = more out-of-distribution",
    "decision": "OoD if score >= threshold",
    "positive": "OoD for auroc; else the suffix: _ood, _id",
    "ties": "count half in auroc; move together elsewhere",
    "aupr": "average precision, a step sum",
    "fpr95": "first vertex whose recall reaches 95%, counted in integers",
    "aurc": "mean of the risks, averaged over orders of ties",
    "means": "unweighted over sets",
    "bins": "15 of equal width, top label, (a,b], first bin closed",
    "nan": "error"
  },
  "inputs": [
    {
      "set": "scores",
      "role": "scores",
      "path": "b8.csv",
      "format": "csv",
      "dtype": "text",
      "shape": [8, 1],
      "rows": 8,
      "skipped": 0,
      "crc32": "8bd8608d"
    }
  ],
  "warnings": [],
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
