#if Combine
    public import AFCore
    public import AFHTTP
    public import Dispatch
    public import FoundationEssentials
    internal import OpenCombine

    /// The published face of data requests and uploads. The first subscriber that asks for a value starts the request.
    extension DataRequest {
        /// Publishes what a serializer makes of the response.
        public func publishResponse<Serializer: DataResponseSerializerProtocol, Value: Sendable>(
            using serializer: Serializer,
            on queue: DispatchQueue = .main
        ) -> DataResponsePublisher<Value> where Serializer.SerializedObject == Value {
            DataResponsePublisher(self, queue: queue, serializer: serializer)
        }

        /// Publishes the bytes of the body.
        public func publishData(
            queue: DispatchQueue = .main,
            preprocessor: any DataPreprocessor = DataResponseSerializer.defaultDataPreprocessor,
            emptyResponseCodes: Set<Int> = DataResponseSerializer.defaultEmptyResponseCodes,
            emptyRequestMethods: Set<HTTPMethod> = DataResponseSerializer.defaultEmptyRequestMethods
        ) -> DataResponsePublisher<Data> {
            let serializer = DataResponseSerializer(
                dataPreprocessor: preprocessor,
                emptyResponseCodes: emptyResponseCodes,
                emptyRequestMethods: emptyRequestMethods
            )
            return publishResponse(using: serializer, on: queue)
        }

        /// Publishes the body as text.
        ///
        /// - Parameter encoding: Wins over the response's `charset`; without either, ISO-8859-1.
        public func publishString(
            queue: DispatchQueue = .main,
            preprocessor: any DataPreprocessor = StringResponseSerializer.defaultDataPreprocessor,
            encoding: String.Encoding? = nil,
            emptyResponseCodes: Set<Int> = StringResponseSerializer.defaultEmptyResponseCodes,
            emptyRequestMethods: Set<HTTPMethod> = StringResponseSerializer.defaultEmptyRequestMethods
        ) -> DataResponsePublisher<String> {
            let serializer = StringResponseSerializer(
                dataPreprocessor: preprocessor,
                encoding: encoding,
                emptyResponseCodes: emptyResponseCodes,
                emptyRequestMethods: emptyRequestMethods
            )
            return publishResponse(using: serializer, on: queue)
        }

        /// Publishes a value decoded from the body.
        ///
        /// - Parameter emptyResponseMethods: Request methods whose responses may be empty; the label is Alamofire's.
        public func publishDecodable<Value: Decodable & Sendable>(
            type: Value.Type = Value.self,
            queue: DispatchQueue = .main,
            preprocessor: any DataPreprocessor = DecodableResponseSerializer<Value>.defaultDataPreprocessor,
            decoder: any DataDecoder = JSONDecoder(),
            emptyResponseCodes: Set<Int> = DecodableResponseSerializer<Value>.defaultEmptyResponseCodes,
            emptyResponseMethods: Set<HTTPMethod> = DecodableResponseSerializer<Value>.defaultEmptyRequestMethods
        ) -> DataResponsePublisher<Value> {
            let serializer = DecodableResponseSerializer<Value>(
                dataPreprocessor: preprocessor,
                decoder: decoder,
                emptyResponseCodes: emptyResponseCodes,
                emptyRequestMethods: emptyResponseMethods
            )
            return publishResponse(using: serializer, on: queue)
        }

        /// Publishes the response as it came.
        public func publishUnserialized(queue: DispatchQueue = .main) -> DataResponsePublisher<Data?> {
            DataResponsePublisher(self, queue: queue)
        }
    }
#endif
