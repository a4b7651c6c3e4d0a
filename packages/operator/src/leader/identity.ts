// Names this process among the replicas of an operator.

import { randomUUID } from 'node:crypto'
import { hostname } from 'node:os'

export function processIdentity(): string {
  return `${hostname()}_${randomUUID()}`
}
