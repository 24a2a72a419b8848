/// A fault of a server's validators that its response to a resumed download shows.
public enum ValidatorFault: Hashable, Sendable {
    /// The server sent the rest of another version, although the validator in `If-Range` was not that version's.
    case ignoredIfRange
    /// The server sent other bytes, or announced another length, under the same strong entity tag.
    case unreliableEntityTag
    /// The server sent other bytes, or announced another length, under the same `Last-Modified`.
    case unreliableLastModified
    /// `Last-Modified` has changed and the entity tag has not: the bytes may be the same or not.
    case contradictoryValidators
}
