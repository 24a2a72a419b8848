/// What `--generate` writes, and what the repository holds a copy of.
enum GeneratedDocument: String, ArgumentValue, CaseIterable {
    case man, bash, zsh, fish

    /// Where the copy is.
    var path: String {
        switch self {
        case .man: "man/afcli.1"
        case .bash: "completions/afcli.bash"
        case .zsh: "completions/_afcli"
        case .fish: "completions/afcli.fish"
        }
    }

    var text: String {
        switch self {
        case .man: ManualPage().text
        case .bash: BashCompletion().text
        case .zsh: ZshCompletion().text
        case .fish: FishCompletion().text
        }
    }
}
