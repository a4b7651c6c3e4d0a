// A name as the value of a label.

import { labelValue } from '@homeostat/meta'
import { hash32 } from '../queue/hash32.ts'

/** Shortens a name that is too long for a label value. */
export function asLabel(name: string): string {
  if (labelValue(name).length === 0) return name
  return `${name.slice(0, 50).replace(/[^A-Za-z0-9]+$/, '')}-${hash32(name).toString(36)}`
}
