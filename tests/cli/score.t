# Scores of the rows of a file. M6 of the specification: six rows, three classes;
# expected values from numpy in double.
$ printf '2,0.5,-1\n0.2,1.5,0.1\n-0.5,0.3,2.2\n1,1.2,-0.3\n3,0,0\n0.4,0.3,0.2\n' > m6.csv
$ ood score m6.csv
row,pred,confidence,msp
1,0,0.7855970345892759,0.21440296541072412
2,1,0.6582720492967729,0.34172795070322715
3,2,0.8218452165704931,0.1781547834295068
4,1,0.4897493230427077,0.5102506769572924
5,0,0.9094429985127419,0.09055700148725813
6,0,0.3671654011109255,0.6328345988890746
$ ood score -s msp,maxlogit,margin,margin-logit,entropy,energy m6.csv | cut -d, -f 1,4-
row,msp,maxlogit,margin,margin-logit,entropy,energy
1,0.21440296541072412,-2,0.3896933575507608,-1.5,0.6215846046792745,-2.241311296657157
2,0.34172795070322715,-1.5,0.5211280126022505,-1.3,0.8786161091185412,-1.9181369843239253
3,0.1781547834295068,-2.2,0.30107703768668287,-1.9000000000000001,0.5788833145198777,-2.3962032026659505
4,0.5102506769572924,-1.2,0.9112235090314803,-0.19999999999999996,0.9579729381486609,-1.9138616044091668
5,0.09055700148725813,-3,0.1358355022308872,-3,0.36659396088273527,-3.094922956420961
6,0.6328345988890746,-0.4,0.9650595924224219,-0.10000000000000003,1.0952872686537245,-1.4019428482292442
$ ood score -s gen,doctor-alpha,doctor-beta,logitgap m6.csv | cut -d, -f 1,4-
row,gen,doctor-alpha,doctor-beta,logitgap
1,2.381266470094495,0.5398374051673694,0.27291722851629374,-2.25
2,2.5061747590869015,1.033112007995628,0.5191287569756191,-1.35
3,2.36983179102681,0.44177380720252307,0.2167741319623848,-2.3000000000000003
4,2.5297744337227255,1.423800212237123,1.0418609132264118,-0.85
5,2.239912115801469,0.20309891407410896,0.09957413673572789,-3
6,2.5800182516129495,1.9801816762223212,1.7235681711139414,-0.15000000000000002

# Parameters go behind the name; the column is the SPEC as typed, or its NAME.
$ ood score -s energy:T=2,e2=energy:T=2,msp:T=0.5,entropy:normalize=1 m6.csv | head -n 2
row,pred,confidence,energy:T=2,e2,msp:T=0.5,entropy:normalize=1
1,0,0.7855970345892759,-3.0559514877106198,-3.0559514877106198,0.04966978830262072,0.5657906898464112
$ ood score -s energy-w:weights='[0.5,2,1]' m6.csv | head -n 3
row,pred,confidence,"energy-w:weights=[0.5,2,1]"
1,0,0.7855970345892759,-1.9960395564512636
2,1,0.6582720492967729,-2.368302647345448
$ ood score -s 'w=energy-w:weights=[0.5,2,1]' m6.csv | head -n 2
row,pred,confidence,w
1,0,0.7855970345892759,-1.9960395564512636
$ ood score -s msp,msp m6.csv
ood score: two columns are named msp (NAME=SCORER names one)
? 2
$ ood score -s msp,msp=energy m6.csv
ood score: two columns are named msp (NAME=SCORER names one)
? 2

# Probabilities: used as given; --renormalise divides by the sum.
$ printf '0.7,0.2,0.1\n0.5,0.3,0.2\n0.5,0.5,0\n' > p.csv
$ ood score --as probs -s msp,entropy,margin p.csv
row,pred,confidence,msp,entropy,margin
1,0,0.7,0.3,0.8018185525433373,0.5000000000000001
2,0,0.5,0.5,1.0296530140645734,0.8
3,0,0.5,0.5,0.6931471805599453,1
$ printf '0.7,0.2,0.05\n' > short.csv
$ ood score --as probs short.csv
ood score: short.csv:1: the probabilities sum to 0.95, not to 1 (--prob-tol allows more, --renormalise divides by the sum)
? 3
$ ood score --as probs --renormalise short.csv
row,pred,confidence,msp
1,0,0.7368421052631579,0.26315789473684215
ood score: warning: short.csv: probabilities miss the sum 1 by up to 0.05 (row 1); they are divided by the sum
$ ood score --as probs --prob-tol 0.1 short.csv
row,pred,confidence,msp
1,0,0.7,0.25000000000000006
ood score: warning: short.csv: probabilities miss the sum 1 by up to 0.05 (row 1); they are used as given
$ ood score --as probs -s energy p.csv
ood score: scorer energy needs logits; the set has probabilities (their logarithms can be given as logprobs)
? 2

