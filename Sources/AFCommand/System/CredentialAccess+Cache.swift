internal import Synchronization

extension CredentialAccess {
    /// Returns an access that remembers its results, so that prompts and commands are not repeated and a descriptor can
    /// be read again.
    func remembering() -> CredentialAccess {
        let memory = SecretCache()
        return CredentialAccess(
            variable: variable,
            descriptor: { (number) throws(FileProblem) in
                if let known = memory.state.withLock({ $0.descriptors[number] }) { return known }
                let bytes = try descriptor(number)
                memory.state.withLock { $0.descriptors[number] = bytes }
                return bytes
            },
            command: { text, expected in
                if let known = memory.state.withLock({ $0.commands[text] }) { return known }
                let bytes = try command(text, expected)
                memory.state.withLock { $0.commands[text] = bytes }
                return bytes
            },
            ask: { question, isSecret in
                if let known = memory.state.withLock({ $0.answers[question] }) { return known }
                let answer = try ask(question, isSecret)
                memory.state.withLock { $0.answers[question] = answer }
                return answer
            }
        )
    }
}

extension FileAccess {
    /// Returns an access that remembers the contents of FIFOs.
    func remembering() -> FileAccess {
        let memory = SecretCache()
        return FileAccess(
            read: { (path, limit) throws(FileProblem) in
                if let known = memory.state.withLock({ $0.files[path] }) { return known }
                let bytes = try read(path, limit)
                if try describe(path).kind != .regular { memory.state.withLock { $0.files[path] = bytes } }
                return bytes
            },
            describe: describe,
            homeDirectory: homeDirectory,
            expandsHome: expandsHome,
            waits: waits
        )
    }
}

private final class SecretCache: Sendable {
    struct State {
        var answers: [String: String] = [:]
        var files: [String: [UInt8]] = [:]
        var descriptors: [Int32: [UInt8]] = [:]
        var commands: [String: [UInt8]] = [:]
    }

    let state = Mutex(State())
}
