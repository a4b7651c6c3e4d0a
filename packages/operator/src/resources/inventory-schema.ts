// The schema of the inventory in a status: the server prunes fields that the schema of a kind does not have.

import { z } from 'zod'
import { INVENTORY } from './inventory.ts'

export function withInventory(status: z.ZodObject, kind: string): z.ZodObject {
  if (INVENTORY in status.shape) {
    throw new Error(`The status of ${kind} has a field ${INVENTORY}: the framework has its own of that name; rename it`)
  }
  const text = z.string()
  const entry = z.object({ apiVersion: text, kind: text, name: text, namespace: text.optional() })
  const inventory = z.array(entry).describe('The objects that belong to this one.').optional()
  return status.safeExtend({ [INVENTORY]: inventory })
}
