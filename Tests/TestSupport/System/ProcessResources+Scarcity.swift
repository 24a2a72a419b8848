internal import Glibc

extension ProcessResources {
    /// Opens descriptors until only `count` more are available.
    ///
    /// For exit tests: it also lowers the process's limit to 128.
    public static func takeDescriptors(leaving count: Int) -> [Int32] {
        let resource = __rlimit_resource_t(RLIMIT_NOFILE.rawValue)
        var limit = rlimit()
        getrlimit(resource, &limit)
        limit.rlim_cur = 128
        setrlimit(resource, &limit)
        var taken: [Int32] = []
        while case let copy = dup(2), copy >= 0 { taken.append(copy) }
        closeDescriptors(taken.suffix(count))
        return taken.dropLast(count)
    }

    /// Closes descriptors that ``takeDescriptors(leaving:)`` returned.
    public static func closeDescriptors(_ taken: some Sequence<Int32>) {
        for descriptor in taken { close(descriptor) }
    }
}
