// Names this process among the replicas of an operator.

import { hostname } from 'node:os'

export function processIdentity(): string {
  return `${hostname()}_${crypto.randomUUID()}`
}
