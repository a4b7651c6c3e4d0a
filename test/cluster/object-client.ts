// A client of the model: one operation after the other, each on a server and an object that the seed draws.

import type { KubeObject } from '@homeostat/meta'
import type { Random } from '../crash/random.ts'
import type { Outcome } from './checkers/operations.ts'
import type { ModelServer } from './model-server.ts'
import { type Recorder, revisionOf, tokenOf } from './recorder.ts'
import type { Schedule } from './schedule.ts'

export const MAPS = { group: '', resource: 'configmaps' }
export const NAMESPACE = 'n'
export const KEYS = ['k0', 'k1', 'k2'] as const

export interface ObjectClientParts {
  readonly name: string
  readonly random: Random
  readonly schedule: Schedule
  readonly recorder: Recorder
  /** A server that runs. */
  server(): ModelServer
}

export class ObjectClient {
  readonly #parts: ObjectClientParts
  /** As it last saw them, whether or not they have changed since. */
  readonly #seen = new Map<string, KubeObject>()
  #writes = 0

  constructor(parts: ObjectClientParts) {
    this.#parts = parts
  }

  async run(operations: number): Promise<void> {
    const { random, schedule } = this.#parts
    const pace = random.pick([5, 50, 500])
    for (let i = 0; i < operations; i++) {
      await schedule.pause(random.between(0, pace))
      await this.#act(random.pick(KEYS), random.between(0, 100))
    }
  }

  #act(key: string, chance: number): Promise<unknown> {
    if (chance < 22) return this.#create(key)
    if (chance < 40) return this.#replace(key)
    if (chance < 54) return this.#change(key)
    if (chance < 66) return this.#delete(key, chance < 60)
    if (chance < 82) return this.read(key, 'newest')
    if (chance < 92) return this.read(key, 'any')
    return this.list(chance < 97 ? 'newest' : 'any')
  }

  read(key: string, demands: 'newest' | 'any', server = this.#parts.server()): Promise<Outcome> {
    return this.#operate(server, key, { verb: 'read', demands }, async () => {
      const name = { namespace: NAMESPACE, name: key }
      const object = await server.request((parts) => parts.read(MAPS, name, demands))
      return object === undefined ? { type: 'shown' } : this.#shown(key, object)
    })
  }

  async list(demands: 'newest' | 'any'): Promise<void> {
    const { name, recorder, server } = this.#parts
    const asked = server()
    await recorder.list({ client: name, server: asked.id, demands }, () =>
      asked.request((parts) => parts.list(MAPS, NAMESPACE, demands)),
    )
  }

  #create(key: string): Promise<Outcome> {
    const token = this.#token()
    const server = this.#parts.server()
    const object = {
      apiVersion: 'v1',
      kind: 'ConfigMap',
      metadata: { namespace: NAMESPACE, name: key },
      data: { token },
    }
    return this.#operate(server, key, { verb: 'create', token }, async () =>
      this.#done(key, await server.request(({ api }) => api.create(MAPS, object))),
    )
  }

  /** Only over what it has seen. */
  #replace(key: string): Promise<unknown> {
    const seen = this.#seen.get(key)
    if (seen === undefined) return this.read(key, 'any')
    const token = this.#token()
    const server = this.#parts.server()
    const object = { ...structuredClone(seen), data: { token } }
    return this.#operate(server, key, { verb: 'put', token, expected: tokenOf(seen) }, async () =>
      this.#done(key, await server.request(({ api }) => api.update(MAPS, object))),
    )
  }

  /** As a patch: over whatever is there. */
  #change(key: string): Promise<Outcome> {
    const token = this.#token()
    const server = this.#parts.server()
    return this.#operate(server, key, { verb: 'put', token }, async () => {
      const name = { namespace: NAMESPACE, name: key }
      const changed = await server.request(({ api }) =>
        api.change(MAPS, name, (object) => {
          object.data = { token }
        }),
      )
      return changed === undefined ? { type: 'missing' } : this.#done(key, changed)
    })
  }

  #delete(key: string, conditional: boolean): Promise<Outcome> {
    const seen = conditional ? this.#seen.get(key) : undefined
    const server = this.#parts.server()
    const preconditions = seen && { resourceVersion: seen.metadata.resourceVersion as string }
    const action = { verb: 'delete', ...(seen && { expected: tokenOf(seen) }) } as const
    return this.#operate(server, key, action, async () => {
      const name = { namespace: NAMESPACE, name: key }
      await server.request(({ api }) => api.delete(MAPS, name, preconditions ? { preconditions } : {}))
      return { type: 'done' }
    })
  }

  #operate(
    server: ModelServer,
    key: string,
    action: Parameters<Recorder['operation']>[0]['action'],
    send: () => Promise<Outcome>,
  ) {
    const { name, recorder } = this.#parts
    return recorder.operation({ client: name, server: server.id, key, action }, send)
  }

  #done(key: string, object: KubeObject): Outcome {
    this.#seen.set(key, object)
    return { type: 'done', revision: revisionOf(object) }
  }

  #shown(key: string, object: KubeObject): Outcome {
    this.#seen.set(key, object)
    return { type: 'shown', token: tokenOf(object), revision: revisionOf(object) }
  }

  #token(): string {
    return `${this.#parts.name}.${++this.#writes}`
  }
}
