// The kind BootstrapToken: a right to join the colony as a new executor, a number of times and until an end. The secret is a
// token of the service account `bootstrap-NAME`, which may do nothing but join with it.

import { AGE, coloniesKind } from './definition.ts'
import { flag, integer, object, texts, time } from './schema-parts.ts'

/** The most executors that one bootstrap token lets in. */
const MAX_USES = 10_000

export const bootstrapTokenDefinition = coloniesKind({
  kind: 'BootstrapToken',
  plural: 'bootstraptokens',
  scope: 'Namespaced',
  spec: object(
    {
      executorType: { type: 'string', minLength: 1 },
      uses: integer(1, MAX_USES),
      expiresAt: time,
      approval: flag,
      children: texts,
    },
    ['executorType', 'uses', 'expiresAt'],
  ),
  status: object({ used: integer(0), executors: texts }),
  columns: [
    { name: 'Type', type: 'string', jsonPath: '.spec.executorType' },
    { name: 'Used', type: 'integer', jsonPath: '.status.used' },
    { name: 'Uses', type: 'integer', jsonPath: '.spec.uses' },
    { name: 'Expires', type: 'string', jsonPath: '.spec.expiresAt' },
    AGE,
  ],
})
