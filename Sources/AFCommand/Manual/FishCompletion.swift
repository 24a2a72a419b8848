/// Generates `completions/afcli.fish`: completion for fish, with the options' summaries.
struct FishCompletion {
    let words: CompletionWords

    var text: String {
        """
        # Completion of afcli for fish. Written by `afcli --generate fish`: change that, not this.

        # Files after the last @ of the word, as in name@FILE and name=@FILE.
        function __afcli_text
            set -l word (commandline --current-token)
            string match --quiet '*@*' -- $word; or return
            set -l head (string replace --regex '@[^@]*$' '@' -- $word)
            for path in (__fish_complete_path (string replace --regex '^.*@' '' -- $word))
                echo $head$path
            end
        end

        function __afcli_header
            string join \\n \(CompletionWords.headers.map { "\($0):" }.joined(separator: " "))
        end

        function __afcli_item
            if string match --quiet '*@*' -- (commandline --current-token)
                __afcli_text
            else
                __afcli_header
            end
        end

        # Whether the word at the cursor is the first that is neither an option nor an option's argument.
        function __afcli_is_first
            set -l words (commandline --tokenize --cut-at-cursor --current-process)
            set -l is_argument false
            for word in $words[2..]
                if $is_argument
                    set is_argument false
                    continue
                end
                switch $word
                    case \(words.namesTakingArguments.joined(separator: " "))
                        set is_argument true
                    case -
                        return 1
                    case '--*'
                    case '-*'
                        # A cluster whose last letter is the one that takes an argument.
                        string match --quiet --regex '^-[^\(letters)]*[\(letters)]$' -- $word; and set is_argument true
                    case '*'
                        return 1
                end
            end
        end

        # How options are undone is of interest to whoever begins to type it.
        function __afcli_undoes
            string match --quiet -- '--no*' (commandline --current-token)
        end

        complete -c afcli -f
        complete -c afcli -n __afcli_is_first -a '\(RequestArguments.suggestedMethods.joined(separator: " "))'
        complete -c afcli -n 'not __afcli_is_first' -a '(__afcli_item)'
        \(words.options.map(line).joined(separator: "\n"))
        for name in \(words.undoable.joined(separator: " "))
            complete -c afcli -n __afcli_undoes -l no-$name -d "Undo --$name"
        end

        """
    }

    private var letters: String { words.lettersTakingArguments }

    private func line(_ option: OptionEntry) -> String {
        var line = ["complete -c afcli"]
        line += option.letters.map { "-s \($0)" }
        line += option.longSpellings.map { "-l \($0)" }
        line.append("-d \(quoted(option.summary))")
        if let argument = option.argument {
            // Without -r the value is optional: it is offered after = only.
            if !argument.isOptional { line.append("-r") }
            line.append(action(argument.hint))
        }
        return line.joined(separator: " ")
    }

    private func action(_ hint: ArgumentHint) -> String {
        switch hint {
        case .anything, .part: "-f -a '(__afcli_text)'"
        case .file: "-F"
        case .directory: "-f -a '(__fish_complete_directories (commandline --current-token))'"
        case .choice(let choices), .suggestion(let choices): "-f -a '\(choices.joined(separator: " "))'"
        case .fileOr(let choices): "-F -a '\(choices.joined(separator: " "))'"
        case .header: "-f -a '(__afcli_header)'"
        case .option: "-f -a '\(words.optionNames.joined(separator: " "))'"
        }
    }

    private func quoted(_ text: String) -> String {
        "'\(text.replacing("\\", with: "\\\\").replacing("'", with: "\\'"))'"
    }
}
