// Builds a Process from a file and flags; a flag takes precedence. Pure.

import type { ProcessSpec } from '@homeostat/executor/protocol'
import { parseJson } from '@homeostat/meta'
import { Fault, usageFault } from '../../fault.ts'
import { colonyOptions } from '../../options/option-groups.ts'
import type { Values } from '../../options/option-table.ts'

export const submitOptions = [
  'type',
  'arg',
  'kwarg',
  'env',
  'name',
  'label',
  'priority',
  'max-wait',
  'max-exec',
  'max-retries',
  'location',
  'executor',
  'concurrency-key',
  'ttl',
  'file',
  'wait',
  'timeout',
  ...colonyOptions,
] as const

export type SubmitValues = Values<(typeof submitOptions)[number]>

export interface ProcessManifest {
  readonly apiVersion: 'colonies.io/v1'
  readonly kind: 'Process'
  readonly metadata: Readonly<Record<string, unknown>> & { readonly name?: string; readonly namespace?: string }
  readonly spec: ProcessSpec
}

/** `base` is a whole Process, or its spec alone. */
export function processManifest(
  funcName: string | undefined,
  values: SubmitValues,
  base: unknown = {},
): ProcessManifest {
  const { metadata, spec: before } = partsOf(base)
  const type = values.type ?? before.conditions?.executorType
  const name = funcName ?? before.funcName
  if (!name) throw usageFault('name the function: homeostat process submit FUNCTION --type TYPE')
  if (!type) throw usageFault('name the type of the executor that shall run it: --type TYPE')
  const spec: ProcessSpec = {
    ...before,
    funcName: name,
    ...(values.arg.length > 0 && { args: values.arg.map(jsonOrText) }),
    ...(values.kwarg.length > 0 && { kwargs: { ...before.kwargs, ...pairs('kwarg', values.kwarg, jsonOrText) } }),
    ...(values.env.length > 0 && { env: { ...before.env, ...pairs('env', values.env, (text) => text) } }),
    ...said('label', values.label),
    ...said('priority', values.priority),
    ...said('maxWaitSeconds', values['max-wait']),
    ...said('maxExecSeconds', values['max-exec']),
    ...said('maxRetries', values['max-retries']),
    ...said('concurrencyKey', values['concurrency-key']),
    ...said('ttlSecondsAfterFinished', values.ttl),
    conditions: {
      ...before.conditions,
      executorType: type,
      ...said('location', values.location),
      ...(values.executor.length > 0 && { executorNames: values.executor }),
    },
  }
  const named = values.name ?? metadata.name
  const naming = named === undefined ? { generateName: `${nameStem(name)}-` } : { name: named }
  return { apiVersion: 'colonies.io/v1', kind: 'Process', metadata: { ...metadata, ...naming }, spec }
}

/** The prefix of a generated object name: a function's name with only the characters that an object name may have. */
export function nameStem(text: string): string {
  const letters = text
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .slice(0, 50)
  return letters.replace(/^-+|-+$/g, '') || 'process'
}

function partsOf(base: unknown): { metadata: ProcessManifest['metadata']; spec: Partial<ProcessSpec> } {
  if (typeof base !== 'object' || base === null || Array.isArray(base)) throw new Fault('the file has no process in it')
  const { kind, metadata, spec } = base as { kind?: unknown; metadata?: object; spec?: object }
  if (kind === undefined && spec === undefined) return { metadata: {}, spec: base as Partial<ProcessSpec> }
  if (kind !== undefined && kind !== 'Process') {
    throw new Fault(`the file has a ${String(kind)} in it, no Process; \`homeostat resource create\` is for resources`)
  }
  return { metadata: { ...metadata }, spec: { ...spec } }
}

function jsonOrText(text: string): unknown {
  try {
    return parseJson(text)
  } catch {
    return text
  }
}

function pairs<T>(flag: string, texts: readonly string[], read: (text: string) => T): Record<string, T> {
  return Object.fromEntries(
    texts.map((text) => {
      const at = text.indexOf('=')
      if (at < 1) throw usageFault(`--${flag} ${text}: must be NAME=VALUE`)
      return [text.slice(0, at), read(text.slice(at + 1))]
    }),
  )
}

function said<const K extends string, V>(name: K, value: V | undefined): { readonly [P in K]?: V } {
  return value === undefined ? {} : ({ [name]: value } as { readonly [P in K]?: V })
}
