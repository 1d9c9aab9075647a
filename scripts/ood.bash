# Completion of ood for bash. Words come from the binary's own tables:
# commands from `ood help`, options from `ood help --names COMMAND`, scorers
# from `ood list`.
_ood() {
	local word=${COMP_WORDS[COMP_CWORD]} previous=${COMP_WORDS[COMP_CWORD - 1]}
	local command=${COMP_WORDS[1]} words=

	if [ "$COMP_CWORD" -eq 1 ]; then
		words=$(ood list -f csv commands 2>/dev/null | sed -e 1d -e 's/,.*//')
	elif [ "$previous" = -s ] || [ "$previous" = --scorer ]; then
		words=$(ood list -f csv scorers 2>/dev/null | sed -e 1d -e 's/,.*//')
	elif [ "${word#-}" != "$word" ]; then
		words=$(ood help --names "$command" 2>/dev/null)
	fi
	if [ -n "$words" ]; then
		mapfile -t COMPREPLY < <(compgen -W "$words" -- "$word")
	else
		mapfile -t COMPREPLY < <(compgen -f -- "$word")
	fi
}
complete -o filenames -F _ood ood
