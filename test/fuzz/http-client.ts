// Sends what no ordinary client would, and takes whatever comes back. An answer that never ends is cut off.

import { Agent, request } from 'node:http'
import { connect } from 'node:net'

export interface Sent {
  readonly method: string
  readonly path: string
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: Buffer
}

export interface Received {
  /** 0 when the connection ended without an answer. */
  readonly status: number
  readonly text: string
}

export const agent = new Agent({ keepAlive: true, maxSockets: 4 })
/** Watches are left after this time. */
const WATCHED_MS = 150
const MAX_MS = 30_000

export function send(port: number, { method, path, headers = {}, body }: Sent): Promise<Received> {
  return new Promise((resolve, reject) => {
    const asked = request({ host: '127.0.0.1', port, agent, method, path, headers: { ...headers } }, (response) => {
      const chunks: Buffer[] = []
      const finish = () => resolve({ status: response.statusCode ?? 0, text: Buffer.concat(chunks).toString() })
      response.on('data', (chunk) => chunks.push(chunk))
      response.on('end', finish)
      response.on('error', finish)
      response.on('close', finish)
      const endless = path.includes('watch') && response.statusCode === 200
      setTimeout(() => response.destroy(), endless ? WATCHED_MS : MAX_MS).unref()
    })
    asked.on('error', (error: NodeJS.ErrnoException) => {
      // What cannot be sent is no fault of the server.
      if (error.code === 'ECONNRESET' || error.code === 'EPIPE' || error.code?.startsWith('ERR_')) resolve(NOTHING)
      else reject(error)
    })
    asked.on('upgrade', (_, socket) => {
      socket.destroy()
      resolve({ status: 101, text: '' })
    })
    asked.setTimeout(MAX_MS, () => asked.destroy(new Error(`${method} ${path.slice(0, 200)} had no answer`)))
    asked.end(body)
  })
}

const NOTHING = { status: 0, text: '' }

/** Writes bytes to a connection and takes what comes back until the server closes it or is silent. */
export function sendRaw(port: number, pieces: readonly Buffer[]): Promise<string> {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1')
    const chunks: Buffer[] = []
    const finish = () => {
      socket.destroy()
      resolve(Buffer.concat(chunks).toString('latin1'))
    }
    socket.setTimeout(WATCHED_MS, finish)
    socket.on('data', (chunk) => chunks.push(chunk))
    socket.on('error', finish)
    socket.on('close', finish)
    for (const piece of pieces) socket.write(piece)
  })
}
