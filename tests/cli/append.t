# --append: records keep their bytes, order and unknown fields.
$ printf '{"id":"r1", "x":1.50,"logits":[2,0.5,-1] }\n\n{"logits":[0.1,0.2,0.1],"id":"\\u00e9"}\n' > r.jsonl
$ ood score -s msp --append r.jsonl
{"id":"r1", "x":1.50,"logits":[2,0.5,-1] ,"ood":{"pred":0,"confidence":0.7855970345892759,"msp":0.21440296541072412}}
{"logits":[0.1,0.2,0.1],"id":"\u00e9","ood":{"pred":1,"confidence":0.3559130712072203,"msp":0.6440869287927797}}
$ ood score -s msp,energy --append=scores r.jsonl
{"id":"r1", "x":1.50,"logits":[2,0.5,-1] ,"scores":{"pred":0,"confidence":0.7855970345892759,"msp":0.21440296541072412,"energy":-2.241311296657157}}
{"logits":[0.1,0.2,0.1],"id":"\u00e9","scores":{"pred":1,"confidence":0.3559130712072203,"msp":0.6440869287927797,"energy":-1.2330687599495758}}
$ ood score -s msp --append - < r.jsonl
{"id":"r1", "x":1.50,"logits":[2,0.5,-1] ,"ood":{"pred":0,"confidence":0.7855970345892759,"msp":0.21440296541072412}}
{"logits":[0.1,0.2,0.1],"id":"\u00e9","ood":{"pred":1,"confidence":0.3559130712072203,"msp":0.6440869287927797}}
$ ood score -s msp --threshold 0.5 --append r.jsonl
{"id":"r1", "x":1.50,"logits":[2,0.5,-1] ,"ood":{"pred":0,"confidence":0.7855970345892759,"msp":0.21440296541072412,"decision":"id"}}
{"logits":[0.1,0.2,0.1],"id":"\u00e9","ood":{"pred":1,"confidence":0.3559130712072203,"msp":0.6440869287927797,"decision":"ood"}}

# Twice needs another key.
$ ood score --append r.jsonl | ood score --append -
ood score: standard input:1: the record has a key "ood" already (--append=KEY takes another)
? 3
$ ood score --append r.jsonl | ood score -s energy --append=ood2 - | tail -n 1
{"logits":[0.1,0.2,0.1],"id":"\u00e9","ood":{"pred":1,"confidence":0.3559130712072203,"msp":0.6440869287927797},"ood2":{"pred":1,"confidence":0.3559130712072203,"energy":-1.2330687599495758}}
$ printf '{"logits":[1,2],"\\u006fod":1}\n' | ood score --append -
ood score: standard input:1: the record has a key "ood" already (--append=KEY takes another)
? 3

# CSV: columns KEY_NAME behind the others; cells keep their quotes.
$ printf 'id,logit_a,logit_b,note\n"x",1.50,+2,"a ""b"""\ny, 3 ,1e0,\n' > r.csv
$ ood score --append r.csv
id,logit_a,logit_b,note,ood_pred,ood_pred_name,ood_confidence,ood_msp
"x",1.50,+2,"a ""b""",1,b,0.6224593312018546,0.37754066879814546
y, 3 ,1e0,,0,a,0.8807970779778823,0.11920292202211755
$ ood score --append=k -s msp,energy:T=2 r.csv
id,logit_a,logit_b,note,k_pred,k_pred_name,k_confidence,k_msp,k_energy:T=2
"x",1.50,+2,"a ""b""",1,b,0.6224593312018546,0.37754066879814546,-3.1518788397576873
y, 3 ,1e0,,0,a,0.8807970779778823,0.11920292202211755,-3.6265233750364456
$ ood score --append=k -s 'w=energy-w:weights=[1,2],energy-w:weights=[1,3]' r.csv
id,logit_a,logit_b,note,k_pred,k_pred_name,k_confidence,k_w,"k_energy-w:weights=[1,3]"
"x",1.50,+2,"a ""b""",1,b,0.6224593312018546,-2.9580200879470335,-3.282746274162841
y, 3 ,1e0,,0,a,0.8807970779778823,-3.2395447662218846,-3.340752953913131
$ ood score --append r.csv | ood score --append -
ood score: standard input...: there is a column that begins with ood_ already (--append=KEY takes another)
? 3
$ printf 'id;logit_a;logit_b\r\nx;1,5;2\r\n' | ood score --delimiter ';' --decimal comma --append - | sed 's/\r$/(CR)/'
id;logit_a;logit_b;ood_pred;ood_pred_name;ood_confidence;ood_msp(CR)
x;1,5;2;1;b;0,6224593312018546;0,37754066879814546(CR)
$ printf 'id\tlogit_a\tlogit_b\nx\t1.5\t2\n' | ood score --delimiter tab --append -
id	logit_a	logit_b	ood_pred	ood_pred_name	ood_confidence	ood_msp
x	1.5	2	1	b	0.6224593312018546	0.37754066879814546
$ printf '1.5,2\n3,1\n' | ood score --header no --append -
1.5,2,1,0.6224593312018546,0.37754066879814546
3,1,0,0.8807970779778823,0.11920292202211755
$ printf '\357\273\277id,logit_a,logit_b\nx,1,2\n' | ood score --append - | head -c 8 | od -An -c
 357 273 277   i   d   ,   l   o
