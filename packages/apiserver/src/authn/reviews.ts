// Every kind that is a question and not an object, with how it is answered. The table of built-in kinds takes them by
// group and resource.

import { badRequest, type KubeObject, rfc3339 } from '@homeostat/meta'
import { reviewAccess, reviewLocalAccess, reviewSelfAccess } from '../authz/access-review.ts'
import { rulesOf } from '../authz/authorize.ts'
import { fieldsOf, listOf, textOf } from '../builtin/fields-of.ts'
import { type User, userInfo } from '../identity/user.ts'
import type { ServiceAccountTokens } from './service-account-tokens.ts'

export type Review = (object: KubeObject, user: User) => KubeObject

export interface ReviewParts {
  readonly tokens: ServiceAccountTokens
  readonly now: () => number
}

/** By `group/resource`. */
export function reviews({ tokens, now }: ReviewParts): Readonly<Record<string, Review>> {
  return {
    'authentication.k8s.io/selfsubjectreviews': ({ apiVersion, kind }, user) => ({
      kind,
      apiVersion,
      metadata: { creationTimestamp: rfc3339(now()) },
      status: { userInfo: userInfo(user) },
    }),
    'authentication.k8s.io/tokenreviews': (object) => reviewToken(object, tokens),
    'authorization.k8s.io/selfsubjectaccessreviews': reviewSelfAccess,
    'authorization.k8s.io/subjectaccessreviews': reviewAccess,
    'authorization.k8s.io/localsubjectaccessreviews': reviewLocalAccess,
    'authorization.k8s.io/selfsubjectrulesreviews': reviewRules,
  }
}

function reviewToken(object: KubeObject, tokens: ServiceAccountTokens): KubeObject {
  const spec = fieldsOf(object.spec)
  const token = textOf(spec.token)
  if (token === '') throw badRequest('token is required for TokenReview in authentication')
  const audiences = listOf(spec.audiences).map(textOf)
  const recognised = tokens.recognise(token, ...(audiences.length > 0 ? [audiences] : []))
  object.status =
    typeof recognised === 'object'
      ? { authenticated: true, user: userInfo(recognised.user), audiences: recognised.audiences }
      : { user: {}, error: recognised === undefined ? BAD_TOKEN : `[${BAD_TOKEN}, ${recognised}]` }
  return object
}

const BAD_TOKEN = 'invalid bearer token'

/** The answer does not repeat the question, as in the real server. */
function reviewRules({ apiVersion, kind, spec }: KubeObject, user: User): KubeObject {
  if (textOf(fieldsOf(spec).namespace) === '') throw badRequest('no namespace on request')
  return { kind, apiVersion, metadata: {}, spec: {}, status: { ...rulesOf(user), incomplete: false } }
}
