// The output of a watch. HTTP and WebSockets implement it; tests collect what is sent.

export interface WatchSink {
  /** What `frame` does, by name: watches share frames only with others of the same framing. */
  readonly framing: 'chunked' | 'websocket' | 'lines'
  /** Frames whole lines for the wire; all watches of a group share the result. */
  frame(lines: Buffer): Buffer
  /** Sends the result of `frame`. Never blocks; bytes that cannot be sent yet count as `buffered`. */
  send(framed: Buffer): void
  /** Frames and sends lines for this watch only, without a copy. Absent: the caller uses `frame` and `send`. */
  sendLines?(lines: Buffer): void
  /** Bytes passed to `send` that the client has not read yet. */
  readonly buffered: number
  /** Resolves when `buffered` is low enough, or the sink has closed. */
  drained(): Promise<void>
  /** Ends the stream after the bytes that were sent. */
  end(): void
  readonly closed: boolean
  /** Calls the listener when the client disconnects or the stream ends; at once if that has happened. */
  onClose(listener: () => void): void
}
