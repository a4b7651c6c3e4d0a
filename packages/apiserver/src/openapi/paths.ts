// The paths of one resource with their operations. kubectl reads the parameters of PATCH here; client generators derive
// their methods from here.

import { formatGroupVersion } from '@homeostat/meta'
import type { ResourceType } from '../registry/resource-type.ts'
import { componentName, metaName, ref, SCALE } from './component-name.ts'
import { operationId, tag } from './operation-id.ts'
import { type Action, actionParameters, NAMESPACE, nameParameter, type Parameter, PRETTY } from './parameters.ts'

type Json = Record<string, unknown>
type Method = 'get' | 'put' | 'post' | 'delete' | 'patch'

/** One operation, before the parameters that it shares with the others of its path are moved to the path. */
interface Operation {
  readonly action: Action
  /** The verb in RBAC and in ResourceType.verbs. */
  readonly verb: string
  readonly idVerb: string
  readonly answers: string
  readonly takes?: string
  readonly codes: readonly number[]
  /** The kind of its bodies, if it is not the resource's own kind. */
  readonly kind?: Kind
}

interface Kind {
  readonly group: string
  readonly version: string
  readonly kind: string
}

const METHODS: Record<Action, Method> = {
  list: 'get',
  get: 'get',
  post: 'post',
  put: 'put',
  patch: 'patch',
  delete: 'delete',
  deletecollection: 'delete',
}
const METHOD_ORDER: readonly Method[] = ['get', 'put', 'post', 'delete', 'patch']
const OBJECT_TYPES = ['application/json', 'application/yaml']
const PATCH_TYPES = ['application/apply-patch+yaml', 'application/json-patch+json', 'application/merge-patch+json']
const STRATEGIC = 'application/strategic-merge-patch+json'
const DESCRIPTIONS: Record<number, string> = { 200: 'OK', 201: 'Created', 202: 'Accepted' }

export function resourcePaths(type: ResourceType): [string, Json][] {
  const version = `${type.group === '' ? '/api' : '/apis'}/${formatGroupVersion(type)}`
  const root = `${version}${type.namespaced ? '/namespaces/{namespace}' : ''}/${type.resource}`
  const scope = type.namespaced ? 'Namespaced' : ''
  const scoped = type.namespaced ? [NAMESPACE] : []
  const named = [nameParameter(type.kind), ...scoped]
  const kind = componentName(type.group, type.version, type.kind, type.custom)
  const list = componentName(type.group, type.version, type.listKind, type.custom)

  const paths: [string, Json][] = []
  const add = (path: string, suffix: string, parameters: readonly Parameter[], operations: readonly Operation[]) => {
    const operated = pathItem(type, suffix, parameters, operations)
    if (operated) paths.push([path, operated])
  }
  if (type.namespaced) {
    add(`${version}/${type.resource}`, `${type.kind}ForAllNamespaces`, [], [listing(list)])
  }
  add(root, `${scope}${type.kind}`, scoped, collectionOperations(kind, list, type.custom))
  add(`${root}/{name}`, `${scope}${type.kind}`, named, objectOperations(kind, type))
  for (const [name, { verbs, answers }] of Object.entries(type.subresources.others ?? {})) {
    const answered = answers && subresourceKind(type, answers)
    const body = answered ? componentName(answered.group, answered.version, answered.kind, false) : kind
    const operations = [creating(body), ...partOperations(body, type.custom)]
      .filter(({ verb }) => verbs.includes(verb))
      .map((operation) => (answered ? { ...operation, kind: answered } : operation))
    add(`${root}/{name}/${name}`, `${scope}${type.kind}${capitalised(name)}`, named, operations)
  }
  if (type.subresources.scale) {
    const operations = partOperations(SCALE, type.custom)
    const scaled = type.custom ? operations : operations.map((operation) => ({ ...operation, kind: SCALE_KIND }))
    add(`${root}/{name}/scale`, `${scope}${type.kind}Scale`, named, scaled)
  }
  if (type.subresources.status) {
    add(`${root}/{name}/status`, `${scope}${type.kind}Status`, named, partOperations(kind, type.custom))
  }
  return paths
}

const SCALE_KIND: Kind = { group: 'autoscaling', version: 'v1', kind: 'Scale' }

/** Without a version, the kind belongs to the resource's own group and version. */
export function subresourceKind(type: Kind, answers: Kind): Kind {
  return answers.version === '' ? { group: type.group, version: type.version, kind: answers.kind } : answers
}

