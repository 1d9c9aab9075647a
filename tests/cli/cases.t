# The input cases: one file for every way to be right or wrong. Expected numbers
# come from exact arithmetic on the stored values (numpy, fractions), relative
# tolerance 1e-10 there.

# h01: the commonest file: np.save of float32 logits, C order
$ ood score -s msp,entropy,energy,maxlogit tests/data/cases/h01.npy
row,pred,confidence,msp,entropy,energy,maxlogit
1,2,0.6542936337118344,0.34570636628816565,0.6513021918169772,-6.142949047076087,-5.71875
2,0,0.9867762394140135,0.013223760585986524,0.0714347717190048,-6.146124473037971,-6.1328125
3,0,0.9996872063540059,0.00031279364599415277,0.0028955841049412997,-4.67218784257613,-4.671875
4,2,0.5841707415624678,0.41582925843753216,0.6902343038671724,-5.693811973195272,-5.15625
5,3,0.5761924331035807,0.4238075668964193,0.9862260963475719,-6.043501088831024,-5.4921875

# h02: fortran_order True: column-major body; a reader that ignores the flag transposes silently
$ ood score -s msp,entropy,energy,maxlogit tests/data/cases/h02.npy
row,pred,confidence,msp,entropy,energy,maxlogit
1,0,0.9850381972670477,0.014961802732952363,0.0777659349854842,-4.499449859610615,-4.484375
2,1,0.45756672880799554,0.5424332711920045,1.0569102081887742,5.468167450415609,6.25
3,2,0.5983064451450193,0.40169355485498065,0.6738042375266947,-4.380839706213922,-3.8671875
4,2,0.8292503317675299,0.1707496682324701,0.4629827616226215,0.4690167989263796,0.65625

# h03: float16 with its largest and smallest values
$ ood score -s msp,entropy,energy,maxlogit tests/data/cases/h03.npy
row,pred,confidence,msp,entropy,energy,maxlogit
1,0,1,0,0,-65504,-65504
2,0,0.33333335320154844,0.6666666467984516,1.0986122886681084,-1.098612288668111,-5.960464477539063e-08
3,0,0.959670656020485,0.04032934397951499,0.18949442177055337,-3.5411651200264074,-3.5

# h04: big-endian float32
$ ood score -s msp,entropy,energy,maxlogit tests/data/cases/h04.npy
row,pred,confidence,msp,entropy,energy,maxlogit
1,3,0.9081111779648176,0.09188882203518249,0.34038508393770694,-7.057325965183808,-6.9609375
2,3,0.8589028621486398,0.14109713785136022,0.4327548043608526,-1.1677244458733984,-1.015625
3,2,0.8263847533166692,0.17361524668333084,0.48214561243705034,-8.081319810866907,-7.890625

# h05: format 2.0: the header length is four bytes
$ ood score -s msp,entropy,energy,maxlogit tests/data/cases/h05.npy
row,pred,confidence,msp,entropy,energy,maxlogit
1,2,0.992389630514653,0.0076103694853469645,0.049113876833894614,-5.460764476116045,-5.453125
2,1,0.34383008392191894,0.6561699160780811,1.098365650541922,-2.0519826857257617,-0.984375

# h06: Python 2 wrote 2L; header not padded to any alignment
$ ood score -s msp,entropy,energy,maxlogit tests/data/cases/h06.npy
row,pred,confidence,msp,entropy,energy,maxlogit
1,0,0.9899865467309534,0.010013453269046553,0.05716552607840327,-4.658501425106488,-4.6484375
2,0,0.5754958903671946,0.4245041096328054,0.6831259332554707,-5.450960691823639,-4.8984375

# h07: no rows is a valid batch for scoring: header only, exit 0
$ ood score -s msp,entropy,energy,maxlogit tests/data/cases/h07.npy
row,pred,confidence,msp,entropy,energy,maxlogit

# h08: a vector is not N x C; guessing one row or six rows would both be silent errors
$ ood score -s msp,entropy,energy,maxlogit tests/data/cases/h08.npy
ood score: tests/data/cases/h08.npy: 1-d array of shape (6,) where a matrix N x C is wanted (reshape to (1, 6) if it is one row, to (6, 1) if it is one column)
? 3