$ printf 'logit_a,logit_b\n1,2' | ood score --append -
logit_a,logit_b,ood_pred,ood_pred_name,ood_confidence,ood_msp
1,2,1,b,0.7310585786300049,0.26894142136999516

# Rows that cannot be scored.
$ printf '{"logits":[1,NaN]}\n{"logits":[1,2]}\n' > n.jsonl
$ ood score --append n.jsonl
ood score: n.jsonl:1:2: NaN (--nan skip drops such rows)
? 3
$ ood score --append --nan keep -q n.jsonl
{"logits":[1,NaN],"ood":{"msp":"nan"}}
{"logits":[1,2],"ood":{"pred":1,"confidence":0.7310585786300049,"msp":0.26894142136999516}}
$ ood score --append --nan worst -q n.jsonl
{"logits":[1,NaN],"ood":{"msp":"inf"}}
{"logits":[1,2],"ood":{"pred":1,"confidence":0.7310585786300049,"msp":0.26894142136999516}}
$ ood score --append --nan skip -q n.jsonl
{"logits":[1,2],"ood":{"pred":1,"confidence":0.7310585786300049,"msp":0.26894142136999516}}
$ printf 'a,b\n1,nan\n' | ood score --append --nan keep -q -
a,b,ood_pred,ood_confidence,ood_msp
1,nan,,,nan

# What cannot be a filter.
$ ood score --append tests/data/cases/h01.npy
ood score: --append is for JSON Lines and CSV, found npy
? 2
$ ood score --append tests/data/cases/h34.json
ood score: --append is for JSON Lines and CSV, found json
? 2
$ printf '[1,2]\n[2,1]\n' | ood score --append -
ood score: standard input:1: --append needs objects, found a bare value (one object with a key logits a line)
? 3
$ ood score --append -f npy r.jsonl
ood score: --append keeps the input's format: -f does not go with it
? 2
$ ood score --append= r.jsonl
ood score: --append= needs a KEY
? 2
$ cp r.jsonl same.jsonl; ood score --append same.jsonl -o same.jsonl
ood score: output same.jsonl is an input as well (write to another file)
? 2
$ cmp r.jsonl same.jsonl
$ printf '{"logits":[1,2]}\n{"logits":[1,2,3]}\n' | ood score --append -
ood score: standard input:2: logits: 3 values in the row, expected 2 as in the first
? 3

# -o, and gzip in front.
$ ood score --append r.jsonl -o out.jsonl; ood score --append r.jsonl | cmp - out.jsonl
$ gzip -c r.jsonl | ood score --append - | cmp - out.jsonl
$ ood score --append logits=r.jsonl:logits | cmp - out.jsonl
$ ood score --append r.jsonl:.logits | cmp - out.jsonl

# The delimiter is the input's, by whichever name it was typed.
$ printf 'logit_0|logit_1\n1|2\n' | ood score --append --delimiter pipe -
logit_0|logit_1|ood_pred|ood_confidence|ood_msp
1|2|1|0.7310585786300049|0.26894142136999516
$ printf 'logit_0;logit_1\n1,5;2\n' | ood score --append --delimiter ';' --decimal comma -s maxlogit -
logit_0;logit_1;ood_pred;ood_confidence;ood_maxlogit
1,5;2;1;0,6224593312018546;-2
