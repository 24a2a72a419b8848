internal import Glibc

extension Program {
    /// Returns an installed program by its name.
    ///
    /// - Parameter package: The Debian package of the program.
    /// - Throws: ``MissingProgram``.
    public static func installed(_ name: String, package: String, _ arguments: [String] = []) throws -> Program {
        let folders = ["/usr/bin", "/bin", "/usr/sbin", "/usr/local/bin", "/usr/local/sbin"]
        let path = try MissingProgram.find(
            name, at: folders.map { "\($0)/\(name)" }, else: "apt-get install \(package)")
        return Program(path, arguments)
    }

    /// The compiler of the Swift toolchain, by the search path of the tests.
    ///
    /// - Throws: ``MissingProgram``.
    public static func clang(_ arguments: [String]) throws -> Program {
        let search = environmentVariable("PATH") ?? ""
        let places = search.split(separator: ":").map { "\($0)/clang" }
        var program = Program(
            try MissingProgram.find("clang", at: places, else: "add the Swift toolchain to PATH"), arguments)
        // It calls the linker by its name.
        program.environment["PATH"] = search
        return program
    }

    /// Returns the library that changes a program's clock, for `LD_PRELOAD`.
    ///
    /// - Throws: ``MissingProgram``.
    public static func fakeTimeLibrary() throws -> String {
        // The directory is named after the architecture.
        let folders = namesInFolder("/usr/lib").map { "/usr/lib/\($0)/faketime/libfaketime.so.1" }
        if let found = folders.first(where: { access($0, R_OK) == 0 }) { return found }
        throw MissingProgram(name: "libfaketime.so.1", searched: ["/usr/lib"], remedy: "apt-get install faketime")
    }
}
