# How a set is named (ood-formats(5)). M2: two rows, three classes.
$ printf '2,0.5,-1\n0.2,1.5,0.1\n' > m.csv; printf '0\n1\n' > l.csv; mkdir d 'lr=0.1,seed=2' s

# A word that names a file is that file, whatever it contains.
$ for f in 'a b.csv' 'a,b.csv' 'a=b.csv' 'logits=x' 'a:b.csv' 'logits=m.csv,labels=l.csv' '-x.csv' 'a+b.csv' 'a*b?.csv'; do \
>     cp m.csv "./$f"; ood score "./$f" | tail -n 1; case $f in -*) ;; *) ood score "$f" | tail -n 1 ;; esac; done
2,1,0.6582720492967729,0.34172795070322715
2,1,0.6582720492967729,0.34172795070322715
2,1,0.6582720492967729,0.34172795070322715
2,1,0.6582720492967729,0.34172795070322715
2,1,0.6582720492967729,0.34172795070322715
2,1,0.6582720492967729,0.34172795070322715
2,1,0.6582720492967729,0.34172795070322715
2,1,0.6582720492967729,0.34172795070322715
2,1,0.6582720492967729,0.34172795070322715
2,1,0.6582720492967729,0.34172795070322715
2,1,0.6582720492967729,0.34172795070322715
2,1,0.6582720492967729,0.34172795070322715
2,1,0.6582720492967729,0.34172795070322715
2,1,0.6582720492967729,0.34172795070322715
2,1,0.6582720492967729,0.34172795070322715
2,1,0.6582720492967729,0.34172795070322715
2,1,0.6582720492967729,0.34172795070322715
$ rm logits=*; ood score logits=m.csv,labels=l.csv | tail -n 1
2,1,1,0.6582720492967729,0.34172795070322715
$ ood score -- -x.csv | tail -n 1
2,1,0.6582720492967729,0.34172795070322715
$ n=$(printf 'new\nline.csv'); cp m.csv "$n"; ood score "$n" | tail -n 1
2,1,0.6582720492967729,0.34172795070322715
$ n=$(printf 'bad\n\033[31m.csv'); echo 1,x > "$n"; ood score --header no "$n"
ood score: bad\n\x1B[31m.csv:1:2: expected a number, found "x" in a column of text (--columns names those to use)
? 3

# - is standard input; it is read once for all roles.
$ ood score - < m.csv | tail -n 1
2,1,0.6582720492967729,0.34172795070322715
$ printf 'label,logit_0,logit_1\n1,0,2\n' | ood score logits=-,labels=- | tail -n 1
1,1,1,0.8807970779778823,0.11920292202211755
$ ood eval --id - --ood - < m.csv
ood eval: ...standard input...once...
? 2

# A PREFIX and a folder stand for the files of their roles.
$ cp m.csv s/test_logits.csv; cp l.csv s/test_labels.csv; cp m.csv s/test_logits_old.csv; cp m.csv s/test_notes.csv
$ ood score --header no s/test
row,label,pred,confidence,msp
1,0,0,0.7855970345892759,0.21440296541072412
2,1,1,0.6582720492967729,0.34172795070322715
$ cp m.csv d/logits.csv; gzip -c l.csv > d/labels.csv.gz; ood score --header no d/
row,label,pred,confidence,msp
1,0,0,0.7855970345892759,0.21440296541072412
2,1,1,0.6582720492967729,0.34172795070322715
$ ood score --header no d | tail -n 1
2,1,1,0.6582720492967729,0.34172795070322715
$ cp s/test_*.csv 'lr=0.1,seed=2/'; ood score --header no 'lr=0.1,seed=2/test' | tail -n 1
2,1,1,0.6582720492967729,0.34172795070322715
$ ood score --header no 'logits=lr=0.1,seed=2/test_logits.csv,labels=l.csv' | tail -n 1
2,1,1,0.6582720492967729,0.34172795070322715
$ ood score --header no logits=s/test | tail -n 1
2,1,0.6582720492967729,0.34172795070322715
$ ood score features=s/test
ood score: no such file: s/test_features.npy, .csv ...
? 4
$ cp m.csv s/test_logits.tsv; ood score s/test
ood score: two files for logits: s/test_logits.csv and s/test_logits.tsv (name the one that is meant: logits=FILE)
? 3
$ ood score s/tset
ood score: s/tset: no such file
? 4
$ ood score s
ood score: s: no such file: the folder holds no ROLE.EXT, as in logits.npy
? 4
$ ood score none/test
ood score: none/test: no such file
? 4
$ ood score ''
ood score: the name of a set is empty
? 2

# ROLE=WHERE: the words; what is no role.
$ printf 'x\ny\n' > i.csv; ood score --header no logit=m.csv
ood score: "logit" is not a role; did you mean logits?
? 2
$ ood score --header no logits=m.csv,id=i.csv,label=l.csv
id,label,pred,confidence,msp
x,0,0,0.7855970345892759,0.21440296541072412
y,1,1,0.6582720492967729,0.34172795070322715
$ ood score --header no logits=m.csv,ids=i.csv,labels=l.csv,groups=i.csv | tail -n 1
y,1,1,0.6582720492967729,0.34172795070322715
$ ood score logits=m.csv,logits=m.csv
ood score: logits is named twice in one set
? 2
$ ood score logits=m.csv,labels=
ood score: no file after "labels="
? 2
$ ood score logits=m.csv,lables=l.csv
ood score: "lables" is not a role (logits probs logprobs features labels pred correct ids scores confidence groups weights tokens token-logprobs top-logprobs head-weights head-bias)
? 2
$ ood score logit=m.csv
ood score: "logit" is not a role; did you mean logits?
? 2
$ ood score lables=l.csv,logits=m.csv
ood score: "lables" is not a role; did you mean labels?
? 2
$ ood score m.csv,labels=l.csv
ood score: "m.csv,labels=l.csv": give every array of a set its role, as in logits=FILE,labels=FILE
? 2
$ ood score labels=l.csv
ood score: scorer msp needs logits or probs
? 2
$ ood score logits=none.csv,labels=l.csv
ood score: none.csv: no such file
? 4
$ ood score foo=m.csv
ood score: "foo" is not a role (logits probs logprobs features labels pred correct ids scores confidence groups weights tokens token-logprobs top-logprobs head-weights head-bias)
? 2
$ ood score foo=none.csv
ood score: foo=none.csv: no such file
? 4

# :MEMBER: an NPZ member, a column, a JSON key; with a dot a path.
$ ood score tests/data/cases/h17.npz:logits | tail -n 1
3,2,0.5527973388488758,0.4472026611511241
$ ood score logits=tests/data/cases/h17.npz:logits,labels=tests/data/cases/h17.npz:labels | tail -n 1
3,2,2,0.5527973388488758,0.4472026611511241
$ ood score tests/data/cases/h17.npz:logist
ood score: tests/data/cases/h17.npz: no member "logist" (there are features float32 (3, 6), logits float32 (3, 4), labels int64 (3,))
? 3
$ ood score tests/data/cases/h17.npz:
ood score: no member after the colon in "tests/data/cases/h17.npz:"
? 2
$ ood score m.csv:nothing
ood score: m.csv: no member "nothing" (there are #1, #2, #3)
? 3
$ printf 'k,a,b\n7,1,2\n' > t.csv; ood score logits=t.csv:b --as logits | tail -n 1
1,0,1,0
ood score: warning: t.csv: one class: each row is certain of it (a sigmoid's output needs its other side as a second column)
$ ood score --columns a,b --id-column k t.csv | tail -n 1
7,1,0.7310585786300049,0.26894142136999516
$ printf '{"outputs":[{"logits":[1,2],"p":0.25}],"top":[{"v":3},{"v":5}]}\n' > j.jsonl
$ ood score 'j.jsonl:.outputs[0].logits' | tail -n 1
1,1,0.7310585786300049,0.26894142136999516
$ ood score -s maxlogit 'j.jsonl:.top[].v' | tail -n 1
1,1,0.8807970779778823,-5
$ cat j.jsonl j.jsonl | ood score -s maxlogit -- '-:.top[].v'
row,pred,confidence,maxlogit
1,1,0.8807970779778823,-5
2,1,0.8807970779778823,-5
$ printf '{"logits":[1,2]}\n' | ood score -
row,pred,confidence,msp
1,1,0.7310585786300049,0.26894142136999516
$ ood score 'j.jsonl:.outputs[1].logits'
ood score: j.jsonl[.outputs[1].logits]: no such path in the file
? 3
$ ood score 'j.jsonl:.outputs[x]'
ood score: j.jsonl: path '.outputs[x]': cannot read '[x]' (paths are like .a.b[0].c, .["odd key"], .list[].x)
? 2
$ ood score 'j.jsonl:outputs'
ood score: j.jsonl[outputs]: an object or a single value, not a list of rows (a path names what is in it: FILE:.a.b)
? 3

# One set's name: letters, digits, . _ + - and one /.
$ ood eval -q --as scores --id scores=l.csv --ood near/tin=scores=l.csv --metrics auroc -f csv | cut -d, -f 2
ood
near/tin
near/mean
$ ood eval -q --as scores --id l.csv --ood a.b_c+d-1=l.csv --metrics auroc -f csv | cut -d, -f 2
ood
a.b_c+d-1
$ ood eval -q --as scores --id l.csv --ood 'a b=l.csv'
ood eval: "a b" cannot name a set (letters, digits, . _ + - and one / are allowed), and no file has the whole name
? 2
$ ood eval -q --as scores --id l.csv --ood all=l.csv
ood eval: a set cannot be named "all": reports use it
? 2
$ ood eval -q --as scores --id l.csv --ood a/mean=l.csv
ood eval: a set cannot be named "a/mean": ...
? 2

# Ensembles and patterns are reserved.
$ ood score m.csv+l.csv
ood score: "m.csv+l.csv" joins ensemble members with '+': no scorer of members is built in yet
? 2
$ ood score 'm*.csv'
ood score: "m*.csv": * and ? in a path are reserved (let the shell expand them, or name the files one by one)
? 2
$ ood score m.csv m.csv
ood score: one SET at a time, found "m.csv" and "m.csv"
? 2

# Formats are told by content, not by name.
$ cp tests/data/cases/h01.npy wrong.csv; ood score wrong.csv | tail -n 1
5,3,0.5761924331035807,0.4238075668964193
$ cp m.csv wrong.npz; ood score wrong.npz | tail -n 1
2,1,0.6582720492967729,0.34172795070322715
$ gzip -c tests/data/cases/h17.npz > z; ood score z:logits | tail -n 1
3,2,0.5527973388488758,0.4472026611511241
$ ood score --input-format npy m.csv
ood score: m.csv: is not npy as --input-format says
? 3
$ ood score --input-format csv tests/data/cases/h01.npy
ood score: tests/data/cases/h01.npy: is npy, not csv as --input-format says
? 3
$ ood score --input-format json tests/data/cases/h34.json | tail -n 1
3,0,0.6847413528432532,0.3152586471567468

# Columns by name; reserved ones are never logits.
$ printf 'row,label,pred,image,weight,group,fold,a,b\n1,1,0,i,2,g,1,3,4\n' > r.csv; ood score r.csv
row,label,pred,confidence,msp
1,1,1,0.7310585786300049,0.26894142136999516
$ printf 'prob_a,prob_b\n.5,.5\n' | ood score -
row,pred,pred_name,confidence,msp
1,0,a,0.5,0.5
$ printf 'feat_0,logit_b,logit_a,junk\n1,2,3,text\n' | ood score -s maxlogit -
row,pred,pred_name,confidence,maxlogit
1,1,a,0.7310585786300049,-3
$ printf 'a,b,note\n1,2,text\n' | ood score -
ood score: standard input:2:3: expected a number, found "text" in a column of text (--columns names those to use)
? 3
$ printf 'logit_0,prob_0,logit_1,prob_1\n1,.5,2,.5\n' | ood score -
row,pred,confidence,msp
1,1,0.7310585786300049,0.26894142136999516
$ printf 'a,a\n1,2\n' | ood score --columns a -
ood score: standard input: the name "a" is there twice (#N takes one by position)
? 3
$ printf '0,1,2\n5,6,7\n' | ood score -
row,pred,confidence,msp
1,2,0.6652409557748218,0.33475904422517805
2,2,0.6652409557748218,0.33475904422517805
ood score: warning: standard input: line 1 is 0,1,2,... and was read as data (--header yes, if it names the columns)

# Labels: numbers, booleans, names bound by the header.
$ printf 'label,logit_x,logit_y\n1.0,1,2\ntrue,1,2\n' | ood score - | cut -d, -f 2
label
1.0
true
$ printf 'label,logit_x,logit_y\nx,1,2\nz,1,2\n' | ood score -
row,label,pred,pred_name,confidence,msp
1,x,1,y,0.7310585786300049,0.26894142136999516
2,z,1,y,0.7310585786300049,0.26894142136999516
ood score: warning: standard input: 1 label is none of the 2 classes
$ printf 'label,0,1\ncat,1,2\ndog,2,1\n' | ood score -
ood score: standard input:2:1: labels are names that no column has: cat,dog (--classes NAME,... tells the names of the 2 columns in order)
? 3
$ printf 'label,0,1\ncat,1,2\ndog,2,1\n' > n.csv; ood score --classes dog,cat n.csv
row,label,pred,pred_name,confidence,msp
1,cat,1,cat,0.7310585786300049,0.26894142136999516
2,dog,0,dog,0.7310585786300049,0.26894142136999516
ood score: warning: n.csv: line 1 mixes numbers and text and was read as the header (--header no, if it is data)
$ ood eval --id n.csv --classes dog,cat --metrics accuracy -f csv | cut -d, -f 3
accuracy
1
ood eval: warning: n.csv: line 1 mixes numbers and text and was read as the header (--header no, if it is data)
$ ood eval --id n.csv
ood eval: n.csv:2:1: labels are names that no column has: cat,dog (--classes NAME,... tells the names of the 2 columns in order)
? 3
$ printf 'label,0,1\n7,1,2\n0,2,1\n' | ood eval --id -
ood eval: standard input:2:1: label 7 is out of range: there are 2 classes, counted from 0
? 3
$ printf 'label,0,1\n0.5,1,2\n' | ood score -
ood score: standard input:2:1: label "0.5" is not an integer
? 3
