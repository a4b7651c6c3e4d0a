// One keep-alive connection of the load generator: raw bytes out, answers in, never two requests at once.

import { connect, type Socket } from 'node:net'
import { connect as connectTls } from 'node:tls'
import { ResponseReader } from './response-reader.ts'

export interface Answer {
  readonly status: number
  /** The beginning of the body when the status is an error, for the message. */
  readonly excerpt: string
}

/** Read by all connections in turn: a read is used up before the next one starts. */
const shared = Buffer.allocUnsafe(256 * 1024)

export class Connection {
  readonly #socket: Socket
  #status = 0
  #excerpt = ''
  /** Called for each whole answer. */
  onAnswer: (answer: Answer) => void = () => {}
  /** Called for each piece of a body. */
  onBody: ((buffer: Buffer, start: number, end: number) => void) | undefined
  onHead: (status: number) => void = () => {}
  onLost: (error: Error) => void = () => {}

  private constructor(port: number, tls: boolean, opened: (error?: Error) => void) {
    const reader = new ResponseReader({
      head: (status) => {
        this.#status = status
        this.#excerpt = ''
        this.onHead(status)
      },
      body: (buffer, start, end) => {
        if (this.#status >= 300 && this.#excerpt === '')
          this.#excerpt = buffer.toString('latin1', start, Math.min(end, start + 400))
        this.onBody?.(buffer, start, end)
      },
      end: () => this.onAnswer({ status: this.#status, excerpt: this.#excerpt }),
    })
    const onread = {
      buffer: shared,
      callback: (length: number) => {
        reader.feed(shared, length)
        return true
      },
    }
    const place = { host: '127.0.0.1', port }
    if (tls) {
      this.#socket = connectTls({ ...place, rejectUnauthorized: false, ALPNProtocols: ['http/1.1'] }, () => opened())
      this.#socket.setNoDelay(true)
      this.#socket.on('data', (chunk: Buffer) => reader.feed(chunk, chunk.length))
    } else this.#socket = connect({ ...place, noDelay: true, onread }, () => opened())
    this.#socket.on('error', (error) => {
      opened(error)
      this.onLost(error)
    })
    this.#socket.on('end', () => this.onLost(new Error('the server closed a connection')))
  }

  static open(port: number, tls = false): Promise<Connection> {
    return new Promise((resolve, reject) => {
      const connection: Connection = new Connection(port, tls, (error) =>
        error === undefined ? resolve(connection) : reject(error),
      )
    })
  }

  send(request: string): void {
    this.#socket.write(request, 'latin1')
  }

  close(): void {
    this.onLost = () => {}
    this.#socket.destroy()
  }
}
