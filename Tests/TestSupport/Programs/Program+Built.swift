internal import Glibc

extension Program {
    /// Returns the `afcli` that was built with the tests, or the value of `AFCLI_BINARY`.
    ///
    /// ```swift
    /// let result = try await Program.afcli("get", server.url("/x")).run()
    /// ```
    ///
    /// - Throws: ``MissingProgram``.
    public static func afcli(_ arguments: String...) throws -> Program {
        Program(try afcliPath(), arguments)
    }

    /// Returns the path of the `afcli` that was built with the tests, or the value of `AFCLI_BINARY`.
    ///
    /// - Throws: ``MissingProgram``.
    public static func afcliPath() throws -> String {
        if let path = environmentVariable("AFCLI_BINARY") {
            return try MissingProgram.find("afcli", at: [path], else: "correct or unset AFCLI_BINARY")
        }
        return try MissingProgram.find("afcli", at: ["\(try folderOfTestBinary())/afcli"], else: "swift build")
    }

    /// Returns the program that prints the status of `NetworkReachabilityManager`, as built with the tests.
    ///
    /// - Throws: ``MissingProgram``.
    public static func networkProbe(_ arguments: String...) throws -> Program {
        let path = "\(try folderOfTestBinary())/NetworkProbe"
        let found = try MissingProgram.find("NetworkProbe", at: [path], else: "swift build --build-tests")
        var program = Program(found, arguments)
        // `make sanitize` preloads a library that reports Swift's Mutex to Thread Sanitizer; the program needs it, too.
        program.environment["LD_PRELOAD"] = environmentVariable("LD_PRELOAD")
        return program
    }

    /// Returns the directory of the test binary: `.build/debug` in a default build.
    private static func folderOfTestBinary() throws -> String {
        var buffer = [CChar](repeating: 0, count: Int(PATH_MAX))
        try checked("readlink /proc/self/exe", readlink("/proc/self/exe", &buffer, buffer.count - 1))
        let path = buffer.withUnsafeBufferPointer { String(cString: $0.baseAddress!) }
        return String(path.prefix(upTo: path.lastIndex(of: "/") ?? path.startIndex))
    }
}

/// Returns the package's directory, derived from the path of this source file.
func packageFolder(_ sourceFile: String = #filePath) -> String {
    sourceFile.split(separator: "/").dropLast(4).reduce("") { "\($0)/\($1)" }
}
