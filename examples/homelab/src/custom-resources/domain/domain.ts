import { createCustomResourceDefinition } from '@homeostat/operator'
import { GROUP } from '../../group.ts'
import { DomainResource } from './domain.resource.ts'
import { domainSpecSchema, domainStatusSchema } from './domain.schemas.ts'

export const domainDefinition = createCustomResourceDefinition({
  group: GROUP,
  version: 'v1',
  kind: 'Domain',
  names: { plural: 'domains', singular: 'domain' },
  spec: domainSpecSchema,
  status: domainStatusSchema,
  children: ['networking.istio.io/v1/Gateway'],
  access: [
    {
      apiGroups: ['cert-manager.io'],
      resources: ['certificates'],
      verbs: ['get', 'list', 'watch', 'create', 'patch', 'delete'],
      namespaces: 'all',
    },
    {
      apiGroups: ['apiextensions.k8s.io'],
      resources: ['customresourcedefinitions'],
      verbs: ['get', 'list', 'watch'],
      namespaces: 'all',
    },
    { apiGroups: [''], resources: ['secrets'], verbs: ['get', 'list', 'watch', 'delete'], namespaces: 'all' },
  ],
  create: (options) => new DomainResource(options),
})
