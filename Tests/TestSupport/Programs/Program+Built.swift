internal import Glibc

extension Program {
    /// The `afcli` that was built with the tests, or the one named by `AFCLI_BINARY`.
    ///
    /// ```swift
    /// let result = try await Program.afcli("get", server.url("/x")).run()
    /// ```
    ///
    /// - Throws: ``MissingProgram``.
    public static func afcli(_ arguments: String...) throws -> Program {
        Program(try afcliPath(), arguments)
    }

    /// The path of the `afcli` that was built with the tests, or the value of `AFCLI_BINARY`.
    ///
    /// - Throws: ``MissingProgram``.
    public static func afcliPath() throws -> String {
        if let path = environmentVariable("AFCLI_BINARY") {
            return try MissingProgram.find("afcli", at: [path], else: "AFCLI_BINARY names it; correct or unset that")
        }
        return try MissingProgram.find("afcli", at: ["\(try folderOfTestBinary())/afcli"], else: "swift build")
    }

    /// The program that writes what `NetworkReachabilityManager` tells, as it was built with the tests.
    ///
    /// - Throws: ``MissingProgram``.
    public static func networkProbe(_ arguments: String...) throws -> Program {
        let path = "\(try folderOfTestBinary())/NetworkProbe"
        let found = try MissingProgram.find("NetworkProbe", at: [path], else: "swift build --build-tests")
        var program = Program(found, arguments)
        // `make sanitize` loads what Thread Sanitizer has to know of Swift's Mutex before the tests, and so before this.
        program.environment["LD_PRELOAD"] = environmentVariable("LD_PRELOAD")
        return program
    }

    /// `.build/debug` in a usual build.
    private static func folderOfTestBinary() throws -> String {
        var buffer = [CChar](repeating: 0, count: Int(PATH_MAX))
        try checked("readlink /proc/self/exe", readlink("/proc/self/exe", &buffer, buffer.count - 1))
        let path = buffer.withUnsafeBufferPointer { String(cString: $0.baseAddress!) }
        return String(path.prefix(upTo: path.lastIndex(of: "/") ?? path.startIndex))
    }
}

/// The package's folder, found from where this file was when it was compiled.
func packageFolder(_ sourceFile: String = #filePath) -> String {
    sourceFile.split(separator: "/").dropLast(4).reduce("") { "\($0)/\($1)" }
}
