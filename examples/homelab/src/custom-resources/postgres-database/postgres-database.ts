import { createCustomResourceDefinition } from '@homeostat/operator'
import { GROUP } from '../../group.ts'
import { PostgresDatabaseResource } from './postgres-database.resource.ts'
import { postgresDatabaseSpecSchema, postgresDatabaseStatusSchema } from './postgres-database.schemas.ts'

export const postgresDatabaseDefinition = createCustomResourceDefinition({
  group: GROUP,
  version: 'v1',
  kind: 'PostgresDatabase',
  names: { plural: 'postgresdatabases', singular: 'postgresdatabase' },
  spec: postgresDatabaseSpecSchema,
  status: postgresDatabaseStatusSchema,
  access: [
    { apiGroups: [GROUP], resources: ['postgresconnections'], verbs: ['get', 'list', 'watch'] },
    { apiGroups: [''], resources: ['secrets'], verbs: ['get', 'list', 'watch', 'create', 'patch'] },
  ],
  create: (options) => new PostgresDatabaseResource(options),
})
