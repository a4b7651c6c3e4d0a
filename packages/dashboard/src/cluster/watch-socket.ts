// A watch of a cluster, told to the page over a WebSocket: each line of the cluster's response is a message. So any cluster will do,
// whatever it knows of WebSockets itself.

import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Transport } from '@homeostat/client'
import { type WebSocket, WebSocketServer } from 'ws'
import { PASSED } from '../headers.ts'
import { sentHeaders } from './forward.ts'
import { linesOf } from './lines-of.ts'

/** The page sends nothing. */
const MAX_RECEIVED = 1024
/** Reading from the cluster waits while the page has not taken so much. */
const HIGH_WATER = 1 << 20
const DRAIN_MS = 20

export interface SocketParts {
  readonly transport: Transport
  readonly path: string
  readonly head: Buffer
  /** Refuses the upgrade. */
  readonly response: ServerResponse
}

export async function watchOverSocket(request: IncomingMessage, parts: SocketParts): Promise<void> {
  const { transport, path, head, response } = parts
  const gone = new AbortController()
  request.socket.once('close', () => gone.abort())
  const answer = await transport.send({
    method: 'GET',
    path,
    headers: sentHeaders(request.headers),
    signal: gone.signal,
  })
  if (answer.status !== 200) {
    gone.abort()
    response.writeHead(answer.status, [...PASSED]).end()
    return
  }
  const socket = await opened(request, head)
  try {
    for await (const line of linesOf(answer.body)) {
      socket.send(line)
      while (socket.bufferedAmount > HIGH_WATER && !gone.signal.aborted)
        await new Promise((resolve) => setTimeout(resolve, DRAIN_MS))
    }
  } catch {
    // The cluster broke off: the page opens the watch again.
  } finally {
    socket.close()
  }
}

function opened(request: IncomingMessage, head: Buffer): Promise<WebSocket> {
  const server = new WebSocketServer({
    noServer: true,
    clientTracking: false,
    perMessageDeflate: false,
    maxPayload: MAX_RECEIVED,
    autoPong: true,
    handleProtocols: ([first]) => first ?? false,
  })
  return new Promise((resolve, reject) => {
    request.socket.once('close', () => reject(new Error('the browser has gone')))
    server.handleUpgrade(request, request.socket, head, (socket) => {
      socket.on('error', () => {})
      resolve(socket)
    })
  })
}
