// Fields that several kinds have. What the server checks is here; what only Zod can check is a refinement, and ends in the
// condition Accepted.

import { z } from 'zod'

/** No path and no scheme: a host that begins with a slash would be a socket of the operator's own machine. */
export const host = z
  .string()
  .max(253)
  .regex(/^[A-Za-z0-9:]([A-Za-z0-9._:-]*[A-Za-z0-9])?$/)
export const port = z.int().min(1).max(65535)
/** Of an object of Kubernetes. */
export const objectName = z
  .string()
  .max(253)
  .regex(/^[a-z0-9]([a-z0-9.-]*[a-z0-9])?$/)
export const reference = z
  .string()
  .max(317)
  .regex(/^[a-z0-9]([a-z0-9.-]*[a-z0-9])?(\/[a-z0-9]([a-z0-9.-]*[a-z0-9])?)?$/)

const UNITS = { s: 1000, m: 60_000, h: 3_600_000, d: 86_400_000 }

/** `30s`, `5m`, `12h`, `90d`. */
export const duration = z
  .string()
  .max(8)
  .regex(/^[1-9][0-9]{0,5}[smhd]$/)

export function durationMs(text: string): number {
  return Number.parseInt(text, 10) * UNITS[text.at(-1) as keyof typeof UNITS]
}
