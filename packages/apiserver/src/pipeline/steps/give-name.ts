// Names a new object. A generated name is a new one at each attempt.

import { generateName } from '@homeostat/meta'
import type { Write } from '../write.ts'

export function giveName(write: Write): void {
  const { metadata } = write.object
  if (write.generateName !== undefined) metadata.name = generateName(write.generateName)
  write.locate(metadata.name ?? '')
}
