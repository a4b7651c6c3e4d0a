// Every kind the server knows without a definition.

import { definitionKind } from '../custom/definition-kind.ts'
import type { ResourceType } from '../registry/resource-type.ts'
import { builtinType } from './builtin-kind.ts'
import { configMapKind } from './config-map.ts'
import { eventKind } from './event.ts'
import { leaseKind } from './lease.ts'
import { namespaceKind } from './namespace.ts'
import { secretKind } from './secret.ts'
import { serviceAccountKind } from './service-account.ts'

/** `now` gives milliseconds since the epoch. */
export function builtinTypes(now: () => number = Date.now): ResourceType[] {
  return [namespaceKind, secretKind, configMapKind, serviceAccountKind, eventKind, leaseKind, definitionKind(now)].map(
    builtinType,
  )
}
