// Adds the functions that answer access reviews to the review kinds, and the `token` subresource to service accounts.
// The server calls it once at start; the kinds themselves know nothing of keys and users.

import type { ResourceType, Subresource } from '../registry/resource-type.ts'
import { typeWith } from '../registry/type-with.ts'
import { type ReviewParts, reviews } from './reviews.ts'
import { requestToken, type TokenRequestParts } from './token-request.ts'
import { tokenRequestType } from './token-request-type.ts'

export function withReviewsAndTokens(
  types: readonly ResourceType[],
  parts: TokenRequestParts & ReviewParts,
): ResourceType[] {
  const answers = reviews(parts)
  return types.map((type) => {
    const key = `${type.group}/${type.resource}`
    const review = answers[key]
    if (review) return typeWith(type, { review })
    return key === '/serviceaccounts' ? withToken(type, parts) : type
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
