import Glibc

/// The work that every client of P7 and P8 does: COUNT requests, INFLIGHT at a time.
///
/// After INFLIGHT requests of warm-up, which open the connections, the program prints
/// `{"requests":N,"seconds":S,"cpu":C}` for the rest, with the user and system seconds of the whole process as `cpu`. It
/// fails if a request fails, or if two bodies of a URL differ in size.
public struct Workload: Sendable {
    public let url: String
    /// A URL of another host, requested in turn with ``url`` and with other options; `nil` for none.
    public let otherURL: String?
    /// The JSON body of a POST; `nil` for GET.
    public let body: [UInt8]?
    /// The path of the authority's certificate; `nil` if the URLs do not use TLS.
    public let authority: String?
    public let count: Int
    public let inFlight: Int
    /// The number of threads of the transport.
    public let threadCount: Int
    /// The idle transfers: their URL and number.
    public let idle: (url: String, count: Int)?

    private static let usage = """
        usage: \(CommandLine.arguments[0]) URL COUNT INFLIGHT [--other URL] [--post BYTES] [--authority FILE]
            [--idle COUNT,URL] [--threads COUNT]
        """

    /// Parses the process's arguments; ends the process if they are invalid.
    public init() {
        var words = CommandLine.arguments.dropFirst()
        var options: [String: String] = [:]
        let positionals = words.prefix(3)
        words = words.dropFirst(3)
        while let name = words.popFirst(), let value = words.popFirst() { options[name] = value }
        guard positionals.count == 3, words.isEmpty, let count = Int(positionals[2]),
            let inFlight = Int(positionals[3]), inFlight > 0
        else {
            print(Self.usage)
            exit(64)
        }
        url = positionals[1]
        self.count = count
        self.inFlight = inFlight
        otherURL = options["--other"]
        authority = options["--authority"]
        body = options["--post"].flatMap { Int($0) }.map(Self.json)
        threadCount = options["--threads"].flatMap { Int($0) } ?? 1
        let idle = options["--idle"]?.split(separator: ",", maxSplits: 1)
        self.idle = idle.map { (String($0[1]), Int($0[0]) ?? 0) }
    }

    /// Returns a JSON object of a size.
    private static func json(size: Int) -> [UInt8] {
        let frame = #"{"text":""}"#
        return Array(#"{"text":"\#(String(repeating: "x", count: max(0, size - frame.utf8.count)))"}"#.utf8)
    }

    /// Runs the work and prints the result.
    ///
    /// - Parameter request: Sends one request, to ``otherURL`` if the argument is `true`, reads the body to its end, and
    ///   returns the body's size.
    public func run(_ request: @escaping @Sendable (_ isOther: Bool) async throws -> Int) async throws {
        let sizes = (try await request(false), otherURL == nil ? 0 : try await request(true))
        try await send(inFlight * 2, expecting: sizes, request)

        let start = (time: ContinuousClock.now, cpu: Self.processorSeconds())
        try await send(count, expecting: sizes, request)
        let seconds = (ContinuousClock.now - start.time) / .seconds(1)
        print("{\"requests\":\(count),\"seconds\":\(seconds),\"cpu\":\(Self.processorSeconds() - start.cpu)}")
    }

    private func send(
        _ count: Int,
        expecting sizes: (Int, Int),
        _ request: @escaping @Sendable (Bool) async throws -> Int
    ) async throws {
        let alternates = otherURL != nil
        try await withThrowingTaskGroup(of: Void.self) { group in
            for worker in 0..<inFlight {
                let share = count * (worker + 1) / inFlight - count * worker / inFlight
                group.addTask {
                    for number in 0..<share {
                        let isOther = alternates && number % 2 == 1
                        guard try await request(isOther) == (isOther ? sizes.1 : sizes.0) else {
                            throw UnexpectedSize()
                        }
                    }
                }
            }
            try await group.waitForAll()
        }
    }

    private static func processorSeconds() -> Double {
        var usage = rusage()
        getrusage(__rusage_who_t(RUSAGE_SELF.rawValue), &usage)
        return seconds(usage.ru_utime) + seconds(usage.ru_stime)
    }

    private static func seconds(_ time: timeval) -> Double {
        Double(time.tv_sec) + Double(time.tv_usec) / 1e6
    }
}

/// A body was not as long as the first one.
struct UnexpectedSize: Error {}
