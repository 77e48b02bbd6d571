# What aish adds to the user's bash: a report at every prompt, and a way to be handed a line.
#
# aish fills in what stands between two @: UP and DOWN (two FIFOs in a private directory), MARK (a
# random word that opens every record), AISH (its process id), HERE (that directory), RC and CWD.
# The descriptors are opened here, for a moment, and never seen by a command; always for reading and
# writing, so that opening does not block when aish is gone.
# Everything is a builtin and nothing forks, except where a note says so.

__aish_seq=0
__aish_expecting=
__aish_lost=

# At every primary prompt: say how the last command ended, then wait until aish has saved the keys
# that were typed ahead; bash would otherwise run them unseen.
__aish_prompt() {
    __aish_ended=($? "${PIPESTATUS[@]}")
    # Ctrl-C at the prompt comes here too, and then $_ is of these functions.
    [[ -n $__aish_expecting ]] || __aish_last=$1
    __aish_enable
    local status=${__aish_ended[0]} pipe=("${__aish_ended[@]:1}") flags=$-
    __aish_arm
    builtin unset -v HISTFILE # the history file belongs to aish's own editor
    # Without echo, readline still prints the prompt; ours comes from aish, and the user's may be
    # slow to make. It is out of the way until a line comes. Unset, not empty: bash keeps a pointer
    # to its value, and prints what is there later when a history expansion fails. A read-only one
    # stays; aish is told, and takes it out of the output.
    [[ -z ${PS1-} && -n $__aish_expecting ]] || __aish_ps1=${PS1-} __aish_ps1_is=${PS1@a}
    builtin unset -v PS1
    __aish_lost=yes
    __aish_report && __aish_expecting=yes __aish_lost=
    builtin return 0
}

__aish_report() {
    builtin local - IFS=' ' editing=
    builtin set +eux
    [[ -p @UP@ ]] || builtin return 1 # somebody removed it; aish will notice and make a new one
    [[ -o emacs ]] && editing=emacs
    [[ -o vi ]] && editing=vi
    __aish_seq=$((__aish_seq + 1))
    {
        builtin printf '%s\0' @MARK@ prompt "$__aish_seq" "$status" "${pipe[*]}" "$PWD" \
            "$flags" "$editing" "${COMP_WORDBREAKS-}" \
            "${VIRTUAL_ENV_PROMPT:-${VIRTUAL_ENV:-${CONDA_DEFAULT_ENV-}}}" "${HISTCONTROL-}" \
            "${IGNOREEOF-0}" "${PS1@P}" # `set -o ignoreeof` sets the one before, too
        builtin jobs -rp # those that have ended are about to be told of
        builtin jobs -sp
        builtin printf '\0'
        builtin compgen -A alias
        builtin printf '\0'
        builtin compgen -A function
        builtin printf '\0'
        builtin compgen -A builtin
        builtin compgen -A keyword
        builtin printf '\0'
        builtin bind -s
        builtin printf '\0'
        __aish_newest
        builtin printf '\0%s\0' @MARK@.
    } 1<>@UP@
    # Output and records travel apart; this note in the output says that all of it has come.
    builtin printf '\033]7770;@MARK@;%s\a' "$__aish_seq" >/dev/tty
    while __aish_next && [[ $__aish_request != "$__aish_seq:go" ]]; do :; done
    builtin unset -v __aish_request __aish_text
    builtin return 0
}

# The next request of aish, in __aish_request; fails when aish is gone. What has not come to its end
# is none: somebody else may have read the rest. After each time-out ($1) it does $2.
__aish_next() {
    builtin local REPLY part=
    while :; do
        # The time-out outranks the user's TMOUT, and finds out whether aish is still there.
        if IFS= builtin read -r -t "${1-20}" -d '' REPLY <>@DOWN@; then
            __aish_request=$part$REPLY part=
            [[ $__aish_request == *@MARK@ ]] || builtin continue
            __aish_request=${__aish_request%@MARK@}
            builtin return 0
        fi
        part+=$REPLY
        [[ -p @DOWN@ ]] || builtin return 1
        builtin kill -0 @AISH@ || builtin return 1
        ${2-:}
    done
}

# The builtins that these functions need, also where the user has disabled them (`enable -n`); his
# choice is in force again when a line of his runs.
__aish_enable() {
    __aish_disabled=
    builtin enable -n >@HERE@/disabled
    [[ -s @HERE@/disabled ]] || builtin return 0
    builtin enable read
    IFS= builtin read -r -d '' __aish_disabled <@HERE@/disabled
    builtin enable bind compgen complete eval export history jobs kill local mapfile printf \
        return set shift shopt unset
}

