// A colony on a clock that a test moves, and the calls of executors as plain requests.

import { ManualClock } from '@homeostat/base'
import type {
  AssignRequest,
  AssignResponse,
  CloseRequest,
  HeartbeatResponse,
  Process,
} from '@homeostat/executor/protocol'
import { type TestColony, type TestColonyOptions, testColony } from '@homeostat/testing/colony'
import { onTestFinished } from 'vitest'

const START = Date.parse('2026-01-01T00:00:00Z')

export interface Answer<T> {
  readonly status: number
  readonly body: T
}

export interface Refused {
  readonly message: string
  readonly reason: string
  readonly details?: { readonly causes?: readonly { readonly field: string }[] }
}

export async function startColony(options: TestColonyOptions = {}) {
  const clock = new ManualClock(START)
  const colony = await testColony({ clock, ...options })
  onTestFinished(() => colony.close())
  return { ...callsOf(colony, 'dev'), colony, clock }
}

export function callsOf({ client, api }: TestColony, namespace: string) {
  const base = `/apis/colonies.io/v1/namespaces/${namespace}`
  const send = async <T>(method: string, path: string, body?: unknown, signal?: AbortSignal): Promise<Answer<T>> => {
    const answer = await client.transport.send({
      method,
      path: `${base}${path}`,
      headers: { 'content-type': method === 'PATCH' ? 'application/merge-patch+json' : 'application/json' },
      ...(body !== undefined && { body: typeof body === 'string' ? body : JSON.stringify(body) }),
      ...(signal && { signal }),
    })
    let text = ''
    for await (const chunk of answer.body) text += Buffer.from(chunk).toString()
    return { status: answer.status, body: (text.startsWith('{') ? JSON.parse(text) : text) as T }
  }
  const post = <T = Refused>(path: string, body: unknown, signal?: AbortSignal) => send<T>('POST', path, body, signal)
  return {
    send,
    submit: (name: string, spec: object = {}) =>
      post<Process & Refused>('/processes', {
        apiVersion: 'colonies.io/v1',
        kind: 'Process',
        metadata: { name },
        spec: { funcName: 'f', conditions: { executorType: 'ml' }, ...spec },
      }),
    register: (name: string, spec: object = {}) =>
      post('/executors', {
        apiVersion: 'colonies.io/v1',
        kind: 'Executor',
        metadata: { name },
        spec: { type: 'ml', ...spec },
      }),
    assign: (name: string, body: AssignRequest = {}, seconds = 0, signal?: AbortSignal) =>
      post<AssignResponse & Refused>(`/executors/${name}/assign?timeoutSeconds=${seconds}`, body, signal),
    heartbeat: (name: string, holding: readonly { process: string; attempt: number }[] = []) =>
      post<HeartbeatResponse & Refused>(`/executors/${name}/heartbeat`, { holding }),
    close: (process: string, body: CloseRequest) => post<Process & Refused>(`/processes/${process}/close`, body),
    patch: (path: string, body: object) => send<Process & Refused>('PATCH', path, body),
    /** As it is now. */
    process: (name: string): Process | undefined =>
      api.get({ group: 'colonies.io', resource: 'processes' }, { namespace, name }) as unknown as Process | undefined,
  }
}

export function names({ body }: Answer<AssignResponse>): string[] {
  return body.processes.map(({ metadata }) => metadata.name ?? '')
}
