# What a file holds, as the tool sees it.
$ ood info tests/data/cases/h01.npy
path: tests/data/cases/h01.npy
format: npy

arrays
member  name  dtype    size
     1  -     float32  (5, 4)

roles
role    path                      format  dtype    size
logits  tests/data/cases/h01.npy  npy     float32  (5, 4)

rows: 5
classes: 4
$ ood info tests/data/cases/h02.npy -f json | sed -n '/"members"/,$p'
  "members": [
    {
      "member": 1,
      "name": null,
      "dtype": "float64",
      "size": "(4, 3)"
    }
  ],
  "roles": [
    {
      "role": "logits",
      "path": "tests/data/cases/h02.npy",
      "format": "npy",
      "dtype": "float64",
      "size": "(4, 3)"
    }
  ],
  "rows": 4,
  "classes": 3,
  "problem": null
}
$ ood info tests/data/cases/h17.npz
path: tests/data/cases/h17.npz
format: npz

arrays
member  name      dtype    size
     1  features  float32  (3, 6)
     2  logits    float32  (3, 4)
     3  labels    int64    (3,)

roles
role      path                      format  dtype    size
features  tests/data/cases/h17.npz  npz     float32  (3, 6)
logits    tests/data/cases/h17.npz  npz     float32  (3, 4)
labels    tests/data/cases/h17.npz  npz     int64    (3,)

rows: 3
classes: 4

labels
label  rows
0         1
1         1
2         1
$ ood info tests/data/cases/h16.npz
path: tests/data/cases/h16.npz
format: npz

arrays
member  name   dtype    size
     1  pred   int64    (40,)
     2  conf   float32  (40,)
     3  label  int64    (40,)

roles
role    path                      format  dtype    size
pred    tests/data/cases/h16.npz  npz     int64    (40,)
scores  tests/data/cases/h16.npz  npz     float32  (40,)
labels  tests/data/cases/h16.npz  npz     int64    (40,)

rows: 40

labels
label  rows
-1       16
0         3
1         3
2         3
3         3
4         2
5         2
6         2
7         2
8         2
9         2
$ ood info tests/data/cases/h18.npz
path: tests/data/cases/h18.npz
format: npz

arrays
member  name          dtype    size
     1  train_logits  float32  (4, 3)
     2  test_logits   float32  (4, 3)

problem: tests/data/cases/h18.npz: it is not clear which array to take: PATH:MEMBER tells (there are train_logits float32 (4, 3), test_logits float32 (4, 3))
$ printf 'id,label,logit_cat,logit_dog\na-1,dog,1,3\nb,cat,2,-1\nc,cat,2,-1\n' > pets.csv
$ ood info pets.csv
path: pets.csv
format: csv

columns
member  name       dtype   size
     1  id         text    (?,)
     2  label      text    (?,)
     3  logit_cat  number  (?,)
     4  logit_dog  number  (?,)

roles
role    path      format  dtype  size
ids     pets.csv  csv     text   (3,)
labels  pets.csv  csv     text   (3,)
logits  pets.csv  csv     text   (3, 2)

rows: 3
classes: 2

labels
label  rows
cat       2
dog       1
$ ood info < pets.csv -
path: -
format: csv

columns
member  name       dtype   size
     1  id         text    (?,)
     2  label      text    (?,)
     3  logit_cat  number  (?,)
     4  logit_dog  number  (?,)

roles
role    path  format  dtype  size
ids     -     csv     text   (3,)
labels  -     csv     text   (3,)
logits  -     csv     text   (3, 2)

rows: 3
classes: 2

labels
label  rows
cat       2
dog       1
$ ood info tests/data/cases/h35.ndjson
path: tests/data/cases/h35.ndjson
format: jsonl

columns
member  name    dtype   size
     1  id      number  (?,)
     2  logits  number  (?, 3)
     3  label   number  (?,)

roles
role    path                         format  dtype  size
ids     tests/data/cases/h35.ndjson  jsonl   text   (3,)
logits  tests/data/cases/h35.ndjson  jsonl   text   (3, 3)
labels  tests/data/cases/h35.ndjson  jsonl   text   (3,)

