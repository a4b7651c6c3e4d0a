// A server in this process over a SQLite store in which things go wrong on demand. Fault tests start it.

import { type ApiServer, startApiServer } from '@homeostat/apiserver'
import { temporaryFolder } from '@homeostat/base/testing/temporary-folder'
import type { KubeObject } from '@homeostat/meta'
import { openSqliteStore, type SqliteStoreOptions, type Store } from '@homeostat/store'
import { expect, onTestFinished } from 'vitest'
import { type Answer, call } from '../http-call.ts'
import { WatchReader } from '../watch-reader.ts'
import { widget, widgetDefinition, widgetPath } from '../widgets.ts'

export const NAMESPACE = 'default'
/** The group of APIServices has none itself. */
const AGGREGATION = 'apiregistration.k8s.io'

/** Switches faults on and off while the store runs: a rule with this gate applies while it is shut. */
export class Gate {
  readonly memory = new SharedArrayBuffer(4)
  readonly #cell = new Int32Array(this.memory)

  shut(): void {
    Atomics.store(this.#cell, 0, 1)
  }

  /** Also lets go of calls that hang. */
  open(): void {
    Atomics.store(this.#cell, 0, 0)
    Atomics.notify(this.#cell, 0)
  }
}

export class FaultyServer {
  readonly directory: string
  readonly store: Store
  readonly url: string
  readonly #server: ApiServer

  private constructor(directory: string, store: Store, server: ApiServer) {
    this.directory = directory
    this.store = store
    this.#server = server
    this.url = `http://127.0.0.1:${server.address.port}`
  }

  /** Starts it; it ends with the test at the latest. */
  static async start(options: Partial<SqliteStoreOptions> = {}): Promise<FaultyServer> {
    const directory = options.directory ?? temporaryFolder()
    const store = await openSqliteStore({ ...options, directory })
    const definitions = [widgetDefinition]
    try {
      const server = await startApiServer({ store, host: '127.0.0.1', port: 0, definitions })
      const started = new FaultyServer(directory, store, server)
      onTestFinished(() => started.close())
      await rested(store)
      return started
    } catch (error) {
      await store.close()
      throw error
    }
  }

  create(name: string, rest: object = { spec: { token: name } }, namespace = NAMESPACE): Promise<Answer> {
    return call(this.url + widgetPath(namespace), 'POST', widget(name, rest))
  }

  get(name: string, namespace = NAMESPACE): Promise<Answer> {
    return call(this.url + widgetPath(namespace, name))
  }

  delete(name: string): Promise<Answer> {
    return call(this.url + widgetPath(NAMESPACE, name), 'DELETE')
  }

  list(query = '', namespace: string | undefined = NAMESPACE): Promise<Answer> {
    return call(`${this.url}${widgetPath(namespace)}?${query}`)
  }

  async names(): Promise<string[]> {
    return namesOf((await this.list()).body.items ?? [])
  }

  /** What /readyz answers: `ok`, or the reasons why not. */
  async ready(): Promise<string> {
    return (await call(`${this.url}/readyz`)).text
  }

  /** Asks until the server is ready, or not ready for a reason that matches. */
  async until(expected: RegExp): Promise<string> {
    for (;;) {
      const text = await this.ready()
      if (expected.test(text)) return text
    }
  }

  /**
   * Resolves when a server on a new store has written all it writes by itself: what follows is the clients'. The last are
   * the ServiceCIDR and an APIService for each group. If the store refuses the ServiceCIDR (the start writes about 90
   * objects, and `maxPendingWrites` may be fewer), only the next start makes it.
   */
  async settled(): Promise<void> {
    const range = async () => (await call(`${this.url}/apis/networking.k8s.io/v1/servicecidrs/kubernetes`)).body
    await expect.poll(range).toMatchObject({ status: { conditions: [{ type: 'Ready', status: 'True' }] } })
    await expect.poll(() => this.#groupsWithoutService()).toEqual([AGGREGATION])
    await expect.poll(() => this.store.stats().pendingWrites).toBe(0)
  }

  async #groupsWithoutService(): Promise<string[]> {
    const { groups } = (await call(`${this.url}/apis`)).body as unknown as { groups: { name: string }[] }
    const { items = [] } = (await call(`${this.url}/apis/${AGGREGATION}/v1/apiservices`)).body
    const served = new Set(items.map(({ spec }) => (spec as { group: string }).group))
    return groups.map(({ name }) => name).filter((name) => !served.has(name))
  }

  /** A watcher of Widgets from now on. */
  async watch(query = ''): Promise<WatchReader> {
    const from = Number((await this.list()).body.metadata.resourceVersion)
    const reader = new WatchReader({ path: `${widgetPath()}?${query}`, from })
    const watching = new AbortController()
    const following = reader.follow(this.url, watching.signal)
    onTestFinished(() => {
      watching.abort()
      return following
    })
    return reader
  }

  async close(): Promise<void> {
    await this.#server.close()
    await this.store.close()
  }
}

export function namesOf(objects: readonly KubeObject[]): string[] {
  return objects.map(({ metadata }) => metadata.name ?? '')
}

/** A new server has writes of its own to make. They are done when nothing was written for a while. */
async function rested(store: { revision(): Promise<number> }): Promise<void> {
  let last = -1
  for (let quiet = 0, tries = 0; quiet < 16 && tries < 400; tries++) {
    const revision = await store.revision()
    quiet = revision === last ? quiet + 1 : 0
    last = revision
    await new Promise((resolve) => setTimeout(resolve, 15))
  }
}
