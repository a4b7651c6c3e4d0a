// Where a watch writes. HTTP gives one that frames chunks; tests give one that collects.

export interface WatchSink {
  /** Wraps whole lines for the wire, once for all who receive them. */
  frame(lines: Buffer): Buffer
  /** Sends what `frame` made. Never blocks; what cannot be sent yet counts as `buffered`. */
  send(framed: Buffer): void
  /** Frames and sends lines that go nowhere else, without a copy; `send` of a `frame` where there is no such way. */
  sendLines?(lines: Buffer): void
  /** Bytes taken by `send` that the other side has not taken yet. */
  readonly buffered: number
  /** Resolves when `buffered` has fallen far enough, or the sink closed. */
  drained(): Promise<void>
  /** Ends the stream after what was sent. */
  end(): void
  readonly closed: boolean
  /** Calls back when the other side is gone, or the stream has ended; at once when that is so already. */
  onClose(listener: () => void): void
}