# h09: body shorter than the shape claims: say both sizes
$ ood score -s msp,entropy,energy,maxlogit tests/data/cases/h09.npy
ood score: tests/data/cases/h09.npy: truncated: shape (4, 3) of '<f8' needs 96 bytes, 80 are there
? 3

# h10: bytes after the array: a damaged or mislabelled file
$ ood score -s msp,entropy,energy,maxlogit tests/data/cases/h10.npy
ood score: tests/data/cases/h10.npy: 3 bytes after the array
? 3

# h11: times 8 bytes this wraps 64 bits to exactly the 64 bytes present: unchecked arithmetic accepts it
$ ood score -s msp,entropy,energy,maxlogit tests/data/cases/h11.npy
ood score: tests/data/cases/h11.npy: shape (2305843009213693960, 1) of <f8 is too large (its size in bytes exceeds 64 bits)
? 3

# h12: a 27-byte file that asks for a 4 GiB header: must not allocate it
$ ood score -s msp,entropy,energy,maxlogit tests/data/cases/h12.npy
ood score: tests/data/cases/h12.npy: NPY header: length 4294967280 is too long (limit 65536)
? 3

# h13: object array: a pickle, never loaded; say how to re-save
$ ood score -s msp,entropy,energy,maxlogit tests/data/cases/h13.npy
ood score: tests/data/cases/h13.npy: dtype '|O': object array (a Python pickle); pickles are never loaded (save x.astype("float32"))
? 3

# h14: structured dtype
$ ood score -s msp,entropy,energy,maxlogit tests/data/cases/h14.npy
ood score: tests/data/cases/h14.npy: structured dtype with fields a, b; save one field (np.save("x.npy", a["NAME"]))
? 3

# h15: bfloat16 saved through numpy loses its name: refuse naming V2 (and say how), or read it as bfloat16 and get these
$ ood score -s msp,entropy,energy,maxlogit tests/data/cases/h15.npy
ood score: tests/data/cases/h15.npy: dtype '|V2': raw 2-byte void elements, probably bfloat16 (bfloat16 has no NumPy type; save t.float().numpy() or x.astype("float32"))
? 3

# h16: the score file OpenOOD writes: pred, conf, label with -1 for OoD
$ ood eval -q --scores scores=tests/data/cases/h16.npz:conf,labels=tests/data/cases/h16.npz:label --ood-label=-1 --higher id -f csv
scorer,ood,n_id,n_ood,auroc,auroc_lo,auroc_hi,aupr_ood,aupr_id,fpr95_ood,fpr95_id,detection_error,ci_method,level,slice,status,reason
conf,ood,24,16,0.8020833333333334,...,...,0.7670567459360563,0.8684807928649969,0.5833333333333334,0.6875,...,delong-logit,0.95,,ok,

# h17: np.savez_compressed, one member of three
$ ood score -s msp,entropy,energy,maxlogit tests/data/cases/h17.npz:logits
row,pred,confidence,msp,entropy,energy,maxlogit
1,3,0.8463788686122722,0.15362113138772776,0.4772168774675648,-6.768350684385093,-6.6015625
2,2,0.9993333326256226,0.0006666673743773408,0.005811664542926392,-3.5162918896958866,-3.515625
3,2,0.5527973388488759,0.4472026611511241,0.8367380916804178,-4.811513820489475,-4.21875

# h18: two candidates and no choice: list the members
$ ood score -s msp,entropy,energy,maxlogit tests/data/cases/h18.npz
ood score: tests/data/cases/h18.npz: it is not clear which array to take: PATH:MEMBER tells (there are train_logits float32 (4, 3), test_logits float32 (4, 3))
? 3

# h19: one flipped bit in a stored member
$ ood score -s msp,entropy,energy,maxlogit tests/data/cases/h19.npz
ood score: tests/data/cases/h19.npz[logits]: CRC mismatch: the member is corrupt (copy the file again)
? 3

