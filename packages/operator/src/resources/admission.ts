// The author's `validate` and `mutate`, typed by the schemas of the kind, as what a kind answers to the API server.

import type { ApiObject } from '@homeostat/client'
import { toWire } from '@homeostat/schema/zod'
import { type ParsedSpec, parseSpec } from '../definition/parse-spec.ts'
import type { AdmissionCall, KindWebhooks } from '../runtime/kind-webhooks.ts'
import type { SpecOf, SpecSchema } from './custom-resource-types.ts'

/** A write that the author's functions decide about. */
export interface Admission<TSpec extends SpecSchema> extends Omit<AdmissionCall, 'old'> {
  /** Parsed by Zod, with defaults and transformations. */
  readonly spec: SpecOf<TSpec>
  /** The stored object; undefined for a create. Its spec is undefined if it does not fit the schema any more. */
  readonly old: { readonly object: ApiObject; readonly spec: SpecOf<TSpec> | undefined } | undefined
}

/** What is wrong, in one text or several; nothing accepts the object. */
// biome-ignore lint/suspicious/noConfusingVoidType: authors leave the return out
export type Problems = string | readonly string[] | undefined | void

export interface AdmissionFunctions<TSpec extends SpecSchema> {
  /**
   * Checks an object before it is stored, beyond its schema: against the stored one, the user, another system. The checks of
   * Zod that no server can do run before it. Its presence makes a webhook.
   */
  validate?(admission: Admission<TSpec>): Problems | Promise<Problems>
  /** Returns the spec to store instead; nothing leaves it. Runs before `validate`. Its presence makes a webhook. */
  // biome-ignore lint/suspicious/noConfusingVoidType: authors leave the return out
  mutate?(admission: Admission<TSpec>): SpecOf<TSpec> | undefined | void | Promise<SpecOf<TSpec> | undefined | void>
}

export function admissionWebhooks<TSpec extends SpecSchema>(
  schema: TSpec,
  { validate, mutate }: AdmissionFunctions<TSpec>,
): KindWebhooks {
  return {
    ...(validate && {
      async validate(call) {
        const parsed = parseSpec(schema, specOf(call.object))
        if (!parsed.ok) return parsed.problems.map(({ path, message }) => `${path}: ${message}`)
        const problems = await validate(admission(schema, call, parsed))
        return problems === undefined ? [] : [problems].flat().filter((problem) => problem !== '')
      },
    }),
    ...(mutate && {
      async mutate(call) {
        const parsed = parseSpec(schema, specOf(call.object))
        // The server refuses it by the schema, or `validate` does.
        if (!parsed.ok) return undefined
        const spec = await mutate(admission(schema, call, parsed))
        return spec === undefined ? undefined : toWire(schema, spec)
      },
    }),
  }
}

function admission<TSpec extends SpecSchema>(
  schema: TSpec,
  call: AdmissionCall,
  parsed: Extract<ParsedSpec<SpecOf<TSpec>>, { ok: true }>,
): Admission<TSpec> {
  const before = call.old && parseSpec(schema, specOf(call.old))
  const spec = before?.ok ? before.value : undefined
  return { ...call, spec: parsed.value, old: call.old && { object: call.old, spec } }
}

function specOf(object: ApiObject): unknown {
  return (object as { readonly spec?: unknown }).spec
}
