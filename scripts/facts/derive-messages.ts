// Derives the table of protobuf messages from a folder of facts about Kubernetes and the Go sources of its API:
//   node scripts/facts/derive-messages.ts FOLDER GO_MODULES
// writes packages/apiserver/facts/messages.json. Format it with `npm run format` afterwards. GO_MODULES is the folder
// that has api@VERSION, apimachinery@VERSION and so on. A field is a line `number name type option...`; what the words
// mean is said in packages/protobuf/src/kubernetes/message-tables.ts.

import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { type GoField, type GoStructs, readGoStructs } from './go-structs.ts'

type Field = readonly [number: number, name: string, type: string, repeated?: 'repeated']
type Messages = Readonly<Record<string, readonly Field[]>>

interface DiscoveryList {
  readonly items: readonly {
    readonly metadata: { readonly name?: string }
    readonly versions: readonly {
      readonly version: string
      readonly resources: readonly { readonly responseKind: Kind; readonly subresources?: readonly Subresource[] }[]
    }[]
  }[]
}
interface Kind {
  readonly group: string
  readonly version: string
  readonly kind: string
}
interface Subresource {
  readonly responseKind?: Kind
}

const META = 'k8s.io.apimachinery.pkg.apis.meta.v1.'
const EXTENSIONS = 'k8s.io.apiextensions_apiserver.pkg.apis.apiextensions.v1.'
const AGGREGATOR = 'k8s.io.kube_aggregator.pkg.apis.apiregistration.v1.'

/** Messages that stand for something else than an object with their fields. */
const FORMS: Readonly<Record<string, string>> = {
  [`${META}Time`]: 'time',
  [`${META}MicroTime`]: 'micro-time',
  [`${META}FieldsV1`]: 'json',
  [`${META}Verbs`]: 'strings',
  'k8s.io.apimachinery.pkg.runtime.RawExtension': 'json',
  'k8s.io.apimachinery.pkg.api.resource.Quantity': 'quantity',
  'k8s.io.apimachinery.pkg.util.intstr.IntOrString': 'int-or-string',
  'k8s.io.api.authentication.v1.ExtraValue': 'strings',
  'k8s.io.api.authorization.v1.ExtraValue': 'strings',
  'k8s.io.api.certificates.v1.ExtraValue': 'strings',
  [`${EXTENSIONS}JSON`]: 'json',
  [`${EXTENSIONS}JSONSchemaPropsOrBool`]: 'schema-or-bool',
  [`${EXTENSIONS}JSONSchemaPropsOrArray`]: 'schema-or-array',
  [`${EXTENSIONS}JSONSchemaPropsOrStringArray`]: 'schema-or-strings',
}

/** The aggregation layer's API, which the facts leave out. */
const MORE: Messages = {
  [`${AGGREGATOR}APIService`]: [
    [1, 'metadata', `${META}ObjectMeta`],
    [2, 'spec', `${AGGREGATOR}APIServiceSpec`],
    [3, 'status', `${AGGREGATOR}APIServiceStatus`],
  ],
  [`${AGGREGATOR}APIServiceCondition`]: [
    [1, 'type', 'string'],
    [2, 'status', 'string'],
    [3, 'lastTransitionTime', `${META}Time`],
    [4, 'reason', 'string'],
    [5, 'message', 'string'],
  ],
  [`${AGGREGATOR}APIServiceList`]: [
    [1, 'metadata', `${META}ListMeta`],
    [2, 'items', `${AGGREGATOR}APIService`, 'repeated'],
  ],
  [`${AGGREGATOR}APIServiceSpec`]: [
    [1, 'service', `${AGGREGATOR}ServiceReference`],
    [2, 'group', 'string'],
    [3, 'version', 'string'],
    [4, 'insecureSkipTLSVerify', 'bool'],
    [5, 'caBundle', 'bytes'],
    [7, 'groupPriorityMinimum', 'int32'],
    [8, 'versionPriority', 'int32'],
  ],
  [`${AGGREGATOR}APIServiceStatus`]: [[1, 'conditions', `${AGGREGATOR}APIServiceCondition`, 'repeated']],
  [`${AGGREGATOR}ServiceReference`]: [
    [1, 'namespace', 'string'],
    [2, 'name', 'string'],
    [3, 'port', 'int32'],
  ],
}

/** Kinds of every group: bodies and answers that are not resources. */
const META_KINDS = ['APIGroup', 'APIGroupList', 'APIResourceList', 'APIVersions', 'CreateOptions', 'DeleteOptions']
  .concat(['GetOptions', 'ListOptions', 'PartialObjectMetadata', 'PartialObjectMetadataList', 'PatchOptions'])
  .concat(['Status', 'UpdateOptions', 'WatchEvent'])

const [folder, modules] = process.argv.slice(2)
if (folder === undefined || modules === undefined)
  throw new Error('say which folders have the facts and the Go modules')
