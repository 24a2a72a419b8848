public import FoundationEssentials

extension DownloadRecord {
    /// What an interrupted download to this destination left: its record, where there is one that can be read.
    ///
    /// The partial file itself is looked at when the download goes on.
    public static func left(at destination: URL) -> DownloadRecord? {
        let partialPath = PartialFile.path(for: destination.path)
        let place = URL(filePath: PartialFile.recordPath(for: partialPath))
        guard let json = try? Data(contentsOf: place), var record = try? DownloadRecord(json: json) else { return nil }
        // The folder may have been moved since, and the record with it.
        record.partialPath = partialPath
        return record
    }
}
