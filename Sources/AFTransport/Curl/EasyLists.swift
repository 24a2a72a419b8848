internal import AFHTTP
internal import CCurl

/// The linked lists that a handle reads during its transfer; they must outlive it.
struct EasyLists {
    private var heads: [UnsafeMutablePointer<curl_slist>] = []

    /// Returns a list of the lines; `nil` if the array is empty.
    mutating func make(_ lines: [String]) -> UnsafeMutablePointer<curl_slist>? {
        var head: UnsafeMutablePointer<curl_slist>?
        var last: UnsafeMutablePointer<curl_slist>?
        for line in lines {
            // Appends to the last node: given the first one, libcurl walks the whole list each time.
            guard let node = line.withOctets({ curl_slist_append(nil, $0) }) else { continue }
            if let last { last.pointee.next = node } else { head = node }
            last = node
        }
        if let head { heads.append(head) }
        return head
    }

    mutating func free() {
        for head in heads { curl_slist_free_all(head) }
        heads = []
    }
}