# Log-probabilities are logits that sum to one.
$ printf -- '-0.35667494393873245,-1.6094379124341003,-2.302585092994046\n' > lp.csv
$ ood score --as logprobs -s msp,entropy lp.csv
row,pred,confidence,msp,entropy
1,0,0.7,0.3,0.8018185525433373

# ids, labels and class names are echoed; pred_name comes from the header.
$ printf 'id,label,logit_cat,logit_dog\na-1,dog,1,3\n007,cat,2,-1\n' > pets.csv
$ ood score pets.csv
id,label,pred,pred_name,confidence,msp
a-1,dog,1,dog,0.8807970779778823,0.11920292202211755
007,cat,0,cat,0.9525741268224334,0.04742587317756679
$ ood score --classes katze,hund pets.csv
id,label,pred,pred_name,confidence,msp
a-1,dog,1,hund,0.8807970779778823,0.11920292202211755
007,cat,0,katze,0.9525741268224334,0.04742587317756679
ood score: warning: pets.csv: 2 labels are none of the 2 classes
$ printf 'cat\ndog\n' > names; printf '1,3\n' > bare.csv; ood score --classes @names bare.csv
row,pred,pred_name,confidence,msp
1,1,dog,0.8807970779778823,0.11920292202211755
$ ood score --classes cat bare.csv
ood score: bare.csv: --classes has 1 names, but there are 2 columns of class scores
? 3
$ printf 'key,klass,a,b\n9007199254740993,01.50,1,3\n' | ood score --id-column key --label-column klass -
ood score: standard input:2:2: label "01.50" is not an integer
? 3

# Columns of a text file: names, numbers from 1, ranges.
$ printf 'x,a,b,c\n5,1,2,3\n' > wide.csv
$ ood score -s maxlogit --columns b,c wide.csv
row,pred,confidence,maxlogit
1,1,0.7310585786300049,-3
$ ood score -s maxlogit --columns 2-3 wide.csv
row,pred,confidence,maxlogit
1,1,0.7310585786300049,-2
$ ood score -s maxlogit --columns x-b wide.csv
row,pred,confidence,maxlogit
1,0,0.9362395518765058,-5
$ ood score --columns d wide.csv
ood score: wide.csv: --columns: no column "d" (there are x, a, b, c)
? 3
$ ood score --columns 2-9 wide.csv
ood score: wide.csv: --columns 2-9: there are 4 columns
? 3

# --nan: the row is refused, dropped, worst, or scored nan.
$ printf '1,2\nnan,0\n0,3\n' > holes.csv
$ ood score holes.csv
ood score: holes.csv:2:1: NaN (--nan skip drops such rows)
? 3
$ ood score --nan skip holes.csv
row,pred,confidence,msp
1,1,0.7310585786300049,0.26894142136999516
3,1,0.9525741268224334,0.04742587317756679
ood score: warning: holes.csv: 1 of 3 rows dropped (--nan skip)
$ ood score --nan worst holes.csv
row,pred,confidence,msp
1,1,0.7310585786300049,0.26894142136999516
2,,,inf
3,1,0.9525741268224334,0.04742587317756679
ood score: warning: holes.csv: 1 of 3 rows cannot be scored (--nan worst)
$ ood score --nan keep holes.csv
row,pred,confidence,msp
1,1,0.7310585786300049,0.26894142136999516
2,,,nan
3,1,0.9525741268224334,0.04742587317756679
ood score: warning: holes.csv: 1 of 3 rows cannot be scored (--nan keep)
$ ood score -q --nan skip holes.csv
row,pred,confidence,msp
1,1,0.7310585786300049,0.26894142136999516
3,1,0.9525741268224334,0.04742587317756679
$ printf 'id,x,y\na,1,2\nb,NA,0\nc,,1\n' > missing.csv
$ ood score --missing NA missing.csv
ood score: missing.csv:4:2: expected a number, found an empty cell (--missing usual --nan skip drops such rows)
? 3
$ ood score -q --missing usual --nan keep missing.csv
id,pred,confidence,msp
a,1,0.7310585786300049,0.26894142136999516
b,,,nan
c,,,nan

# Masked classes are legal, but not for differences of logits.
$ printf '1,-inf\n-inf,2\n' | ood score -s msp,entropy,energy --header no -
row,pred,confidence,msp,entropy,energy
1,0,1,0,0,-1
2,1,1,0,0,-2
$ printf '1,-inf\n-inf,2\n' | ood score -s margin-logit --header no -
ood score: standard input:1:2: scorer margin-logit needs finite logits, found -inf
? 3

