# Any readable file to NPY, NPZ, CSV, JSON Lines, and back: the same numbers.
$ printf 'id,label,logit_0,logit_1\na,1,0.1,-3\nb,0,1e-310,1.7976931348623157e308\nc,1,-inf,0\n' > a.csv
$ ood convert a.csv
id,label,logit_0,logit_1
a,1,0.1,-3
b,0,1e-310,1.7976931348623157e308
c,1,-inf,0
$ ood convert a.csv -f jsonl
{"id":"a","label":1,"logits":[0.1,-3]}
{"id":"b","label":0,"logits":[1e-310,1.7976931348623157e308]}
{"id":"c","label":1,"logits":["-inf",0]}
$ ood convert a.csv -f json
[
{"id":"a","label":1,"logits":[0.1,-3]},
{"id":"b","label":0,"logits":[1e-310,1.7976931348623157e308]},
{"id":"c","label":1,"logits":["-inf",0]}
]
$ ood convert a.csv -f tsv
id	label	logit_0	logit_1
a	1	0.1	-3
b	0	1e-310	1.7976931348623157e308
c	1	-inf	0
$ for e in csv tsv json jsonl npz; do \
>     ood convert a.csv -o a2.$e && ood convert --input-format $e a2.$e | cmp - a.csv && echo $e; done
csv
tsv
json
jsonl
npz
$ ood convert a.csv -o a2.npy; ood convert a2.npy
logit_0,logit_1
0.1,-3
1e-310,1.7976931348623157e308
-inf,0
ood convert: warning: ids, labels left out: NPY holds one array (-f npz keeps them)
$ ood convert a.csv -o a2.npz; ood info -f csv a2.npz | cut -d, -f 2; ood convert a2.npz -o a3.npz; cmp a2.npz a3.npz
name
id
label
logits

# From one format to the next.
$ ood convert tests/data/cases/h01.npy -o h.csv; ood convert h.csv -o h.npy; ood convert h.npy | cmp - h.csv
$ ood convert tests/data/cases/h02.npy | head -n 2
logit_0,logit_1,logit_2
4.484375,-7.75,0.296875
$ ood convert tests/data/cases/h03.npy
logit_0,logit_1,logit_2
65504,0,-65504
5.960464477539063e-8,-5.960464477539063e-8,0
3.5,-1.25,0.0999755859375
$ ood convert tests/data/cases/h04.npy | head -n 2
logit_0,logit_1,logit_2,logit_3
4.5625,2.2734375,0.1640625,6.9609375
$ ood convert tests/data/cases/h37.json --columns c0,c1 | head -n 2
logit_0,logit_1
0.5625,0.609375
$ ood convert --as features tests/data/cases/h01.npy | head -n 1
feature_0,feature_1,feature_2,feature_3
$ ood convert --as probs tests/data/cases/h54_probs.npy | head -n 2
prob_0,prob_1
1,0
$ ood convert tests/data/cases/h16.npz -o c.csv; ood eval -q --scores c.csv -f csv | cut -d, -f 1-5
scorer,ood,n_id,n_ood,auroc
conf,ood,24,16,0.8020833333333334
$ ood convert tests/data/cases/h35.ndjson
id,label,logit_0,logit_1,logit_2
9007199254740993,0,-4.8203125,4.59375,-7.2109375
9007199254740992,1,-4.09375,4.125,-0.3046875
-9007199254740993,2,-7.6875,5.2265625,-0.296875
$ ood convert --header no tests/data/cases/h29.csv
logit_0,logit_1,logit_2,logit_3
1.5,0.5,5,100
3,0,0,1e-320
12,1e22,123456789.125,-2.5
$ ood convert logits=tests/data/cases/h64.npy,labels=l.csv
ood convert: l.csv: no such file
? 4
$ printf '2\n1\n0\n' > l.csv; ood convert --header no logits=tests/data/cases/h64.npy,labels=l.csv
label,logit_0,logit_1,logit_2
2,-3.515625,4.921875,6.703125
1,-5.171875,-5.1171875,-5.78125
0,0.78125,-2.046875,-3.6484375

# NaN only where asked for.
$ printf '1,nan\n' | ood convert --header no -
ood convert: standard input:1:2: NaN (--nan skip drops such rows)
? 3
$ printf '1,nan\n' | ood convert --header no --nan keep -q -
ood convert: --nan worst and keep are for scores (convert writes values as they are, or skips rows)
? 2

# Strings: class names, ids with quotes, empty cells.
$ printf 'id,label,logit_é,logit_b\n"x, ""y""",é,1,2\n' > s.csv
$ ood convert s.csv
id,label,logit_é,logit_b
"x, ""y""",é,1,2
$ ood convert s.csv -f jsonl
{"id":"x, \"y\"","label":"é","logits":[1,2]}
ood convert: warning: names of the classes left out: the format has no place for them (-f csv keeps them; --classes gives them when it is read)
$ ood convert s.csv -o s.npz; ood convert s.npz
id,label,logit_0,logit_1
"x, ""y""",é,1,2
ood convert: warning: names of the classes left out: the format has no place for them (-f csv keeps them; --classes gives them when it is read)
$ ood convert s.csv -o s.csv
ood convert: output s.csv is an input as well (write to another file)
? 2
$ ood convert none.csv -o s2.csv; ls s2.csv
ood convert: none.csv: no such file
ls: cannot access 's2.csv': No such file or directory
? 2

# A matrix of one column stays a matrix.
$ printf '1\n2\n' > one.csv; for f in npy npz json jsonl; do ood convert -q --header no one.csv -o one.$f; ood convert -q one.$f | xargs; done
logit_0 1 2
logit_0 1 2
logit_0 1 2
logit_0 1 2