derive(folder, modules)

function derive(facts: string, goModules: string): void {
  const messages: Messages = { ...readJson(join(facts, 'protobuf-fields.json')), ...MORE }
  const { packages, kinds } = served(readJson(join(facts, 'discovery.json')))
  const structs = new Map<string, GoStructs>()
  const out: Record<string, string[]> = {}
  const todo = [...META_KINDS.map((kind) => META + kind), ...kinds]
  for (let name = todo.pop(); name !== undefined; name = todo.pop()) {
    const fields = messages[name]
    if (out[shortName(name)] || FORMS[name] !== undefined || !fields) continue
    const struct = structOf(name, goModules, structs)
    out[shortName(name)] = fields
      .toSorted(([a], [b]) => a - b)
      .map((field) => lineOf(field, struct.get(field[0]), `${name}.${field[1]}`))
    for (const [, , type] of fields) todo.push(type.replace(/^map<string,(.*)>$/, '$1'))
  }
  // Forms lead to it, and no field does.
  if (!out['apiextensions.v1.JSONSchemaProps']) throw new Error('the definitions of custom resources are missing')
  const sorted = Object.fromEntries(Object.entries(out).sort(([a], [b]) => (a < b ? -1 : 1)))
  const target = join(import.meta.dirname, '../../packages/apiserver/facts/messages.json')
  writeFileSync(target, `${JSON.stringify({ packages, messages: sorted }, null, 2)}\n`)
}

/** The packages of the group versions, and the messages of all kinds that the resources and subresources have. */
function served({ api, apis }: { readonly api: DiscoveryList; readonly apis: DiscoveryList }) {
  const packages: Record<string, string> = { 'apiextensions.k8s.io/v1': shortName(EXTENSIONS).slice(0, -1) }
  const kinds = [`${EXTENSIONS}CustomResourceDefinition`, `${EXTENSIONS}CustomResourceDefinitionList`]
  for (const { metadata, versions } of [...api.items, ...apis.items]) {
    const group = metadata.name ?? ''
    if (group === 'apiextensions.k8s.io') continue
    for (const { version, resources } of versions) {
      const home = packageOf(group, version)
      packages[group === '' ? version : `${group}/${version}`] = shortName(home).slice(0, -1)
      for (const { responseKind, subresources = [] } of resources) {
        kinds.push(home + responseKind.kind, `${home}${responseKind.kind}List`)
        for (const { responseKind: other } of subresources)
          if (other) kinds.push((other.version === '' ? home : packageOf(other.group, other.version)) + other.kind)
      }
    }
  }
  return { packages: Object.fromEntries(Object.entries(packages).sort(([a], [b]) => (a < b ? -1 : 1))), kinds }
}

function packageOf(group: string, version: string): string {
  if (group === 'apiregistration.k8s.io') return AGGREGATOR
  return `k8s.io.api.${group === '' ? 'core' : group.split('.')[0]}.${version}.`
}

function shortName(name: string): string {
  const prefixes = [META, EXTENSIONS, AGGREGATOR].map((prefix) => prefix.replace(/[^.]+\.v1\.$/, ''))
  const prefix = [...prefixes, 'k8s.io.apimachinery.pkg.', 'k8s.io.api.'].find((known) => name.startsWith(known))
  return name.slice(prefix?.length ?? 0)
}

function structOf(message: string, modules: string, read: Map<string, GoStructs>): ReadonlyMap<number, GoField> {
  const dot = message.lastIndexOf('.')
  const home = message.slice(0, dot)
  let structs = read.get(home)
  if (!structs) {
    const [, module = '', ...path] = home.replace(/_/g, '-').split('.').slice(1)
    const versioned = readdirSync(modules).find((name) => name.startsWith(`${module}@`))
    if (versioned === undefined) throw new Error(`there are no Go sources of ${module}`)
    structs = readGoStructs(join(modules, versioned, ...path))
    read.set(home, structs)
  }
  const struct = structs.get(message.slice(dot + 1))
  if (!struct) throw new Error(`there is no Go struct for ${message}`)
  return struct
}

function lineOf([number, name, type, repeated]: Field, go: GoField | undefined, where: string): string {
  if (!go) throw new Error(`there is no Go field for ${where}`)
  const value = /^map<string,(.*)>$/.exec(type)?.[1]
  const simple = value ?? type
  const base = FORMS[simple] ?? (simple.includes('.') ? shortName(simple) : simple)
  const words = [number, go.json === '' ? name : go.json, `${repeated ? '[]' : value ? 'map:' : ''}${base}`]
  if (go.json === '') words.push('inline')
  if (go.pointer) words.push('pointer')
  if (go.json !== '' && !go.omitEmpty) words.push('always')
  if (go.omitZero) words.push('omitzero')
  return words.join(' ')
}

function readJson(file: string) {
  return JSON.parse(readFileSync(file, 'utf8'))
}
