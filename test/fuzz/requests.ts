// Random requests: everything a client chooses is chosen at random, mostly near to what makes sense.

import type { Chooser } from './chooser.ts'
import type { Sent } from './http-client.ts'
import { anyMetadata, anySchema, fitting, type Schema } from './schema-objects.ts'

/** A kind to write to, and how its objects look. */
export interface Kind {
  /** Without namespace and name: `/api/v1`. */
  readonly root: string
  readonly apiVersion: string
  readonly kind: string
  readonly resource: string
  readonly namespaced: boolean
  readonly schema: Schema
  /** What `$ref` in the schema means. */
  readonly named: Readonly<Record<string, Schema>>
}

export const BODY_TYPES = ['application/json', 'application/yaml', 'application/vnd.kubernetes.protobuf']
export const PATCH_TYPES = [
  'application/json-patch+json',
  'application/merge-patch+json',
  'application/strategic-merge-patch+json',
  'application/apply-patch+yaml',
]
const NAMES = ['one', 'two', 'three']
const SUBRESOURCES = ['', '', '', '/status', '/scale', '/finalize', '/x']

export function pathOf(kind: Kind, name?: string): string {
  const place = kind.namespaced ? '/namespaces/default' : ''
  return `${kind.root}${place}/${kind.resource}${name === undefined ? '' : `/${name}`}`
}

export function anyObject(choose: Chooser, kind: Kind, name: string): object {
  const object = fitting(choose, kind.schema, kind.named)
  const fields = typeof object === 'object' && object !== null && !Array.isArray(object) ? object : {}
  return { ...fields, apiVersion: kind.apiVersion, kind: kind.kind, metadata: anyMetadata(choose, name) }
}

/** A write of a few objects, so that they meet. */
export function anyWrite(choose: Chooser, kind: Kind): Sent {
  const name = choose.one(NAMES)
  const body = (value: unknown) => Buffer.from(JSON.stringify(value))
  const headers = (type: string) => ({ 'content-type': type })
  const at = pathOf(kind, name) + choose.one(SUBRESOURCES)
  const object = () => body(anyObject(choose, kind, name))
  switch (choose.number(6)) {
    case 0:
    case 1:
      return {
        method: 'POST',
        path: pathOf(kind) + anyQuery(choose),
        headers: headers(BODY_TYPES[0] ?? ''),
        body: object(),
      }
    case 2:
      return { method: 'PUT', path: at + anyQuery(choose), headers: headers(BODY_TYPES[0] ?? ''), body: object() }
    case 3:
      return {
        method: 'DELETE',
        path: at + anyQuery(choose),
        headers: headers(BODY_TYPES[0] ?? ''),
        body: body(anyDeleteOptions(choose)),
      }
    default:
      return anyPatch(choose, kind, name, at)
  }
}

function anyPatch(choose: Chooser, kind: Kind, name: string, at: string): Sent {
  const type = choose.one(PATCH_TYPES)
  const query = type.includes('apply')
    ? `?fieldManager=${choose.one(['a', 'b'])}&force=${choose.chance(70)}`
    : anyQuery(choose)
  const patch = type.includes('json-patch') ? choose.many(4, () => anyOperation(choose)) : anyObject(choose, kind, name)
  return {
    method: 'PATCH',
    path: at + query,
    headers: { 'content-type': type },
    body: Buffer.from(JSON.stringify(patch)),
  }
}

function anyOperation(choose: Chooser): object {
  const pointer = () =>
    choose
      .many(
        4,
        () =>
          `/${choose.one(['spec', 'metadata', 'labels', 'a', 'name', '0', '-', 'x~1y', 'status', '', 'finalizers'])}`,
      )
      .join('')
  return {
    op: choose.one(['add', 'remove', 'replace', 'move', 'copy', 'test', 'x']),
    path: pointer(),
    ...(choose.chance(60) && { value: choose.json(2) }),
    ...(choose.chance(50) && { from: pointer() }),
  }
}

function anyDeleteOptions(choose: Chooser): unknown {
  if (choose.chance(20)) return choose.json(2)
  return {
    ...(choose.chance(50) && { kind: 'DeleteOptions', apiVersion: choose.one(['v1', 'meta.k8s.io/v1', 'x']) }),
    ...(choose.chance(50) && { propagationPolicy: choose.one(['Foreground', 'Background', 'Orphan', 'x', 1]) }),
    ...(choose.chance(20) && { gracePeriodSeconds: choose.one([0, -1, 1.5, 1e99, 'x']) }),
    ...(choose.chance(20) && { preconditions: choose.json(1) }),
    ...(choose.chance(20) && { dryRun: choose.one([['All'], ['x'], 'All', []]) }),
    ...(choose.chance(20) && { orphanDependents: choose.json(0) }),
  }
}

