# What a careful colleague would ask, on stderr when all has gone well.

# Probabilities under the name of logits.
$ printf 'a,b\n.1,.9\n.5,.5\n' > p.csv; ood score p.csv > /dev/null
ood score: warning: p.csv: taken as logits, but look like probabilities: in [0, 1] with sum 1 in the first 2 rows (--as probs?)
$ printf '0.25,0.75\n' | ood score - > /dev/null
ood score: warning: standard input: taken as logits, but look like probabilities: in [0, 1] with sum 1 in the first row (--as probs?)
$ ood score logits=p.csv > /dev/null
ood score: warning: p.csv: taken as logits, but look like probabilities: in [0, 1] with sum 1 in the first 2 rows (probs=FILE?)
$ ood eval --id p.csv --ood p.csv -f json -q | grep -c '"code": "like-probs"'
2
$ ood score --as probs p.csv > /dev/null; ood score -q p.csv > /dev/null
$ printf '1,0\n0,1\n' | ood score --header no - > /dev/null
$ printf '.1,.9\n.5,.6\n' | ood score - > /dev/null
$ printf '.1,.9\n-.5,1.5\n' | ood score - > /dev/null

# One array of class scores is used.
$ printf 'a,b\n1,2\n3,4\n' > l.csv; ood score logits=l.csv,probs=p.csv > out; ood score l.csv | cmp - out
ood score: warning: p.csv: its probs are not used, as there are logits
$ printf '{"logits":[1,2],"probs":[0.3,0.7]}\n' > both.jsonl; ood score both.jsonl | tail -n +2 | wc -l
1
$ ood convert both.jsonl -f jsonl
{"logits":[1,2]}
ood convert: warning: both.jsonl: its probs are not used, as there are logits

# Columns that are hardly all classes.
$ printf 'logit_0,logit_1,age\n1,2,33\n' | ood score - | head -n 1
row,pred,confidence,msp
$ printf 'x0,x1,age\n1,2,33\n' > x.csv; ood score x.csv > /dev/null
ood score: warning: x.csv: all 3 columns are taken as logits, "age" as well as "x0" (--columns chooses)
$ ood info x.csv -f csv > /dev/null
ood info: warning: x.csv: all 3 columns are taken as logits, "age" as well as "x0" (--columns chooses)
$ ood score --columns x0,x1 x.csv > /dev/null; printf 'cat,dog\n1,2\n' | ood score - > /dev/null; printf '0,1,2\n5,6,7\n' | ood score --header yes - > /dev/null

# Options that nothing has a use for.
$ ood convert l.csv -o l.npy; ood score --delimiter ';' --decimal , --missing NA --columns a --header no --id-column x --label-column y l.npy > /dev/null
ood score: warning: --columns has no effect: no input is a table
ood score: warning: --id-column has no effect: no input is a table
ood score: warning: --label-column has no effect: no input is a table
ood score: warning: --header has no effect: no input is CSV
ood score: warning: --delimiter has no effect: no input is CSV
ood score: warning: --decimal has no effect: no input is CSV
ood score: warning: --missing has no effect: no input is text
$ ood eval --delimiter , --id l.npy --ood l.csv -f csv 2>&1 > /dev/null | grep -c effect
0
? 1
$ ood eval --delimiter , --id l.npy --ood l.npy -f json 2> /dev/null | grep -A 1 no-effect
      "code": "no-effect",
      "text": "--delimiter has no effect: no input is CSV",
$ ood threshold --keep .5 --renormalise --id l.npy --value 2>&1 > /dev/null | grep effect
ood threshold: warning: --renormalise has no effect: no input holds probabilities
$ ood info --missing x l.npy > /dev/null
ood info: warning: --missing has no effect: no input is text
$ ood convert --header yes both.jsonl -q | wc -l
2
$ ood score --delimiter abc l.npy > /dev/null
ood score: --delimiter "abc" cannot separate cells (comma, semicolon, tab, space, pipe, or one byte)
? 2
$ ood score --decimal x l.npy
ood score: --decimal "x" is not point or comma
? 2

# What NPY has no place for.
$ printf 'id,label,logit_a,logit_b\nx,a,1,2\n' > all.csv; ood convert all.csv -o all.npy
ood convert: warning: ids, labels left out: NPY holds one array (-f npz keeps them)
ood convert: warning: names of the classes left out: the format has no place for them (-f csv keeps them; --classes gives them when it is read)
$ ood convert all.csv -o same.csv; cmp all.csv same.csv
