// The hash of a pod template, for the label and the name of a replica set. Pure. It never decides whether two templates are
// equal, so that a collision only costs a new name.

import { deepEqual, writeJson } from '@homeostat/meta'
import type { PodTemplate } from '../kinds.ts'

export const HASH_LABEL = 'pod-template-hash'

/** Letters and digits that spell no words, as in generated names. */
const ALPHABET = 'bcdfghjklmnpqrstvwxz2456789'

/** `collisions` is how often this deployment found the name taken by another template. */
export function templateHash(template: PodTemplate, collisions = 0): string {
  let hash = fnv(canonical(withoutHash(template)), 0x811c9dc5)
  if (collisions > 0) hash = fnv(`#${collisions}`, hash)
  return [...String(hash)].map((digit) => ALPHABET[Number(digit)]).join('')
}

/** Ignores the hash label in a replica set's own template. */
export function sameTemplate(one: PodTemplate | undefined, other: PodTemplate | undefined): boolean {
  return deepEqual(withoutHash(one ?? {}), withoutHash(other ?? {}))
}

function withoutHash(template: PodTemplate): PodTemplate {
  const { labels, ...metadata } = template.metadata ?? {}
  const { [HASH_LABEL]: _, ...others } = labels ?? {}
  const kept = Object.entries({ ...metadata, ...(Object.keys(others).length > 0 && { labels: others }) })
  return { ...template, metadata: Object.fromEntries(kept.filter(([, value]) => value !== null)) }
}

function canonical(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonical).join(',')}]`
  if (typeof value !== 'object' || value === null) return writeJson(value)
  const fields = Object.entries(value).filter(([, field]) => field !== undefined)
  fields.sort(([a], [b]) => (a < b ? -1 : 1))
  return `{${fields.map(([key, field]) => `${writeJson(key)}:${canonical(field)}`).join(',')}}`
}

/** FNV-1a, 32 bits. */
function fnv(text: string, seed: number): number {
  let hash = seed
  for (const byte of new TextEncoder().encode(text)) hash = Math.imul(hash ^ byte, 0x01000193) >>> 0
  return hash
}
