import Dispatch
import Glibc
import TestSupport
import Testing

@testable import AFRequests

@Suite(.timeLimit(.minutes(5))) struct DelayTests {
    @Test func `a delay ends even if no descriptor can be opened`() async {
        await #expect(processExitsWith: .success) { try #require(delayEndsWithoutDescriptors()) }
    }
}

/// Whether a delay ends, once the process can open no descriptor for a timer of Dispatch.
private func delayEndsWithoutDescriptors() -> Bool {
    let openFiles = __rlimit_resource_t(RLIMIT_NOFILE.rawValue)
    var usual = rlimit()
    getrlimit(openFiles, &usual)
    var none = rlimit(rlim_cur: 0, rlim_max: usual.rlim_max)
    guard setrlimit(openFiles, &none) == 0, open("/dev/null", O_RDONLY) == -1 else { return false }
    // A sanitizer looks for leaks at the end of the process, and needs descriptors for that.
    defer { setrlimit(openFiles, &usual) }
    let isOver = DispatchSemaphore(value: 0)
    DispatchQueue(label: "delays").run(after: 0.01) { isOver.signal() }
    isOver.wait()
    return true
}
