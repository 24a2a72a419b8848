internal import AFHTTP
internal import CLinux
internal import Glibc

/// A socket to the kernel's routing tables (rtnetlink), closed by deinitialization.
final class NetlinkSocket: Sendable {
    /// The multicast groups that a socket receives.
    struct Groups: OptionSet, Sendable {
        let rawValue: UInt32

        /// Links, addresses and routes.
        static let all = Groups(
            rawValue: UInt32(RTMGRP_LINK | RTMGRP_IPV4_IFADDR | RTMGRP_IPV6_IFADDR | RTMGRP_IPV4_ROUTE)
                | UInt32(RTMGRP_IPV6_ROUTE)
        )
    }

    let descriptor: Int32

    /// Returns `nil` if the kernel does not support it.
    init?(groups: Groups = []) {
        descriptor = af_netlink_open(groups.rawValue)
        guard descriptor >= 0 else { return nil }
    }

    deinit { close(descriptor) }

    /// Discards all unread messages and the error about lost ones (`ENOBUFS`).
    func discardWaiting() {
        withUnsafeTemporaryAllocation(byteCount: 32 * 1024, alignment: 16) { buffer in
            while true {
                let count = uninterrupted {
                    recv(descriptor, buffer.baseAddress, buffer.count, Int32(MSG_DONTWAIT))
                }
                if count < 0, errno != ENOBUFS { return }
            }
        }
    }

    /// Requests a dump of all objects of a type (such as `RTM_GETLINK`) and passes on each message.
    ///
    /// - Returns: `false` if the kernel does not respond.
    func dump(_ type: Int32, _ body: (NetlinkMessage) -> Void) -> Bool {
        ask(type, flags: NLM_F_DUMP, [UInt8](repeating: 0, count: MemoryLayout<rtgenmsg>.size), body)
    }

    /// Sends a request and passes on each message of the response.
    ///
    /// - Returns: `false` if the kernel does not respond or reports an error.
    func ask(_ type: Int32, flags: Int32, _ payload: [UInt8], _ body: (NetlinkMessage) -> Void) -> Bool {
        var question = [UInt8]()
        let head = nlmsghdr(
            nlmsg_len: UInt32(MemoryLayout<nlmsghdr>.size + payload.count),
            nlmsg_type: UInt16(type),
            nlmsg_flags: UInt16(NLM_F_REQUEST | flags),
            nlmsg_seq: 1,
            nlmsg_pid: 0
        )
        question.appendBytes(of: head)
        question += payload
        // The kernel responds immediately; its replacement in a sandbox may not.
        var timeout = timeval(tv_sec: 1, tv_usec: 0)
        setsockopt(descriptor, SOL_SOCKET, SO_RCVTIMEO, &timeout, socklen_t(MemoryLayout<timeval>.size))
        let sent = uninterrupted { send(descriptor, question, question.count, 0) }
        guard sent == question.count else { return false }
        let isDump = flags & NLM_F_DUMP == NLM_F_DUMP
        return withUnsafeTemporaryAllocation(byteCount: 64 * 1024, alignment: 16) { buffer in
            while true {
                let count = uninterrupted { recv(descriptor, buffer.baseAddress, buffer.count, 0) }
                guard count > 0 else { return false }
                for message in NetlinkMessages(UnsafeRawBufferPointer(rebasing: buffer[..<count])) {
                    switch message.type {
                    case NLMSG_DONE: return true
                    case NLMSG_ERROR: return false
                    default: body(message)
                    }
                }
                if !isDump { return true }
            }
        }
    }
}

/// A message of the kernel, valid as long as its buffer.
struct NetlinkMessage {
    let type: Int32
    private let payload: UnsafeRawBufferPointer

    init(type: Int32, payload: UnsafeRawBufferPointer) {
        (self.type, self.payload) = (type, payload)
    }

    /// Returns the fixed header of the message type; `nil` if the message is too short.
    func head<Head: BitwiseCopyable>(_: Head.Type) -> Head? {
        payload.count >= MemoryLayout<Head>.size ? payload.loadUnaligned(as: Head.self) : nil
    }

    /// Returns the attributes after the fixed header.
    func attributes<Head: BitwiseCopyable>(after _: Head.Type) -> NetlinkAttributes {
        let start = min(payload.count, aligned(MemoryLayout<Head>.size))
        return NetlinkAttributes(UnsafeRawBufferPointer(rebasing: payload[start...]))
    }
}

/// The messages of a datagram.
struct NetlinkMessages: Sequence, IteratorProtocol {
    private var rest: UnsafeRawBufferPointer

    init(_ bytes: UnsafeRawBufferPointer) { rest = bytes }

    mutating func next() -> NetlinkMessage? {
        let size = MemoryLayout<nlmsghdr>.size
        guard rest.count >= size else { return nil }
        let head = rest.loadUnaligned(as: nlmsghdr.self)
        let length = Int(head.nlmsg_len)
        guard (size...rest.count).contains(length) else { return nil }
        let payload = UnsafeRawBufferPointer(rebasing: rest[size..<length])
        rest = UnsafeRawBufferPointer(rebasing: rest[Swift.min(aligned(length), rest.count)...])
        return NetlinkMessage(type: Int32(head.nlmsg_type), payload: payload)
    }
}

/// The attributes of a message.
struct NetlinkAttributes: Sequence, IteratorProtocol {
    struct Attribute {
        let type: UInt16
        let value: UnsafeRawBufferPointer

        func load<Value: BitwiseCopyable>(_: Value.Type) -> Value? {
            value.count >= MemoryLayout<Value>.size ? value.loadUnaligned(as: Value.self) : nil
        }
    }

    private var rest: UnsafeRawBufferPointer

    init(_ bytes: UnsafeRawBufferPointer) { rest = bytes }

    mutating func next() -> Attribute? {
        let size = MemoryLayout<rtattr>.size
        guard rest.count >= size else { return nil }
        let head = rest.loadUnaligned(as: rtattr.self)
        let length = Int(head.rta_len)
        guard (size...rest.count).contains(length) else { return nil }
        let value = UnsafeRawBufferPointer(rebasing: rest[size..<length])
        rest = UnsafeRawBufferPointer(rebasing: rest[Swift.min(aligned(length), rest.count)...])
        // The upper two bits are flags.
        return Attribute(type: head.rta_type & 0x3FFF, value: value)
    }
}

/// Rounds up to a multiple of four, the alignment of messages and attributes.
private func aligned(_ length: Int) -> Int { (length + 3) & ~3 }

extension [UInt8] {
    mutating func appendBytes<Value: BitwiseCopyable>(of value: Value) {
        Swift.withUnsafeBytes(of: value) { append(contentsOf: $0) }
    }
}