# Keeps what aish needs in place, whatever the user's settings did meanwhile.
__aish_arm() {
    PROMPT_COMMAND[999]='{ __aish_prompt "$_"; } >/dev/null 2>&1'
    [[ ${PS0-} == '$({ __aish_started; }'* ]] || PS0='$({ __aish_started; } 2>/dev/null)'${PS0-}
    [[ ${HISTCONTROL-} == *ignorespace* || ${HISTCONTROL-} == *ignoreboth* ]] ||
        HISTCONTROL=${HISTCONTROL:+$HISTCONTROL:}ignorespace
    builtin shopt -s promptvars
    builtin shopt -u histverify histreedit
    builtin bind 'set enable-bracketed-paste off'
    builtin local keymap
    for keymap in emacs-standard vi-insert vi-command; do
        builtin bind -m "$keymap" -x '"\C-^\C-^": { __aish_load "$_"; : "$__aish_last"; } >/dev/null 2>&1'
        builtin bind -m "$keymap" '"\C-^\C-]": accept-line'
    done
}

# Keys for what aish lets readline do to a line, whatever the user's own keys are.
__aish_edit_keys() {
    builtin local keymap
    for keymap in emacs-standard vi-insert vi-command; do
        builtin bind -m "$keymap" '"\C-^\C-a": glob-expand-word'
        builtin bind -m "$keymap" '"\C-^\C-b": shell-expand-line'
        builtin bind -m "$keymap" '"\C-^\C-e": history-expand-line'
    done
}

# Runs when bash reads a line, at aish's key: says so, and waits for the line.
__aish_load() {
    local status=$? pipe=("${PIPESTATUS[@]}") flags=$-
    __aish_last=${__aish_last-$1}
    if [[ -z $__aish_expecting ]]; then
        # Either `read -e` of the user's (leave it alone), or a prompt whose hook was taken away.
        [[ -z $__aish_lost && ${PROMPT_COMMAND[999]-} == *__aish_prompt* ]] && builtin return 0
        __aish_arm
        __aish_report && __aish_lost=
    fi
    builtin local - IFS=' '
    builtin set +eux
    if [[ -n ${__aish_editing-} ]]; then
        # A key of readline's has changed the line it was given; the line goes back.
        builtin unset -v __aish_editing
        builtin printf '%s:%s' "$READLINE_POINT" "$READLINE_LINE" >@HERE@/answer
        builtin printf '%s\0' @MARK@ answer "$__aish_seq" @MARK@. 1<>@UP@
        READLINE_LINE=
    fi
    builtin printf '\033]7770;@MARK@;%sr\a' "$__aish_seq" >/dev/tty
    builtin printf '%s\0' @MARK@ ready "$__aish_seq" @MARK@. 1<>@UP@
    while __aish_next; do
        case $__aish_request in
            "$__aish_seq:run:"*)
                READLINE_LINE=${__aish_request#*:run:}
                break
                ;;
            "$__aish_seq:exact:"*)
                # Shown to the user as it is, so nothing in it stands for an earlier line.
                __aish_text=${__aish_request#*:exact:}
                if [[ $flags == *H* && ($__aish_text == *[\!^]* || ${histchars-'!^#'} != '!^#') ]]
                then
                    READLINE_LINE=' builtin eval "$__aish_text"'
                else
                    READLINE_LINE=$__aish_text
                fi
                break
                ;;
            "$__aish_seq:file")
                IFS= builtin read -r -d '' __aish_text <@HERE@/line
                READLINE_LINE=' builtin eval "$__aish_text"'
                break
                ;;
            "$__aish_seq:edit:"*)
                READLINE_POINT=${__aish_request#*:edit:}
                READLINE_LINE=${READLINE_POINT#*:}
                READLINE_POINT=${READLINE_POINT%%:*}
                __aish_editing=yes
                __aish_edit_keys
                builtin return 0
                ;;
            "$__aish_seq:leave") builtin return 0 ;;
            # Asked again: what was said may have been lost.
            "$__aish_seq:go") builtin printf '%s\0' @MARK@ ready "$__aish_seq" @MARK@. 1<>@UP@ ;;
            "$__aish_seq:export:"*)
                builtin export "${__aish_request#*:export:}"
                builtin printf '%s\0' @MARK@ answer "$__aish_seq" @MARK@. 1<>@UP@
                ;;
            # These four fork, and write to a file: the session stays as it is, also when killed.
            "$__aish_seq:complete:"*)
                : "$(__aish_complete "${__aish_request#*:complete:}")"
                builtin printf '%s\0' @MARK@ answer "$__aish_seq" @MARK@. 1<>@UP@
                ;;
            "$__aish_seq:ps1")
                : "$(__aish_show_ps1 "${__aish_ended[0]-0}" >@HERE@/answer)"
                builtin printf '%s\0' @MARK@ answer "$__aish_seq" @MARK@. 1<>@UP@
                ;;
            "$__aish_seq:jobs")
                : "$(builtin jobs -l >@HERE@/answer)"
                builtin printf '%s\0' @MARK@ answer "$__aish_seq" @MARK@. 1<>@UP@
                ;;
            "$__aish_seq:history")
                : "$([[ ${HISTTIMEFORMAT@a} != *r* ]] &&
                    HISTTIMEFORMAT=@MARK@ builtin history >@HERE@/answer &&
                    builtin printf @MARK@. >>@HERE@/answer)"
                builtin printf '%s\0' @MARK@ answer "$__aish_seq" @MARK@. 1<>@UP@
                ;;
        esac
    done
    builtin printf '%s\0' @MARK@ loaded "$__aish_seq" @MARK@. 1<>@UP@
    READLINE_POINT=${#READLINE_LINE}
    [[ ${PS1@a} == *r* ]] || PS1=${__aish_ps1-${PS1-}}
    [[ ${__aish_ps1_is-} != *x* ]] || builtin export PS1
    __aish_expecting=
    builtin unset -v __aish_request
    [[ -z ${__aish_disabled-} ]] || builtin eval "$__aish_disabled"
}

