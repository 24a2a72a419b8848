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

private final class AnswerMemory: Sendable {
    struct Contents {
        var answers: [String: String] = [:]
        var descriptors: [Int32: [UInt8]] = [:]
    }

    let contents = Mutex(Contents())
}
