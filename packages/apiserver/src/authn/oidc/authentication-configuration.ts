// Reads an AuthenticationConfiguration as kube-apiserver takes it (apiserver.config.k8s.io): issuers of JWTs, and where anonymous
// requests are let in. It refuses what it does not know and everything in CEL; nothing is ignored silently. Pure.

import { X509Certificate } from 'node:crypto'
import { writeJson } from '@homeostat/meta'
import { ANYWHERE, type AnonymousRule, NOWHERE } from '../anonymous.ts'
import { ISSUER } from '../service-account-tokens.ts'
import { ConfigFields } from './config-fields.ts'
import type { ClaimMapping, JwtIssuer } from './jwt-issuer.ts'

export interface AuthenticationConfiguration {
  readonly issuers: readonly JwtIssuer[]
  /** Undefined: the configuration says nothing of it. */
  readonly anonymous: AnonymousRule | undefined
}

const VERSIONS = ['v1', 'v1beta1', 'v1alpha1'].map((version) => `apiserver.config.k8s.io/${version}`)
const MAX_ISSUERS = 64

/** `value` is the parsed document. Throws an Error that names the field and says what would be right. */
export function readAuthenticationConfiguration(value: unknown): AuthenticationConfiguration {
  const top = new ConfigFields(value, '')
  const apiVersion = top.text('apiVersion')
  if (apiVersion === undefined || !VERSIONS.includes(apiVersion))
    throw top.wrong('apiVersion', `must be one of ${VERSIONS.join(', ')}`)
  if (top.text('kind') !== 'AuthenticationConfiguration') throw top.wrong('kind', 'must be AuthenticationConfiguration')
  const issuers = top.list('jwt').map(readIssuer)
  const anonymous = top.fields('anonymous')
  top.refuseOthers()
  if (issuers.length > MAX_ISSUERS) throw top.wrong('jwt', `must have at most ${MAX_ISSUERS} issuers`)
  refuseTwice(
    issuers.map(({ url }) => url),
    'issuer.url',
  )
  refuseTwice(
    issuers.flatMap(({ discoveryUrl }) => discoveryUrl ?? []),
    'issuer.discoveryURL',
  )
  return { issuers, anonymous: anonymous && readAnonymous(anonymous) }
}

/** The issuer of the flags `--oidc-*`, by the rules of kube-apiserver for them. */
export interface OidcFlags {
  readonly issuerUrl: string
  readonly clientId: string
  /** Default: sub. */
  readonly usernameClaim?: string | undefined
  /** Default: the issuer's URL and `#`, or nothing for the claim email. `-` is nothing. */
  readonly usernamePrefix?: string | undefined
  /** Default: no groups. */
  readonly groupsClaim?: string | undefined
  /** Default: nothing. */
  readonly groupsPrefix?: string | undefined
  /** PEM. */
  readonly certificateAuthority?: string | undefined
}

/** Throws an Error that names the field, as for a configuration. */
export function issuerOfFlags(flags: OidcFlags): JwtIssuer {
  const { issuerUrl, clientId, usernameClaim = 'sub', usernamePrefix, groupsClaim, groupsPrefix = '' } = flags
  const usual = usernameClaim === 'email' ? '' : `${issuerUrl}#`
  const prefix = usernamePrefix === '-' ? '' : (usernamePrefix ?? usual)
  const issuer = { url: issuerUrl, audiences: [clientId], certificateAuthority: flags.certificateAuthority }
  const claimMappings = {
    username: { claim: usernameClaim, prefix },
    ...(groupsClaim !== undefined && { groups: { claim: groupsClaim, prefix: groupsPrefix } }),
  }
  return readIssuer(new ConfigFields({ issuer, claimMappings }, 'oidc'))
}

