// What form of an answer a client asked for, read off its Accept header. Asking for a form nobody has is 406.

import { notAcceptable } from '@homeostat/meta'

export type Representation =
  | { readonly form: 'json' }
  | { readonly form: 'yaml' }
  | { readonly form: 'table'; readonly version: string }
  | { readonly form: 'partial'; readonly version: string }

/** What is being answered decides which transformations make sense. */
export type Subject = 'object' | 'list' | 'watch' | 'plain'

export const JSON_FORM: Representation = { form: 'json' }

interface Clause {
  readonly type: string
  readonly quality: number
  readonly params: Readonly<Record<string, string>>
}

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
  const clauses = accept.split(',').map(parseClause)
  clauses.sort((a, b) => b.quality - a.quality)
  for (const clause of clauses) {
    const form = clause.quality > 0 && formFor(clause, subject)
    if (form) return form
  }
  return false
}

function parseClause(text: string): Clause {
  const [type = '', ...rest] = text.split(';').map((part) => part.trim())
  const params: Record<string, string> = {}
  for (const part of rest) {
    const equals = part.indexOf('=')
    if (equals > 0) params[part.slice(0, equals).toLowerCase()] = part.slice(equals + 1).replace(/^"|"$/g, '')
  }
  const quality = params.q === undefined ? 1 : Number(params.q)
  return { type: type.toLowerCase(), quality: Number.isNaN(quality) ? 0 : quality, params }
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
