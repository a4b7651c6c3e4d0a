// The type of a token request's body. No path serves it as a resource of its own.

import { builtinType } from '../builtin/builtin-kind.ts'
import { objectSchema } from '../builtin/facts/object-schema.ts'
import type { ResourceType } from '../registry/resource-type.ts'

export function tokenRequestType(): ResourceType {
  return builtinType({
    group: 'authentication.k8s.io',
    kind: 'TokenRequest',
    resource: 'tokenrequests',
    namespaced: true,
    columns: [],
    schema: () => objectSchema('authentication.v1.TokenRequest'),
    rules: { nameErrors: () => [] },
  })
}