rows: 3
classes: 3

labels
label  rows
0         1
1         1
2         1
$ ood info tests/data/cases/h34.json
path: tests/data/cases/h34.json
format: json

arrays
member  name  dtype   size
     1  -     number  (?, 3)

roles
role    path                       format  dtype  size
logits  tests/data/cases/h34.json  json    text   (3, 3)

rows: 3
classes: 3
$ ood info tests/data/cases/h21.csv.gz
path: tests/data/cases/h21.csv.gz
format: csv
compression: gzip

columns
member  name  dtype   size
     1  #1    number  (?,)
     2  #2    number  (?,)
     3  #3    number  (?,)

roles
role    path                         format  dtype  size
logits  tests/data/cases/h21.csv.gz  csv     text   (6, 3)

rows: 6
classes: 3

# The first thing that would be refused is told; that is no fault of info.
$ ood info tests/data/cases/h28.csv | sed -n '/^rows/,$p'
rows: -
classes: 3
problem: tests/data/cases/h28.csv:6:2: expected a number, found "NA" (--missing NA --nan skip drops such rows)
$ ood info tests/data/cases/h27.csv | sed -n '/^rows/,$p'
rows: -
classes: 3
problem: tests/data/cases/h27.csv:4: expected 3 fields as in line 1, found 2
$ ood info tests/data/cases/h43.csv | sed -n '/^rows/,$p'
rows: -
classes: 3
problem: tests/data/cases/h43.csv:2: all values are -inf: no class has any weight (--nan skip drops such rows)
$ ood info tests/data/cases/h44.npy -f json | grep -E '"(rows|problem)"'
  "rows": null,
  "problem": "tests/data/cases/h44.npy: row 2, column 3: inf, as after an overflow of half floats (--nan skip drops such rows)"
$ ood info tests/data/cases/h13.npy
ood info: tests/data/cases/h13.npy: dtype '|O': object array (a Python pickle); pickles are never loaded (save x.astype("float32"))
? 3
$ ood info tests/data/cases/h60.pt
ood info: tests/data/cases/h60.pt: PyTorch file: loading it may run code, so it is not read (in Python: np.save("logits.npy", t.float().cpu().numpy()))
? 3
$ ood info tests/data/cases/h62.csv
ood info: tests/data/cases/h62.csv: is empty
? 3
$ ood info none.csv
ood info: none.csv: no such file
? 4

# A prefix lists the files taken.
$ ood info examples/letters/test
path: examples/letters/test

roles
role      path                                   format  dtype    size
logits    examples/letters/test_logits.npy.gz    npy     float32  (3000, 16)
features  examples/letters/test_features.npy.gz  npy     float32  (3000, 64)
labels    examples/letters/test_labels.npy.gz    npy     int64    (3000,)

rows: 3000
classes: 16

labels
label  rows
0       179
1       202
2       178
3       197
4       193
5       181
6       170
7       209
8       184
9       170
10      193
11      204
12      188
13      193
14      190
15      169
$ mkdir d; cp tests/data/cases/h01.npy d/logits.npy; printf '0\n1\n2\n0\n1\n' > d/labels.csv; ood info d/
path: d/

roles
role    path          format  dtype    size
logits  d/logits.npy  npy     float32  (5, 4)
labels  d/labels.csv  csv     text     (5,)

rows: 5
classes: 4

labels
label  rows
0         2
1         2
2         1
$ ood info
ood info: expected one file or SET (ood info FILE)
? 2
$ ood info a b
ood info: expected one file or SET (ood info FILE)
? 2

# Standard input is read once, and shown as the file would be; gzip is told.
$ printf 'logit_0,logit_1\n1,2\n' > in.csv; ood info in.csv | sed 's/in.csv/-/' | tr -s ' ' > a; ood info - < in.csv | tr -s ' ' | cmp - a
$ gzip < in.csv | ood info - | head -n 3
path: -
format: csv
compression: gzip
$ gzip < in.csv | ood info -f json - | grep compression
  "compression": "gzip",
$ ood info -f json in.csv | grep compression
  "compression": null,
