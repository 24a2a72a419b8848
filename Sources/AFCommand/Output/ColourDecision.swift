/// Whether output is coloured.
enum ColourDecision {
    /// The option decides; then a `NO_COLOR` that is not empty; then `FORCE_COLOR` or `CLICOLOR_FORCE`, neither empty
    /// nor `0`; then whether the output is a terminal that is not `dumb`.
    ///
    /// - Parameter option: The value of `--color`.
    static func isColoured(_ option: OutputArguments.Color?, isTerminal: Bool, environment: Variables) -> Bool {
        switch option {
        case .always: return true
        case .never: return false
        case .auto, nil: break
        }
        if !(environment["NO_COLOR"] ?? "").isEmpty { return false }
        for name in ["FORCE_COLOR", "CLICOLOR_FORCE"] {
            if let value = environment[name], !value.isEmpty { return value != "0" }
        }
        return isTerminal && environment["TERM"] != "dumb"
    }

    /// Whether the terminal that the environment tells of knows 256 colours, and not 16.
    static func hasManyColors(_ environment: Variables) -> Bool {
        if !(environment["COLORTERM"] ?? "").isEmpty { return true }
        let terminal = environment["TERM"] ?? ""
        return terminal.hasSuffix("-256color") || terminal.hasSuffix("-direct")
    }
}
