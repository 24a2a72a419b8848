import Glibc

/// Returns the peak memory usage of this process in bytes.
func peakMemory() -> Int {
    var usage = rusage()
    getrusage(RUSAGE_SELF.rawValue, &usage)
    return usage.ru_maxrss << 10
}
