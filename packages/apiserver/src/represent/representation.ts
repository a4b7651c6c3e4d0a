// What form of an answer a client asked for, read off its Accept header. Asking for a form nobody has is 406.

import { notAcceptable } from '@homeostat/meta'
import { type Clause, parseAccept } from './accept.ts'

export type Representation =
  | { readonly form: 'json' }
  | { readonly form: 'yaml' }
  | { readonly form: 'table'; readonly version: string }
  | { readonly form: 'partial'; readonly version: string }

/** What is being answered decides which transformations make sense. */
export type Subject = 'object' | 'list' | 'watch' | 'plain'

export const JSON_FORM: Representation = { form: 'json' }

export function negotiate(accept: string | undefined, subject: Subject): Representation {
  if (accept === undefined || accept === '' || accept === 'application/json' || accept === '*/*') return JSON_FORM
  const key = `${subject}|${accept}`
  let found = remembered.get(key)
  if (found === undefined) {
    found = choose(accept, subject)
    if (remembered.size >= MAX_REMEMBERED) remembered.clear()
    remembered.set(key, found)
  }
  if (found) return found
  throw notAcceptable(['application/json', 'application/yaml'])
}

/** Clients send the same few headers again and again. */
const remembered = new Map<string, Representation | false>()
const MAX_REMEMBERED = 256

function choose(accept: string, subject: Subject): Representation | false {
  for (const clause of parseAccept(accept)) {
    const form = formFor(clause, subject)
    if (form) return form
  }
  return false
}

function formFor(clause: Clause, subject: Subject): Representation | undefined {
  const yaml = clause.type === 'application/yaml'
  if (!yaml && !JSON_TYPES.includes(clause.type)) return undefined
  const { as, g, v } = clause.params
  if (as === undefined) return yaml ? (subject === 'watch' ? undefined : { form: 'yaml' }) : JSON_FORM
  if (g !== 'meta.k8s.io' || (v !== 'v1' && v !== 'v1beta1') || subject === 'plain' || yaml) return undefined
  if (as === 'Table') return { form: 'table', version: v }
  if (as === (subject === 'list' ? 'PartialObjectMetadataList' : 'PartialObjectMetadata'))
    return { form: 'partial', version: v }
  return undefined
}

const JSON_TYPES = ['application/json', 'application/*', '*/*']
