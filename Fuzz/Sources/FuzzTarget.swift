/// A parser of untrusted input with its invariants.
struct FuzzTarget: Sendable {
    /// Also the name of its corpus.
    let name: String
    /// The maximum length of inputs, in bytes.
    let longest: Int
    /// Traps if an assertion fails.
    let run: @Sendable (_ bytes: [UInt8]) throws -> Void

    init(_ name: String, longest: Int = 2048, run: @escaping @Sendable (_ bytes: [UInt8]) throws -> Void) {
        (self.name, self.longest, self.run) = (name, longest, run)
    }

    /// A target for text: invalid UTF-8 is ignored.
    init(text name: String, longest: Int = 2048, run: @escaping @Sendable (_ text: String) throws -> Void) {
        self.init(name, longest: longest) { bytes in
            if let text = String(validating: bytes, as: UTF8.self) { try run(text) }
        }
    }

    static let all = heads + fields + json + bodies + words + files + codings + webSockets + hurl + uploads
}

/// Ends the process if a property does not hold, so that libFuzzer stores the input.
func require(_ condition: Bool, _ property: StaticString, file: StaticString = #fileID, line: UInt = #line) {
    if !condition { fatalError("does not hold: \(property)", file: file, line: line) }
}
