/// Alamofire's extensions of other modules' types, behind `af`.
public struct AlamofireExtension<ExtendedType> {
    /// The extended value.
    public private(set) var type: ExtendedType

    /// Creates the extension of a value.
    public init(_ type: ExtendedType) { self.type = type }
}

/// A type with extensions behind `af`.
public protocol AlamofireExtended {
    associatedtype ExtendedType

    /// The extensions of the type.
    static var af: AlamofireExtension<ExtendedType>.Type { get set }
    /// The extensions of the value.
    var af: AlamofireExtension<ExtendedType> { get set }
}

extension AlamofireExtended {
    /// The extensions of the type. Setting it has no effect; the setter allows mutating members.
    public static var af: AlamofireExtension<Self>.Type {
        get { AlamofireExtension<Self>.self }
        set {}
    }

    /// The extensions of the value. Setting it has no effect; the setter allows mutating members.
    public var af: AlamofireExtension<Self> {
        get { AlamofireExtension(self) }
        set {}
    }
}
