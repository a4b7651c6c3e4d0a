// Issues and verifies the tokens of service accounts. A token is valid as long as its account and the object that it is
// bound to exist. Authentication, token requests and token reviews use it.

import { randomUUID } from 'node:crypto'
import type { KubeObject } from '@homeostat/meta'
import { fieldsOf, listOf, textOf } from '../builtin/fields-of.ts'
import { AUTHENTICATED, type User } from '../identity/user.ts'
import type { Claims } from './claims.ts'
import type { TokenKeys } from './token.ts'
import type { Recognised, TokenAuthenticator, Verdict } from './token-authenticator.ts'

/** The issuer, and the default audience of a token request. The value is kubeadm's. */
export const ISSUER = 'https://kubernetes.default.svc.cluster.local'

/** Returns the current object, if it exists; `namespace` is undefined for nodes. */
export type FindObject = (resource: string, namespace: string | undefined, name: string) => KubeObject | undefined

export interface Reference {
  readonly name: string
  /** Absent when the node of a pod does not exist. */
  readonly uid?: string
}

/** The object that a token is bound to: at most one of the three, except that a pod also names its node. */
export interface Bound {
  readonly pod?: Reference
  readonly secret?: Reference
  readonly node?: Reference
}

export interface TokenTerms extends Bound {
  readonly account: KubeObject
  readonly audiences: readonly string[]
  readonly seconds: number
  /** A token that was extended for old clients carries the time at which the client should have renewed it. */
  readonly warnAfterSeconds?: number
}

/** Returns the metadata of the current object, if it exists. Asked for each request with a token. */
export type FindMetadata = (...place: Parameters<FindObject>) => Pick<KubeObject, 'metadata'> | undefined

export interface ServiceAccountTokensParts {
  readonly keys: TokenKeys
  readonly find: FindMetadata
  readonly now: () => number
}

/** What a token says and does not change; whether it holds is looked up for each request. */
interface Verified {
  readonly claims: Claims
  readonly own: KubernetesClaims
  readonly user: User
  /** The last verdict for the audiences that were asked for. */
  recognised?: { readonly asked: readonly string[]; readonly verdict: Recognised }
}

export class ServiceAccountTokens implements TokenAuthenticator {
  readonly #parts: ServiceAccountTokensParts
  /** Caches verified tokens, since a client sends the same one with every request (bench row "GET with TLS, a token and RBAC"). */
  readonly #verified = new Map<string, Verified>()
  /** Of the keys that verified them. */
  #generation = 0

  constructor(parts: ServiceAccountTokensParts) {
    this.#parts = parts
  }