# h20: some 300 bytes that claim 1 TiB: no big allocation, quick refusal
$ ood score -s msp,entropy,energy,maxlogit tests/data/cases/h20.npz
ood score: tests/data/cases/h20.npz[logits]: claims a size of 1099511627904 bytes, too large for the 83 that it is packed in
? 3

# h21: cat a.gz b.gz: both members count
$ ood score -s msp,entropy,energy,maxlogit tests/data/cases/h21.csv.gz
row,pred,confidence,msp,entropy,energy,maxlogit
1,2,0.9708680967287647,0.029131903271235302,0.15091163172130534,-4.443627162628089,-4.4140625
2,0,0.8857884363205151,0.1142115636794849,0.4007738783584798,-0.5197146420820713,-0.3984375
3,1,0.998794607674534,0.0012053923254659873,0.009624812306780632,-1.8996436193951234,-1.8984375
4,2,0.9831798784961018,0.016820121503898194,0.0863221812916702,-6.243525686261026,-6.2265625
5,2,0.9999572683773822,4.273162261778589e-05,0.0004763918445878632,-7.73441773253564,-7.734375
6,0,0.9999757362477234,2.4263752276617896e-05,0.0002830285968256176,-7.718774264046647,-7.71875

# h22: an interrupted download; zlib hands over the first rows without an error
$ head -c 300 tests/data/cases/h22.csv.gz > cut.csv.gz; ood score cut.csv.gz
ood score: cut.csv.gz: truncated gzip data: the file ends inside a member (after 300 bytes)
? 3

# h23: id and label beside the logits, a quoted comma in a label
$ ood score -s msp,entropy,energy,maxlogit --id-column id --columns logit_0,logit_1,logit_2 tests/data/cases/h23.csv
id,label,pred,confidence,msp,entropy,energy,maxlogit
img0,dog,1,0.8118154443582101,0.1881845556417899,0.571331926039155,3.2837052500731887,3.4921875
img1,"cat, big",0,0.9967877533253028,0.0032122466746972293,0.021742327787263763,-4.1829049170142865,-4.1796875
img2,dog,2,0.9942030096282095,0.005796990371790518,0.039173837841144116,-4.552688858140259,-4.546875
img3,dog,2,0.986110558304189,0.013889441695810977,0.07347461816823829,-4.131174302567832,-4.1171875

# h24: DataFrame.to_csv without index=False: row numbers must not become logits
$ ood score -s msp,entropy,energy,maxlogit tests/data/cases/h24.csv
ood score: tests/data/cases/h24.csv:1:1: column 1 has no name, as when row numbers are saved (--id-column '#1' takes it as ids; pandas leaves it out with index=False)
? 3

# h25: Excel: byte-order mark glued to the first name, CRLF ends
$ ood score -s msp,entropy,energy,maxlogit --columns logit_0,logit_1 tests/data/cases/h25.csv
row,pred,confidence,msp,entropy,energy,maxlogit
1,0,0.7476159547235899,0.2523840452764101,0.5649391615389939,-5.915865862371643,-5.625
2,0,0.9155072460249908,0.08449275397500926,0.2896073904020177,1.442972999929059,1.53125
3,0,0.9937100978631075,0.006289902136892483,0.03815239648149892,-5.670372266913481,-5.6640625

# h26: a European spreadsheet, asked for as such; the locale of the process changes nothing
$ LC_ALL=de_DE.UTF-8 ood score -s msp,entropy,energy,maxlogit --delimiter semicolon --decimal comma tests/data/cases/h26.csv
row,pred,confidence,msp,entropy,energy,maxlogit
1,1,0.9955409819800374,0.004459018019962575,0.030243362105922517,-0.5591564890926493,-0.5546875
2,0,0.9741068061027228,0.02589319389727718,0.12478480252075135,-0.07310932416185827,-0.046875
3,0,0.7562947748410681,0.24370522515893195,0.556059198459322,-3.5371365649883035,-3.2578125

# h27: a short row: line, expected count, found count
$ ood score -s msp,entropy,energy,maxlogit tests/data/cases/h27.csv
ood score: tests/data/cases/h27.csv:4: expected 3 fields as in line 1, found 2
? 3

