import { expect, it } from 'vitest'
import { kindRoles } from './own-roles.ts'

const definition = (plural: string, scope: string, group = 'colonies.io') => ({
  apiVersion: 'apiextensions.k8s.io/v1',
  kind: 'CustomResourceDefinition',
  metadata: { name: `${plural}.${group}` },
  spec: { group, scope, names: { plural } },
})
const extension = (resource: string, subresource: string, verb: 'get' | 'create') => ({
  group: 'colonies.io',
  version: 'v1',
  resource,
  subresource,
  verb,
  connect: () => Promise.reject(new Error('not called')),
})

it('readers read the kinds of a server and their logs, editors write those in namespaces, and nobody a subresource', () => {
  const definitions = [
    definition('processes', 'Namespaced'),
    definition('executors', 'Namespaced'),
    definition('kinds', 'Cluster'),
    definition('plans', 'Cluster', 'ex.io'),
  ]
  const extensions = [
    extension('executors', 'assign', 'create'),
    extension('processes', 'log', 'create'),
    extension('processes', 'log', 'get'),
  ]
  expect(kindRoles(definitions, extensions)).toEqual({
    'homeostat:colonies.io:view': {
      to: 'view',
      rules: ['get,list,watch colonies.io executors,kinds,processes,processes/log'],
    },
    'homeostat:colonies.io:edit': {
      to: 'edit',
      rules: ['create,delete,deletecollection,patch,update colonies.io executors,processes'],
    },
    'homeostat:ex.io:view': { to: 'view', rules: ['get,list,watch ex.io plans'] },
  })
})
