internal import AFCommand

/// A document about the options that the repository contains.
enum GeneratedDocument: String, CaseIterable {
    case man, bash, zsh, fish
    case runMan = "run-man"

    /// The path of the repository's copy.
    var path: String {
        switch self {
        case .man: "man/afcli.1"
        case .runMan: "man/afcli-run.1"
        case .bash: "completions/afcli.bash"
        case .zsh: "completions/_afcli"
        case .fish: "completions/afcli.fish"
        }
    }

    func text(about options: [OptionEntry]) -> String {
        switch self {
        case .man: ManualPage(options: options).text
        case .runMan: RunManualPage.text
        case .bash: BashCompletion(words: CompletionWords(options)).text
        case .zsh: ZshCompletion(words: CompletionWords(options)).text
        case .fish: FishCompletion(words: CompletionWords(options)).text
        }
    }
}
