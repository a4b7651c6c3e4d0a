// Negotiates the form of a response by the Accept header. No acceptable form is 406.

import { notAcceptable } from '@homeostat/meta/server'
import { type Clause, parseAccept } from './accept.ts'
import { PROTOBUF_TYPE } from './protobuf.ts'

export type Representation =
  | { readonly form: 'json'; readonly protobuf?: true }
  | { readonly form: 'yaml' }
  | { readonly form: 'table'; readonly version: string; readonly yaml?: true }
  | { readonly form: 'partial'; readonly version: string; readonly protobuf?: true; readonly yaml?: true }

/** The form of errors and of responses that are not objects of a resource. */
export type PlainForm = 'json' | 'yaml' | 'protobuf'

export function plainForm(representation: Representation): PlainForm {
  if ('protobuf' in representation) return 'protobuf'
  return isYaml(representation) ? 'yaml' : 'json'
}

export function isYaml(representation: Representation): boolean {
  return representation.form === 'yaml' || 'yaml' in representation
}

/** The form of the 406 itself: that of the first type that the server can write. */
export function refusalForm(accept: string | undefined): PlainForm {
  for (const { type } of parseAccept(accept ?? '')) {
    if (type === YAML_TYPE) return 'yaml'
    if (type === PROTOBUF_TYPE) return 'protobuf'
    if (JSON_TYPES.includes(type)) return 'json'
  }
  return 'json'
}

/** The subject of the response; it decides which transformations are possible. */
export type Subject = 'object' | 'list' | 'watch' | 'plain'

export const JSON_FORM: Representation = { form: 'json' }
const PROTOBUF_FORM: Representation = { form: 'json', protobuf: true }

/**
 * Chooses the form of a server's answers. Clients send the same few headers again and again, so that reading them once makes
 * the gets of typed clients, which ask for protobuf, cheaper.
 */
export class Negotiation {
  readonly #chosen = new Map<string, Representation | false>()

  /** `speaksProtobuf` says whether what is asked for has a message. Metadata alone always has one. */
  negotiate(accept: string | undefined, subject: Subject, speaksProtobuf = false): Representation {
    if (accept === undefined || accept === '' || accept === 'application/json' || accept === '*/*') return JSON_FORM
    const key = `${subject}|${speaksProtobuf}|${accept}`
    let found = this.#chosen.get(key)
    if (found === undefined) {
      found = choose(accept, subject, speaksProtobuf)
      if (this.#chosen.size >= MAX_KEPT) this.#chosen.clear()
      this.#chosen.set(key, found)
    }
    if (found) return found
    throw notAcceptable(['application/json', YAML_TYPE, PROTOBUF_TYPE])
  }
}

const MAX_KEPT = 256

function choose(accept: string, subject: Subject, speaksProtobuf: boolean): Representation | false {
  for (const clause of parseAccept(accept)) {
    const form = clause.type === PROTOBUF_TYPE ? protobufFor(clause, subject, speaksProtobuf) : formFor(clause, subject)
    if (form) return form
  }
  return false
}

/** Tables have no protobuf message. */
function protobufFor({ params }: Clause, subject: Subject, speaksProtobuf: boolean): Representation | undefined {
  if (params.as === undefined) return speaksProtobuf && !namesGroup(params) ? PROTOBUF_FORM : undefined
  const form = transformationFor(params, subject)
  return form?.form === 'partial' ? { ...form, protobuf: true } : undefined
}

function formFor({ type, params }: Clause, subject: Subject): Representation | undefined {
  const yaml = type === YAML_TYPE
  // A watch is a stream, which YAML cannot represent.
  if (yaml ? subject === 'watch' : !JSON_TYPES.includes(type)) return undefined
  if (params.as === undefined) return namesGroup(params) ? undefined : yaml ? { form: 'yaml' } : JSON_FORM
  const form = transformationFor(params, subject)
  return form && yaml ? { ...form, yaml: true } : form
}

type Transformation = Extract<Representation, { readonly version: string }>

function transformationFor({ as, g, v }: Clause['params'], subject: Subject): Transformation | undefined {
  if (g !== 'meta.k8s.io' || (v !== 'v1' && v !== 'v1beta1') || subject === 'plain') return undefined
  if (as === 'Table') return { form: 'table', version: v }
  if (as === (subject === 'list' ? 'PartialObjectMetadataList' : 'PartialObjectMetadata'))
    return { form: 'partial', version: v }
  return undefined
}

/** Group and version qualify `as`; without it they mean nothing. */
function namesGroup({ g, v }: Clause['params']): boolean {
  return g !== undefined || v !== undefined
}

const YAML_TYPE = 'application/yaml'
const JSON_TYPES: readonly string[] = ['application/json', 'application/*', '*/*']
