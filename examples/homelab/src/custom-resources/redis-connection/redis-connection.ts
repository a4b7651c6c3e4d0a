import { createCustomResourceDefinition } from '@homeostat/operator'
import { GROUP } from '../../group.ts'
import { RedisConnectionResource } from './redis-connection.resource.ts'
import { redisConnectionSpecSchema, redisConnectionStatusSchema } from './redis-connection.schemas.ts'

export const redisConnectionDefinition = createCustomResourceDefinition({
  group: GROUP,
  version: 'v1',
  kind: 'RedisConnection',
  names: { plural: 'redisconnections', singular: 'redisconnection' },
  spec: redisConnectionSpecSchema,
  status: redisConnectionStatusSchema,
  access: [{ apiGroups: [''], resources: ['secrets'], verbs: ['get', 'list', 'watch'] }],
  create: (options) => new RedisConnectionResource(options),
})