function readIssuer(jwt: ConfigFields): JwtIssuer {
  const issuer = jwt.required('issuer')
  const url = issuer.text('url') ?? ''
  checkUrl(issuer, 'url', url)
  if (url === ISSUER) throw issuer.wrong('url', "must not be this server's own issuer")
  const discoveryUrl = issuer.text('discoveryURL')
  if (discoveryUrl !== undefined) checkUrl(issuer, 'discoveryURL', discoveryUrl)
  if (discoveryUrl !== undefined && discoveryUrl.replace(/\/+$/, '') === url.replace(/\/+$/, ''))
    throw issuer.wrong('discoveryURL', 'must be another one than url; leave it out')
  const certificateAuthority = issuer.text('certificateAuthority')
  if (certificateAuthority !== undefined) checkCertificate(issuer, certificateAuthority)
  const audiences = readAudiences(issuer)
  const egress = issuer.text('egressSelectorType')
  if (egress !== undefined) throw issuer.wrong('egressSelectorType', 'is not supported; the server connects directly')
  issuer.refuseOthers()
  const mappings = jwt.required('claimMappings')
  const username = readMapping(mappings.required('username'))
  const groups = mappings.fields('groups')
  const uid = mappings.fields('uid')
  const mapped = {
    username,
    ...(groups && !groups.isEmpty && { groups: readMapping(groups) }),
    ...(uid && !uid.isEmpty && { uid: readClaim(uid) }),
  }
  // Each has a valueExpression and nothing else.
  for (const extra of mappings.list('extra')) throw noCel(extra, 'valueExpression')
  mappings.refuseOthers()
  const requiredClaims = readRules(jwt)
  for (const rule of jwt.list('userValidationRules')) throw noCel(rule, 'expression')
  jwt.refuseOthers()
  return {
    url,
    ...(discoveryUrl !== undefined && { discoveryUrl }),
    ...(certificateAuthority !== undefined && { certificateAuthority }),
    audiences,
    ...mapped,
    requiredClaims,
  }
}

function readAudiences(issuer: ConfigFields): string[] {
  const audiences = issuer.texts('audiences')
  if (audiences.length === 0) throw issuer.wrong('audiences', 'must name at least one audience')
  if (audiences.includes('')) throw issuer.wrong('audiences', 'must not hold an empty text')
  const policy = issuer.text('audienceMatchPolicy')
  if (policy !== undefined && policy !== 'MatchAny') throw issuer.wrong('audienceMatchPolicy', 'must be MatchAny')
  if (audiences.length > 1 && policy === undefined)
    throw issuer.wrong('audienceMatchPolicy', 'must be MatchAny when there are several audiences')
  return audiences
}

function readMapping(mapping: ConfigFields): ClaimMapping {
  const claim = readClaim(mapping, false)
  const prefix = mapping.text('prefix', true)
  if (prefix === undefined) throw mapping.wrong('prefix', 'is required with claim; "" is no prefix')
  mapping.refuseOthers()
  return { claim, prefix }
}

function readClaim(mapping: ConfigFields, whole = true): string {
  if (mapping.text('expression') !== undefined) throw noCel(mapping, 'expression')
  const claim = mapping.text('claim')
  if (claim === undefined) throw mapping.wrong('claim', 'is required')
  if (whole) mapping.refuseOthers()
  return claim
}

function readRules(jwt: ConfigFields): Map<string, string> {
  const required = new Map<string, string>()
  for (const rule of jwt.list('claimValidationRules')) {
    const claim = readClaim(rule, false)
    if (required.has(claim)) throw rule.wrong('claim', 'has a rule already')
    required.set(claim, rule.text('requiredValue', true) ?? '')
    rule.refuseOthers()
  }
  return required
}

function readAnonymous(anonymous: ConfigFields): AnonymousRule {
  const enabled = anonymous.flag('enabled')
  const conditions = anonymous.list('conditions').map((condition) => {
    const path = condition.text('path')
    if (path === undefined || !path.startsWith('/')) throw condition.wrong('path', 'must begin with /')
    condition.refuseOthers()
    return path
  })
  anonymous.refuseOthers()
  if (!enabled && conditions.length > 0) throw anonymous.wrong('conditions', 'need enabled: true')
  if (!enabled) return NOWHERE
  return conditions.length === 0 ? ANYWHERE : { paths: new Set(conditions), below: [] }
}

function checkUrl(fields: ConfigFields, name: string, text: string): void {
  const url = URL.parse(text)
  if (url === null || url.protocol !== 'https:') throw fields.wrong(name, 'must be an https URL')
  if (url.username !== '' || url.password !== '') throw fields.wrong(name, 'must not hold a user or a password')
  if (text.includes('?') || text.includes('#')) throw fields.wrong(name, 'must have neither a query nor a fragment')
}

function checkCertificate(issuer: ConfigFields, pem: string): void {
  try {
    new X509Certificate(pem)
  } catch (cause) {
    throw issuer.wrong('certificateAuthority', 'must hold a certificate in PEM', cause)
  }
}

function noCel(fields: ConfigFields, name: string): Error {
  return fields.wrong(name, 'is in CEL, which this server does not evaluate yet; use claim, prefix and requiredValue')
}

function refuseTwice(values: readonly string[], name: string): void {
  const twice = values.find((value, at) => values.indexOf(value) !== at)
  if (twice !== undefined) throw new Error(`jwt[].${name} ${writeJson(twice)} stands there twice`)
}
