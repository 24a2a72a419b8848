/// Alamofire's members of types that are not its own, behind `af`.
public struct AlamofireExtension<ExtendedType> {
    /// What the members are of.
    public private(set) var type: ExtendedType

    /// The members of a value.
    public init(_ type: ExtendedType) { self.type = type }
}

/// A type with members behind `af`.
public protocol AlamofireExtended {
    associatedtype ExtendedType

    /// The members of the type.
    static var af: AlamofireExtension<ExtendedType>.Type { get set }
    /// The members of the value.
    var af: AlamofireExtension<ExtendedType> { get set }
}

extension AlamofireExtended {
    /// The members of the type. Setting it does nothing; it lets members change the value.
    public static var af: AlamofireExtension<Self>.Type {
        get { AlamofireExtension<Self>.self }
        set {}
    }

    /// The members of the value. Setting it does nothing; it lets members change the value.
    public var af: AlamofireExtension<Self> {
        get { AlamofireExtension(self) }
        set {}
    }
}