# h28: R and pandas write NA; blank lines are skipped but still counted
$ ood score -s msp,entropy,energy,maxlogit --header no tests/data/cases/h28.csv
ood score: tests/data/cases/h28.csv:6:2: expected a number, found "NA" (--missing NA --nan skip drops such rows)
? 3

# h29: plain decimal in all its spellings, spaces around it, underflow to zero, more than 64 digits
$ ood score -s msp,entropy,energy,maxlogit --header no tests/data/cases/h29.csv | sed 's/e-/ e-/g'
row,pred,confidence,msp,entropy,energy,maxlogit
1,3,1,5.749138199356992 e-42,5.527767965503236 e-40,-100,-100
2,0,0.8700485065614078,0.1299514934385922,0.5290607945352331,-3.1392063142194564,-3
3,1,1,0,0,-1e+22,-1e+22

# h30: out of range for a double: not silently infinite
$ ood score -s msp,entropy,energy,maxlogit --header no tests/data/cases/h30.csv
ood score: tests/data/cases/h30.csv:2:1: "1e400" is larger than a double can hold
? 3

# h31: a NUL inside a cell: C string code would read 4
$ ood score -s msp,entropy,energy,maxlogit --header no tests/data/cases/h31.csv
ood score: tests/data/cases/h31.csv:2:2: NUL byte in a cell (binary data, or UTF-16: re-save as UTF-8)
? 3

# h32: an unclosed quote swallows the rest; name the line where it opened
$ ood score -s msp,entropy,energy,maxlogit --id-column id --columns a,b tests/data/cases/h32.csv
ood score: tests/data/cases/h32.csv:3:1: quote opened here is never closed
? 3

# h33: one line of 2,500 values, 14 KB
$ ood score -s msp,entropy,energy,maxlogit --header no tests/data/cases/h33.csv
row,pred,confidence,msp,entropy,energy,maxlogit
1,83,0.006231132998136681,0.9937688670018633,6.049246760569688,-13.015697101058423,-7.9375

# h34: json.dumps of a list of lists, indented
$ ood score -s msp,entropy,energy,maxlogit tests/data/cases/h34.json
row,pred,confidence,msp,entropy,energy,maxlogit
1,0,0.999486913499024,0.0005130865009760462,0.0044117572221491885,-5.789575718174897,-5.7890625
2,0,0.9819938664178258,0.018006133582174174,0.09271593603973857,-7.971295216657539,-7.953125
3,0,0.6847413528432532,0.3152586471567468,0.6455562995224169,-1.6755890991140079,-1.296875

# h35: integer ids above 2**53 come back digit for digit
$ ood score -s msp,entropy,energy,maxlogit --id-column id tests/data/cases/h35.ndjson:logits
id,pred,confidence,msp,entropy,energy,maxlogit
9007199254740993,1,0.9999109695648242,8.903043517585667e-05,0.0009450275740525152,-4.59383903439862,-4.59375
9007199254740992,1,0.9879589877053601,0.012041012294639917,0.06646106468846627,-4.137114092515526,-4.125
-9007199254740993,1,0.9960213284134669,0.003978671586533095,0.025980683315312492,-5.230549107557071,-5.2265625

# h36: Python writes -Infinity; masked classes are legal logits
$ ood score -s msp,entropy,energy,maxlogit tests/data/cases/h36.json:logits
row,pred,confidence,msp,entropy,energy,maxlogit
1,2,0.8175744761936437,0.18242552380635635,0.4750515636922869,-2.7014132779827524,-2.5
2,1,1,0,0,3,3

# h37: DataFrame.to_json(orient='records')
$ ood score -s msp,entropy,energy,maxlogit --columns c0,c1 tests/data/cases/h37.json
row,pred,confidence,msp,entropy,energy,maxlogit
1,1,0.5117166047041654,0.48828339529583464,0.6928725977755359,-1.2793593136210437,-0.609375
2,0,0.9706877692486436,0.02931223075135632,0.1323432259023677,-3.3969379182726205,-3.3671875
3,0,0.9999952890911695,4.710908830437064e-06,6.249316105013254e-05,-7.734379710919927,-7.734375

