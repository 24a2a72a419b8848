import Dispatch
import Glibc
import TestSupport
import Testing

@testable import AFCommand

/// How the work of the tool grows with the number of items.
@Suite(.timeLimit(.minutes(5))) struct ManyItemsTests {
    struct Shape: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let words: @Sendable (_ count: Int) -> [String]

        init(_ description: String, _ options: String..., item: @escaping @Sendable (_ number: Int) -> String) {
            testDescription = description
            words = { count in options + (0..<count).map(item) }
        }
    }

    static let shapes = [
        Shape("names") { "name\($0)=value" },
        Shape("JSON values") { "name\($0):=\($0)" },
        Shape("nested names") { "a[b\($0)][c]=value" },
        Shape("one nested object") { "a[b][c\($0)]=value" },
        Shape("elements") { _ in "a[]=value" },
        Shape("elements of the root") { _ in "[]=value" },
        Shape("nested elements") { "a[][\($0 % 9)]=value" },
        Shape("indexes") { "a[\($0)]=value" },
        Shape("indexes from the last on") { "a[\(39_999 - $0)]=value" },
        Shape("one name") { "name=\($0)" },
        Shape("members of typed JSON") { $0 == 0 ? #"a:={"b": 1, "c": [2]}"# : "a[b\($0)]=value" },
        Shape("a form", "--form") { "name\($0)=value" },
        Shape("parts", "--multipart") { "name\($0)=value" },
        Shape("headers") { "Name\($0):value" },
        Shape("one header") { "Name:value\($0)" },
        Shape("headers and removals") { $0 % 2 == 0 ? "Name\($0):value" : "Name\($0 - 1):" },
        Shape("cookies") { "Cookie:name\($0)=value" },
        Shape("queries") { "name\($0)==value" },
    ]

    @Test(arguments: shapes, ["--offline", "--curl"])
    func `eight times the items take about eight times the work`(shape: Shape, option: String) async throws {
        // The limit allows a factor of 2.25 for each doubling; quadratic time would be a factor of 4. A step of 15 ns for
        // each pair of items exceeds it. The thread's CPU time depends on other programs only through shared CPU caches, so
        // one good measurement of three is enough.
        var ratios: [Double] = []
        repeat {
            let few = try await cpuSeconds(option, shape.words(500))
            let many = try await cpuSeconds(option, shape.words(4000))
            ratios.append(many / few)
        } while ratios.count < 3 && ratios.min().map { $0 > Self.limit } == true
        #expect(ratios.contains { $0 <= Self.limit }, "\(ratios)")
    }

    private static let limit = 11.4

    /// The CPU time of a run that sends nothing, and so stays on one thread.
    private func cpuSeconds(_ option: String, _ words: [String]) async throws -> Double {
        let arguments = (["--ignore-stdin", option, "post", "example.org"] + words).map { Array($0.utf8) }
        return try await withCheckedThrowingContinuation { waiter in
            DispatchQueue(label: "tool").async {
                let start = Self.threadSeconds
                let status = Program(ToolWorld().environment).run(arguments)
                let seconds = Self.threadSeconds - start
                waiter.resume(with: status.code == 0 ? .success(seconds) : .failure(Failed(status: status.code)))
            }
        }
    }

    private struct Failed: Error { let status: Int32 }

    private static var threadSeconds: Double {
        var time = timespec()
        clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
        return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
    }
}
