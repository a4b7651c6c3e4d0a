// The one error that reading throws: the problem and its offset in the bytes.

export class ProtobufError extends Error {
  constructor(message: string, offset?: number) {
    super(offset === undefined ? message : `${message} at byte ${offset}`)
    this.name = 'ProtobufError'
  }
}
