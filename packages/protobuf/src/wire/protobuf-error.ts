// What is wrong with bytes that should be protobuf, and where. The one error that reading throws.

export class ProtobufError extends Error {
  constructor(message: string, offset?: number) {
    super(offset === undefined ? message : `${message} at byte ${offset}`)
    this.name = 'ProtobufError'
  }
}
