internal import Glibc

/// Returns the message for an error number, as the end of a sentence.
func systemMessage(_ number: Int32) -> String {
    switch number {
    case ENOENT: "no such file"
    case EACCES, EPERM: "permission denied"
    case EISDIR: "it is a directory"
    case ENOTDIR: "a part of the path is not a directory"
    case ENAMETOOLONG: "the name is too long"
    case ELOOP: "too many symbolic links"
    case ENOSPC: "the disk is full"
    case EFBIG: "the file may not grow any further"
    default: standardText(number)
    }
}

private func standardText(_ number: Int32) -> String {
    var buffer = [CChar](repeating: 0, count: 256)
    // strerror_r is thread-safe, unlike strerror.
    guard strerror_r(number, &buffer, buffer.count) == 0 else { return "error \(number)" }
    return String(decoding: buffer.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self).lowercased()
}
