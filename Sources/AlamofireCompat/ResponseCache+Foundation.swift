public import AFCore
internal import Foundation

extension ResponseCache {
    /// Creates a cache with Foundation's parameters; without a path it stores in memory only.
    public convenience init(memoryCapacity: Int, diskCapacity: Int, diskPath path: String?) {
        self.init(
            memoryCapacity: memoryCapacity,
            diskCapacity: diskCapacity,
            directory: path.map { URL(filePath: $0, directoryHint: .isDirectory) }
        )
    }
}
