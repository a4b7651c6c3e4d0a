// Gives the kinds that are questions their answers, and service accounts their tokens. Called once, when the server
// is put together; the kinds themselves know nothing of keys and users.

import { reviewKinds } from '../authz/review-kinds.ts'
import { reviews } from '../authz/reviews.ts'
import { builtinType, typeWith } from '../builtin/builtin-kind.ts'
import type { ResourceType, Subresource } from '../registry/resource-type.ts'
import { requestToken, type TokenRequestParts } from './token-request.ts'
import { tokenRequestType } from './token-request-type.ts'

export function equipTypes(types: readonly ResourceType[], parts: TokenRequestParts): ResourceType[] {
  const answers = reviews(parts)
  const keyOf = ({ group, resource }: { group?: string; resource: string }) => `${group ?? ''}/${resource}`
  const known = new Set(types.map(keyOf))
  const missing = reviewKinds.filter((kind) => !known.has(keyOf(kind))).map(builtinType)
  return [...types, ...missing].map((type) => {
    const review = answers[keyOf(type)]
    if (review) return typeWith(type, { review })
    return keyOf(type) === '/serviceaccounts' ? withToken(type, parts) : type
  })
}

function withToken(type: ResourceType, parts: TokenRequestParts): ResourceType {
  const token: Subresource = {
    verbs: ['create'],
    answers: { group: 'authentication.k8s.io', version: 'v1', kind: 'TokenRequest' },
    body: tokenRequestType(),
    act: (account, body) => requestToken(account, body, parts),
  }
  return typeWith(type, { subresources: { ...type.subresources, others: { ...type.subresources.others, token } } })
}
