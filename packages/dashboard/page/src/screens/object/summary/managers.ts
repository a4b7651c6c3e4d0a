// Who manages which field, from managed fields. Pure.

import type { ManagedFields } from '../../../live/object.ts'

export interface Manager {
  readonly name: string
  /** `apply` or `update`, with the subresource it writes. */
  readonly how: string
  readonly time: string | undefined
  /** Paths such as `spec.replicas`; the first of them. */
  readonly fields: readonly string[]
  readonly more: number
}

export interface OwnedField {
  readonly path: readonly string[]
  readonly manager: string
  readonly applied: boolean
}

const MOST_FIELDS = 200

/** Newest first. */
export function managersOf(entries: readonly unknown[] | undefined): Manager[] {
  return (entries ?? [])
    .flatMap((entry) => {
      const { manager = 'unknown', operation, subresource, time, fieldsV1 } = (entry ?? {}) as ManagedFields
      const fields: string[] = []
      let count = 0
      eachField(fieldsV1, (path) => {
        if (count++ < MOST_FIELDS) fields.push(fieldText(path))
      })
      const how = `${operation === 'Apply' ? 'applies' : 'updates'}${subresource ? ` ${subresource}` : ''}`
      return [{ name: String(manager), how, time, fields, more: count - fields.length }]
    })
    .sort((a, b) => (b.time ?? '').localeCompare(a.time ?? ''))
}

/** Every field with who owns it. */
export function ownedFields(entries: readonly unknown[] | undefined): OwnedField[] {
  return (entries ?? []).flatMap((entry) => {
    const { manager = 'unknown', operation, fieldsV1 } = (entry ?? {}) as ManagedFields
    const owned: OwnedField[] = []
    eachField(fieldsV1, (path) => owned.push({ path, manager: String(manager), applied: operation === 'Apply' }))
    return owned
  })
}

/** The deepest paths of a set: `f:spec`, `k:{"name":"web"}`, … A container that is named for itself is left out. */
function eachField(set: unknown, visit: (path: readonly string[]) => void, path: readonly string[] = []): void {
  if (typeof set !== 'object' || set === null || path.length > 64) return
  for (const [element, inner] of Object.entries(set)) {
    if (element === '.') continue
    const here = [...path, element]
    const isLeaf = typeof inner !== 'object' || inner === null || Object.keys(inner).every((name) => name === '.')
    if (isLeaf) visit(here)
    else eachField(inner, visit, here)
  }
}

/** `spec.containers[name=web].image` */
export function fieldText(path: readonly string[]): string {
  const parts = path.map((element) => {
    const rest = element.slice(2)
    if (element.startsWith('f:')) return `.${rest}`
    if (element.startsWith('k:')) return `[${keyText(rest)}]`
    return `[${rest}]`
  })
  return parts.join('').replace(/^\./, '')
}

function keyText(json: string): string {
  try {
    const keys = JSON.parse(json) as Record<string, unknown>
    return Object.entries(keys)
      .map(([name, value]) => `${name}=${String(value)}`)
      .join(',')
  } catch {
    return json
  }
}
