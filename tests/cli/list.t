# What ood knows. A change of a name is a change of the interface.
$ ood list scorers -f csv | cut -d, -f 1 | tr '\n' ' '
name msp msp-t maxlogit margin margin-logit entropy energy energy-w gen doctor-alpha doctor-beta rel-u openmax klm igeood logitgap mahalanobis rmd mahalanobis++ rmd++ gmm ssd knn nnguide relation norm-l1 norm-l2 maxcos vim residual nusa neco pnml she caref cadref fdbd nci gradnorm react ash-s ash-p ash-b scale vra dice lts ecod hbos \
$ ood list metrics -f csv | cut -d, -f 1 | tr '\n' ' '
name auroc auroc_lo auroc_hi aupr_ood aupr_id fpr95_ood fpr95_id detection_error fpr tpr pauroc aupr_trapz youden fbeta eer error_rate accuracy auroc_failure aurc eaurc augrc naurc risk coverage nll brier ece mce \
$ ood list rules -f csv | cut -d, -f 1 | tr '\n' ' '
name keep fpr tpr youden fbeta cost eer \
$ ood list maps -f csv | cut -d, -f 1
name
softmax
$ ood list formats -f csv | cut -d, -f 1 | tr '\n' ' '
name npy npz json jsonl csv tsv table md \
$ ood list commands -f csv | cut -d, -f 1 | tr '\n' ' '
name score fit eval threshold info convert list help version \
$ ood list -f json | grep -E '^  "(schema|scorers|metrics|maps|rules|formats|commands)"'
  "schema": "ood.list/1",
  "scorers": [
  "metrics": [
  "maps": [
  "rules": [
  "formats": [
  "commands": [
$ ood list -f json scorers | grep -cE '"(brief|formula|source)": null'
0
? 1
$ ood list -f json scorers metrics | grep -E '"name": "(msp|auroc)"'
      "name": "msp",
      "name": "auroc",
$ ood list | head -n 3 | tr -s ' '
scorers
name brief needs parameters
msp one minus the largest probability logits or probs T (1; > 0), log (0)
$ ood list scorers | head -n 4 | tr -s ' '
scorers
name brief needs parameters
msp one minus the largest probability logits or probs T (1; > 0), log (0)
msp-t msp with a fitted temperature logits force (0)
$ ood list scorer
ood list: there is no list of "scorer" (did you mean scorers?)
? 2
$ ood list scorers nothing
ood list: there is no list of "nothing" (expected scorers, metrics, maps, rules, formats or commands)
? 2
