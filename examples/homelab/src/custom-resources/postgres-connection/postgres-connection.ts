import { createCustomResourceDefinition } from '@homeostat/operator'
import { GROUP } from '../../group.ts'
import { PostgresConnectionResource } from './postgres-connection.resource.ts'
import { postgresConnectionSpecSchema, postgresConnectionStatusSchema } from './postgres-connection.schemas.ts'

export const postgresConnectionDefinition = createCustomResourceDefinition({
  group: GROUP,
  version: 'v1',
  kind: 'PostgresConnection',
  names: { plural: 'postgresconnections', singular: 'postgresconnection' },
  spec: postgresConnectionSpecSchema,
  status: postgresConnectionStatusSchema,
  access: [{ apiGroups: [''], resources: ['secrets'], verbs: ['get', 'list', 'watch'] }],
  create: (options) => new PostgresConnectionResource(options),
})
