// A stand-in for a member of etcd, for tests of what a real one cannot be made to do: half messages, streams that are reset, a
// connection that it ends in the middle of calls, old versions. It answers Status as a healthy member; the rest is the test's.

import { createServer, type Http2Server, type ServerHttp2Session, type ServerHttp2Stream } from 'node:http2'
import { WireWriter } from '@homeostat/protobuf/wire'
import { onTestFinished } from 'vitest'
import { framed } from './grpc-frame.ts'
import { STATUS_PATH } from './member-pool.ts'
import { WATCH_PATH } from './watch.ts'

export type Answer = (stream: ServerHttp2Stream, session: ServerHttp2Session) => void

export interface FakeMember {
  readonly endpoint: string
  /** The paths of the calls that came, without Status. */
  readonly calls: string[]
}

interface Status {
  readonly version?: string
  readonly leader?: number
  readonly learner?: boolean
}

/** A watch gets the first of the answers at once. Each other call but Status gets the next of the answers; the last one stays. */
export async function fakeMember(answers: readonly Answer[], status: Status = {}): Promise<FakeMember> {
  const calls: string[] = []
  const sessions = new Set<ServerHttp2Session>()
  const server: Http2Server = createServer()
  server.on('session', (session) => {
    sessions.add(session)
    session.on('error', () => {})
  })
  server.on('stream', (stream, headers) => {
    stream.on('error', () => {})
    const path = `${headers[':path']}`
    stream.resume()
    if (path === WATCH_PATH && stream.session !== undefined) {
      calls.push(path)
      return answers[0]?.(stream, stream.session as ServerHttp2Session)
    }
    // After the whole request, as a member does.
    stream.on('end', () => {
      if (path === STATUS_PATH) return succeed(statusMessage(status))(stream)
      calls.push(path)
      const answer = answers[Math.min(calls.length, answers.length) - 1]
      if (stream.session !== undefined) answer?.(stream, stream.session as ServerHttp2Session)
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => {
    for (const session of sessions) session.destroy()
    server.close()
  })
  const address = server.address()
  return { endpoint: `http://127.0.0.1:${typeof address === 'object' ? address?.port : ''}`, calls }
}

/** A message, and a status of OK after it. */
export function succeed(message: WireWriter): (stream: ServerHttp2Stream) => void {
  return sendBytes(framed(message), { 'grpc-status': '0' })
}

/** Any bytes as the body, and trailers after it. */
export function sendBytes(bytes: Buffer, trailers: Record<string, string>): (stream: ServerHttp2Stream) => void {
  return (stream) => {
    stream.respond({ ':status': 200, 'content-type': 'application/grpc' }, { waitForTrailers: true })
    stream.on('wantTrailers', () => stream.sendTrailers(trailers))
    stream.end(bytes)
  }
}

/** Headers alone, which end the stream. */
export function headersOnly(headers: Record<string, string | number>): Answer {
  return (stream) =>
    stream.respond({ ':status': 200, 'content-type': 'application/grpc', ...headers }, { endStream: true })
}

function statusMessage({ version = '3.6.16', leader = 7, learner = false }: Status): WireWriter {
  const writer = new WireWriter()
  if (learner) writer.bool(10, true)
  writer.integer(4, leader)
  writer.string(2, version)
  return writer
}
