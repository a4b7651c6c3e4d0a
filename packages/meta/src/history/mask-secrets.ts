// Hides the values of Secrets in a diff, as kubectl does: only whether one differs is shown. Pure.

import type { KeptObject } from './entry.ts'

const MASK = '***'
/** It repeats the whole Secret as kubectl apply sent it. */
const LAST_APPLIED = 'kubectl.kubernetes.io/last-applied-configuration'

type Data = Readonly<Record<string, unknown>>

export function maskSecrets<B extends KeptObject | undefined>(before: B, after: KeptObject): [B, KeptObject] {
  if (after.kind !== 'Secret' || after.apiVersion !== 'v1') return [before, after]
  const fields = ['data', 'stringData'] as const
  const masked = (object: KeptObject, other: KeptObject | undefined, side: string): KeptObject => {
    const hidden = fields.flatMap((field) => {
      const own = dataOf(object, field)
      return own === undefined ? [] : [[field, maskedData(own, other && dataOf(other, field), side)]]
    })
    return { ...object, ...Object.fromEntries(hidden), metadata: maskedMetadata(object, other, side) }
  }
  return [(before && masked(before, after, ' (before)')) as B, masked(after, before, ' (after)')]
}

function maskedMetadata({ metadata }: KeptObject, other: KeptObject | undefined, side: string): KeptObject['metadata'] {
  const { annotations } = metadata
  if (annotations?.[LAST_APPLIED] === undefined) return metadata
  const { [LAST_APPLIED]: own } = annotations
  const theirs = other?.metadata.annotations?.[LAST_APPLIED]
  return { ...metadata, annotations: { ...annotations, [LAST_APPLIED]: maskOf(own, theirs, side) } }
}

function maskedData(own: Data, other: Data | undefined, side: string): Data {
  return Object.fromEntries(Object.entries(own).map(([key, value]) => [key, maskOf(value, other?.[key], side)]))
}

function maskOf(own: unknown, other: unknown, side: string): string {
  return other === undefined || own === other ? MASK : MASK + side
}

function dataOf(object: KeptObject, field: 'data' | 'stringData'): Data | undefined {
  return (object as { data?: Data | null; stringData?: Data | null })[field] ?? undefined
}
