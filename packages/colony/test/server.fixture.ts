// A server with the colony's kinds, on a store in memory, for tests of what the colony does inside it.

import { type Api, type ApiServer, type ResourceName, startApiServer } from '@homeostat/apiserver'
import type { Log } from '@homeostat/base'
import type { KubeObject } from '@homeostat/meta'
import { MemoryStore } from '@homeostat/store'
import { colonyDefinitions } from '../src/kinds/index.ts'

export const CRDS: ResourceName = { group: 'apiextensions.k8s.io', resource: 'customresourcedefinitions' }

export interface TestServer extends AsyncDisposable {
  readonly server: ApiServer
  /** As an administrator. */
  readonly user: Api
  readonly signal: AbortSignal
  readonly log: Log
  /** Messages of warnings and errors that were logged. */
  readonly logged: string[]
  /** Resolves with what `look` finds as soon as it finds something; looks with every change of anything. */
  until<T>(look: () => T | undefined | false): Promise<T>
  /** Waits for it at the end, after the signal. */
  atEnd(work: Promise<unknown>): void
  /** The newest revision: the same before and after means that nothing was written. */
  revision(): number
}

export async function testServer(parts: Partial<Parameters<typeof startApiServer>[0]> = {}): Promise<TestServer> {
  const store = new MemoryStore()
  const base = { store, host: '127.0.0.1', port: undefined, rolesLater: true }
  const server = await startApiServer({ ...base, definitions: colonyDefinitions, ...parts })
  const ending = new AbortController()
  const works: Promise<unknown>[] = []
  const logged: string[] = []
  const user = server.api({ username: 'admin', manager: 'user' })
  let newest = 0
  const stop = user.follow('all', ({ object }) => {
    newest = Math.max(newest, object?.revision ?? newest + 1)
  })
  const note = (fields: object, message: string) => {
    logged.push(`${message} ${JSON.stringify(fields, (_, value) => (value instanceof Error ? value.message : value))}`)
  }
  return {
    server,
    user,
    signal: ending.signal,
    log: { debug() {}, info() {}, warn: note, error: note },
    logged,
    revision: () => newest,
    atEnd: (work) => works.push(work),
    until: <T>(look: () => T | undefined | false) => untilFound(user, look),
    async [Symbol.asyncDispose]() {
      ending.abort()
      await Promise.all(works)
      stop()
      await server.close()
      await store.close()
    },
  }
}

export function untilFound<T>(api: Api, look: () => T | undefined | false): Promise<T> {
  return new Promise((resolve, reject) => {
    let stop = (): void => {}
    const check = (): boolean => {
      try {
        const found = look()
        if (found === undefined || found === false) return false
        resolve(found)
      } catch (error) {
        reject(error)
      }
      stop()
      return true
    }
    if (!check()) stop = api.follow('all', check)
  })
}

/** The condition of the type; undefined when there is none. */
export function conditionOf(object: KubeObject | undefined, type: string) {
  const { conditions } = (object?.status ?? {}) as { conditions?: { type: string; [field: string]: unknown }[] }
  return conditions?.find((condition) => condition.type === type)
}
