extension Program {
    /// A program of the system, by its name.
    ///
    /// - Parameter package: The Debian package to install where it is missing.
    /// - Throws: ``MissingProgram``.
    public static func installed(_ name: String, package: String, _ arguments: [String] = []) throws -> Program {
        let folders = ["/usr/bin", "/bin", "/usr/sbin", "/usr/local/bin", "/usr/local/sbin"]
        let path = try MissingProgram.find(
            name, at: folders.map { "\($0)/\(name)" }, else: "apt-get install \(package)")
        return Program(path, arguments)
    }
}
