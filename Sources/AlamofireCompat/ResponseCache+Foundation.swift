public import AFCore
internal import Foundation

extension ResponseCache {
    /// A cache made as Foundation's; without a path it is in memory only.
    public convenience init(memoryCapacity: Int, diskCapacity: Int, diskPath path: String?) {
        self.init(
            memoryCapacity: memoryCapacity,
            diskCapacity: diskCapacity,
            directory: path.map { URL(filePath: $0, directoryHint: .isDirectory) }
        )
    }
}
