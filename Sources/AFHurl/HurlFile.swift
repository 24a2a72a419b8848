/// A Hurl file: requests with their expected responses, in order.
package struct HurlFile: Equatable, Sendable {
    /// The entries in order.
    package let entries: [HurlEntry]
}

/// A request with its expected response.
package struct HurlEntry: Equatable, Sendable {
    /// The request.
    package let request: HurlRequest
    /// The expected response; `nil` if the file has none.
    package let response: HurlResponse?
}

/// A comment, without its number sign.
package struct HurlComment: Equatable, Sendable {
    /// The text after the number sign.
    package let text: String
    /// The position of the number sign.
    package let position: SourcePosition
}

/// A request as written.
package struct HurlRequest: Equatable, Sendable {
    /// The comments before the request.
    package let comments: [HurlComment]
    /// The method, in upper case.
    package let method: String
    /// The URL.
    package let url: HurlTemplate
    /// The header fields in order.
    package let headers: [HurlKeyValue]
    /// The sections in order.
    package let sections: [HurlRequestSection]
    /// The body; `nil` if the entry has no body.
    package let body: HurlBody?
    /// The request line, up to the end of the URL.
    package let range: SourceRange
    /// The parts that only a `.http` file has; `nil` for a Hurl file.
    package var editor: EditorRequest?

    /// The options of the entry, in order.
    package var options: [HurlOption] {
        sections.flatMap { section -> [HurlOption] in
            if case .options(let options) = section.content { options } else { [] }
        }
    }
}

/// A name and a value, such as a header field.
package struct HurlKeyValue: Equatable, Sendable {
    /// The name.
    package let key: HurlTemplate
    /// The value.
    package let value: HurlTemplate
}

/// A section of a request.
package struct HurlRequestSection: Equatable, Sendable {
    /// The kinds of sections.
    package enum Content: Equatable, Sendable {
        case query([HurlKeyValue])
        case form([HurlKeyValue])
        case multipart([HurlMultipartItem])
        case cookies([HurlKeyValue])
        /// The user name and the password; `nil` if the section is empty.
        case basicAuth(HurlKeyValue?)
        case options([HurlOption])
    }

    /// The items of the section.
    package let content: Content
    /// The name with its brackets.
    package let range: SourceRange
}

/// An item of a multipart body.
package struct HurlMultipartItem: Equatable, Sendable {
    /// The value of an item.
    package enum Value: Equatable, Sendable {
        case text(HurlTemplate)
        /// A file, and its media type if the item has one.
        case file(HurlTemplate, type: HurlTemplate?)
    }

    /// The name of the item.
    package let name: HurlTemplate
    /// The value of the item.
    package let value: Value
}

/// An expected response as written.
package struct HurlResponse: Equatable, Sendable {
    /// A version; the raw value is its notation.
    package enum Version: String, CaseIterable, Sendable {
        case any = "HTTP"
        case http10 = "HTTP/1.0"
        case http11 = "HTTP/1.1"
        case http2 = "HTTP/2"
        case http3 = "HTTP/3"
    }

    /// The expected version.
    package let version: Version
    /// The part of the line with the version.
    package let versionRange: SourceRange
    /// The status code; `nil` for any.
    package let status: UInt64?
    /// The part of the line with the status.
    package let statusRange: SourceRange
    /// The header fields that the response must have.
    package let headers: [HurlKeyValue]
    /// The sections in order.
    package let sections: [HurlResponseSection]
    /// The expected body; `nil` for any.
    package let body: HurlBody?

    /// The captures of all sections, in order.
    package var captures: [HurlCapture] {
        sections.flatMap { section -> [HurlCapture] in
            if case .captures(let captures) = section.content { captures } else { [] }
        }
    }

    /// The asserts of all sections, in order.
    package var asserts: [HurlAssert] {
        sections.flatMap { section -> [HurlAssert] in
            if case .asserts(let asserts) = section.content { asserts } else { [] }
        }
    }
}

/// A section of a response.
package struct HurlResponseSection: Equatable, Sendable {
    /// The kinds of sections.
    package enum Content: Equatable, Sendable {
        case captures([HurlCapture])
        case asserts([HurlAssert])
    }

    /// The items of the section.
    package let content: Content
    /// The name with its brackets.
    package let range: SourceRange
}

/// A variable whose value comes from a response.
package struct HurlCapture: Equatable, Sendable {
    /// The name of the variable.
    package let name: HurlTemplate
    /// The query for the value.
    package let query: HurlQuery
    /// The filters that convert the value, in order.
    package let filters: [HurlFilter]
    /// Whether the value is a secret.
    package let isRedacted: Bool
}

/// A condition for a value of a response.
package struct HurlAssert: Equatable, Sendable {
    /// The query for the value.
    package let query: HurlQuery
    /// The filters that convert the value, in order.
    package let filters: [HurlFilter]
    /// The condition.
    package let predicate: HurlPredicate
}