function listing(list: string): Operation {
  return { action: 'list', verb: 'list', idVerb: 'list', answers: list, codes: [200] }
}

function replacing(kind: string): Operation {
  return { action: 'put', verb: 'update', idVerb: 'replace', answers: kind, takes: kind, codes: [200, 201] }
}

function creating(kind: string): Operation {
  return { action: 'post', verb: 'create', idVerb: 'create', answers: kind, takes: kind, codes: [200, 201, 202] }
}

function capitalised(name: string): string {
  return name.slice(0, 1).toUpperCase() + name.slice(1)
}

function collectionOperations(kind: string, list: string, custom: boolean): Operation[] {
  return [
    listing(list),
    creating(kind),
    {
      action: 'deletecollection',
      verb: 'deletecollection',
      idVerb: 'delete',
      answers: metaName('Status'),
      ...(custom ? {} : { takes: metaName('DeleteOptions') }),
      codes: [200],
    },
  ]
}

function partOperations(kind: string, custom: boolean): Operation[] {
  const codes = custom ? [200] : [200, 201]
  return [
    { action: 'get', verb: 'get', idVerb: 'read', answers: kind, codes: [200] },
    replacing(kind),
    { action: 'patch', verb: 'patch', idVerb: 'patch', answers: kind, takes: metaName('Patch'), codes },
  ]
}

function objectOperations(kind: string, { custom, strategy }: ResourceType): Operation[] {
  return [
    ...partOperations(kind, custom),
    {
      action: 'delete',
      verb: 'delete',
      idVerb: 'delete',
      answers: strategy.deleteReturnsObject ? kind : metaName('Status'),
      takes: metaName('DeleteOptions'),
      codes: [200, 202],
    },
  ]
}

/** Moves parameters that all operations share to the path item, as Kubernetes publishes them. */
function pathItem(
  type: ResourceType,
  suffix: string,
  pathParameters: readonly Parameter[],
  all: readonly Operation[],
): Json | undefined {
  const operations = all.filter((operation) => type.verbs.includes(operation.verb))
  const [first, ...others] = operations
  if (!first) return undefined
  const taken = ({ action }: Operation) => actionParameters(action, type.custom)
  const shared = taken(first).filter((parameter) =>
    others.every((other) => taken(other).some(({ name }) => name === parameter.name)),
  )
  const item: Json = {}
  for (const method of METHOD_ORDER) {
    const operation = operations.find(({ action }) => METHODS[action] === method)
    if (operation) item[method] = operationObject(type, suffix, operation, shared)
  }
  item.parameters = [...pathParameters, PRETTY, ...shared].sort(byName)
  return item
}

function operationObject(type: ResourceType, suffix: string, operation: Operation, shared: readonly Parameter[]): Json {
  const { group, version, custom } = type
  const { action } = operation
  const parameters = actionParameters(action, custom).filter(({ name }) => !shared.some((one) => one.name === name))
  const rest = action === 'deletecollection' ? `Collection${suffix}` : suffix
  const subject: Kind = operation.kind ?? type
  return {
    tags: [tag(group, version)],
    operationId: operationId(group, version, operation.idVerb, rest),
    ...(parameters.length > 0 ? { parameters } : {}),
    ...(operation.takes ? { requestBody: requestBody(action, operation.takes, custom) } : {}),
    responses: Object.fromEntries([
      ...operation.codes.map((code) => [
        String(code),
        { description: DESCRIPTIONS[code], content: content(OBJECT_TYPES, operation.answers) },
      ]),
      ['401', { description: 'Unauthorized' }],
    ]),
    'x-kubernetes-action': action,
    'x-kubernetes-group-version-kind': { group: subject.group, version: subject.version, kind: subject.kind },
  }
}

function requestBody(action: Action, takes: string, custom: boolean): Json {
  const patches = custom ? PATCH_TYPES : [...PATCH_TYPES, STRATEGIC]
  const types = action === 'patch' ? patches : custom ? OBJECT_TYPES : ['*/*']
  return {
    content: content(types, takes),
    ...(action === 'delete' || action === 'deletecollection' ? {} : { required: true }),
  }
}

function content(types: readonly string[], component: string): Json {
  return Object.fromEntries(types.map((type) => [type, { schema: ref(component) }]))
}

function byName(a: Parameter, b: Parameter): number {
  return a.in === b.in ? (a.name < b.name ? -1 : 1) : a.in < b.in ? -1 : 1
}
