# Wrong usage: exit status 2, one line, nothing read, nothing written.
$ printf '1,2\n' > a.csv; printf '1,2\n' > b.csv
$ ood score
ood score: no SET given (a file, a prefix, - or ROLE=FILE; see ood score --help)
? 2
$ ood score a.csv b.csv
ood score: one SET at a time, found "a.csv" and "b.csv"
? 2
$ ood score -o
ood score: --output needs a value: --output FILE
? 2
$ ood score -o ''  a.csv
ood score: ...
? 2
$ ood score --digits 99 -f table a.csv
ood score: --digits: expected a number from 1 to 17, found "99"
? 2
$ ood score --digits 0 a.csv
ood score: --digits: expected a number from 1 to 17, found "0"
? 2
$ ood score --threads 0 a.csv
ood score: --threads: expected a number from 1 to 1024, found "0"
? 2
$ ood score -j x a.csv
ood score: --threads: expected a whole number, found "x"
? 2
$ ood score -j -1 a.csv
ood score: --threads: expected a number from 1 to 1024, found "-1"
? 2
$ ood score -j1 a.csv | wc -l
2
$ ood score --nan maybe a.csv
ood score: --nan: expected one of: error skip worst keep, found "maybe"
? 2
$ ood score --header maybe a.csv
ood score: --header: expected one of: auto yes no, found "maybe"
? 2
$ ood score --as logit a.csv
ood score: --as: "logit" is not what a matrix can hold (logits probs logprobs features scores)
? 2
$ ood score --as labels a.csv
ood score: --as: "labels" ...
? 2
$ ood score --layout xyz a.csv
ood score: --layout: "xyz" names no axes (nc chw hwc nchw nhwc)
? 2
$ ood score --input-format xml a.csv
ood score: a.csv: unknown input format "xml" (npy, npz, json, jsonl, csv, tsv)
? 2
$ ood score --delimiter '' a.csv
ood score: --delimiter "" cannot separate cells (comma, semicolon, tab, space, pipe, or one byte)
? 2
$ ood score --delimiter ab a.csv
ood score: --delimiter "ab" cannot separate cells (comma, semicolon, tab, space, pipe, or one byte)
? 2
$ ood score --decimal semicolon a.csv
ood score: --decimal "semicolon" is not point or comma
? 2
$ ood score --max-bytes 12Q a.csv
ood score: --max-bytes: expected a size such as 512M or 8G, found "12Q"
? 2
$ ood score --max-bytes -1 a.csv
ood score: --max-bytes: expected a size such as 512M or 8G, found "-1"
? 2
$ ood score --prob-tol -1 a.csv
ood score: --prob-tol: expected a number from 0 to 1, found "-1"
? 2
$ ood score --prob-tol x a.csv
ood score: --prob-tol: expected a number, found "x"
? 2
$ ood score --quiet=yes a.csv
ood score: --quiet takes no value
? 2
$ ood score --progress sometimes a.csv
ood score: --progress: expected one of: auto always never, found "sometimes"
? 2
$ ood score --columns '' a.csv
ood score: --columns: a name is empty
? 2
$ ood score --columns 0 a.csv
ood score: a.csv: --columns: no column "0" (there are #1, #2)
? 3
$ ood score --columns 2-1 a.csv
ood score: a.csv: --columns: no column "2-1" (there are #1, #2)
? 3
$ ood score --higher up a.csv
ood score: --higher: expected one of: ood id, found "up"
? 2
$ ood score -f npy -f csv a.csv | head -n 1
row,pred,confidence,msp
$ ood score -- -x.csv
ood score: -x.csv: no such file
? 4
$ ood score -s msp --nan=skip --header=no -- a.csv
row,pred,confidence,msp
1,1,0.7310585786300049,0.26894142136999516
$ ood score a.csv -s entropy
row,pred,confidence,entropy
1,1,0.7310585786300049,0.582203108888218
$ ood score -qs entropy a.csv
row,pred,confidence,entropy
1,1,0.7310585786300049,0.582203108888218
$ ood score --scorer=entropy a.csv
row,pred,confidence,entropy
1,1,0.7310585786300049,0.582203108888218
$ ood score a.csv -o a.csv
ood score: output a.csv is an input as well (write to another file)
? 2
$ ood score a.csv -o ./a.csv
ood score: output ./a.csv is an input as well (write to another file)
? 2
$ ln -s a.csv link.csv; ood score a.csv -o link.csv
ood score: output link.csv is an input as well (write to another file)
? 2
$ ln a.csv hard.csv; ood score a.csv -o hard.csv
ood score: output hard.csv is an input as well (write to another file)
? 2
$ cat a.csv
1,2
$ ood eval --id a.csv --ood b.csv --bins 0
ood eval: --bins: expected a number from 1 to 1000, found "0"
? 2
$ ood eval --id a.csv --ood b.csv --level 1
ood eval: --level: expected a number from 0.5 to 0.999999, found "1"
? 2
$ ood eval --id a.csv --ood b.csv --level 0.2
ood eval: --level: expected a number from 0.5 to 0.999999, found "0.2"
? 2
$ ood eval --id - --ood -
ood eval: ...standard input...once...
? 2
$ ood eval --id a.csv --ood b.csv --higher id
detection
scorer  ood  n_id  n_ood  auroc  auroc_lo  auroc_hi  aupr_ood  aupr_id  fpr95_ood  fpr95_id  detection_error  status     reason
msp     b       1      1    0.5  -         -              0.5      0.5          1         1              0.5  undefined  an interval needs two rows on each side
ood eval: warning: --higher has no effect: no input holds scores
ood eval: warning: b: with 1 ID and 1 OoD rows a recall of 95% is not resolvable (20 rows a side)
$ ood version extra
ood version: ...extra...
? 2
$ ood version -f csv
ood version: ...csv...
? 2
$ ls
a.csv
b.csv
examples
hard.csv
link.csv
tests
