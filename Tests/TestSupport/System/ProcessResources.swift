internal import Glibc

/// The resources of the test process, for tests of leaks.
///
/// Tests of other suites run concurrently in the same process. Either count in an exit test, which has its own process
/// (`#expect(processExitsWith: .success) { … }`), or count only threads with a name.
public enum ProcessResources {
    /// Returns the number of open descriptors.
    public static func openDescriptors() -> Int {
        // One of them is the directory being read.
        namesInFolder("/proc/self/fd").count - 1
    }

    /// Returns the targets of all open descriptors, such as `17 → socket:[4711]`, for failure messages.
    public static func descriptorTargets() -> [String] {
        namesInFolder("/proc/self/fd").compactMap { number in
            var buffer = [CChar](repeating: 0, count: 4096)
            guard readlink("/proc/self/fd/\(number)", &buffer, buffer.count - 1) > 0 else { return nil }
            return "\(number) → " + buffer.withUnsafeBufferPointer { String(cString: $0.baseAddress!) }
        }
    }

    /// Returns the number of threads, which may include one that was joined just now.
    public static func threads() -> Int {
        namesInFolder("/proc/self/task").count
    }

    /// Returns the names of all threads, for failure messages.
    public static func threadNames() -> [String] {
        namesInFolder("/proc/self/task").map { thread in
            (fileText("/proc/self/task/\(thread)/comm") ?? "").filter { $0 != "\n" }
        }
    }

    /// Returns the number of threads with this name (`pthread_setname_np`).
    public static func threads(named name: String) -> Int {
        threadNames().count { $0 == name }
    }
}

/// Returns the maximum resident memory of the process since `exec`, in bytes.
///
/// Returns 0 after the process has ended.
func peakMemory(of process: pid_t) -> Int {
    let status = fileText("/proc/\(process)/status") ?? ""
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
