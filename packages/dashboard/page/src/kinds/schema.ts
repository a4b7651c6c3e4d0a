// The schema of a kind as the server's OpenAPI v3 has it: fields by path, for completion, hover and checks. Pure.

export interface Schema {
  readonly $ref?: string
  readonly type?: string
  readonly format?: string
  readonly description?: string
  readonly default?: unknown
  readonly enum?: readonly unknown[]
  readonly nullable?: boolean
  readonly minimum?: number
  readonly maximum?: number
  readonly properties?: Readonly<Record<string, Schema>>
  readonly required?: readonly string[]
  readonly items?: Schema
  readonly additionalProperties?: Schema | boolean
  readonly allOf?: readonly Schema[]
  readonly 'x-kubernetes-int-or-string'?: boolean
  readonly 'x-kubernetes-preserve-unknown-fields'?: boolean
  readonly 'x-kubernetes-group-version-kind'?: readonly GroupVersionKind[]
}

interface GroupVersionKind {
  readonly group: string
  readonly version: string
  readonly kind: string
}

export interface OpenApiDocument {
  readonly components?: { readonly schemas?: Readonly<Record<string, Schema>> }
}

/** Names of fields, and numbers for items of lists. */
export type FieldPath = readonly (string | number)[]

export interface Field {
  readonly name: string
  readonly type: string
  readonly description: string
  readonly required: boolean
}

/** References that refer to each other end somewhere. */
const DEEPEST = 8
/** Others would need quotes. */
const PLAIN = /^\w+$/

export class KindSchema {
  readonly root: Schema
  readonly #schemas: Readonly<Record<string, Schema>>

  constructor(document: OpenApiDocument, root: Schema) {
    this.#schemas = document.components?.schemas ?? {}
    this.root = this.resolve(root)
  }

  /** Undefined when the document does not have the kind. */
  static of(document: OpenApiDocument, wanted: GroupVersionKind): KindSchema | undefined {
    const isWanted = ({ group, version, kind }: GroupVersionKind) =>
      group === wanted.group && version === wanted.version && kind === wanted.kind
    const found = Object.values(document.components?.schemas ?? {}).find((schema) =>
      schema['x-kubernetes-group-version-kind']?.some(isWanted),
    )
    return found && new KindSchema(document, found)
  }

  /** Without references. A description beside a reference counts more than that of its target. */
  resolve(schema: Schema, depth = 0): Schema {
    const reference = schema.$ref ?? (schema.allOf?.length === 1 ? schema.allOf[0]?.$ref : undefined)
    if (reference === undefined || depth > DEEPEST) return schema
    const target = this.#schemas[reference.replace(/^#\/components\/schemas\//, '')]
    if (target === undefined) return schema
    const { $ref: _, allOf: __, ...own } = schema
    return { ...this.resolve(target, depth + 1), ...own }
  }

  /** Undefined for what the schema does not know. */
  at(path: FieldPath): Schema | undefined {
    let schema: Schema | undefined = this.root
    for (const step of path) {
      schema = schema && this.#inner(schema, step)
      if (schema === undefined) return undefined
      schema = this.resolve(schema)
    }
    return schema
  }

  /** What may stand in the map at a path, required fields first. */
  fields(path: FieldPath): Field[] {
    const { properties = {}, required = [] } = this.at(path) ?? {}
    return Object.entries(properties)
      .map(([name, schema]) => {
        const resolved = this.resolve(schema)
        const { description = '' } = resolved
        return { name, type: typeText(resolved), description, required: required.includes(name) }
      })
      .sort((a, b) => Number(b.required) - Number(a.required) || a.name.localeCompare(b.name))
  }

  /** Fields with single values, as JSON paths: `.spec.ports[*].name`. Those nearest to the top first. */
  paths(most = 300): string[] {
    const found: string[] = []
    let level: { readonly path: string; readonly schema: Schema }[] = [{ path: '', schema: this.root }]
    for (let depth = 0; depth <= DEEPEST && level.length > 0 && found.length < most; depth++) {
      const next: typeof level = []
      for (const { path, schema } of level.slice(0, most)) {
        const { properties, items } = schema
        if (items !== undefined) next.push({ path: `${path}[*]`, schema: this.resolve(items) })
        else if (properties === undefined) found.push(path)
        for (const [name, inner] of Object.entries(properties ?? {}))
          if (PLAIN.test(name)) next.push({ path: `${path}.${name}`, schema: this.resolve(inner) })
      }
      level = next
    }
    return found.slice(0, most)
  }

  #inner(schema: Schema, step: string | number): Schema | undefined {
    if (typeof step === 'number') return schema.items
    const { properties, additionalProperties } = schema
    if (properties !== undefined && Object.hasOwn(properties, step)) return properties[step]
    return typeof additionalProperties === 'object' ? additionalProperties : undefined
  }
}

/** `string`, `[]object`, `"red" | "green"` */
export function typeText({ type, format, items, enum: values, ...schema }: Schema): string {
  if (values !== undefined)
    return values
      .slice(0, 8)
      .map((value) => JSON.stringify(value))
      .join(' | ')
  if (schema['x-kubernetes-int-or-string']) return 'integer or string'
  if (type === 'array') return `[]${items === undefined ? 'any' : (items.type ?? 'object')}`
  return format === undefined ? (type ?? 'any') : `${type} (${format})`
}

/** Whether the schema says nothing of the fields in it. */
export function isOpen(schema: Schema): boolean {
  const { properties, additionalProperties } = schema
  if (schema['x-kubernetes-preserve-unknown-fields'] || additionalProperties) return true
  return properties === undefined
}
