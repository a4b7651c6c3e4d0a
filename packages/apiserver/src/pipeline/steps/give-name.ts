// A new object's name, generated if it has none: another one each time.

import { generateName } from '@homeostat/meta'
import type { Write } from '../write.ts'

export function giveName(write: Write): void {
  const { metadata } = write.object
  if (write.generateName !== undefined) metadata.name = generateName(write.generateName)
  write.locate(metadata.name ?? '')
}