# h38: 2,000 levels: a message, not a stack overflow
$ ood score -s msp,entropy,energy,maxlogit tests/data/cases/h38.json
ood score: tests/data/cases/h38.json:1:65: nested deeper than 64 levels
? 3

# h39: cJSON_Parse stops after the first value and says nothing
$ ood score -s msp,entropy,energy,maxlogit tests/data/cases/h39.json
ood score: tests/data/cases/h39.json:2:10: unexpected text after the value
? 3

# h40: rows of different length
$ ood score -s msp,entropy,energy,maxlogit tests/data/cases/h40.json
ood score: tests/data/cases/h40.json: row 2: 1 value in the row, expected 4 as in the first
? 3

# h41: pandas writes NaN, inf and -inf all as null: the value is gone, refuse
$ ood score -s msp,entropy,energy,maxlogit --columns c0,c1 tests/data/cases/h41.json
ood score: tests/data/cases/h41.json: row 2, column 1: c0: expected a number, found null (--missing null reads it as NaN)
? 3

# h42: huge, equal, subnormal; row 5: 1 - msp is 5.7e-20, lost if computed as 1 - 1.0
$ ood score -s msp,entropy,energy,maxlogit --header no tests/data/cases/h42.csv | sed 's/e-/ e-/g'
row,pred,confidence,msp,entropy,energy,maxlogit
1,0,1,0,0,-1e+30,-1e+30
2,0,0.3333333333333333,0.6666666666666666,1.0986122886681098,-3.0986122886681096,-2
3,2,1,0,0,0,0
4,0,0.3333333333333333,0.6666666666666666,1.0986122886681098,-1.0986122886681098,-5 e-324
5,0,1,5.725037161098787 e-20,2.6335170941054423 e-18,-45,-45
6,0,1,9.85967654375977 e-305,6.911633257175599 e-302,-700,-700
7,2,0.36716540111092544,0.6328345988890746,1.0952872686537243,-1.301942848229244,-0.3
8,2,0.7306791292026887,0.2693208707973112,0.7254041959777898,998.6862191366628,999

# h43: no class has any weight: softmax is 0/0, never report NaN or 1/3
$ ood score -s msp,entropy,energy,maxlogit --header no tests/data/cases/h43.csv
ood score: tests/data/cases/h43.csv:2: all values are -inf: no class has any weight (--nan skip drops such rows)
? 3

# h44: float16 overflowed: the ranking among such rows is lost, so refuse by default
$ ood score -s msp,entropy,energy,maxlogit tests/data/cases/h44.npy
ood score: tests/data/cases/h44.npy: row 2, column 3: inf, as after an overflow of half floats (--nan skip drops such rows)
? 3

# h45: a vocabulary-sized class count, written at test time
$ awk 'BEGIN { for (q = 0; q < 2; q++) for (c = 0; c < 50000; c++) \
>     printf "%.6f%s", ((c * 7919 + q * 104729) % (2000 + 37 * q) - 1000) / 64, c < 49999 ? "," : "\n" }' | \
>     ood score -s msp,entropy,energy,maxlogit --header no -
row,pred,confidence,msp,entropy,energy,maxlogit
1,321,0.0006201425197836804,0.9993798574802163,8.377769080690962,-22.9949362357225,-15.609375
2,1080,0.000631602623866832,0.9993683973761331,8.359509917112499,-23.554750121274076,-16.1875

# h46: probabilities with zeros: 0 log 0 is 0
$ ood score --as probs -s entropy --header no tests/data/cases/h46.csv
row,pred,confidence,entropy
1,0,0.5,1.0397207708399179
2,0,1,0
3,2,0.5,0.9743147528693494
4,0,0.3333333333333333,1.0986122886681098

# h47: percentages given as probabilities
$ ood score --as probs -s entropy --header no tests/data/cases/h47.csv
ood score: tests/data/cases/h47.csv:1:1: 70 is not a probability, which is from 0 to 1 (--as logits if these are logits)
? 3

