// The kinds that are questions: they can be created and nothing else, and nothing of them is stored.

import type { BuiltinKind } from '../builtin/builtin-kind.ts'
import { flag, listOf, mapOf, struct, text } from '../builtin/field.ts'

const userSchema = struct({ username: text, uid: text, groups: listOf(text), extra: mapOf(listOf(text)) })
const selector = struct({
  rawSelector: text,
  requirements: listOf(struct({ key: text, operator: text, values: listOf(text) })),
})
const attributes = {
  resourceAttributes: struct({
    namespace: text,
    verb: text,
    group: text,
    version: text,
    resource: text,
    subresource: text,
    name: text,
    fieldSelector: selector,
    labelSelector: selector,
  }),
  nonResourceAttributes: struct({ path: text, verb: text }),
}
const subject = { ...attributes, user: text, groups: listOf(text), extra: mapOf(listOf(text)), uid: text }
const decision = struct({ allowed: flag, denied: flag, reason: text, evaluationError: text })

export const reviewKinds: readonly BuiltinKind[] = [
  question('authentication.k8s.io', 'SelfSubjectReview', { status: struct({ userInfo: userSchema }) }),
  question('authentication.k8s.io', 'TokenReview', {
    spec: struct({ token: text, audiences: listOf(text) }),
    status: struct({ authenticated: flag, user: userSchema, audiences: listOf(text), error: text }),
  }),
  question('authorization.k8s.io', 'SelfSubjectAccessReview', { spec: struct(attributes), status: decision }),
  question('authorization.k8s.io', 'SubjectAccessReview', { spec: struct(subject), status: decision }),
  {
    ...question('authorization.k8s.io', 'LocalSubjectAccessReview', { spec: struct(subject), status: decision }),
    namespaced: true,
  },
  question('authorization.k8s.io', 'SelfSubjectRulesReview', {
    spec: struct({ namespace: text }),
    status: struct({
      resourceRules: listOf(
        struct({ verbs: listOf(text), apiGroups: listOf(text), resources: listOf(text), resourceNames: listOf(text) }),
      ),
      nonResourceRules: listOf(struct({ verbs: listOf(text), nonResourceURLs: listOf(text) })),
      incomplete: flag,
      evaluationError: text,
    }),
  }),
]

function question(group: string, kind: string, fields: Parameters<typeof struct>[0]): BuiltinKind {
  return {
    group,
    kind,
    resource: `${kind.toLowerCase()}s`,
    namespaced: false,
    verbs: ['create'],
    columns: [],
    schema: struct(fields),
    rules: { nameErrors: () => [] },
  }
}
