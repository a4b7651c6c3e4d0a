// Which permissions it takes to write a BootstrapToken. The colony makes a Role for each executor that joins with it, so whoever
// writes one must hold what that Role gives: otherwise the role `edit`, which writes the kind, would lead to any right.

import type { ResourceAttributes, TypeRules } from '@homeostat/apiserver'
import { childVerbs, resourceOfChild } from '@homeostat/executor/account'
import type { BootstrapTokenSpec } from '@homeostat/executor/protocol'
import { deepEqual } from '@homeostat/meta'
import { actingAs, useOfType } from './executor-permissions.ts'

type BootstrapWrite = Parameters<NonNullable<TypeRules['permissions']>>[0]

export function bootstrapPermissions({ request, object, old }: BootstrapWrite): ResourceAttributes[] {
  if (old !== undefined && deepEqual(object.spec, old.spec)) return []
  const { namespace = '' } = request
  const { executorType, children = [] } = object.spec as BootstrapTokenSpec
  return [
    // Without a name: an executor that joins may choose any.
    actingAs({ namespace, name: '' }),
    useOfType(namespace, executorType),
    ...children.flatMap((child) => {
      const { group, resource: whole } = resourceOfChild(child)
      const [resource = '', ...rest] = whole.split('/')
      return childVerbs.map((verb) => ({ verb, group, resource, subresource: rest.join('/'), namespace, name: '' }))
    }),
  ]
}
