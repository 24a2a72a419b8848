internal import Synchronization

extension CredentialAccess {
    /// The same, but nobody is asked twice, and a descriptor that is at its end still gives what it held.
    func remembering() -> CredentialAccess {
        let memory = AnswerMemory()
        return CredentialAccess(
            variable: variable,
            descriptor: { (number) throws(FileProblem) in
                if let known = memory.contents.withLock({ $0.descriptors[number] }) { return known }
                let bytes = try descriptor(number)
                memory.contents.withLock { $0.descriptors[number] = bytes }
                return bytes
            },
            ask: { question, isSecret in
                if let known = memory.contents.withLock({ $0.answers[question] }) { return known }
                let answer = try ask(question, isSecret)
                memory.contents.withLock { $0.answers[question] = answer }
                return answer
            }
        )
    }
}

extension FileAccess {
    /// The same, but a FIFO that is at its end still gives what it held.
    func remembering() -> FileAccess {
        let memory = AnswerMemory()
        return FileAccess(
            read: { (path, limit) throws(FileProblem) in
                if let known = memory.contents.withLock({ $0.files[path] }) { return known }
                let bytes = try read(path, limit)
                if try describe(path).kind != .regular { memory.contents.withLock { $0.files[path] = bytes } }
                return bytes
            },
            describe: describe,
            homeDirectory: homeDirectory,
            waits: waits
        )
    }
}

private final class AnswerMemory: Sendable {
    struct Contents {
        var answers: [String: String] = [:]
        var files: [String: [UInt8]] = [:]
        var descriptors: [Int32: [UInt8]] = [:]
    }

    let contents = Mutex(Contents())
}
