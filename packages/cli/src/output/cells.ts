// Cells that several tables show: the age and the conditions of an object, with their colours.

import type { ApiObject, Condition } from '@homeostat/client'
import { humanDuration } from '@homeostat/meta/duration'
import type { Tone } from './style.ts'
import type { Column } from './table.ts'

const TONES: Readonly<Record<string, Tone>> = {
  True: 'good',
  Succeeded: 'good',
  Online: 'good',
  False: 'bad',
  Failed: 'bad',
  Lost: 'bad',
  Unknown: 'busy',
  Running: 'busy',
  Waiting: 'quiet',
  Cancelled: 'quiet',
  Deleted: 'quiet',
}

export const AGE: Column<ApiObject> = { header: 'AGE', text: ({ metadata }) => ageOf(metadata.creationTimestamp) }
export const NAMESPACE: Column<ApiObject> = { header: 'NAMESPACE', text: ({ metadata }) => metadata.namespace ?? '' }

export function toneOf(text: string): Tone | undefined {
  return Object.hasOwn(TONES, text) ? TONES[text] : undefined
}

/** How long ago; empty when the time is unknown. */
export function ageOf(time: string | null | undefined, now = Date.now()): string {
  const at = Date.parse(time ?? '')
  return Number.isNaN(at) ? '' : humanDuration(Math.max(0, now - at))
}

export function conditionOf(object: ApiObject, type: string): Condition | undefined {
  const conditions = (object as { status?: { conditions?: unknown } }).status?.conditions
  if (!Array.isArray(conditions)) return undefined
  return (conditions as (Condition | null)[]).find((condition) => condition?.type === type) ?? undefined
}
