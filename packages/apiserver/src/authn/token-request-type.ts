// What the body of a token request is: a kind of its own that no path serves.

import { builtinType } from '../builtin/builtin-kind.ts'
import { int64, listOf, struct, text } from '../builtin/field.ts'
import type { ResourceType } from '../registry/resource-type.ts'

export function tokenRequestType(): ResourceType {
  return {
    ...builtinType({
      group: 'authentication.k8s.io',
      kind: 'TokenRequest',
      resource: 'tokenrequests',
      namespaced: true,
      columns: [],
      schema: struct({
        spec: struct({
          audiences: listOf(text),
          expirationSeconds: int64,
          boundObjectRef: struct({ apiVersion: text, kind: text, name: text, uid: text }),
        }),
        status: struct({ token: text, expirationTimestamp: text }),
      }),
      rules: { nameErrors: () => [] },
    }),
    message: 'k8s.io.api.authentication.v1.TokenRequest',
  }
}
