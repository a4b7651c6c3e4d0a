// Parses a spec with Zod. The server's defaults and nulls come first, since an object may be older than its definition,
// then values that JSON cannot hold, then Zod with its own defaults and transformations.

import { deepClone } from '@homeostat/meta'
import { type CompiledSchema, compileSchema } from '@homeostat/schema'
import { fromWire, structuralSchema, type ZodSchema } from '@homeostat/schema/zod'
import { $ZodAsyncError, type $ZodIssue, type output, safeParse } from 'zod/v4/core'

export interface SpecProblem {
  /** `spec.ports[0].name` */
  readonly path: string
  readonly message: string
}

export type ParsedSpec<T> =
  | { readonly ok: true; readonly value: T }
  | { readonly ok: false; readonly problems: readonly SpecProblem[] }

export function parseSpec<S extends ZodSchema>(schema: S, raw: unknown): ParsedSpec<output<S>> {
  const object = { spec: deepClone(raw) ?? {} }
  serverSide(schema).applyDefaults(object)
  const parsed = readNow(schema, fromWire(schema, object.spec))
  if (parsed.success) return { ok: true, value: parsed.data }
  return { ok: false, problems: parsed.error.issues.map(problemOf) }
}

/** Parses synchronously, since `spec` is available as soon as its object is. */
function readNow<S extends ZodSchema>(schema: S, value: unknown): ReturnType<typeof safeParse<S>> {
  try {
    return safeParse(schema, value)
  } catch (error) {
    if (!(error instanceof $ZodAsyncError)) throw error
    throw new TypeError('a spec cannot have asynchronous checks: make them in reconcile', { cause: error })
  }
}

const compiled = new WeakMap<ZodSchema, CompiledSchema>()

function serverSide(schema: ZodSchema): CompiledSchema {
  const known = compiled.get(schema)
  if (known !== undefined) return known
  const { schema: spec } = structuralSchema(schema, { path: 'spec' })
  const made = compileSchema({ type: 'object', properties: { spec } }, { root: 'object' })
  compiled.set(schema, made)
  return made
}

function problemOf(issue: $ZodIssue): SpecProblem {
  return { path: pathText(issue.path), message: messageOf(issue) }
}

function messageOf(issue: $ZodIssue): string {
  if (issue.code !== 'invalid_union' || issue.errors.length === 0) return issue.message
  // Each alternative of a union fails for its own reasons; report the first of each.
  const reasons = issue.errors
    .flatMap((alternative) => alternative.slice(0, 1))
    .map((one) => {
      const inside = one.path.length === 0 ? '' : `${pathText(one.path, '').replace(/^\./, '')}: `
      return inside + messageOf(one)
    })
  return `fits no alternative: ${[...new Set(reasons)].join('; or ')}`
}

function pathText(path: readonly PropertyKey[], root = 'spec'): string {
  let text = root
  for (const step of path) {
    if (typeof step === 'number') text += `[${step}]`
    else text += /^[A-Za-z_][\w-]*$/.test(String(step)) ? `.${String(step)}` : `['${String(step)}']`
  }
  return text
}
