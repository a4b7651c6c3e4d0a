// A whole server, as `homeostat up` starts it with everything that comes with it, asked by requests whose numbers have all
// their digits. Each answer that is the server's fault is kept for the test to see.

import { eventually } from '@homeostat/base/testing/eventually'
import { temporaryFolder } from '@homeostat/base/testing/temporary-folder'
import { type JsonValue, readJson, writeJson } from '@homeostat/meta'
import { type Received, send } from '../fuzz/http-client.ts'
import { startServer } from '../server-process.ts'

/** Where a number ends to be exact, the ends of int64, the first beyond int32, what is negative, and what is not whole. */
export const NUMBERS = [2n ** 53n, 2n ** 63n - 1n, -(2n ** 63n), 2 ** 31, -1, 0.5] as const

export interface NumbersServer {
  readonly port: number
  ask(method: string, path: string, body?: unknown, headers?: Readonly<Record<string, string>>): Promise<Received>
  /** Asks until the answer is as wanted, for as long as the test may take. */
  until(path: string, wanted: (object: Loose, status: number) => boolean): Promise<Loose>
  /** What no request may cause: internal errors, connections cut off, errors in the log. */
  faults(): string[]
}

// biome-ignore lint/suspicious/noExplicitAny: answers of every kind
export type Loose = Record<string, any>

export async function startNumbersServer(): Promise<NumbersServer> {
  const server = await startServer(temporaryFolder(), ['--store', 'memory', '--log-format', 'json'])
  const port = Number(new URL(server.url).port)
  const faults: string[] = []
  const ask: NumbersServer['ask'] = async (method, path, body, headers = {}) => {
    const sent = { 'content-type': 'application/json', ...headers }
    const answer = await send(port, {
      method,
      path,
      headers: sent,
      ...(body !== undefined && { body: Buffer.from(writeJson(body)) }),
    })
    // Kubernetes has a few refusals of its own with the code 500; they have no reason.
    if (answer.status === 0 || answer.text.includes('"reason":"InternalError"')) {
      const asked = `${method} ${path} ${headers.accept ?? ''}`
      faults.push(`${asked}: ${answer.status} ${answer.text.slice(0, 300)} for ${writeJson(body).slice(-300)}`)
    }
    return answer
  }
  return {
    port,
    ask,
    until: (path, wanted) =>
      eventually(async () => {
        const { status, text } = await ask('GET', path)
        const object = text.startsWith('{') ? (readJson(text).value as Record<string, JsonValue>) : {}
        return wanted(object, status) && object
      }),
    faults: () => [...faults, ...errorsIn(server.output().stderr)],
  }
}

function errorsIn(log: string): string[] {
  return log.split('\n').filter((line) => /"level":"(error|fatal)"/.test(line))
}

/** Works on all of them, a few at a time. */
export async function forEach<T>(all: readonly T[], work: (one: T, index: number) => Promise<void>): Promise<void> {
  let next = 0
  const worker = async () => {
    for (let index = next++; index < all.length; index = next++) await work(all[index] as T, index)
  }
  await Promise.all(Array.from({ length: 8 }, worker))
}
