// What form of an answer a client asked for, read off its Accept header. Asking for a form nobody has is 406.

import { notAcceptable } from '@homeostat/meta'
import { type Clause, parseAccept } from './accept.ts'
import { PROTOBUF_TYPE } from './protobuf.ts'

export type Representation =
  | { readonly form: 'json'; readonly protobuf?: true }
  | { readonly form: 'yaml' }
  | { readonly form: 'table'; readonly version: string }
  | { readonly form: 'partial'; readonly version: string; readonly protobuf?: true }

/** The form of answers that are no object of a resource, and of errors. */
export type PlainForm = 'json' | 'yaml' | 'protobuf'

export function plainForm(representation: Representation): PlainForm {
  if ('protobuf' in representation) return 'protobuf'
  return representation.form === 'yaml' ? 'yaml' : 'json'
}

/** What is being answered decides which transformations make sense. */
export type Subject = 'object' | 'list' | 'watch' | 'plain'

export const JSON_FORM: Representation = { form: 'json' }
const PROTOBUF_FORM: Representation = { form: 'json', protobuf: true }

/** `speaksProtobuf` says whether what is asked for has a message. Metadata alone always has one. */
export function negotiate(accept: string | undefined, subject: Subject, speaksProtobuf = false): Representation {
  if (accept === undefined || accept === '' || accept === 'application/json' || accept === '*/*') return JSON_FORM
  const key = `${subject}|${speaksProtobuf}|${accept}`
  let found = remembered.get(key)
  if (found === undefined) {
    found = choose(accept, subject, speaksProtobuf)
    if (remembered.size >= MAX_REMEMBERED) remembered.clear()
    remembered.set(key, found)
  }
  if (found) return found
  throw notAcceptable(['application/json', 'application/yaml', PROTOBUF_TYPE])
}

/** Clients send the same few headers again and again. */
const remembered = new Map<string, Representation | false>()
const MAX_REMEMBERED = 256

/** Whoever takes JSON at all gets it, since that is what is stored: protobuf goes to those who take nothing else. */
function choose(accept: string, subject: Subject, speaksProtobuf: boolean): Representation | false {
  const clauses = parseAccept(accept)
  for (const clause of clauses) {
    const form = formFor(clause, subject)
    if (form) return form
  }
  for (const clause of clauses) {
    const form = clause.type === PROTOBUF_TYPE && protobufFor(clause, subject, speaksProtobuf)
    if (form) return form
  }
  return false
}

/** A table is no message. */
function protobufFor({ params }: Clause, subject: Subject, speaksProtobuf: boolean): Representation | undefined {
  if (params.as === undefined) return speaksProtobuf ? PROTOBUF_FORM : undefined
  const form = formFor({ type: JSON_TYPES[0], quality: 1, params }, subject)
  return form?.form === 'partial' ? { ...form, protobuf: true } : undefined
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

const JSON_TYPES: readonly [string, ...string[]] = ['application/json', 'application/*', '*/*']