# h48: five rows, four labels: name both files and both counts
$ ood eval --id logits=tests/data/cases/h48_logits.npy,labels=tests/data/cases/h48_labels.csv -f csv --header no --bins 15
ood eval: tests/data/cases/h48_logits.npy: 5 rows, but tests/data/cases/h48_labels.csv has 4; the arrays of a set go row by row
? 3

# h49: scores and labels in two files; -1 marks OoD, other integers are classes
$ ood eval -q --scores scores=tests/data/cases/h49_scores.csv,labels=tests/data/cases/h49_labels.csv --ood-label=-1 --higher id -f csv
scorer,ood,n_id,n_ood,auroc,auroc_lo,auroc_hi,aupr_ood,aupr_id,fpr95_ood,fpr95_id,detection_error,ci_method,level,slice,status,reason
score,ood,18,12,0.5601851851851852,...,...,0.49632452171151864,0.6983211209623094,0.8333333333333334,1,...,delong-logit,0.95,,ok,

# h50: every score tied across the classes: AUROC 0.5; FPR95 is 0.95, though scikit-learn's default roc_curve thins the points and answers 1.0
$ ood eval -q --scores scores=tests/data/cases/h50_scores.csv,labels=tests/data/cases/h50_labels.csv --ood-label=-1 --higher id -f csv
scorer,ood,n_id,n_ood,auroc,auroc_lo,auroc_hi,aupr_ood,aupr_id,fpr95_ood,fpr95_id,detection_error,ci_method,level,slice,status,reason
score,ood,20,20,0.5,...,...,0.5,0.5,0.95,0.95,...,delong-logit,0.95,,ok,

# h52: AUROC needs both kinds of rows; 0.0, 0.5 or NaN with exit 0 would all pass a gate wrongly
$ ood eval -q --scores scores=tests/data/cases/h52_scores.csv,labels=tests/data/cases/h52_labels.csv --ood-label=-1 --higher id -f csv
ood eval: tests/data/cases/h52_labels.csv: no in-distribution rows: detection figures are undefined for one class only (--allow-undefined reports them as null)
? 3

# h54: confidence exactly 1.0 belongs to the last bin, wrong or right
$ ood eval --id probs=tests/data/cases/h54_probs.npy,labels=tests/data/cases/h54_labels.npy -f csv --bins 15
scorer,n,accuracy,auroc_failure,aurc,eaurc,augrc,nll,brier,ece,mce,slice,status,reason
msp,6,0.6666666666666666,...,...,...,...,...,...,0.3385416666666667,0.59375,...,...,...

# h60: a PyTorch file is a ZIP with a pickle in it: say so, and say to save with numpy
$ ood score -s msp,entropy,energy,maxlogit tests/data/cases/h60.pt
ood score: tests/data/cases/h60.pt: PyTorch file: loading it may run code, so it is not read (in Python: np.save("logits.npy", t.float().cpu().numpy()))
? 3

# h61: read it (these numbers) or refuse it by name
$ ood score -s msp,entropy,energy,maxlogit tests/data/cases/h61.safetensors
ood score: tests/data/cases/h61.safetensors: safetensors file: not read (in Python: np.save("logits.npy", load_file(F)["logits"].float().cpu().numpy()))
? 3

# h62: a zero-byte file is a failed step upstream, never a clean run
$ ood score -s msp,entropy,energy,maxlogit tests/data/cases/h62.csv
ood score: tests/data/cases/h62.csv: is empty
? 3

# h63: a missing file with spaces in its name
$ ood score -s msp,entropy,energy,maxlogit 'tests/data/cases/h63 a b.npy'
ood score: tests/data/cases/h63 a b.npy: no such file
? 4

# h64: NPY through a pipe: nothing may seek
$ cat tests/data/cases/h64.npy | ood score -s msp,entropy,energy,maxlogit -
row,pred,confidence,msp,entropy,energy,maxlogit
1,2,0.8558244269842249,0.14417557301577508,0.4127661937840894,-6.858815032541342,-6.703125
2,1,0.4062502649782643,0.5937497350217358,1.0606889079032082,4.216401606915786,5.1171875
3,0,0.9336703583671435,0.06632964163285653,0.2740420354840432,-0.8498818384167234,-0.78125