  issue({ account, audiences, seconds, warnAfterSeconds, pod, secret, node }: TokenTerms): string {
    const now = Math.floor(this.#parts.now() / 1000)
    const { name, namespace, uid } = account.metadata
    return this.#parts.keys.sign({
      aud: audiences,
      exp: now + seconds,
      iat: now,
      iss: ISSUER,
      jti: randomUUID(),
      'kubernetes.io': {
        namespace,
        ...(node && { node }),
        ...(pod && { pod }),
        ...(secret && { secret }),
        serviceaccount: { name, uid },
        ...(warnAfterSeconds !== undefined && { warnafter: now + warnAfterSeconds }),
      },
      nbf: now,
      sub: `system:serviceaccount:${namespace}:${name}`,
    })
  }

  /** The user of the token; a message when the token is invalid; undefined when this server did not issue it. */
  recognise(token: string, audiences: readonly string[] = [ISSUER]): Verdict {
    const verified = this.#verify(token)
    if (verified?.claims.iss !== ISSUER) return undefined
    const recognised = verified.recognised?.asked === audiences ? verified.recognised.verdict : fit(verified, audiences)
    if (typeof recognised === 'string') return recognised
    verified.recognised = { asked: audiences, verdict: recognised }
    return this.#wrongTime(verified.claims) ?? this.#wrongObjects(verified.own) ?? recognised
  }

  #verify(token: string): Verified | undefined {
    const { generation } = this.#parts.keys
    if (generation !== this.#generation) this.#verified.clear()
    this.#generation = generation
    const known = this.#verified.get(token)
    if (known) return known
    const claims = this.#parts.keys.verify(token)
    if (claims === undefined) return undefined
    if (this.#verified.size >= MAX_VERIFIED) this.#verified.clear()
    const own = kubernetesClaims(claims)
    const verified = { claims, own, user: userOf(claims, own) }
    this.#verified.set(token, verified)
    return verified
  }

  #wrongTime({ exp, nbf }: Claims): string | undefined {
    const now = this.#parts.now() / 1000
    if (typeof exp !== 'number' || now >= exp) return 'service account token has expired'
    // Tolerates a clock that was set back a little since the token was issued.
    if (typeof nbf !== 'number' || now < nbf - CLOCK_LEEWAY) return 'service account token is not valid yet'
    return undefined
  }

  #wrongObjects({ namespace, serviceaccount, secret, pod, node }: KubernetesClaims): string | undefined {
    const account = serviceaccount && this.#parts.find('serviceaccounts', namespace, serviceaccount.name)
    if (!account) return `serviceaccounts ${JSON.stringify(serviceaccount?.name ?? '')} not found`
    if (account.metadata.uid !== serviceaccount.uid)
      return `service account UID (${account.metadata.uid}) does not match claim (${serviceaccount.uid})`
    if (this.#deleted(account)) return `service account ${namespace}/${serviceaccount.name} has been deleted`
    return (
      this.#wrongBound('secret', 'secrets', namespace, secret) ??
      this.#wrongBound('pod', 'pods', namespace, pod) ??
      // The node of a pod is informational: the token stays valid without it.
      (pod ? undefined : this.#wrongBound('node', 'nodes', undefined, node))
    )
  }

  #wrongBound(
    word: string,
    resource: string,
    namespace: string | undefined,
    bound: Reference | undefined,
  ): string | undefined {
    if (bound === undefined) return undefined
    const object = this.#parts.find(resource, namespace, bound.name)
    if (!object || this.#deleted(object)) return 'service account token has been invalidated'
    if (object.metadata.uid === bound.uid) return undefined
    return `${word} UID (${object.metadata.uid}) does not match service account ${word} ref claim (${bound.uid})`
  }

  /** Tokens stay valid for a grace period after deletion begins, so that a pod can shut down cleanly. */
  #deleted({ metadata }: Pick<KubeObject, 'metadata'>): boolean {
    const { deletionTimestamp } = metadata
    return deletionTimestamp !== undefined && Date.parse(deletionTimestamp) < this.#parts.now() - CLOCK_LEEWAY * 1000
  }
}

const MAX_VERIFIED = 1_000
/** Whole seconds since the epoch. */
const CLOCK_LEEWAY = 60

/** The user of a service account, also for impersonation. */
export function serviceAccountGroups(namespace: string): string[] {
  return ['system:serviceaccounts', `system:serviceaccounts:${namespace}`]
}

function fit({ claims, user }: Verified, asked: readonly string[]): Recognised | string {
  const given = listOf(claims.aud).map(textOf)
  const audiences = given.filter((audience) => asked.includes(audience))
  if (audiences.length > 0) return { user, audiences }
  return `token audiences ${quoted(given)} is invalid for the target audiences ${quoted(asked)}`
}

function userOf(claims: Claims, { namespace, serviceaccount, pod, node }: KubernetesClaims): User {
  return {
    username: textOf(claims.sub),
    uid: serviceaccount?.uid ?? '',
    groups: [...serviceAccountGroups(namespace), AUTHENTICATED],
    extra: {
      'authentication.kubernetes.io/credential-id': [`JTI=${textOf(claims.jti)}`],
      ...(node && extraOf('node', node)),
      ...(pod && extraOf('pod', pod)),
    },
  }
}

function extraOf(word: string, { name, uid }: Reference): Record<string, readonly string[]> {
  const prefix = `authentication.kubernetes.io/${word}`
  return { [`${prefix}-name`]: [name], ...(uid !== undefined && { [`${prefix}-uid`]: [uid] }) }
}

interface KubernetesClaims extends Bound {
  readonly namespace: string
  readonly serviceaccount?: Reference
}

function kubernetesClaims(claims: Claims): KubernetesClaims {
  const own = fieldsOf(claims['kubernetes.io'])
  const found: Record<string, Reference> = {}
  for (const word of ['serviceaccount', 'secret', 'pod', 'node']) {
    const { name, uid } = fieldsOf(own[word])
    if (own[word] !== undefined) found[word] = { name: textOf(name), ...(uid !== undefined && { uid: textOf(uid) }) }
  }
  return { ...found, namespace: textOf(own.namespace) }
}

/** Prints a list of strings as Go does. */
function quoted(words: readonly string[]): string {
  return `[${words.map((word) => JSON.stringify(word)).join(' ')}]`
}
