// Zod schemas for types that Kubernetes has and Zod lacks. Each is an ordinary Zod schema.

import { writeJson } from '@homeostat/meta'
import { z } from 'zod'
import { rule } from './rule.ts'

const QUANTITY = /^[+-]?([0-9]+(\.[0-9]*)?|\.[0-9]+)(([KMGTPE]i)|[numkMGTPE]|([eE][+-]?([0-9]+(\.[0-9]*)?|\.[0-9]+)))?$/
const DURATION = /^[+-]?(0|(([0-9]+(\.[0-9]*)?|\.[0-9]+)(ns|us|µs|μs|ms|s|m|h))+)$/

/** `500m`, `1.5Gi`, `2`: written as text or as a whole number, read as text. */
function quantity() {
  return z.codec(
    z.union([z.int(), z.string().regex(QUANTITY, 'must be a quantity such as 500m, 2 or 1.5Gi')]),
    z.string(),
    {
      decode: (value) => String(value),
      encode: (value) => value,
    },
  )
}

/** `1h30m`, `90s`, `250ms`: durations as Go writes them. */
function duration() {
  return z.string().regex(DURATION, 'must be a duration such as 1h30m, 90s or 250ms')
}

/** A port by number or name, a count or a percentage. */
function intOrString() {
  return z.union([z.int(), z.string()])
}

/** Objects that are told apart by the fields `keys`: appliers own single items, and no two have the same keys. */
function listMap<T extends z.ZodType>(keys: string | readonly string[], item: T) {
  const names = typeof keys === 'string' ? [keys] : [...keys]
  return z
    .array(item)
    .refine((items) => allDifferent(items.map((one) => names.map((name) => fieldOf(one, name)))), {
      message: `items must differ in ${names.join(', ')}`,
    })
    .meta({ 'x-kubernetes-list-type': 'map', 'x-kubernetes-list-map-keys': names })
}

/** Simple values, each at most once: appliers own single items. */
function listSet<T extends z.ZodType>(item: T) {
  return z
    .array(item)
    .refine(allDifferent, { message: 'items must be different' })
    .meta({ 'x-kubernetes-list-type': 'set' })
}

/** Any JSON, preserved and not validated. */
function raw() {
  return z.unknown().meta({ 'x-kubernetes-preserve-unknown-fields': true })
}

function allDifferent(values: readonly unknown[]): boolean {
  return new Set(values.map((value) => writeJson(value))).size === values.length
}

function fieldOf(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null ? (value as Record<string, unknown>)[name] : undefined
}

export const k8s = { quantity, duration, intOrString, listMap, listSet, raw, rule }
