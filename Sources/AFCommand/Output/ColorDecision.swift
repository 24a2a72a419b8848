internal import AFFormatting

/// Decides whether output is colored.
enum ColorDecision {
    /// Whether output is colored, in this order of precedence: the option; `NO_COLOR`, unless empty; `FORCE_COLOR` or
    /// `CLICOLOR_FORCE`, unless empty or `0`; whether the output is a terminal that is not `dumb`.
    ///
    /// - Parameter option: The value of `--color`.
    static func isColored(_ option: OutputArguments.Color?, isTerminal: Bool, environment: Variables) -> Bool {
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

    /// Whether the terminal of the environment supports 256 colors.
    static func hasManyColors(_ environment: Variables) -> Bool {
        if !(environment["COLORTERM"] ?? "").isEmpty { return true }
        let terminal = environment["TERM"] ?? ""
        return terminal.hasSuffix("-256color") || terminal.hasSuffix("-direct")
    }
}

extension Environment {
    /// Returns the colors of standard error: of messages, progress bars and timings; `nil` if it is not colored.
    func errorPalette(_ options: OutputArguments) -> Palette? {
        let isTerminal = errorTerminal != nil
        guard ColorDecision.isColored(options.color, isTerminal: isTerminal, environment: variables) else { return nil }
        return (options.style?.theme ?? .auto).palette(hasManyColors: ColorDecision.hasManyColors(variables))
    }
}
