// The kinds of this operator.

import { authentikServerDefinition } from './authentik-server/authentik-server.ts'
import { domainDefinition } from './domain/domain.ts'
import { postgresConnectionDefinition } from './postgres-connection/postgres-connection.ts'
import { postgresDatabaseDefinition } from './postgres-database/postgres-database.ts'
import { redisConnectionDefinition } from './redis-connection/redis-connection.ts'

export const customResources = [
  postgresConnectionDefinition,
  postgresDatabaseDefinition,
  redisConnectionDefinition,
  domainDefinition,
  authentikServerDefinition,
]
