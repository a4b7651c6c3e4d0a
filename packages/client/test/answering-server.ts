// An HTTP server that answers as a test tells it, for what no well-behaved server does.

import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo, Socket } from 'node:net'
import { onTestFinished } from 'vitest'

export interface AnsweringServer {
  readonly url: string
  /** `METHOD path` of every request so far. */
  readonly asked: string[]
  readonly sockets: ReadonlySet<Socket>
  /** Resolves when no connection is open. */
  idle(): Promise<void>
}

/** It ends with the test. */
export async function answering(
  answer: (request: IncomingMessage, response: ServerResponse, body: string) => void,
): Promise<AnsweringServer> {
  const asked: string[] = []
  const sockets = new Set<Socket>()
  let onIdle = () => {}
  const server = createServer((request, response) => {
    asked.push(`${request.method} ${request.url}`)
    const chunks: Buffer[] = []
    request.on('data', (chunk) => chunks.push(chunk))
    request.on('end', () => answer(request, response, Buffer.concat(chunks).toString()))
  })
  server.on('connection', (socket) => {
    sockets.add(socket)
    socket.on('close', () => {
      sockets.delete(socket)
      if (sockets.size === 0) onIdle()
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(
    () =>
      new Promise<void>((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  )
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    asked,
    sockets,
    idle: () =>
      new Promise((resolve) => {
        onIdle = resolve
        if (sockets.size === 0) resolve()
      }),
  }
}

export function answerJson(
  response: ServerResponse,
  code: number,
  body: unknown,
  headers: Record<string, string> = {},
) {
  response.writeHead(code, { 'content-type': 'application/json', ...headers }).end(JSON.stringify(body))
}
