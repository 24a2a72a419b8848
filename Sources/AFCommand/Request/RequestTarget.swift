/// The positional arguments and the address in them, each read once.
struct RequestTarget: Equatable, Sendable {
    private(set) var positionals: Positionals
    let address: Address
    /// The value of `--method` that they were read with.
    let method: String?

    /// Reads the positional arguments.
    ///
    /// - Throws: ``UsageError`` for an invalid argument or address.
    init(_ request: RequestArguments) throws(UsageError) {
        let positionals = try Positionals(
            request.positionals, method: request.method, isCompressed: request.compression > 0)
        try self.init(positionals, url: positionals.address, method: request.method)
    }

    /// Creates the target of a URL, with the method and the items of the positional arguments.
    init(_ positionals: Positionals, url: String, method: String?) throws(UsageError) {
        var positionals = positionals
        positionals.address = url
        do throws(UsageError) {
            self.init(positionals, try Address(url), method: method)
        } catch {
            throw positionals.explaining(error)
        }
    }

    /// Returns the target with the value of `--method` of another source. A method among the arguments takes precedence.
    func with(method: String?) throws(UsageError) -> RequestTarget {
        guard method != self.method, !positionals.hasMethodWord else { return self }
        var target = self
        try target.positionals.set(method: method)
        return target
    }

    init(_ positionals: Positionals, _ address: Address, method: String?) {
        (self.positionals, self.address, self.method) = (positionals, address, method)
    }
}
