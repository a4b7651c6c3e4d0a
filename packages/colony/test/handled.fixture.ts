// A colony with kinds that have handlers, and an executor that is driven by plain calls.

import type { CloseRequest, Process, ProcessOutcome } from '@homeostat/executor/protocol'
import type { KubeObject } from '@homeostat/meta'
import type { TestColonyOptions } from '@homeostat/testing/colony'
import { expect } from 'vitest'
import { startColony } from './colony-calls.ts'
import { conditionOf, untilFound } from './server.fixture.ts'

export const DEFINITIONS = { group: 'colonies.io', resource: 'resourcedefinitions' }
export const PROCESSES = { group: 'colonies.io', resource: 'processes' }
export const DATABASES = { group: 'storage.colonies.io', resource: 'databases' }

export function definitionOf(kind: string, spec: object = {}, group = 'storage.colonies.io'): KubeObject {
  const plural = `${kind.toLowerCase()}s`
  return {
    apiVersion: 'colonies.io/v1',
    kind: 'ResourceDefinition',
    metadata: { name: `${plural}.${group}` },
    spec: {
      group,
      version: 'v1',
      names: { kind, plural },
      handler: { executorType: 'db', functionName: 'reconcile_database' },
      ...spec,
    },
  }
}

export function database(name = 'orders', metadata: object = {}, spec: object = { engine: 'postgres' }): KubeObject {
  return {
    apiVersion: 'storage.colonies.io/v1',
    kind: 'Database',
    metadata: { name, namespace: 'dev', ...metadata },
    spec,
  }
}

export type Handled = Awaited<ReturnType<typeof handledColony>>

export async function handledColony(
  definitions: readonly KubeObject[] = [definitionOf('Database')],
  options: TestColonyOptions = {},
) {
  const logged: string[] = []
  const note = (fields: object, message: string) => {
    logged.push(`${message} ${JSON.stringify(fields, (_, value) => (value instanceof Error ? value.message : value))}`)
  }
  const started = await startColony({ log: { debug() {}, info() {}, warn: note, error: note }, ...options })
  const { colony, assign, close, register } = started
  const user = colony.server.api({ username: 'admin', manager: 'user' })
  const until = <T>(look: () => T | undefined | false): Promise<T> => untilFound(user, look)
  for (const definition of definitions) {
    const { name = '' } = (await user.create(DEFINITIONS, definition)).metadata
    await until(() => conditionOf(user.get(DEFINITIONS, { name }), 'Established')?.status === 'True')
  }
  const get = (name = 'orders', resource = DATABASES) => user.get(resource, { namespace: 'dev', name })
  const processes = () => user.list(PROCESSES, 'dev') as unknown as Process[]
  const waiting = () => processes().filter(({ status }) => status.phase === 'Waiting')
  return {
    ...started,
    user,
    until,
    logged,
    get,
    processes,
    waiting,
    /** The Process that waits, as soon as it is as wanted. */
    untilWaiting: (wanted: (process: Process) => boolean = () => true) =>
      until(() => {
        const [first, second] = waiting()
        expect(second).toBeUndefined()
        return first !== undefined && wanted(first) && first
      }),
    /** Takes what waits, as an executor of the type. */
    async take(type = 'db'): Promise<Process> {
      await register(type, { type })
      const { body } = await assign(type, {}, 5)
      const [process] = body.processes
      if (process === undefined) throw new Error('nothing was assigned')
      return process
    },
    async finish({ metadata, status }: Process, reported: Partial<ProcessOutcome> = {}) {
      const { name = '' } = metadata
      const body: CloseRequest = {
        executor: status.executor ?? '',
        attempt: status.attempt,
        result: 'Succeeded',
        ...reported,
      }
      return close(name, body)
    },
    /** The condition, once it has the status and reason, `True/Reconciled`. */
    untilCondition: (type: string, expected: string, name = 'orders', resource = DATABASES) =>
      until(() => {
        const condition = conditionOf(get(name, resource), type)
        return condition && `${condition.status}/${condition.reason}` === expected && condition
      }),
    async change(change: (object: KubeObject) => void, name = 'orders') {
      await user.change(DATABASES, { namespace: 'dev', name }, change)
    },
  }
}
