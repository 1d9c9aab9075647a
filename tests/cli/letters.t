# Real data, examples/letters, against what the peers' own code gives.

# Scores of rows: pytorch-ood to 1e-12 (entropy: small values cancel there, 1e-9
# or 1e-14), OpenOOD's gen in float32 to 1e-4.
$ for s in test ood_near ood_far; do ood score -s msp,msp:T=2,maxlogit,energy,energy:T=2,entropy,gen:top=5,gen:top=16 examples/letters/$s -f npz -o $s.npz; \
>     ood convert $s.npz -f tsv | awk -v s=$s 'NR > 1 { print s "\t" NR - 1 "\t" $0 }'; done > rows.tsv
$ awk 'function off(x, y, t) { d = x - y; if (d < 0) d = -d; if (y < 0) y = -y; return d > t * y && d > 1e-14 && d > (t < 1e-6 ? 1e-12 : 0) } \
>     /^#/ || $1 == "set" { next } NR == FNR { want[$1, $2] = $0; n++; next } ($1, $2) in want { split(want[$1, $2], w); seen++; k = NF - 8; \
>     for (i = 1; i <= 8; i++) if (off($(k + i), w[2 + i], i > 6 ? 1e-4 : i == 6 ? 1e-9 : 1e-12)) print $1, $2, i, $(k + i), w[2 + i] } \
>     END { print seen " of " n " rows" }' tests/ref/letters_scores.tsv rows.tsv
40 of 40 rows

# Figures: pytorch-ood's scores judged by scikit-learn to 1e-12, OpenOOD's to 1e-5.
$ L=examples/letters; ood eval -s msp,msp:T=2,maxlogit,energy,energy:T=2,entropy,gen:top=5,gen:top=16 --id $L/test --ood $L/ood_near --ood $L/ood_far -f tsv --metrics auroc,aupr_ood,aupr_id,fpr95_ood,fpr95_id > f.tsv
$ awk -F '\t' '/^#/ || $1 == "scorer" { next } NR == FNR { want[$1, $2] = $0; n++; next } ($1, $2) in want { split(want[$1, $2], w); seen++; \
>     for (i = 3; i <= 7; i++) { d = $(i + 2) - w[i]; if (d < 0) d = -d; if (d > ($1 ~ /gen/ ? 1e-5 : 1e-12)) print $1, $2, i, $(i + 2), w[i] } } \
>     END { print seen " of " n " figures" }' tests/ref/letters_figures.tsv f.tsv
16 of 16 figures

# Operating points of msp (numpy), pROC's intervals and partial areas.
$ L=examples/letters; ood eval --id $L/test --ood $L/ood_near -f csv --metrics fpr:tpr=0.8,fpr:tpr=0.9,fpr,fpr:tpr=0.99,fpr:tpr=0.8:positive=id,fpr:tpr=0.99:positive=id,youden,fbeta,detection_error | cut -d, -f 5-13
fpr:tpr=0.8,fpr:tpr=0.9,fpr,fpr:tpr=0.99,fpr:tpr=0.8:positive=id,fpr:tpr=0.99:positive=id,youden,fbeta,detection_error
0.24533333333333332,0.405,0.5836666666666667,0.8363333333333334,0.242,0.8886666666666667,0.5609999999999999,0.7894982134534722,0.21950000000000003
$ L=examples/letters; ood eval -s msp,entropy,energy --id $L/test --ood $L/ood_near -f csv --metrics auroc_lo:ci=raw,auroc_hi:ci=raw | cut -d, -f 1,5-6
scorer,auroc_lo:ci=raw,auroc_hi:ci=raw
msp,0.8363998365346815,0.8561232745764294
entropy,0.8378462400141633,0.8574455377636145
energy,0.7841557337306923,0.8063724884915299
$ L=examples/letters; ood eval -s msp --id $L/test --ood $L/ood_near -f csv --metrics pauroc,pauroc:corrected=1,pauroc:from=0.9:to=1:axis=tpr,pauroc:from=0.9:to=1:axis=tpr:corrected=1 | cut -d, -f 5-8
pauroc,pauroc:corrected=1,pauroc:from=0.9:to=1:axis=tpr,pauroc:from=0.9:to=1:axis=tpr:corrected=1
0.03287499999999999,0.6467105263157895,0.03832877777777776,0.6754146198830409

# Selective prediction (numpy) and calibration (scikit-learn, netcal).
$ ood eval -s msp,entropy,energy --id examples/letters/test -f csv --metrics auroc_failure,aurc,eaurc,augrc,naurc,aurc:method=trapezoid,risk:coverage=0.5,risk:coverage=0.8,risk:coverage=0.9 | cut -d, -f 1-11
scorer,n,auroc_failure,aurc,eaurc,augrc,naurc,aurc:method=trapezoid,risk:coverage=0.5,risk:coverage=0.8,risk:coverage=0.9
msp,3000,0.9540429386719812,0.0021129237010001456,0.0016008797685984203,0.001910611111111111,0.051384983289741996,0.0021076459252222742,0.0006666666666666666,0.0025,0.005555555555555556
entropy,3000,0.9495642721260984,0.0022590219555003407,0.0017469780230986154,0.0020479444444444442,0.0560744399956167,0.0022537441795519673,0.0006666666666666666,0.0025,0.006296296296296296
energy,3000,0.8481166772352569,0.006560566652157398,0.006048522719755672,0.0051587222222222225,0.1941452724800065,0.006555288909825223,0.004666666666666667,0.01125,0.017407407407407406
$ ood eval --id examples/letters/test -f csv --metrics ece:bins=10,mce:bins=10 | cut -d, -f 3-4
ece:bins=10,mce:bins=10
0.005529093383307449,0.2168089088152778
$ ood eval --id examples/letters/test -f csv --table bins | cut -d, -f 4-6
n,confidence,accuracy
0,,
0,,
0,,
0,,
3,0.29265202709495369,0.33333333333333331
5,0.36768113312441919,0.59999999999999998
7,0.44168781407421781,0.5714285714285714
29,0.50368763129546013,0.51724137931034486
30,0.56670021765318113,0.53333333333333333
34,0.6341355720989027,0.5
42,0.69637317693138179,0.76190476190476186
41,0.76987228440654598,0.82926829268292679
57,0.83893707505055948,0.91228070175438591
109,0.90728005853292792,0.92660550458715596
2643,0.9943147027979965,0.99508134695421868

# A threshold from val (numpy: the score at or above which a row is flagged).
$ L=examples/letters; ood threshold --fpr 0.05 -s msp --id $L/val -o t.json; for s in test ood_near ood_far; do ood score -s msp --threshold t.json $L/$s | grep -c ',ood$'; done
142
965
573
