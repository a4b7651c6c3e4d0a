import { expect, it } from 'vitest'
import type { Transport, TransportRequest } from './api/transport.ts'
import { type EventSocket, webSocketTransport } from './websocket-transport.ts'

const WATCH: TransportRequest = { method: 'GET', path: '/api/v1/pods?watch=true&resourceVersion=5' }

/** A socket in the hands of the test. */
class HeldSocket implements EventSocket {
  closed = false
  readonly #listeners = new Map<string, (event: never) => void>()

  addEventListener(type: string, listener: (event: never) => void): void {
    this.#listeners.set(type, listener)
  }

  say(data: string): void {
    this.#listeners.get('message')?.({ data } as never)
  }

  opened(): void {
    this.#listeners.get('open')?.({} as never)
  }

  close(): void {
    if (this.closed) return
    this.closed = true
    this.#listeners.get('close')?.({} as never)
  }
}

function transport() {
  const passed: string[] = []
  const socket = new HeldSocket()
  const other: Transport = {
    async send({ path }) {
      passed.push(path)
      return { status: 410, header: () => undefined, body: (async function* () {})() }
    },
    close() {},
  }
  return { socket, passed, over: webSocketTransport(other, { open: () => socket }) }
}

async function textOf(body: AsyncIterable<Uint8Array>): Promise<string> {
  const chunks: Uint8Array[] = []
  for await (const chunk of body) chunks.push(chunk)
  return Buffer.concat(chunks).toString()
}

it('each message of a watch is a line of the body, with or without a line break of its own', async () => {
  const { socket, over, passed } = transport()
  const answer = over.send(WATCH)
  await Promise.resolve()
  socket.opened()
  const { status, body } = await answer
  expect(status).toBe(200)
  socket.say('{"type":"ADDED"}\n')
  socket.say('{"type":"DELETED"}')
  socket.close()
  expect(await textOf(body)).toBe('{"type":"ADDED"}\n{"type":"DELETED"}\n')
  expect(passed).toEqual([])
})

it('what is no watch goes the other way', async () => {
  const { over, passed } = transport()
  await over.send({ method: 'GET', path: '/api/v1/pods?limit=1' })
  await over.send({ method: 'POST', path: '/api/v1/pods?watch=true' })
  expect(passed).toEqual(['/api/v1/pods?limit=1', '/api/v1/pods?watch=true'])
})

it('a socket that is refused is asked for again over HTTP, which says why', async () => {
  const { socket, over, passed } = transport()
  const answer = over.send(WATCH)
  await Promise.resolve()
  socket.close()
  expect((await answer).status).toBe(410)
  expect(passed).toEqual([WATCH.path])
})

it('an aborted watch closes its socket and rejects with the reason', async () => {
  const { socket, over } = transport()
  const ending = new AbortController()
  const answer = over.send({ ...WATCH, signal: ending.signal })
  await Promise.resolve()
  socket.opened()
  const text = textOf((await answer).body)
  ending.abort(new Error('enough'))
  await expect(text).rejects.toThrow('enough')
  expect(socket.closed).toBe(true)
})

it('whoever leaves the loop closes the socket', async () => {
  const { socket, over } = transport()
  const answer = over.send(WATCH)
  await Promise.resolve()
  socket.opened()
  socket.say('{}')
  for await (const _ of (await answer).body) break
  expect(socket.closed).toBe(true)
})
