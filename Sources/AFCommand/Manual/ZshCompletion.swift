/// Generates `completions/_afcli`: completion for zsh, with the options' summaries.
struct ZshCompletion {
    let words: CompletionWords

    var text: String {
        """
        #compdef afcli
        # Completion of afcli for zsh. Written by `afcli --generate zsh`: change that, not this.

        # A file after an @, as in name@FILE and name=@FILE.
        _afcli_text() {
            if compset -P '*@'; then _files; else _message "$1"; fi
        }

        _afcli_file_or() {
            _alternative "words:word:($*)" 'files:file:_files'
        }

        _afcli_header() {
            local expl
            _wanted headers expl 'header' compadd -S : -M 'm:{[:lower:]}={[:upper:]}' -- \\
                \(CompletionWords.headers.joined(separator: " "))
        }

        _afcli_method() {
            local expl
            _wanted methods expl 'method' compadd -M 'm:{[:lower:]}={[:upper:]}' -- \\
                \(RequestArguments.suggestedMethods.joined(separator: " "))
        }

        _afcli_item() {
            if compset -P '*@'; then _files; else _afcli_header; fi
        }

        # How options are undone is of interest to whoever types it.
        local -a undoing
        (( ${words[(I)--no*]} == 0 )) || undoing=('*'--no-{\(words.undoable.joined(separator: ","))}'[Undo the option]')

        _arguments -s -S $undoing \\
        \(words.options.map { "    \(specification($0)) \\" }.joined(separator: "\n"))
            '1:method or URL:_afcli_method' \\
            '*:item:_afcli_item'

        """
    }

    /// Returns the specification of an option for `_arguments`.
    private func specification(_ option: OptionEntry) -> String {
        let argument = option.argument
        let spellings = option.spellings.map { spelling in
            guard let argument else { return spelling }
            let isLong = spelling.hasPrefix("--")
            return spelling + (argument.isOptional ? "=-" : isLong ? "=" : "+")
        }
        let names = spellings.count == 1 ? spellings[0] : "{\(spellings.joined(separator: ","))}"
        let summary = option.summary.replacing("[", with: "\\[").replacing("]", with: "\\]")
        var meaning = "[\(summary)]"
        if let argument {
            let name = argument.name.replacing(":", with: "\\:")
            meaning += "\(argument.isOptional ? "::" : ":")\(name):\(action(argument.hint, name))"
        }
        // The star allows repetition: the last value counts, or all of them.
        return "'*'\(names)\(quoted(meaning))"
    }

    private func action(_ hint: ArgumentHint, _ name: String) -> String {
        switch hint {
        case .anything, .part: " _afcli_text \"\(name)\""
        case .file: "_files"
        case .directory: "_files -/"
        case .choice(let choices), .suggestion(let choices): "(\(choices.joined(separator: " ")))"
        case .fileOr(let choices): " _afcli_file_or \(choices.joined(separator: " "))"
        case .header: "_afcli_header"
        case .option: "(\(words.optionNames.joined(separator: " ")))"
        }
    }

    private func quoted(_ text: String) -> String {
        "'\(text.replacing("'", with: "'\\''"))'"
    }
}
