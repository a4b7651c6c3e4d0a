// Reads and validates the bodies and queries of executors' calls.

import type {
  AssignRequest,
  Attempt,
  CloseRequest,
  HeartbeatRequest,
  ProcessOutcome,
} from '@homeostat/executor/protocol'
import { badRequest, writeJson } from '@homeostat/meta'
import { amount } from '../queue/process-facts.ts'

/** Bounds the size of a response. */
export const MAX_AT_ONCE = 100
/** The limit for the output of one attempt, in bytes of JSON. */
export const MAX_OUTPUT = 256 << 10
const MAX_HOLDING = 10_000
const MAX_ERRORS = 20
const MAX_ERROR = 4096
const DEFAULT_WAIT_SECONDS = 30
const MAX_WAIT_SECONDS = 600

export interface AssignCallBody {
  readonly instance: string | undefined
  readonly max: number
  readonly free: { readonly cpu: number | undefined; readonly memory: number | undefined }
  readonly finished: readonly ProcessOutcome[]
  readonly returned: readonly Attempt[]
  /** How many of `max` would not begin at once. */
  readonly prefetch: number
}

export function readAssign(body: unknown): AssignCallBody {
  const call = record(body, 'the body') as AssignRequest
  const { max = 1, prefetch = 0, free = {}, finished = [], returned = [], instance } = call
  if (!Number.isInteger(max) || max < 0 || max > MAX_AT_ONCE) {
    throw badRequest(`max must be a whole number from 0 to ${MAX_AT_ONCE}`)
  }
  if (!Number.isInteger(prefetch) || prefetch < 0 || prefetch > max) {
    throw badRequest('prefetch must be a whole number from 0 to max')
  }
  const { cpu, memory } = record(free, 'free') as NonNullable<AssignRequest['free']>
  return {
    max,
    prefetch,
    returned: attempts(returned, 'returned', MAX_AT_ONCE),
    instance: optionalText(instance, 'instance'),
    free: { cpu: quantity(cpu, 'free.cpu'), memory: quantity(memory, 'free.memory') },
    finished: list(finished, 'finished', MAX_AT_ONCE).map((one, index) => readOutcome(one, `finished[${index}]`)),
  }
}

export interface HeartbeatCallBody {
  readonly instance: string | undefined
  readonly holding: readonly Attempt[]
}

export function readHeartbeat(body: unknown): HeartbeatCallBody {
  const { holding = [], instance } = record(body, 'the body') as HeartbeatRequest
  return { instance: optionalText(instance, 'instance'), holding: attempts(holding, 'holding', MAX_HOLDING) }
}

function attempts(value: unknown, field: string, most: number): readonly Attempt[] {
  return list(value, field, most).map((one, index) => {
    const { process, attempt } = record(one, `${field}[${index}]`) as unknown as Attempt
    return {
      process: name(process, `${field}[${index}].process`),
      attempt: count(attempt, `${field}[${index}].attempt`),
    }
  })
}

export function readClose(body: unknown, process: string): { executor: string; outcome: ProcessOutcome } {
  const call = record(body, 'the body') as unknown as CloseRequest
  return { executor: name(call.executor, 'executor'), outcome: readOutcome({ ...call, process }, '') }
}

function optionalText(value: unknown, path: string): string | undefined {
  if (value === undefined || typeof value === 'string') return value
  throw badRequest(`${path} must be a text`)
}

/** Milliseconds that a long poll may wait. */
export function readWait(query: URLSearchParams): number {
  const text = query.get('timeoutSeconds') ?? String(DEFAULT_WAIT_SECONDS)
  const seconds = Number(text)
  if (text === '' || !(seconds >= 0)) throw badRequest('timeoutSeconds must be a number of seconds, 0 or more')
  return Math.min(seconds, MAX_WAIT_SECONDS) * 1000
}

const RESULTS = ['Succeeded', 'Failed', 'Cancelled']

function readOutcome(value: unknown, path: string): ProcessOutcome {
  const at = (field: string) => (path === '' ? field : `${path}.${field}`)
  const one = record(value, path) as unknown as ProcessOutcome
  const { result, retryable, output, errors, status, children, requeueAfter } = one
  if (!RESULTS.includes(result)) throw badRequest(`${at('result')} must be one of ${RESULTS.join(', ')}`)
  if (retryable !== undefined && typeof retryable !== 'boolean')
    throw badRequest(`${at('retryable')} must be a boolean`)
  if (requeueAfter !== undefined && !(typeof requeueAfter === 'number' && requeueAfter >= 0)) {
    throw badRequest(`${at('requeueAfter')} must be a number of seconds, 0 or more`)
  }
  checkOutput(output, at('output'))
  if (status !== undefined) record(status, at('status'))
  const texts = errors === undefined ? undefined : list(errors, at('errors'), MAX_ERRORS).map(text)
  if (children !== undefined)
    for (const child of list(children, at('children'), MAX_AT_ONCE)) record(child, at('children'))
  return {
    process: name(one.process, at('process')),
    attempt: count(one.attempt, at('attempt')),
    result,
    ...(retryable !== undefined && { retryable }),
    ...(output !== undefined && { output }),
    ...(texts && { errors: texts }),
    ...(status !== undefined && { status }),
    ...(children !== undefined && { children }),
    ...(requeueAfter !== undefined && { requeueAfter }),
  }
}

function checkOutput(output: unknown, path: string): void {
  if (output === undefined || typeof output === 'number' || typeof output === 'boolean') return
  if (Buffer.byteLength(writeJson(output)) <= MAX_OUTPUT) return
  throw badRequest(`${path} is larger than ${MAX_OUTPUT >> 10} KiB: put it elsewhere and answer where it is`)
}

function record(value: unknown, path: string): Record<string, unknown> {
  if (value === undefined) return {}
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value as Record<string, unknown>
  throw badRequest(`${path} must be an object`)
}

function list(value: unknown, path: string, limit: number): readonly unknown[] {
  if (!Array.isArray(value)) throw badRequest(`${path} must be a list`)
  if (value.length > limit) throw badRequest(`${path} must have at most ${limit} items`)
  return value
}

function name(value: unknown, path: string): string {
  if (typeof value !== 'string' || value === '') throw badRequest(`${path} must be a name`)
  return value
}

function count(value: unknown, path: string): number {
  if (!Number.isInteger(value) || (value as number) < 1) throw badRequest(`${path} must be a whole number from 1`)
  return value as number
}

function text(value: unknown): string {
  const words = typeof value === 'string' ? value : writeJson(value)
  return words.length > MAX_ERROR ? `${words.slice(0, MAX_ERROR)}…` : words
}

function quantity(value: unknown, path: string): number | undefined {
  const known = amount(value)
  if (value === undefined || known !== undefined) return known
  throw badRequest(`${path} must be a quantity such as 2, 500m or 1Gi`)
}
