// Rotation of generated values: on request, by an annotation that gets another value, or after a time. A Secret says for
// which request its values were made, and when; so a rotation is one write, and is never done twice for one request.

import { createHash } from 'node:crypto'
import { z } from 'zod'
import { GROUP } from './group.ts'

export const ROTATE = `${GROUP}/rotate`

/** Keys of a Secret that can be rotated. */
export const rotationFields = { rotation: z.string(), rotatedAt: z.iso.datetime() }

interface Rotated {
  readonly rotation: string
  readonly rotatedAt: string
}

/** What is asked for now. */
export interface RotationRequest {
  readonly rotation: string
  readonly everyMs: number | undefined
  readonly now: number
}

export function rotationRequest(
  annotations: Readonly<Record<string, string>> | undefined,
  everyMs: number | undefined,
  now: number,
): RotationRequest {
  const text = annotations?.[ROTATE]
  // Of any length in the annotation.
  const rotation = text === undefined ? '' : createHash('sha256').update(text).digest('hex').slice(0, 16)
  return { rotation, everyMs, now }
}

export function stampOf({ rotation, now }: RotationRequest): Rotated {
  return { rotation, rotatedAt: new Date(now).toISOString() }
}

export function isRotationDue(stored: Rotated, request: RotationRequest): boolean {
  if (request.rotation !== '' && request.rotation !== stored.rotation) return true
  return untilRotation(stored, request) === 0
}

/** Milliseconds until the next one by time; undefined when there is none. */
export function untilRotation(stored: Rotated, { everyMs, now }: RotationRequest): number | undefined {
  if (everyMs === undefined) return undefined
  return Math.max(0, Date.parse(stored.rotatedAt) + everyMs - now)
}
