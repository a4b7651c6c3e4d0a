// Types for the part of the `ws` package that is used; it has none of its own.

declare module 'ws' {
  import type { EventEmitter } from 'node:events'
  import type { IncomingMessage } from 'node:http'
  import type { Duplex } from 'node:stream'

  export class WebSocket extends EventEmitter {
    readonly bufferedAmount: number
    send(text: string): void
    close(code?: number, reason?: string): void
    terminate(): void
    pong(data: Buffer): void
  }

  export class WebSocketServer extends EventEmitter {
    constructor(options: {
      noServer: true
      clientTracking: false
      perMessageDeflate: false
      maxPayload: number
      autoPong: boolean
      handleProtocols(protocols: Set<string>): string | false
    })
    handleUpgrade(request: IncomingMessage, socket: Duplex, head: Buffer, done: (socket: WebSocket) => void): void
  }
}
