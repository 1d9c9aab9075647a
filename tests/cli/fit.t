# Fitting: what is refused, and in which words.
$ printf 'a,b,c,label\n1,0,0,0\n0,2,1,0\n0,1,3,2\n' > numbers.csv
$ ood fit -s msp-t --train numbers.csv -o model.ood
ood fit: msp-t: T 1.81695 from 3 rows (mean negative log-likelihood 0.978744, at T 1 1.04297)
$ printf 'a,b,c,label\n1,0,0,0\n0,2,1,0\n0,1,3,3\n' > beyond.csv
$ ood fit -s msp-t --train beyond.csv -o beyond.ood
ood fit: beyond.csv: row 3: label 3, but there are 3 class scores (labels are numbers of their columns, from 0)
? 3
$ printf 'a,b,c,label\n1,0,0,0\n0,2,1,1\n' > right.csv
$ ood fit -s msp-t --train right.csv -o right.ood
ood fit: msp-t: every row is predicted right, so that no temperature is the best: fit on rows that the network has not been trained on (msp-t:force=1 keeps T all the same)
? 5
$ ls *.ood
model.ood

# Names of labels are not numbers of the rows of W until their order is given.
$ printf 'f1,f2,label\n1,2,cat\n3,-1,dog\n' > named.csv; printf '1,0\n0,1\n' > weights.csv
$ ood fit -s she --as features --head-weights weights.csv --train named.csv -o named.ood
ood fit: the labels are names, and scorer she needs their numbers among the class scores: give all names in that order (--classes NAME,NAME,...)
? 2
$ ood fit -s she --as features --head-weights weights.csv --classes dog,cat --train named.csv -o named.ood
ood fit: she: patterns of 2 classes from 2 rows that are predicted right, of 2

# Fixed parameters need no fit: W x + b with features above clip cut, by hand.
$ printf '1,2\n3,-1\n' > features.csv; printf '1,0\n0,1\n' > weights.csv
$ ood score -s react:clip=1:score=maxlogit,fdbd:norm=none --as features --head-weights weights.csv features.csv
row,pred,confidence,react:clip=1:score=maxlogit,fdbd:norm=none
1,1,0.7310585786300049,-1,-0.7071067811865475
2,0,0.9820137900379085,-1,-2.82842712474619