const PARAMETERS = [
  'labelSelector',
  'fieldSelector',
  'limit',
  'continue',
  'resourceVersion',
  'resourceVersionMatch',
  'timeoutSeconds',
  'watch',
  'dryRun',
  'fieldManager',
  'fieldValidation',
  'force',
  'pretty',
  'allowWatchBookmarks',
  'sendInitialEvents',
  'propagationPolicy',
  'gracePeriodSeconds',
  'includeObject',
  'x',
]
const VALUES = [
  '',
  '1',
  '0',
  '-1',
  'true',
  'All',
  'Strict',
  'Exact',
  'NotOlderThan',
  'a=b',
  'a!=b,!c',
  'a in (b,c)',
  'a notin ()',
  'metadata.name=one',
  'metadata.name',
  '=',
  '(',
  ',',
  'spec.x=1',
  '99999999999999999999',
  'eyJ2IjoibWV0YS5rOHMuaW8vdjEiLCJydiI6MSwic3RhcnQiOiJhXHUwMDAwIn0',
  'Object',
  'é',
]

export function anyQuery(choose: Chooser): string {
  if (choose.chance(50)) return ''
  const pairs = choose.many(3, () => {
    const value = choose.chance(80) ? choose.one(VALUES) : choose.text()
    return `${choose.one(PARAMETERS)}=${choose.chance(90) ? encodeURIComponent(value.toWellFormed()) : value.replaceAll(/[^!-~]/g, '%')}`
  })
  return `?${pairs.join('&')}`
}

