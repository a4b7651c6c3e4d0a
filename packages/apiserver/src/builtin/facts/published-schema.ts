// The published OpenAPI schemas of built-in kinds: components that reference each other, with the descriptions that
// `kubectl explain` shows.

import { typeLines, typeTexts } from './facts-files.ts'
import { ATOMIC_STRUCT, type FieldLine, type FieldType, parseFieldLine, type ScalarName } from './field-line.ts'

type Schema = Readonly<Record<string, unknown>>

const META = 'io.k8s.apimachinery.pkg.apis.meta.v1.'
const EXTENSIONS = 'io.k8s.apiextensions-apiserver.pkg.apis.'
const AGGREGATOR = 'io.k8s.kube-aggregator.pkg.apis.'
const API = 'io.k8s.api.'

/** The component name of a type: io.k8s.api.core.v1.Pod for core.v1.Pod. */
export function componentOf(type: string): string {
  if (type.startsWith('meta.v1.')) return META + type.slice('meta.v1.'.length)
  if (type.startsWith('apiextensions.')) return EXTENSIONS + type
  return (type.startsWith('apiregistration.') ? AGGREGATOR : API) + type
}

/** The schema of whole objects of a type, without apiVersion, kind and metadata. */
export function publishedObject(type: string): Schema {
  const { properties, ...schema } = structSchema(type, typeLines(type) ?? [])
  const { apiVersion: _, kind: __, metadata: ___, ...own } = (properties ?? {}) as Record<string, unknown>
  return { ...schema, properties: own }
}

/** The schema of a component; undefined when it is no type of a built-in kind. */
export function publishedComponent(component: string): Schema | undefined {
  if (Object.hasOwn(FORMS, component)) return FORMS[component]
  const prefix = [META, EXTENSIONS, AGGREGATOR, API].find((candidate) => component.startsWith(candidate))
  if (prefix === undefined) return undefined
  const type = (prefix === META ? 'meta.v1.' : '') + component.slice(prefix.length)
  const lines = typeLines(type)
  return lines && structSchema(type, lines)
}

function structSchema(type: string, lines: readonly string[]): Schema {
  const texts = typeTexts(type)
  const fields = lines.filter((line) => line !== ATOMIC_STRUCT).map(parseFieldLine)
  const required = fields.filter((field) => field.required).map(({ name }) => name)
  return {
    ...described(texts['']),
    type: 'object',
    ...(fields.length > 0 && {
      properties: Object.fromEntries(fields.map((field) => [field.name, place(field, texts[field.name])])),
    }),
    ...(required.length > 0 && { required }),
    ...(lines.includes(ATOMIC_STRUCT) && { 'x-kubernetes-map-type': 'atomic' }),
  }
}

function described(text: string | undefined): Schema {
  return text === undefined ? {} : { description: text }
}

function place(field: FieldLine, text: string | undefined): Schema {
  const standing = field.default ?? field.published ?? (field.absent === 'zero' ? zero(field.type) : undefined)
  const base = withValues(typeSchema(field.type), field.enum)
  return {
    ...described(text),
    ...('$ref' in base ? { allOf: [base] } : base),
    ...(standing !== undefined && { default: standing }),
    ...(field.list && { 'x-kubernetes-list-type': field.list }),
    ...(field.keys && { 'x-kubernetes-list-map-keys': field.keys }),
    ...(field.patch && { 'x-kubernetes-patch-strategy': field.patch }),
    ...(field.mergeKey && { 'x-kubernetes-patch-merge-key': field.mergeKey }),
    ...(field.map && { 'x-kubernetes-map-type': field.map }),
  }
}

/** An enum of a list or a map belongs to its elements. */
function withValues(schema: Schema, values: FieldLine['enum']): Schema {
  if (!values) return schema
  const inside = ['items', 'additionalProperties'].find((key) => key in schema)
  return inside ? { ...schema, [inside]: { ...(schema[inside] as Schema), enum: values } } : { ...schema, enum: values }
}

function zero(type: FieldType): unknown {
  if (type.is === 'struct') return {}
  if (type.is !== 'scalar') return undefined
  return ZEROS[type.name]
}

const ZEROS: Partial<Readonly<Record<ScalarName, unknown>>> = { string: '', bool: false, int32: 0, int64: 0, double: 0 }

function typeSchema(type: FieldType): Schema {
  switch (type.is) {
    case 'struct':
      return reference(componentOf(type.name))
    case 'list':
      return { type: 'array', items: element(type.of) }
    case 'map':
      return { type: 'object', additionalProperties: element(type.of) }
    default:
      return SCALARS[type.name]
  }
}

function element(type: FieldType): Schema {
  const base = typeSchema(type)
  const empty = zero(type)
  if (type.is === 'struct') return { allOf: [base], default: empty }
  return empty === undefined ? base : { ...base, default: empty }
}

function reference(component: string): Schema {
  return { $ref: `#/components/schemas/${component}` }
}

const QUANTITY = 'io.k8s.apimachinery.pkg.api.resource.Quantity'
const INT_OR_STRING = 'io.k8s.apimachinery.pkg.util.intstr.IntOrString'
const RAW = 'io.k8s.apimachinery.pkg.runtime.RawExtension'

/** Types that are published as one or several scalars. */
const FORMS: Readonly<Record<string, Schema>> = {
  [QUANTITY]: {
    description: 'A number with a unit, such as 500m, 2 or 1Gi.',
    oneOf: [{ type: 'string' }, { type: 'number' }],
  },
  [INT_OR_STRING]: {
    description: 'A whole number, or a text such as a percentage or the name of a port.',
    format: 'int-or-string',
    oneOf: [{ type: 'integer' }, { type: 'string' }],
  },
  [RAW]: { description: 'An object of any shape.', type: 'object' },
  [`${EXTENSIONS}apiextensions.v1.JSON`]: { description: 'Any JSON value.' },
  [`${EXTENSIONS}apiextensions.v1.JSONSchemaPropsOrArray`]: { description: 'A schema, or a list of them.' },
  [`${EXTENSIONS}apiextensions.v1.JSONSchemaPropsOrBool`]: { description: 'A schema, or true or false.' },
  [`${EXTENSIONS}apiextensions.v1.JSONSchemaPropsOrStringArray`]: { description: 'A schema, or a list of names.' },
  [`${META}Time`]: { type: 'string', format: 'date-time' },
  [`${META}MicroTime`]: { type: 'string', format: 'date-time' },
}

const SCALARS: Readonly<Record<ScalarName, Schema>> = {
  string: { type: 'string' },
  bool: { type: 'boolean' },
  int32: { type: 'integer', format: 'int32' },
  int64: { type: 'integer', format: 'int64' },
  double: { type: 'number', format: 'double' },
  bytes: { type: 'string', format: 'byte' },
  time: reference(`${META}Time`),
  'micro-time': reference(`${META}MicroTime`),
  quantity: reference(QUANTITY),
  'int-or-string': reference(INT_OR_STRING),
  any: reference(RAW),
}
