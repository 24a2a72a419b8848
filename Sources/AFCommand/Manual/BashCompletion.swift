/// Generates `completions/afcli.bash`: completion for bash 4.3 and later, without other packages.
struct BashCompletion {
    let words: CompletionWords

    var text: String {
        """
        # Completion of afcli for bash. Written by `afcli --generate bash`: change that, not this.

        \(functions)

        _afcli() {
            COMPREPLY=()
            local line=${COMP_LINE:0:COMP_POINT} part index value head= cut=0
            local -a words=()
            # Bash ends words at = : and @ as well; for afcli only a blank does.
            for ((index = 0; index <= COMP_CWORD; index++)); do
                part=${COMP_WORDS[index]}
                if ((index > 0)) && [[ $line != [[:space:]]* ]]; then
                    words[-1]+=$part
                else
                    words+=("$part")
                fi
                line=${line#"${line%%[![:space:]]*}"}
                line=${line#"$part"}
            done
            value=${words[-1]}
            # Readline keeps an opening quote itself, and replaces $2 alone.
            [[ $value == [\\'\\"]* ]] && value=${value:1}
            cut=$((${#value} - ${#2}))

            local name= rest=
            if [[ $value == --*=* ]]; then
                name=${value%%=*} head=${name}= value=${value#*=}
                case $name in
        \(cases(words.options.filter { $0.argument?.isOptional == true }))
                esac
            elif [[ $value == -[!-]* ]] && _afcli_cluster "$value" && [[ -n $rest ]]; then
                [[ $rest != =* ]] || rest=${rest:1}
                head=${value%"$rest"} value=$rest
            elif ((${#words[@]} > 2)); then
                name=${words[-2]}
                if [[ $name == -[!-]* ]]; then
                    _afcli_cluster "$name"
                    [[ -z $rest ]] || name=
                fi
            fi
            case $name in
        \(cases(words.taking))
            esac
            [[ -z $head ]] || return 0
            if [[ $value == -* ]]; then
                _afcli_offer '\(words.options.flatMap(\.spellings).joined(separator: " "))'
                # How options are undone is of interest to whoever begins to type it.
                [[ $value != --no* ]] || _afcli_offer '\(words.undoable.map { "--no-\($0)" }.joined(separator: " "))'
                return
            fi

            local count=0
            for ((index = 1; index < ${#words[@]} - 1; index++)); do
                case ${words[index]} in
                    \(words.namesTakingArguments.joined(separator: " | "))) ((index++)) ;;
                    --*) ;;
                    -?*)
                        _afcli_cluster "${words[index]}"
                        [[ -z $name || -n $rest ]] || ((index++))
                        ;;
                    *) ((count++)) ;;
                esac
            done
            if ((count > 0)); then
                _afcli_item
            elif [[ $value == [a-z]* ]]; then
                _afcli_offer '\(RequestArguments.suggestedMethods.map { $0.lowercased() }.joined(separator: " "))'
            else
                _afcli_offer '\(RequestArguments.suggestedMethods.joined(separator: " "))'
            fi
        }

        complete -F _afcli afcli

        """
    }

    /// The functions read `value`, `head` and `cut` of their caller: the typed part of the value, the text before it in
    /// the word, and the part of the word that readline keeps.
    private var functions: String {
        """
        # Words that begin with the value.
        _afcli_offer() {
            local word
            for word in $1; do
                [[ $word != "$value"* ]] || COMPREPLY+=("${head:cut}$word")
            done
        }

        # Header names in any case, followed by what is typed next: the colon and the value.
        _afcli_header() {
            local word
            for word in \(CompletionWords.headers.joined(separator: " ")); do
                [[ ${word,,} == "${value,,}"* ]] || continue
                word=$head$word
                COMPREPLY+=("${word:cut}:")
            done
            compopt -o nospace
        }

        # Files, or with -d directories, whose names begin with the value.
        _afcli_file() {
            local word
            while IFS= read -r word; do
                word=$head$word
                COMPREPLY+=("${word:cut}")
            done < <(compgen "${1:--f}" -- "${value//\\\\/}")
            compopt -o filenames
        }

        # A file after an @, as in name@FILE and name=@FILE.
        _afcli_text() {
            [[ $value == *@* ]] || return 0
            head=$head${value%@*}@ value=${value##*@}
            _afcli_file
        }

        # The same for a part; a name with a semicolon goes into double quotes, as attributes begin with one.
        _afcli_part() {
            local index kept path
            _afcli_text
            kept=${head:cut}
            for index in "${!COMPREPLY[@]}"; do
                path=${COMPREPLY[index]:${#kept}}
                # What follows a directory still has to be typed.
                [[ $path != *\\;* || -d $path ]] || COMPREPLY[index]=$kept\\"$path\\"
            done
        }

        # The letter of a cluster that takes an argument, as name, and what stands behind it, as rest.
        _afcli_cluster() {
            name= rest=${1#-}
            while [[ -n $rest && -z $name ]]; do
                [[ ${rest:0:1} != [\(words.lettersTakingArguments)] ]] || name=-${rest:0:1}
                rest=${rest:1}
            done
        }

        _afcli_item() {
            if [[ $value == *@* ]]; then _afcli_text; else _afcli_header; fi
        }
        """
    }

    /// Returns the branches of a `case` over the name of an option.
    private func cases(_ options: [OptionEntry]) -> String {
        options.compactMap { option in
            guard let argument = option.argument else { return nil }
            return "            \(option.spellings.joined(separator: " | "))) \(action(argument.hint)); return ;;"
        }
        .joined(separator: "\n")
    }

    private func action(_ hint: ArgumentHint) -> String {
        switch hint {
        case .anything: "_afcli_text"
        case .file: "_afcli_file"
        case .directory: "_afcli_file -d"
        case .part: "_afcli_part"
        case .choice(let choices), .suggestion(let choices): "_afcli_offer '\(choices.joined(separator: " "))'"
        case .fileOr(let choices): "_afcli_offer '\(choices.joined(separator: " "))'; _afcli_file"
        case .header: "_afcli_header"
        case .option: "_afcli_offer '\(words.optionNames.joined(separator: " "))'"
        }
    }
}
