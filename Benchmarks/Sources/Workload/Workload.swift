import Glibc

/// The work that every client of P7 and P8 does: COUNT requests for one URL, INFLIGHT at a time.
///
/// The command line is `PROGRAM URL COUNT INFLIGHT`, for the core also `… IDLEURL IDLE`: as many transfers that hardly
/// move beside the others. After INFLIGHT requests of warm-up, which open the connections, the
/// program prints `{"requests":N,"seconds":S,"cpu":C}` for the rest, with the user and system seconds of the whole
/// process as `cpu`. It fails when any request does, or when two bodies differ in size.
public struct Workload: Sendable {
    public let url: String
    public let count: Int
    public let inFlight: Int
    /// The idle transfers: their URL and number.
    public let idle: (url: String, count: Int)?

    /// Takes the process's arguments; ends the process when they are wrong.
    public init() {
        let arguments = CommandLine.arguments
        guard [4, 6].contains(arguments.count), let count = Int(arguments[2]), let inFlight = Int(arguments[3]),
            inFlight > 0
        else {
            print("usage: \(arguments[0]) URL COUNT INFLIGHT [IDLEURL IDLE]")
            exit(64)
        }
        url = arguments[1]
        self.count = count
        self.inFlight = inFlight
        idle = arguments.count == 6 ? (arguments[4], Int(arguments[5]) ?? 0) : nil
    }

    /// Runs the work and prints the result.
    ///
    /// - Parameter request: Makes one request, reads the body to its end, and returns the body's size.
    public func run(_ request: @escaping @Sendable () async throws -> Int) async throws {
        let size = try await request()
        try await make(inFlight, expecting: size, request)

        let start = (time: ContinuousClock.now, cpu: Self.processorSeconds())
        try await make(count, expecting: size, request)
        let seconds = (ContinuousClock.now - start.time) / .seconds(1)
        print("{\"requests\":\(count),\"seconds\":\(seconds),\"cpu\":\(Self.processorSeconds() - start.cpu)}")
    }

    private func make(
        _ count: Int,
        expecting size: Int,
        _ request: @escaping @Sendable () async throws -> Int
    ) async throws {
        try await withThrowingTaskGroup(of: Void.self) { group in
            for worker in 0..<inFlight {
                let share = count * (worker + 1) / inFlight - count * worker / inFlight
                group.addTask {
                    for _ in 0..<share {
                        guard try await request() == size else { throw UnexpectedSize() }
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
