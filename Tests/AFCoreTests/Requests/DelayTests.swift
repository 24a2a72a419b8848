import Dispatch
import Glibc
import TestSupport
import Testing

@testable import AFCore

@Suite(.timeLimit(.minutes(5))) struct DelayTests {
    @Test func `a delay ends in a process that can open no descriptor`() async {
        await #expect(processExitsWith: .success) { try #require(delayEndsWithoutDescriptors()) }
    }
}

/// Whether a delay ends, once the process can open no descriptor for a timer of Dispatch.
private func delayEndsWithoutDescriptors() -> Bool {
    var limit = rlimit()
    getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
    limit.rlim_cur = 0
    guard setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit) == 0, open("/dev/null", O_RDONLY) == -1 else {
        return false
    }
    let isOver = DispatchSemaphore(value: 0)
    DispatchQueue(label: "delays").run(after: 0.01) { isOver.signal() }
    isOver.wait()
    return true
}
