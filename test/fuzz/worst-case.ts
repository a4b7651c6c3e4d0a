// What a worst case is, the kind it writes to, and how it is sent.

import { eventually } from '@homeostat/base/testing/eventually'

export interface Answer {
  readonly status: number
  readonly text: string
}

export interface Client {
  send(method: string, path: string, body?: unknown, type?: string): Promise<Answer>
}

export interface WorstCase {
  readonly name: string
  /** What must be there first; not measured. */
  prepare?(client: Client): Promise<unknown>
  act(client: Client): Promise<Answer>
  /** How many steps a turn may take where each is as short as a look at one byte; otherwise MAX_STEPS. */
  readonly maxSteps?: number
}

export const GROUP = 'fuzz.example.com'
export const BLOBS = `/apis/${GROUP}/v1/namespaces/default/blobs`
export const CONFIG_MAPS = '/api/v1/namespaces/default/configmaps'
export const DEFINITIONS = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions'
export const MAX_BODY = 3 << 20
/** What a body may hold: a key counts three, an item of a list one. */
const MAX_WEIGHT = 90_000
/** The same of what is applied. */
const MAX_APPLIED_WEIGHT = 45_000

export const JSON_TYPE = 'application/json'
export const YAML = 'application/yaml'
export const PROTOBUF = 'application/vnd.kubernetes.protobuf'
export const JSON_PATCH = 'application/json-patch+json'
export const MERGE_PATCH = 'application/merge-patch+json'
export const STRATEGIC_PATCH = 'application/strategic-merge-patch+json'
export const APPLY_PATCH = 'application/apply-patch+yaml'

/** Bodies that are no text and no bytes are written as JSON. */
export function client(url: string): Client {
  return {
    async send(method, path, body, type = JSON_TYPE) {
      const bytes =
        body === undefined || typeof body === 'string' || Buffer.isBuffer(body) ? body : JSON.stringify(body)
      const response = await fetch(url + path, {
        method,
        ...(bytes !== undefined && { body: bytes as string, headers: { 'content-type': type } }),
      })
      return { status: response.status, text: await response.text() }
    },
  }
}

export function items<T>(count: number, make: (i: number) => T): T[] {
  return Array.from({ length: count }, (_, i) => make(i))
}

/** As many pieces, joined by commas, as fit into a body and are accepted in it. */
export function fill(piece: (i: number) => string, size = MAX_BODY - 1000): string {
  return join(piece, size, MAX_WEIGHT - 1000)
}

/** The same for an apply. */
export function fillApplied(piece: (i: number) => string, size = MAX_BODY - 1000): string {
  return join(piece, size, MAX_APPLIED_WEIGHT - 1000)
}

/** Half of what fits into a body and is accepted, so that two things can meet. */
export function fillHalf(piece: (i: number) => string): string {
  return join(piece, (MAX_BODY - 1000) / 2, MAX_WEIGHT / 2 - 1000)
}

/** As many as fit into a body, whether anybody accepts them or not. */
export function overfill(piece: (i: number) => string): string {
  return join(piece, MAX_BODY - 1000, Number.POSITIVE_INFINITY)
}

function join(piece: (i: number) => string, size: number, weight: number): string {
  const pieces: string[] = []
  let length = 0
  let weighs = 0
  for (let i = 0; ; i++) {
    const next = piece(i)
    length += next.length + 1
    weighs += 1 + weigh(next)
    if (length > size || weighs > weight) return pieces.join(',')
    pieces.push(next)
  }
}

function weigh(text: string): number {
  return (text.match(/[,[{]/g)?.length ?? 0) + 2 * (text.match(/:/g)?.length ?? 0)
}

export function blob(name: string, spec: object = {}, metadata: object = {}): object {
  return { apiVersion: `${GROUP}/v1`, kind: 'Blob', metadata: { name, ...metadata }, spec }
}

/** The text of a Blob whose spec, or metadata, is given as text. */
export function blobText(name: string, spec: string, metadata = ''): string {
  return `{"apiVersion":"${GROUP}/v1","kind":"Blob","metadata":{"name":"${name}"${metadata}},"spec":${spec}}`
}

let names = 0
/** A name that nobody has. */
export function fresh(prefix = 'b'): string {
  return `${prefix}-${++names}`
}

/** Creates what the text says under a new name. */
export function creates(name: string, spec: string, metadata = ''): WorstCase {
  return { name, act: ({ send }) => send('POST', BLOBS, blobText(fresh(), spec, metadata)) }
}

const text = { type: 'string' }
const free = { type: 'object', 'x-kubernetes-preserve-unknown-fields': true }

const spec = {
  type: 'object',
  properties: {
    free,
    anything: { 'x-kubernetes-preserve-unknown-fields': true },
    set: { type: 'array', 'x-kubernetes-list-type': 'set', items: text },
    map: {
      type: 'array',
      'x-kubernetes-list-type': 'map',
      'x-kubernetes-list-map-keys': ['name'],
      items: { type: 'object', required: ['name'], properties: { name: text, n: { type: 'integer' } } },
    },
    pairs: {
      type: 'array',
      'x-kubernetes-list-type': 'map',
      'x-kubernetes-list-map-keys': ['port', 'protocol'],
      items: {
        type: 'object',
        required: ['port'],
        properties: { port: { type: 'integer' }, protocol: { type: 'string', default: 'TCP' } },
      },
    },
    words: { type: 'object', additionalProperties: { type: 'string', pattern: '^([a-z]+[0-9]*)+$' } },
    choices: { type: 'array', items: { type: 'string', enum: items(5000, (i) => `choice-${i}`) } },
    dates: { type: 'array', items: { type: 'string', format: 'date-time' } },
    filled: {
      type: 'array',
      items: {
        type: 'object',
        properties: {
          a: { type: 'object', default: {}, properties: { b: { type: 'string', default: 'x'.repeat(1000) } } },
        },
      },
    },
    either: {
      type: 'array',
      items: {
        type: 'object',
        properties: { a: text, b: text },
        oneOf: [{ required: ['a'] }, { required: ['b'] }, { properties: { a: { pattern: '^x' } } }],
      },
    },
    embedded: {
      type: 'array',
      items: { type: 'object', 'x-kubernetes-embedded-resource': true, 'x-kubernetes-preserve-unknown-fields': true },
    },
  },
}

export async function define({ send }: Client): Promise<void> {
  const { status, text: said } = await send('POST', DEFINITIONS, {
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: { name: `blobs.${GROUP}` },
    spec: {
      group: GROUP,
      scope: 'Namespaced',
      names: { plural: 'blobs', kind: 'Blob' },
      versions: [
        {
          name: 'v1',
          served: true,
          storage: true,
          subresources: { status: {} },
          schema: { openAPIV3Schema: { type: 'object', properties: { spec, status: free } } },
        },
      ],
    },
  })
  if (status !== 201 && status !== 409) throw new Error(`the definition was refused: ${said}`)
  await eventually(async () => (await send('GET', BLOBS)).status === 200)
}
