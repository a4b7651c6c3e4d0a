// A server with added steps for the tests of admission, and a step that waits for the test.

import type { KubeObject } from '@homeostat/meta'
import { MemoryStore } from '@homeostat/store'
import { onTestFinished } from 'vitest'
import { type AdmissionStep, type AdmittedWrite, type Api, type ApiServer, startApiServer } from '../src/index.ts'
import { JOBS, jobDefinition } from './jobs.ts'
import { client } from './server.ts'

export const URL = '/apis/ex.io/v1/namespaces/default/jobs'
const ofJobs = { applies: ({ type }: AdmittedWrite['request']) => type.storage === 'ex.io/jobs' }
export const at = (name: string) => ({ namespace: 'default', name })

export async function start(
  admission: readonly AdmissionStep[],
  more: { store?: MemoryStore; validate?: () => void } = {},
): Promise<{ server: ApiServer; api: Api; http: ReturnType<typeof client> }> {
  const store = more.store ?? new MemoryStore()
  const server = await startApiServer({
    store,
    host: '127.0.0.1',
    port: 0,
    definitions: [jobDefinition({ properties: { kind: { type: 'string', default: 'plain' } } })],
    admission: admission.map((step) => ({ ...ofJobs, ...step })),
    rules: [
      {
        ...JOBS,
        load: async () => ({
          validate: () => {
            more.validate?.()
            return []
          },
        }),
      },
    ],
  })
  onTestFinished(async () => {
    await server.close()
    await store.close()
  })
  return { server, api: server.api({ username: 'user', manager: 'user' }), http: client(server.address.port) }
}

/** A step that waits for the test at each run; `entered` resolves when it has run that many times. */
export function gate(at: 'mutate' | 'admit', isSlow = ({ manager }: AdmittedWrite['request']) => manager === 'slow') {
  const waiting: (() => void)[] = []
  const reached: (() => void)[] = []
  let count = 0
  const step: AdmissionStep = {
    name: 'gate',
    at,
    waits: true,
    run: ({ request }) =>
      new Promise<void>((resolve) => {
        if (!isSlow(request)) return resolve()
        count++
        waiting.push(resolve)
        for (const tell of reached.splice(0)) tell()
      }),
  }
  return {
    step,
    get count() {
      return count
    },
    entered: async (times: number): Promise<void> => {
      while (count < times) await new Promise<void>((resolve) => reached.push(resolve))
    },
    letGo: () => waiting.shift()?.(),
  }
}

export const slow = 'fieldManager=slow'
export const specOf = (object: KubeObject | undefined) => object?.spec as Record<string, unknown>
