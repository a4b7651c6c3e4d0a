// The kind Executor: which functions an executor has, and whether it is connected.

import { AGE, coloniesKind } from './definition.ts'
import { freeObject, integer, MAX_INT32, object, text, texts } from './schema-parts.ts'

export const executorDefinition = coloniesKind({
  kind: 'Executor',
  plural: 'executors',
  scope: 'Namespaced',
  spec: object(
    {
      type: { type: 'string', minLength: 1 },
      functions: texts,
      serviceAccountName: text,
      location: text,
      capabilities: freeObject,
      ttlSecondsAfterLost: integer(0, MAX_INT32),
    },
    ['type'],
  ),
  status: object({ phase: text }),
  columns: [
    { name: 'Type', type: 'string', jsonPath: '.spec.type' },
    { name: 'Location', type: 'string', jsonPath: '.spec.location' },
    { name: 'Phase', type: 'string', jsonPath: '.status.phase' },
    { name: 'Account', type: 'string', jsonPath: '.spec.serviceAccountName', priority: 1 },
    { name: 'Functions', type: 'string', jsonPath: '.spec.functions', priority: 1 },
    AGE,
  ],
  selectable: ['.spec.type', '.status.phase'],
})
