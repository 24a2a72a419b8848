/// How a request ended: with a value, or with an ``AFError``.
public typealias AFResult<Success> = Result<Success, AFError>
