// The fields of an Executor object that the colony keeps.

import { type Executor, INSTANCE_ANNOTATION } from '@homeostat/executor/protocol'
import { isObject } from '@homeostat/meta'
import { amount } from '../queue/process-facts.ts'
import type { Puller } from '../queue/queued-process.ts'

export interface ExecutorFacts extends Puller {
  readonly uid: string
  readonly phase: string | undefined
  readonly ttlSecondsAfterLost: number | undefined
  /** Identifies the program that registered under the name. */
  readonly instance: string | undefined
}

export function executorFacts({ metadata, spec, status }: Executor): ExecutorFacts {
  const { cpu, memory, software } = spec.capabilities ?? {}
  return {
    namespace: metadata.namespace ?? '',
    name: metadata.name ?? '',
    uid: metadata.uid ?? '',
    type: spec.type,
    functions: spec.functions ?? [],
    location: (spec.location ?? '').toLowerCase(),
    software: softwareOf(software),
    // Capabilities are free text: a value that is not a quantity sets no limit.
    cpu: amount(cpu) ?? Number.POSITIVE_INFINITY,
    memory: amount(memory) ?? Number.POSITIVE_INFINITY,
    phase: status?.phase,
    ttlSecondsAfterLost: spec.ttlSecondsAfterLost,
    instance: metadata.annotations?.[INSTANCE_ANNOTATION],
  }
}

/** Names, or objects with a name. */
function softwareOf(value: unknown): readonly string[] | undefined {
  if (!Array.isArray(value)) return undefined
  return value
    .map((one: unknown) => (isObject(one) ? one.name : one))
    .filter((name) => typeof name === 'string')
    .map((name) => name.toLowerCase())
}
