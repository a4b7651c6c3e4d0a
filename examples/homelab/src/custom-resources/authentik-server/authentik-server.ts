import { createCustomResourceDefinition } from '@homeostat/operator'
import { GROUP } from '../../group.ts'
import { AuthentikServerResource } from './authentik-server.resource.ts'
import { authentikServerSpecSchema, authentikServerStatusSchema } from './authentik-server.schemas.ts'

export const authentikServerDefinition = createCustomResourceDefinition({
  group: GROUP,
  version: 'v1',
  kind: 'AuthentikServer',
  names: { plural: 'authentikservers', singular: 'authentikserver' },
  spec: authentikServerSpecSchema,
  status: authentikServerStatusSchema,
  children: ['apps/v1/Deployment', 'v1/Service', 'networking.k8s.io/v1/Ingress'],
  access: [
    {
      apiGroups: [GROUP],
      resources: ['domains', 'postgresdatabases', 'redisconnections'],
      verbs: ['get', 'list', 'watch'],
    },
    { apiGroups: [''], resources: ['secrets'], verbs: ['get', 'list', 'watch', 'create', 'patch'] },
  ],
  create: (options) => new AuthentikServerResource(options),
})