# One class is told; a margin needs two.
$ printf '1\n-2\n' | ood score -s msp,entropy --header no -
row,pred,confidence,msp,entropy
1,0,1,0,0
2,0,1,0,0
ood score: warning: standard input: one class: each row is certain of it (a sigmoid's output needs its other side as a second column)
$ printf '1\n-2\n' | ood score -s margin --header no -
ood score: a margin needs two classes, found 1
? 3

# -o writes the same bytes; a pipe is as good as a file.
$ ood score -s msp,entropy -o out.csv m6.csv; ood score -s msp,entropy m6.csv | cmp - out.csv
$ cat m6.csv | ood score -s msp,entropy - | cmp - out.csv
$ ood score -s msp,entropy - < m6.csv | cmp - out.csv
$ gzip -c m6.csv | ood score -s msp,entropy - | cmp - out.csv

# Sets of several files; the ids of one go with the logits of another.
$ printf 'a\nb\nc\nd\ne\nf\n' > ids.csv; printf '0\n1\n2\n0\n1\n2\n' > labels.csv
$ ood score logits=m6.csv,labels=labels.csv | head -n 3
row,label,pred,confidence,msp
1,0,0,0.7855970345892759,0.21440296541072412
2,1,1,0.6582720492967729,0.34172795070322715
$ ood score --header no logits=m6.csv,ids=ids.csv | head -n 3
id,pred,confidence,msp
a,0,0.7855970345892759,0.21440296541072412
b,1,0.6582720492967729,0.34172795070322715

# Delimiters, decimal commas.
$ printf '1;2,5\n-1;0\n' | ood score -s maxlogit --header no --delimiter ';' --decimal comma -
row,pred,confidence,maxlogit
1,1,0.8175744761936437,-2.5
2,1,0.7310585786300049,0
$ printf '# z\n 1  2.5 \n-1 0\n' | ood score -s maxlogit --delimiter space -
row,pred,confidence,maxlogit
1,1,0.8175744761936437,-2.5
2,1,0.7310585786300049,0
$ printf '1\t2.5\n' | ood score -s maxlogit --delimiter tab -
row,pred,confidence,maxlogit
1,1,0.8175744761936437,-2.5
$ printf '1\t2.5\n' | ood score -s maxlogit --input-format tsv -
row,pred,confidence,maxlogit
1,1,0.8175744761936437,-2.5

# No scorer for what is there.
$ printf 'feature_0,feature_1\n1,2\n' > f.csv; ood score f.csv
ood score: scorer msp needs logits or probs
? 2
$ ood score --as features m6.csv
ood score: scorer msp needs logits or probs
? 2

# -0 prints 0; infinite scores are words.
$ printf '0,0\n' | ood score -s maxlogit,margin-logit --header no -
row,pred,confidence,maxlogit,margin-logit
1,0,0.5,0,0
$ printf '1,2\n' | ood score -s doctor-beta,maxlogit --header no -
row,pred,confidence,doctor-beta,maxlogit
1,1,0.7310585786300049,0.36787944117144233,-2

# Dropped rows leave every array of the set; row keeps the input's numbers.
$ printf 'p\nq\nr\n' > three.csv; printf '0\n1\n0\n' > lab.csv
$ ood score -q --header no --nan skip logits=holes.csv,ids=three.csv,labels=lab.csv
id,label,pred,confidence,msp
p,0,1,0.7310585786300049,0.26894142136999516
r,0,1,0.9525741268224334,0.04742587317756679
$ ood score -q --header no --nan skip logits=holes.csv,labels=lab.csv
row,label,pred,confidence,msp
1,0,1,0.7310585786300049,0.26894142136999516
3,0,1,0.9525741268224334,0.04742587317756679
$ ood score -q --header no --nan worst logits=holes.csv,ids=three.csv,labels=lab.csv
id,label,pred,confidence,msp
p,0,1,0.7310585786300049,0.26894142136999516
q,1,,,inf
r,0,1,0.9525741268224334,0.04742587317756679

# The header's own names in another order are a mistake, other names are not.
$ printf 'logit_a,logit_b,label\n1,2,a\n' > ab.csv; ood score --classes b,a ab.csv
ood score: --classes calls column 1 b, its header says a (leave --classes out)
? 2
# A name that promises another format, an input as an output.
$ ood score ab.csv -o ab.parquet
ood score: -o ab.parquet: such files are not written (csv, tsv, json, jsonl, npy, npz, md; -f says which under any name)
? 2
$ ood score - -o ab.csv < ab.csv
ood score: output ab.csv is an input as well (write to another file)
? 2
$ printf 'Unnamed: 0,a,b\n0,1,2\n' | ood score -
ood score: standard input:1:1: column 1 has no name, ...
? 3

# Temperatures that leave the range of doubles, gaps that would.
$ printf '0,1e302\n' | ood score --header no -s msp:T=1e302 -
ood score: scorer msp: T must be from 1e-290 to 1e290
? 2
$ printf '1.5e308,0,0\n' | ood score --header no -s logitgap - | cut -d, -f4
logitgap
-1.5e308

# gen of a row so sure that its other probabilities are no doubles: 2 exp(-80).
$ printf '800,0\n' | ood score --header no -s gen - | sed -n 's/e-35$//p' | cut -d, -f4
3.6097027756908306
$ printf 'a\nb\n' > cl.txt; ood score --classes @cl.txt -o cl.txt ab.csv
ood score: output cl.txt is an input as well (write to another file)
? 2
