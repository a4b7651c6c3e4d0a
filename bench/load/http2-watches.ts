// Watches over HTTP/2 that stay open until the process ends. The load process calls it.

import { type ClientHttp2Session, connect } from 'node:http2'
import type { Http2WatchPlan } from './protocol.ts'

/** The server allows 250. */
const STREAMS = 250

/** Resolves when every watch has its head. */
export async function openHttp2Watches({ port, watchers, path, token }: Http2WatchPlan): Promise<void> {
  for (let opened = 0; opened < watchers; opened += STREAMS) {
    const session = connect(`https://127.0.0.1:${port}`, { rejectUnauthorized: false })
    const count = Math.min(STREAMS, watchers - opened)
    await Promise.all(Array.from({ length: count }, () => openWatch(session, path, token)))
  }
}

function openWatch(session: ClientHttp2Session, path: string, token: string): Promise<void> {
  const { promise, resolve, reject } = Promise.withResolvers<void>()
  const stream = session.request({ ':path': path, authorization: `Bearer ${token}` })
  stream.on('response', ({ ':status': status }) => {
    if (status === 200) resolve()
    else reject(new Error(`watch got status ${status}`))
  })
  stream.on('error', reject)
  stream.resume()
  return promise
}