# The newest line of the history; `?` where nobody can tell it from its moment.
__aish_newest() {
    if [[ ${HISTTIMEFORMAT@a} == *r* ]]; then
        builtin printf '?'
    else
        HISTTIMEFORMAT='' builtin history 1
    fi
}

# The user's prompt, in which $? is the status of the last command.
__aish_show_ps1() {
    __aish_as_status "$1"
    builtin printf '%s' "${__aish_ps1@P}"
}

__aish_as_status() {
    builtin return "$1"
}

# From PS0, after a command was read and before it runs: wait until aish has given the terminal
# its settings back. A substitution, so this forks. The newest line of the history says what bash
# has made of the one it read.
__aish_started() {
    builtin enable history kill local printf read return set
    builtin set +eux
    __aish_say_started
    while __aish_next 2 __aish_say_started && [[ $__aish_request != "$__aish_seq:on" ]]; do :; done
}

__aish_say_started() {
    {
        builtin printf '%s\0' @MARK@ started "$__aish_seq"
        __aish_newest
        builtin printf '\0%s\0' @MARK@.
    } 1<>@UP@
}

# Completion, in a fork of the live shell. One argument: fields between \037: the current word
# without quotes, line, point, index of the current word, the words, and a full stop.
# Writes the options and then the candidates.
__aish_complete() {
    exec </dev/null >@HERE@/answer 2>/dev/null
    builtin printf '%s\0' @MARK@ forked "$BASHPID" @MARK@. 1<>@UP@
    builtin set +eux
    local fields=() rest=$1 IFS=$' \t\n'
    while [[ $rest == *$'\037'* ]]; do
        fields+=("${rest%%$'\037'*}")
        rest=${rest#*$'\037'}
    done
    __aish_plain=${fields[0]}
    COMP_LINE=${fields[1]} COMP_POINT=${fields[2]} COMP_CWORD=${fields[3]} COMP_TYPE=9 COMP_KEY=9
    COMP_WORDS=("${fields[@]:4}")
    COMPREPLY=()
    __aish_options=
    compopt() {
        while (($#)); do
            case $1 in
                -o) __aish_options+=" $2 " && builtin shift ;;
                +o) __aish_options=${__aish_options//" $2 "/} && builtin shift ;;
            esac
            builtin shift
        done
    }
    if ((COMP_CWORD == 0)); then
        __aish_complete_command
    else
        __aish_complete_argument
    fi
    builtin printf '%s\0' "$__aish_options" "${COMPREPLY[@]}"
}

__aish_complete_command() {
    if [[ $__aish_plain == */* || $__aish_plain == '~'* ]]; then
        __aish_complete_default
    else
        builtin mapfile -t COMPREPLY < <(builtin compgen -c -- "$__aish_plain")
    fi
}

__aish_complete_argument() {
    builtin local command=${COMP_WORDS[0]} spec expansion
    if ! __aish_spec "$command" && [[ -n ${BASH_ALIASES[$command]-} ]]; then
        # bash stops here; an alias completes as what it stands for.
        builtin read -ra expansion <<<"${BASH_ALIASES[$command]}"
        COMP_WORDS=("${expansion[@]}" "${COMP_WORDS[@]:1}")
        COMP_CWORD=$((COMP_CWORD + ${#expansion[@]} - 1))
        COMP_LINE=${BASH_ALIASES[$command]}${COMP_LINE#"$command"}
        COMP_POINT=$((COMP_POINT + ${#BASH_ALIASES[$command]} - ${#command}))
        command=${COMP_WORDS[0]}
    fi
    [[ -n $spec ]] || __aish_spec "$command" || __aish_load_spec "$command"
    [[ -n $spec ]] && __aish_follow "$command"
    ((${#COMPREPLY[@]})) && return
    # Functions that list files rely on readline to understand quotes; here nobody has.
    if [[ -z $spec || $__aish_options == *default* || ${COMP_WORDS[COMP_CWORD]} != "$__aish_plain" ]]
    then
        __aish_complete_default
    elif [[ $__aish_options == *dirnames* ]]; then
        compopt -o filenames
        builtin mapfile -t COMPREPLY < <(builtin compgen -d -- "$__aish_plain")
    fi
}

# The completion specification of a command, in `spec`.
__aish_spec() {
    spec=$(builtin complete -p -- "$1" || builtin complete -p -- "${1##*/}")
}

# The same, asking the loader that bash-completion installs for commands it has not met yet.
__aish_load_spec() {
    builtin local loader
    loader=$(builtin complete -p -D)
    [[ $loader =~ -F\ ([^ ]+) ]] || return
    "${BASH_REMATCH[1]}" "$1" "${COMP_WORDS[COMP_CWORD]}" "${COMP_WORDS[COMP_CWORD - 1]}"
    (($? == 124)) && __aish_spec "$1"
}

# Does what the specification says, into COMPREPLY.
__aish_follow() {
    local command=$1 function='' program='' generate=() found
    builtin eval "builtin set -- $spec"
    builtin shift
    while (($# > 1)); do
        case $1 in
            -o) compopt -o "$2" && builtin shift ;;
            -F) function=$2 && builtin shift ;;
            -C) program=$2 && builtin shift ;;
            -[AGWPSX]) generate+=("$1" "$2") && builtin shift ;;
            -*) generate+=("$1") ;;
        esac
        builtin shift
    done
    builtin local current=${COMP_WORDS[COMP_CWORD]} previous=${COMP_WORDS[COMP_CWORD - 1]}
    if [[ -n $function ]]; then
        "$function" "$command" "$current" "$previous"
    elif [[ -n $program ]]; then
        builtin export COMP_LINE COMP_POINT COMP_TYPE COMP_KEY
        builtin mapfile -t COMPREPLY < <(builtin eval "$program" '"$command" "$current" "$previous"')
    fi
    if ((${#generate[@]})); then
        builtin mapfile -t found < <(builtin compgen "${generate[@]}" -- "$__aish_plain")
        COMPREPLY+=("${found[@]}")
    fi
}

__aish_complete_default() {
    if [[ $__aish_plain == '$'* && $__aish_plain != */* ]]; then
        builtin mapfile -t COMPREPLY < <(builtin compgen -v -P '$' -- "${__aish_plain#'$'}")
    else
        compopt -o filenames
        builtin mapfile -t COMPREPLY < <(builtin compgen -f -- "$__aish_plain")
    fi
}

builtin cd -- @CWD@ 2>/dev/null
builtin unset -v OLDPWD
# Also before the user's file: Ctrl-C in a slow one skips the rest of this one.
{ __aish_arm; } 2>/dev/null
[[ -r @RC@ ]] && . @RC@
{ __aish_arm; } 2>/dev/null
[[ -r ${HISTFILE-} ]] && builtin history -r "$HISTFILE"
builtin unset -v HISTFILE
# Then what was run at earlier prompts of aish. While a format is set, the lines between two time
# stamps are one command.
{
    if [[ -v HISTTIMEFORMAT ]]; then
        builtin history -r @HERE@/history
    else
        HISTTIMEFORMAT=
        builtin history -r @HERE@/history
        builtin unset -v HISTTIMEFORMAT
    fi
} 2>/dev/null
