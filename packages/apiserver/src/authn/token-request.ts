// POST .../serviceaccounts/NAME/token: issues a token for the account, with the audiences, expiry and binding that the
// TokenRequest in the body names.

import { badRequest, conflict, invalid, isObject, type KubeObject, notFound, rfc3339 } from '@homeostat/meta'
import { invalidValue } from '@homeostat/meta/server'
import { type Fields, fieldsOf, listOf, textOf } from '../builtin/fields-of.ts'
import { type Bound, type FindObject, ISSUER, type ServiceAccountTokens } from './service-account-tokens.ts'

export interface TokenRequestParts {
  readonly accounts: ServiceAccountTokens
  readonly find: FindObject
  readonly now: () => number
}

const KIND = { group: 'authentication.k8s.io', kind: 'TokenRequest' }
const DEFAULT_SECONDS = 3_600
const MIN_SECONDS = 600
const MAX_SECONDS = 2 ** 32
/** Kubelets request this expiry for clients that never reload their token: those get a year and `warnafter`. */
const RENEWABLE_SECONDS = 3_607
const YEAR_SECONDS = 365 * 86_400

export async function requestToken(
  account: KubeObject,
  body: KubeObject,
  parts: TokenRequestParts,
): Promise<KubeObject> {
  const { name = '', namespace, uid = '' } = account.metadata
  refuseOtherAccount(body, name, uid)
  const spec = fieldsOf(body.spec)
  const seconds = durationOf(spec.expirationSeconds ?? DEFAULT_SECONDS)
  const given = listOf(spec.audiences).map(textOf)
  const audiences = given.length > 0 ? given : [ISSUER]
  const { boundObjectRef } = spec
  const bound = isObject(boundObjectRef) ? bind(boundObjectRef, account, parts.find) : {}
  const extended =
    bound.pod !== undefined && seconds === RENEWABLE_SECONDS && audiences.every((audience) => audience === ISSUER)
  const terms = extended ? { seconds: YEAR_SECONDS, warnAfterSeconds: seconds } : { seconds }
  const now = parts.now()
  return {
    kind: KIND.kind,
    apiVersion: `${KIND.group}/v1`,
    metadata: {
      ...body.metadata,
      name,
      ...(namespace !== undefined && { namespace }),
      uid,
      creationTimestamp: rfc3339(now),
    },
    spec: { audiences, expirationSeconds: seconds, boundObjectRef: boundObjectRef ?? null },
    status: {
      token: parts.accounts.issue({ account, audiences, ...terms, ...bound }),
      expirationTimestamp: rfc3339(now + seconds * 1000),
    },
  }
}

function refuseOtherAccount({ metadata }: KubeObject, name: string, uid: string): void {
  if (metadata.name && metadata.name !== name) {
    const cause = invalidValue('metadata.name', metadata.name, 'must match the service account name if specified')
    throw invalid(KIND, name, [cause])
  }
  if (metadata.uid && metadata.uid !== uid) {
    const text = `the UID in the token request (${metadata.uid}) does not match the UID of the service account (${uid})`
    throw conflict({ group: KIND.group, resource: KIND.kind }, name, text)
  }
}

/** The decoder gives numbers above the safe range as bigint. */
function durationOf(given: unknown): number {
  const seconds = Number(given)
  const refuse = (detail: string) => invalid(KIND, '', [invalidValue('spec.expirationSeconds', given, detail)])
  if (!(seconds >= MIN_SECONDS)) throw refuse('may not specify a duration less than 10 minutes')
  if (seconds > MAX_SECONDS) throw refuse('may not specify a duration larger than 2^32 seconds')
  return seconds
}

/** The kinds that a token can be bound to: it becomes invalid with the object. */
const BINDABLE: Readonly<Record<string, { readonly word: 'pod' | 'secret' | 'node'; readonly resource: string }>> = {
  Pod: { word: 'pod', resource: 'pods' },
  Secret: { word: 'secret', resource: 'secrets' },
  Node: { word: 'node', resource: 'nodes' },
}

function bind(ref: Fields, account: KubeObject, find: FindObject): Bound {
  const { apiVersion, kind, name, uid } = ref
  const [version = '', group = ''] = textOf(apiVersion).split('/').reverse()
  const bindable = group === '' && Object.hasOwn(BINDABLE, textOf(kind)) ? BINDABLE[textOf(kind)] : undefined
  if (bindable === undefined)
    throw badRequest(`cannot bind token to object of type ${group}/${version}, Kind=${textOf(kind)}`)
  const { word, resource } = bindable
  if (textOf(name) === '') throw badRequest('Name parameter required.')
  const object = find(resource, word === 'node' ? undefined : account.metadata.namespace, textOf(name))
  if (!object) throw notFound({ resource }, textOf(name))
  const node = word === 'pod' ? nodeOfPod(object, account, find) : undefined
  if (textOf(uid) !== '' && uid !== object.metadata.uid) {
    const text = `the UID in the bound object reference (${textOf(uid)}) does not match the UID in record. The object might have been deleted and then recreated`
    throw conflict({ resource: textOf(kind) }, textOf(name), text)
  }
  return { [word]: referenceTo(object), ...(node && { node }) }
}

function nodeOfPod(pod: KubeObject, account: KubeObject, find: FindObject): Bound['node'] {
  const { serviceAccountName, nodeName } = fieldsOf(pod.spec)
  const { name } = account.metadata
  if (serviceAccountName !== name)
    throw badRequest(
      `cannot bind token for serviceaccount ${JSON.stringify(name)} to pod running with different serviceaccount name.`,
    )
  if (textOf(nodeName) === '') return undefined
  const node = find('nodes', undefined, textOf(nodeName))
  return node ? referenceTo(node) : { name: textOf(nodeName) }
}

function referenceTo({ metadata }: KubeObject): { name: string; uid: string } {
  return { name: metadata.name ?? '', uid: metadata.uid ?? '' }
}
