/// A `null` to be sent: `["name": JSONNull()]` is `{"name":null}` as JSON, `name=null` in a query.
public struct JSONNull: Hashable, Sendable {
    /// The only value.
    public init() {}
}
