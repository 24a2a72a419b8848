/// Where secrets come from that are not typed; tests bring their own.
struct CredentialAccess: Sendable {
    let variable: @Sendable (_ name: String) -> String?
    /// Everything up to the end of a descriptor.
    let descriptor: @Sendable (_ number: Int32) throws(FileProblem) -> [UInt8]
    /// Asks on the terminal; throws `CancellationError` when the user interrupts.
    let ask: @Sendable (_ question: String, _ isSecret: Bool) throws -> String
}

extension CredentialAccess {
    /// The process's descriptors and its terminal, with the given variables.
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
            ask: { question, isSecret in
                guard let terminal = Terminal() else {
                    throw UsageError(
                        "there is no terminal to ask for it",
                        hint: "give it as USER:PASSWORD, @FILE, env:NAME or fd:NUMBER"
                    )
                }
                return try terminal.ask(question, isSecret: isSecret, LocalWait(waits))
            }
        )
    }
}
