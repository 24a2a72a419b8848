internal import Synchronization

extension CredentialAccess {
    /// Returns an access that remembers its results, so that prompts and commands are not repeated and a descriptor can
    /// be read again.
    func remembering() -> CredentialAccess {
        let (descriptors, commands, answers) = (
            Cache<Int32, [UInt8]>(), Cache<String, [UInt8]>(), Cache<String, String>()
        )
        return CredentialAccess(
            variable: variable,
            descriptor: { (number) throws(FileProblem) in
                try descriptors.value(for: number) { () throws(FileProblem) in try descriptor(number) }
            },
            command: { text, expected in try commands.value(for: text) { try command(text, expected) } },
            ask: { question, isSecret in try answers.value(for: question) { try ask(question, isSecret) } }
        )
    }
}

extension FileAccess {
    /// Returns an access that remembers the contents of FIFOs, and of certificates, which each URL of a command needs.
    func remembering() -> FileAccess {
        let files = Cache<String, [UInt8]>()
        return FileAccess(
            read: { (path, limit) throws(FileProblem) in
                if let known = files.value(for: path) { return known }
                let bytes = try read(path, limit)
                let isRead = try describe(path).kind != .regular
                if isRead || limit == .certificates { files.store(bytes, for: path) }
                return bytes
            },
            describe: describe,
            homeDirectory: homeDirectory,
            expandsHome: expandsHome,
            waits: waits
        )
    }
}

extension StandardInput {
    /// Returns an input that is read completely for its first body, and has the same bytes for all others.
    func remembering() -> StandardInput {
        let contents = Cache<Kind, [UInt8]>()
        let bytes: @Sendable () throws(FileProblem) -> [UInt8] = { () throws(FileProblem) in
            try contents.value(for: kind) { () throws(FileProblem) in try readAll() }
        }
        return StandardInput(
            kind: kind,
            firstDelivery: { timeout in
                contents.value(for: kind).map { $0.isEmpty ? .end : .bytes } ?? firstDelivery(timeout)
            },
            isUntouched: isUntouched,
            readAll: bytes,
            readBody: { _ throws(FileProblem) in .complete(try bytes()) },
            isRemembered: true
        )
    }
}

private final class Cache<Key: Hashable & Sendable, Value: Sendable>: Sendable {
    private let values = Mutex<[Key: Value]>([:])

    func value(for key: Key) -> Value? { values.withLock { $0[key] } }
    func store(_ value: Value, for key: Key) { values.withLock { $0[key] = value } }

    func value<Failure>(for key: Key, orElse make: () throws(Failure) -> Value) throws(Failure) -> Value {
        if let known = value(for: key) { return known }
        let value = try make()
        store(value, for: key)
        return value
    }
}
