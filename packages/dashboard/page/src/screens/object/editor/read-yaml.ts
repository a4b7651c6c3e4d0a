// Reads the text of the editor: one object, or what is wrong with it and where. Pure.

import { type Document, isMap, isScalar, isSeq, parseAllDocuments, type YAMLMap } from 'yaml'
import { type FieldPath, isOpen, type KindSchema, type Schema, typeText } from '../../../kinds/schema.ts'

export interface Problem {
  readonly from: number
  readonly to: number
  readonly message: string
  readonly severity: 'error' | 'warning'
}

export interface ReadYaml {
  /** Undefined when the text is no object. */
  readonly object: Record<string, unknown> | undefined
  readonly document: Document.Parsed | undefined
  readonly problems: readonly Problem[]
}

const MOST = 100
const DEEPEST = 40
const LONGEST_MESSAGE = 120

export function readYaml(text: string, schema: KindSchema | undefined): ReadYaml {
  // Aliases that refer to each other may not multiply.
  const documents = parseAllDocuments(text, { prettyErrors: true, uniqueKeys: true, maxAliasCount: 100 } as never)
  const [document] = documents
  if (!Array.isArray(documents) || document === undefined) return nothing('The text is empty.', text)
  if (documents.length > 1) {
    const message = `The text holds ${documents.length} objects and the editor saves one; kubectl apply -f - takes several.`
    return nothing(message, text)
  }
  const problems: Problem[] = [...document.errors, ...document.warnings].map(({ pos, message, name }) => ({
    from: pos[0],
    to: Math.max(pos[1], pos[0] + 1),
    message: message.split('\n')[0] ?? message,
    severity: name === 'YAMLWarning' ? 'warning' : 'error',
  }))
  if (document.errors.length > 0) return { object: undefined, document, problems }
  if (!isMap(document.contents)) return nothing('An object is a map of fields: apiVersion, kind, metadata, …', text)
  const object = asObject(document)
  if (object === undefined) return nothing('The text refers to itself without end.', text)
  if (schema !== undefined) check(document.contents, schema, [], problems)
  return { object, document, problems: problems.slice(0, MOST) }
}

function asObject(document: Document.Parsed): Record<string, unknown> | undefined {
  try {
    return document.toJS({ maxAliasCount: 100 }) as Record<string, unknown>
  } catch {
    return undefined
  }
}

function nothing(message: string, text: string): ReadYaml {
  return {
    object: undefined,
    document: undefined,
    problems: [{ from: 0, to: text.length, message, severity: 'error' }],
  }
}

/** What the schema does not allow. The server says more; this is said at once. */
function check(node: unknown, schema: KindSchema, path: FieldPath, problems: Problem[]): void {
  if (problems.length >= MOST || path.length > DEEPEST) return
  const here = schema.at(path)
  if (here === undefined) return
  const type = isMap(node) ? 'object' : isSeq(node) ? 'array' : undefined
  if (type !== undefined && here.type !== undefined && here.type !== type) wrong(node, here, problems)
  else if (isMap(node)) checkMap(node, here, schema, path, problems)
  else if (isSeq(node)) {
    for (const [index, item] of node.items.entries()) check(item, schema, [...path, index], problems)
  } else if (isScalar(node) && !isAllowed(node.value, here)) wrong(node, here, problems)
  else if (isScalar(node)) checkRange(node, here, problems)
}

function checkMap(node: YAMLMap, here: Schema, schema: KindSchema, path: FieldPath, problems: Problem[]): void {
  const names = new Set<string>()
  for (const { key, value } of node.items) {
    const name = isScalar(key) ? String(key.value) : undefined
    if (name === undefined) continue
    names.add(name)
    if (schema.at([...path, name]) !== undefined) check(value, schema, [...path, name], problems)
    else if (!isOpen(here)) note(key, `${name} is no field of ${path.join('.') || 'the kind'}`, 'warning', problems)
  }
  for (const name of here.required ?? [])
    if (!names.has(name)) note(node, `${[...path, name].join('.')} is required`, 'error', problems)
}

function isAllowed(value: unknown, { type, enum: allowed, ...schema }: Schema): boolean {
  if (value === null || value === undefined) return true
  if (schema['x-kubernetes-int-or-string']) return typeof value === 'string' || Number.isInteger(value)
  if (allowed !== undefined) return allowed.includes(value)
  if (type === undefined) return true
  return type === 'integer' ? Number.isInteger(value) || typeof value === 'bigint' : typeof value === type
}

function checkRange(node: { readonly value: unknown }, { minimum, maximum }: Schema, problems: Problem[]): void {
  const { value } = node
  if (typeof value !== 'number') return
  if (minimum !== undefined && value < minimum) note(node, `it must be at least ${minimum}`, 'error', problems)
  if (maximum !== undefined && value > maximum) note(node, `it must be at most ${maximum}`, 'error', problems)
}

function wrong(node: unknown, schema: Schema, problems: Problem[]): void {
  note(node, `it must be ${typeText(schema)}`, 'error', problems)
}

function note(node: unknown, message: string, severity: Problem['severity'], problems: Problem[]): void {
  const [from = 0, to = from + 1] = (node as { range?: [number, number, number] }).range ?? []
  problems.push({ from, to, message, severity })
}

/** `line 20: it must be integer` */
export function firstError(problems: readonly Problem[], text: string): string | undefined {
  const errors = problems.filter(({ severity }) => severity === 'error').sort((a, b) => a.from - b.from)
  const [first] = errors
  return first && `line ${text.slice(0, first.from).split('\n').length}: ${first.message.slice(0, LONGEST_MESSAGE)}`
}

/** Where a field that the server names, such as `spec.containers[0].image`, stands in the text; its nearest owner when it is missing. */
export function rangeOfField(document: Document.Parsed | undefined, field: string): [from: number, to: number] {
  const path = fieldPath(field)
  for (let length = path.length; length > 0; length--) {
    const node = document?.getIn(path.slice(0, length), true) as { range?: [number, number, number] } | undefined
    if (node?.range !== undefined) return [node.range[0], Math.max(node.range[1], node.range[0] + 1)]
  }
  return [0, 1]
}

export function fieldPath(field: string): (string | number)[] {
  const parts = field.match(/\[[^\]]*\]|[^.[\]]+/g) ?? []
  return parts.map((part) => {
    if (!part.startsWith('[')) return part
    const inner = part.slice(1, -1)
    return /^\d+$/.test(inner) ? Number(inner) : inner.replace(/^"(.*)"$/, '$1')
  })
}
