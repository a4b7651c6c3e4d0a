// A server in the test's process, with a store in memory and a free port, and a small HTTP client for it.

import { connect } from 'node:net'
import { MemoryStore, type Store } from '@homeostat/store'
import { etcdStoreForTests } from '@homeostat/store/testing/etcd/store-for-tests'
import { onTestFinished } from 'vitest'
import { type ApiServerOptions, startApiServer } from '../src/index.ts'
import type { Body } from './body.ts'
import { openWatch, type TestWatch } from './watching.ts'

export interface Answer {
  readonly status: number
  readonly headers: Headers
  readonly text: string
  readonly body: Body
}

export interface Sent {
  readonly body?: unknown
  readonly type?: string
  readonly accept?: string
  readonly headers?: Readonly<Record<string, string>>
}

export interface TestServer {
  readonly url: string
  readonly port: number
  readonly store: Store
  get(path: string, sent?: Sent): Promise<Answer>
  post(path: string, body: unknown, sent?: Sent): Promise<Answer>
  put(path: string, body: unknown, sent?: Sent): Promise<Answer>
  /** A merge patch; a JSON patch when the body is a list. */
  patch(path: string, body: unknown, sent?: Sent): Promise<Answer>
  delete(path: string, body?: unknown, sent?: Sent): Promise<Answer>
  send(method: string, path: string, sent?: Sent): Promise<Answer>
  /** Follows a watch; it ends with the test. */
  watch(path: string, sent?: Sent): Promise<TestWatch>
  /** Creates a definition and waits until it is established. */
  define(definition: object): Promise<Body>
  /** Waits until the object (a GET of its path) satisfies the condition. */
  until(path: string, wanted: (object: Body) => boolean): Promise<Body>
  /** Waits until the object is gone. */
  gone(path: string): Promise<void>
  /** Sends bytes and returns everything that the server sends until it closes the connection. */
  raw(bytes: string | Uint8Array): Promise<string>
  close(): Promise<void>
}

export const DEFINITIONS = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions'

/** Revisions with gaps, as a store with several writers has them: no test may rely on 1, 2, 3. */
export const leapingRevisions = { start: 3_000, next: (last: number) => last + 1 + (last % 3) }

/** The caller must `close` it after the file's tests. */
export async function serve(options: Partial<ApiServerOptions> = {}): Promise<TestServer> {
  const store = options.store ?? (await etcdStoreForTests()) ?? new MemoryStore(leapingRevisions)
  const server = await startApiServer({ host: '127.0.0.1', port: 0, ...options, store })
  return {
    ...client(server.address.port),
    store,
    async close() {
      await server.close()
      await store.close()
    },
  }
}

/** A server for one test. */
export async function serveForTest(options: Parameters<typeof serve>[0] = {}): Promise<TestServer> {
  const server = await serve(options)
  onTestFinished(() => server.close())
  return server
}

/** A client of any server on this machine. */
export function client(port: number): Omit<TestServer, 'store' | 'close'> {
  const url = `http://127.0.0.1:${port}`
  const send: TestServer['send'] = async (method, path, { body, type, accept, headers } = {}) => {
    const response = await fetch(url + path, {
      method,
      redirect: 'manual',
      headers: {
        ...(body !== undefined && { 'content-type': type ?? 'application/json' }),
        ...(accept !== undefined && { accept }),
        ...headers,
      },
      ...(body !== undefined && { body: typeof body === 'string' ? body : JSON.stringify(body) }),
    })
    const text = await response.text()
    const json = response.headers.get('content-type')?.startsWith('application/json') && text !== ''
    return { status: response.status, headers: response.headers, text, body: (json ? JSON.parse(text) : {}) as Body }
  }
  const open: TestServer['watch'] = (path, sent = {}) =>
    openWatch(`${url}${path}${path.includes('?') ? '&' : '?'}watch=true`, {
      ...(sent.accept !== undefined && { accept: sent.accept }),
      ...sent.headers,
    })
  const watch: TestServer['watch'] = async (path, sent) => {
    const opened = await open(path, sent)
    onTestFinished(() => opened.close())
    return opened
  }
  /** Reads once per change of the collection instead of polling. */
  const lookUntil = async (path: string, done: (answer: Answer) => boolean): Promise<Answer> => {
    const first = await send('GET', path)
    if (done(first)) return first
    const cut = path.lastIndexOf('/')
    const changes = await open(`${path.slice(0, cut)}?fieldSelector=metadata.name=${path.slice(cut + 1)}`)
    for (;;) {
      const answer = await send('GET', path)
      if (done(answer)) {
        changes.close()
        return answer
      }
      await changes.next()
    }
  }
  const until: TestServer['until'] = async (path, wanted) =>
    (await lookUntil(path, ({ status, body }) => status === 200 && wanted(body))).body
  return {
    url,
    port,
    send,
    watch,
    until,
    get: (path, sent) => send('GET', path, sent),
    post: (path, body, sent) => send('POST', path, { ...sent, body }),
    put: (path, body, sent) => send('PUT', path, { ...sent, body }),
    patch: (path, body, sent) =>
      send('PATCH', path, {
        type: `application/${Array.isArray(body) ? 'json' : 'merge'}-patch+json`,
        ...sent,
        body,
      }),
    delete: (path, body, sent) => send('DELETE', path, { ...sent, ...(body !== undefined && { body }) }),
    async define(definition) {
      const { status, text, body } = await send('POST', DEFINITIONS, { body: definition })
      if (status !== 201) throw new Error(`the definition was refused: ${text}`)
      return until(`${DEFINITIONS}/${body.metadata.name}`, (seen) => conditionOf(seen, 'Established') === 'True')
    },
    async gone(path) {
      await lookUntil(path, ({ status }) => status === 404)
    },
    raw: (bytes) => exchangeRaw(port, bytes),
  }
}

/** `True`, `False`, or undefined when the object has no such condition. */
export function conditionOf(object: Body, type: string): string | undefined {
  return conditionsOf(object).find((condition) => condition.type === type)?.status
}

export function conditionsOf(object: Body): Record<string, string>[] {
  const { conditions } = (object.status ?? {}) as { conditions?: Record<string, string>[] | null }
  return conditions ?? []
}

function exchangeRaw(port: number, bytes: string | Uint8Array): Promise<string> {
  return new Promise((resolve, reject) => {
    const socket = connect(port, '127.0.0.1')
    const chunks: Buffer[] = []
    socket.on('data', (chunk) => chunks.push(chunk))
    socket.on('close', () => resolve(Buffer.concat(chunks).toString()))
    socket.on('error', (error) => (chunks.length > 0 ? undefined : reject(error)))
    socket.write(bytes)
  })
}
