// The spec of the reconciled object, parsed once per generation. A spec that Zod refuses ends the reconcile as terminal
// and sets the condition Accepted. Both styles of operators get their spec here.

import type { ApiObject } from '@homeostat/client'
import type { ZodSchema } from '@homeostat/schema/zod'
import type { output } from 'zod/v4/core'
import { Terminal } from '../runtime/outcome.ts'
import type { ReconcileContext } from '../runtime/reconcile-context.ts'
import { type ParsedSpec, parseSpec, type SpecProblem } from './parse-spec.ts'

/** Reasons of the conditions Accepted and Ready. Accepted has the second when an earlier spec was valid. */
export const INVALID_SPEC = 'InvalidSpec'
const BECAME_INVALID = 'BecameInvalid'
const MAX_OBJECTS = 4096
/** The limit of a condition's message in its schema. */
const MAX_MESSAGE = 32_000

/** An LRU cache of parsed specs, one generation per object. */
export class SpecCache {
  readonly #parsed = new Map<string, { readonly generation: string; readonly spec: ParsedSpec<unknown> }>()
  readonly #limit: number

  constructor(limit = MAX_OBJECTS) {
    this.#limit = limit
  }

  get size(): number {
    return this.#parsed.size
  }

  /** Calls `parse` when this generation of the object is not cached. */
  of<T>(object: ApiObject, parse: () => ParsedSpec<T>): ParsedSpec<T> {
    const { uid, generation, resourceVersion } = object.metadata
    if (uid === undefined) return parse()
    const current = `${generation ?? resourceVersion}`
    const known = this.#parsed.get(uid)
    const entry = known?.generation === current ? known : { generation: current, spec: parse() }
    this.#parsed.delete(uid)
    this.#parsed.set(uid, entry)
    if (this.#parsed.size > this.#limit) {
      const [oldest = uid] = this.#parsed.keys()
      this.#parsed.delete(oldest)
    }
    return entry.spec as ParsedSpec<T>
  }

  forget(uid: string): void {
    this.#parsed.delete(uid)
  }
}

/** Sets the conditions and throws Terminal when the spec is not valid; the runtime records the event. */
export function acceptedSpec<S extends ZodSchema>(
  run: ReconcileContext,
  definition: { readonly spec: S },
  cache: SpecCache,
): output<S> {
  const object: ApiObject & { spec?: unknown } = run.object
  const parsed = cache.of(object, () => parseSpec(definition.spec, object.spec))
  if (parsed.ok) {
    void run.conditions.set('Accepted', { status: 'True', reason: 'Accepted', message: 'the spec is valid' })
    return parsed.value
  }
  const message = messageOf(parsed.problems)
  const before = run.conditions.get('Accepted')
  const wasAccepted = before?.status === 'True' || before?.reason === BECAME_INVALID
  const reason = wasAccepted ? BECAME_INVALID : INVALID_SPEC
  void run.conditions.set('Accepted', { status: 'False', reason, message })
  void run.conditions.set('Ready', { status: 'False', reason: INVALID_SPEC, message })
  throw new Terminal(INVALID_SPEC, message)
}

function messageOf(problems: readonly SpecProblem[]): string {
  const text = problems.map(({ path, message }) => `${path}: ${message}`).join('; ')
  return text.length > MAX_MESSAGE ? `${text.slice(0, MAX_MESSAGE)} …` : text
}