const METHODS = ['GET', 'GET', 'GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'HEAD', 'OPTIONS', 'TRACE', 'PROPFIND']
const STEPS = [
  'api',
  'apis',
  'v1',
  'apps',
  'fuzz.example.com',
  'namespaces',
  'default',
  'configmaps',
  'one',
  'status',
  'watch',
  'proxy',
  'log',
  'openapi',
  'v2',
  'v3',
  'metrics',
  'readyz',
  'version',
  '%2e%2e',
  '%00',
  '%',
  '%C3%28',
  '__proto__',
  '',
  'swagger.json',
  'token',
  'scale',
  'debug',
]
const ACCEPTS = [
  'application/json',
  'application/yaml',
  'application/json;as=Table;v=v1;g=meta.k8s.io',
  'application/json;as=PartialObjectMetadata;v=v1;g=meta.k8s.io',
  'application/vnd.kubernetes.protobuf',
  'application/json;as=PartialObjectMetadataList;v=v1;g=meta.k8s.io',
  '*/*',
  'text/plain',
  ';;q=',
  'application/cbor',
  'application/json;q=0',
  'application/json;stream=watch',
]
const HEADERS: readonly (readonly [string, readonly string[]])[] = [
  ['accept', ACCEPTS],
  ['authorization', ['Bearer x', 'Bearer a.b.c', 'Bearer eyJhbGciOiJub25lIn0.e30.', 'Basic eDp5', 'Bearer', '']],
  ['impersonate-user', ['x', 'system:admin', '']],
  ['impersonate-group', ['system:masters']],
  ['accept-encoding', ['gzip', 'br', '*', 'gzip;q=0', '']],
  ['if-none-match', ['*', '"x"', 'W/"1"']],
  ['content-encoding', ['gzip', 'x']],
  ['content-type', [...BODY_TYPES, ...PATCH_TYPES, 'text/plain', ';', 'application/json; charset=utf-16']],
  ['expect', ['100-continue', 'x']],
  ['user-agent', ['kubectl/v1', '', '/', 'é'.repeat(200)]],
  ['upgrade', ['websocket', 'SPDY/3.1', 'h2c']],
  ['connection', ['upgrade', 'close', 'keep-alive, x']],
  ['sec-websocket-key', ['dGhlIHNhbXBsZSBub25jZQ==', 'x']],
  ['sec-websocket-protocol', ['base64.binary.k8s.io', 'v4.channel.k8s.io', 'x', '']],
  ['host', ['localhost', '127.0.0.1', 'evil.example', '']],
  ['origin', ['http://localhost', 'http://evil.example', 'null']],
]

/** A request to anywhere. */
export function anyRequest(choose: Chooser, kinds: readonly Kind[]): Sent {
  const known = () =>
    pathOf(choose.one(kinds), choose.chance(60) ? choose.one(NAMES) : undefined) + choose.one(SUBRESOURCES)
  const path = choose.chance(60) ? known() : `/${choose.many(7, () => choose.one(STEPS)).join('/')}`
  const headers = Object.fromEntries(
    choose.many(4, () => {
      const [name, values] = choose.one(HEADERS)
      return [name, Buffer.from(choose.one(values)).toString('latin1')]
    }),
  )
  const body = choose.chance(40) ? choose.bytes(60) : undefined
  return { method: choose.one(METHODS), path: path + anyQuery(choose), headers, ...(body && { body }) }
}

/** A whole request as bytes, with lengths that may be wrong. */
export function anyRawRequest(choose: Chooser, kinds: readonly Kind[]): Buffer[] {
  const { method, path, headers = {}, body } = anyRequest(choose, kinds)
  const lines = [
    `${method} ${path} HTTP/1.${choose.number(2)}`,
    'Host: localhost',
    ...Object.entries(headers).map(([name, value]) => `${name}: ${value}`),
  ]
  const bytes = body ?? Buffer.from('{}')
  switch (choose.number(3)) {
    case 0:
      lines.push(
        `Content-Length: ${choose.one([bytes.length, bytes.length + 5, bytes.length - 1, -1, 'x', '1e3', 99999999999])}`,
      )
      break
    case 1:
      lines.push('Transfer-Encoding: chunked')
      break
    case 2:
      lines.push('Content-Length: 2', 'Transfer-Encoding: chunked')
      break
  }
  const chunk = choose.chance(50)
    ? Buffer.concat([Buffer.from(`${bytes.length.toString(16)}\r\n`), bytes, Buffer.from('\r\n0\r\n\r\n')])
    : bytes
  const head = Buffer.from(`${lines.join('\r\n')}\r\n\r\n`, 'latin1')
  return [choose.chance(20) ? choose.mutate(head) : head, chunk]
}

/** The frames of a client that has been let into a WebSocket. */
export function anyFrames(choose: Chooser): Buffer[] {
  return choose.many(5, () => {
    const payload = choose.bytes(130)
    const length = choose.chance(90) ? Math.min(payload.length, 125) : 126 + choose.number(1)
    const masked = choose.chance(80) ? 0x80 : 0
    return Buffer.concat([Buffer.from([choose.number(255), masked | length]), choose.bytes(8), payload])
  })
}

/** A definition of a kind of its own with a random schema. */
export function anyDefinition(choose: Chooser, plural: string): { definition: object; spec: Schema } {
  const spec = anySchema(choose)
  const schema = choose.chance(90) ? { type: 'object', properties: { spec } } : anySchema(choose)
  const version = (name: string, storage: boolean) => ({
    name,
    served: choose.chance(95),
    storage,
    schema: { openAPIV3Schema: schema },
    ...(choose.chance(30) && {
      subresources: {
        status: {},
        ...(choose.chance(50) && {
          scale: { specReplicasPath: choose.one(['.spec.a', 'x', '.spec.a[0]']), statusReplicasPath: '.status.a' },
        }),
      },
    }),
    ...(choose.chance(30) && {
      additionalPrinterColumns: choose.many(3, () => ({
        name: choose.text(),
        type: choose.one(['string', 'integer', 'date', 'x']),
        jsonPath: choose.one(['.spec.a', '.metadata.name', '.spec[*].b', '{', '.spec..x', ".spec['constructor']"]),
      })),
    }),
    ...(choose.chance(20) && { selectableFields: [{ jsonPath: choose.one(['.spec.a', '.spec.name', '.x', 'x']) }] }),
  })
  const definition = {
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: { name: `${plural}.fuzz.example.com` },
    spec: {
      group: 'fuzz.example.com',
      scope: choose.one(['Namespaced', 'Cluster']),
      names: { plural, kind: plural.toUpperCase() },
      versions: choose.chance(80) ? [version('v1', true)] : [version('v1', true), version('v2', choose.chance(10))],
    },
  }
  return { definition, spec }
}
