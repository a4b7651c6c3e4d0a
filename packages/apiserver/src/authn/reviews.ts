// The review kinds (TokenReview, SubjectAccessReview, ...), each with the function that answers it. The server stores
// none of them. Keys are `group/resource`.

import { badRequest, type KubeObject, rfc3339 } from '@homeostat/meta'
import { reviewAccess, reviewLocalAccess, reviewSelfAccess } from '../authz/access-review.ts'
import type { Authorizer } from '../authz/authorize.ts'
import { fieldsOf, listOf, textOf } from '../builtin/fields-of.ts'
import { type User, userInfo } from '../identity/user.ts'
import type { TokenAuthenticator } from './token-authenticator.ts'

type Review = (object: KubeObject, user: User) => KubeObject | Promise<KubeObject>

export interface ReviewParts {
  /** All of the server, as for requests. */
  readonly tokens: TokenAuthenticator
  /** The audiences of this server, for reviews that name none. */
  readonly audiences: readonly string[]
  readonly authorizer: Authorizer
  readonly now: () => number
}

/** By `group/resource`. */
export function reviews(parts: ReviewParts): Readonly<Record<string, Review>> {
  const { authorizer, now } = parts
  return {
    'authentication.k8s.io/selfsubjectreviews': ({ apiVersion, kind }, user) => ({
      kind,
      apiVersion,
      metadata: { creationTimestamp: rfc3339(now()) },
      status: { userInfo: userInfo(user) },
    }),
    'authentication.k8s.io/tokenreviews': (object) => reviewToken(object, parts),
    'authorization.k8s.io/selfsubjectaccessreviews': (object, user) => reviewSelfAccess(object, user, authorizer),
    'authorization.k8s.io/subjectaccessreviews': (object, user) => reviewAccess(object, user, authorizer),
    'authorization.k8s.io/localsubjectaccessreviews': (object, user) => reviewLocalAccess(object, user, authorizer),
    'authorization.k8s.io/selfsubjectrulesreviews': (object, user) => reviewRules(object, user, authorizer),
  }
}

async function reviewToken(object: KubeObject, parts: ReviewParts): Promise<KubeObject> {
  const spec = fieldsOf(object.spec)
  const token = textOf(spec.token)
  if (token === '') throw badRequest('token is required for TokenReview in authentication')
  const wanted = listOf(spec.audiences).map(textOf)
  const recognised = await parts.tokens.recognise(token, wanted.length > 0 ? wanted : parts.audiences)
  object.status =
    typeof recognised === 'object'
      ? { authenticated: true, user: userInfo(recognised.user), audiences: recognised.audiences }
      : { user: {}, error: recognised === undefined ? BAD_TOKEN : `[${BAD_TOKEN}, ${recognised}]` }
  return object
}

const BAD_TOKEN = 'invalid bearer token'

/** The response has no spec, as in Kubernetes. */
async function reviewRules(
  { apiVersion, kind, spec }: KubeObject,
  user: User,
  authorizer: Authorizer,
): Promise<KubeObject> {
  const namespace = textOf(fieldsOf(spec).namespace)
  if (namespace === '') throw badRequest('no namespace on request')
  const rules = await authorizer.rulesOf(user, namespace)
  return {
    kind,
    apiVersion,
    metadata: {},
    spec: {},
    status: { ...rules, incomplete: rules.evaluationError !== undefined },
  }
}
