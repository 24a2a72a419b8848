internal import Glibc

/// The resources of the test process, for tests of leaks.
///
/// Tests of other suites run concurrently in the same process. Either count in an exit test, which has its own process
/// (`#expect(processExitsWith: .success) { … }`), or count only threads with a name.
public enum ProcessResources {
    /// The number of descriptors that are open.
    public static func openDescriptors() -> Int {
        // One of them is the folder being read.
        namesInFolder("/proc/self/fd").count - 1
    }

    /// The targets of all open descriptors, as `17 → socket:[4711]`, for failure messages.
    public static func descriptorTargets() -> [String] {
        namesInFolder("/proc/self/fd").compactMap { number in
            var buffer = [CChar](repeating: 0, count: 4096)
            guard readlink("/proc/self/fd/\(number)", &buffer, buffer.count - 1) > 0 else { return nil }
            return "\(number) → " + buffer.withUnsafeBufferPointer { String(cString: $0.baseAddress!) }
        }
    }

    /// The number of threads; one that has just been joined may be counted for a moment still.
    public static func threads() -> Int {
        namesInFolder("/proc/self/task").count
    }

    /// The names of all threads, for the message of a failure.
    public static func threadNames() -> [String] {
        namesInFolder("/proc/self/task").map { thread in
            (wholeFile("/proc/self/task/\(thread)/comm") ?? "").filter { $0 != "\n" }
        }
    }

    /// The number of threads with this name (`pthread_setname_np`).
    public static func threads(named name: String) -> Int {
        threadNames().count { $0 == name }
    }
}

/// The most memory that the process has had resident since it became the program that it is, in bytes.
///
/// Zero once it has ended.
func peakMemory(of process: pid_t) -> Int {
    let status = wholeFile("/proc/\(process)/status") ?? ""
    let line = status.split(separator: "\n").first { $0.hasPrefix("VmHWM:") } ?? ""
    return line.split(whereSeparator: { $0 == " " || $0 == "\t" }).dropFirst().first.flatMap { Int($0) }.map {
        $0 << 10
    } ?? 0
}

func peakMemoryOfThisProcess() -> Int {
    var usage = rusage()
    getrusage(RUSAGE_SELF.rawValue, &usage)
    return usage.ru_maxrss << 10
}
