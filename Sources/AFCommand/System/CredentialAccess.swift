/// The access to secrets from descriptors and prompts; tests provide their own.
struct CredentialAccess: Sendable {
    let variable: @Sendable (_ name: String) -> String?
    /// Reads a descriptor to its end.
    let descriptor: @Sendable (_ number: Int32) throws(FileProblem) -> [UInt8]
    /// Runs a command and returns its output.
    let command: @Sendable (_ command: String, _ expected: SecretCommand.Output) throws -> [UInt8]
    /// Prompts on the terminal; throws ``NoTerminal``, or `CancellationError` if the user interrupts.
    let ask: @Sendable (_ question: String, _ isSecret: Bool) throws -> String
}

/// The process has no terminal for a prompt.
struct NoTerminal: Error, Hashable, Sendable {}

extension CredentialAccess {
    /// Returns the access to the process's descriptors and terminal.
    static func system(variables: Variables, waits: WaitLimits) -> CredentialAccess {
        CredentialAccess(
            variable: { variables[$0] },
            descriptor: { (number) throws(FileProblem) in
                do throws(FileProblem) {
                    return try FileAccess.readToEnd(number, path: "fd:\(number)", limit: .secret, waits: waits)
                } catch {
                    throw error.hinting("the shell opens it with \(number)<FILE")
                }
            },
            command: { try SecretCommand($0, $1, variables: variables, waits: waits).run() },
            ask: { question, isSecret in
                guard let terminal = Terminal() else { throw NoTerminal() }
                return try terminal.ask(question, isSecret: isSecret, LocalWait(waits))
            }
        )
    }
}

extension CredentialAccess {
    /// Returns an access that calls a closure before each prompt.
    func notifying(_ willAsk: @escaping @Sendable () -> Void) -> CredentialAccess {
        CredentialAccess(
            variable: variable,
            descriptor: descriptor,
            command: command,
            ask: { question, isSecret in
                willAsk()
                return try ask(question, isSecret)
            }
        )
    }

    /// Returns an access whose passwords are empty without a terminal, as in curl.
    func withEmptyPassword() -> CredentialAccess {
        CredentialAccess(
            variable: variable,
            descriptor: descriptor,
            command: command,
            ask: { question, isSecret in
                do {
                    return try ask(question, isSecret)
                } catch is NoTerminal where isSecret {
                    return ""
                }
            }
        )
    }
}
