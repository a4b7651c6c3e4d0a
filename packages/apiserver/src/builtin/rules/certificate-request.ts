// Rules of CertificateSigningRequest. The spec is immutable; approval and certificate have subresources.

import { dns1123Label, dns1123Subdomain, type KubeObject } from '@homeostat/meta'
import { type Cause, duplicate, forbiddenField, invalidValue, notSupported, required } from '@homeostat/meta/server'
import { ADMINISTRATOR, userInfo } from '../../identity/user.ts'
import { fieldsOf, listOf, textOf } from '../fields-of.ts'
import type { KindRules } from '../schema-strategy.ts'
import { isSet, items, numberOf, texts } from './field-checks.ts'

export const certificateRequestRules: Partial<KindRules> = {
  nameErrors: () => [],
  // The signer trusts the requester's identity, so that the server sets it and ignores what the body says.
  prepareForCreate(request, user = ADMINISTRATOR) {
    const { username: _, uid: __, groups: ___, extra: ____, ...spec } = fieldsOf(request.spec)
    request.spec = { ...spec, ...userInfo(user) }
  },
  prepareForUpdate(request, old) {
    request.spec = old.spec
  },
  prepareForStatusUpdate(request, old) {
    request.spec = old.spec
    const { conditions, ...status } = fieldsOf(request.status)
    const kept = withDecisions(listOf(conditions), listOf(fieldsOf(old.status).conditions))
    request.status = { ...status, ...(kept.length > 0 && { conditions: kept }) }
  },
  validate: errors,
  validateUpdate: (request, old) => [...errors(request), ...keptConditions(request, old)],
}

/** Only the approval subresource changes decisions: a status write keeps the old ones. */
function withDecisions(conditions: readonly unknown[], old: readonly unknown[]): unknown[] {
  const typeOf = (condition: unknown) => textOf(fieldsOf(condition).type)
  const isDecision = (condition: unknown) => ['Approved', 'Denied'].includes(typeOf(condition))
  const left = new Map(old.filter(isDecision).map((condition) => [typeOf(condition), condition]))
  const kept: unknown[] = []
  for (const condition of conditions) {
    if (!isDecision(condition)) kept.push(condition)
    else if (left.has(typeOf(condition))) kept.push(left.get(typeOf(condition)))
    if (isDecision(condition)) left.delete(typeOf(condition))
  }
  return [...kept, ...left.values()]
}

const USAGES = [
  'any',
  'cert sign',
  'client auth',
  'code signing',
  'content commitment',
  'crl sign',
  'data encipherment',
  'decipher only',
  'digital signature',
  'email protection',
  'encipher only',
  'ipsec end system',
  'ipsec tunnel',
  'ipsec user',
  'key agreement',
  'key encipherment',
  'microsoft sgc',
  'netscape sgc',
  'ocsp signing',
  's/mime',
  'server auth',
  'signing',
  'timestamping',
]

function errors(request: KubeObject): Cause[] {
  const spec = fieldsOf(request.spec)
  const usages = texts(spec.usages)
  const causes: Cause[] = []
  if (!isPemRequest(textOf(spec.request))) {
    causes.push(invalidValue('spec.request', spec.request, 'PEM block type must be CERTIFICATE REQUEST'))
  }
  if (usages.length === 0) causes.push(required('spec.usages'))
  usages.forEach((usage, index) => {
    if (!USAGES.includes(usage)) causes.push(notSupported(`spec.usages[${index}]`, usage, USAGES))
  })
  usages.forEach((usage, index) => {
    if (usages.indexOf(usage) < index) causes.push(duplicate(`spec.usages[${index}]`, usage))
  })
  causes.push(...signerErrors(textOf(spec.signerName)))
  if (isSet(spec.expirationSeconds) && numberOf(spec.expirationSeconds) < 600) {
    const detail = 'may not specify a duration less than 600 seconds (10 minutes)'
    causes.push(invalidValue('spec.expirationSeconds', spec.expirationSeconds, detail))
  }
  return [...causes, ...conditionErrors(request)]
}

/** The signer parses the request; this check only looks for the PEM header. */
function isPemRequest(base64: string): boolean {
  return Buffer.from(base64, 'base64').toString('latin1').includes('-----BEGIN CERTIFICATE REQUEST-----')
}

function signerErrors(name: string): Cause[] {
  const path = 'spec.signerName'
  if (name === '') return [required(path)]
  if (name === 'kubernetes.io/legacy-unknown') {
    return [invalidValue(path, name, 'the legacy signerName is not allowed via this API version')]
  }
  const [domain = '', rest = '', ...more] = name.split('/')
  if (!name.includes('/') || more.length > 0) {
    const form = "must be a fully qualified domain and path of the form 'example.com/signer-name'"
    return [invalidValue(path, name, form)]
  }
  const labels = domain.split('.')
  const bad = labels.find((label) => dns1123Label(label).length > 0)
  const causes = bad === undefined ? [] : dns1123Label(bad).map((message) => invalidValue(path, domain, message))
  if (labels.length < 2) {
    causes.push(invalidValue(path, domain, 'should be a domain with at least two segments separated by dots'))
  }
  const badStep = rest.split('.').find((label) => dns1123Subdomain(label).length > 0)
  if (badStep !== undefined)
    causes.push(...dns1123Subdomain(badStep).map((message) => invalidValue(path, rest, message)))
  return causes
}

const DECIDED = ['Approved', 'Denied', 'Failed']

function conditionErrors(request: KubeObject): Cause[] {
  const path = 'status.conditions'
  const seen = new Set<string>()
  return items(fieldsOf(request.status).conditions, path).flatMap(({ item, path: at }) => {
    const [type, status] = [textOf(item.type), textOf(item.status)]
    const causes = type === '' ? [required(`${at}.type`)] : []
    const allowed = DECIDED.includes(type) ? ['True'] : ['False', 'True', 'Unknown']
    if (status === '') causes.push(required(`${at}.status`))
    else if (!allowed.includes(status)) causes.push(notSupported(`${at}.status`, status, allowed))
    const other = type === 'Approved' ? 'Denied' : type === 'Denied' ? 'Approved' : ''
    if (other !== '' && seen.has(other)) {
      causes.push(invalidValue(path, type, 'Approved and Denied conditions are mutually exclusive'))
    }
    if (seen.has(type)) causes.push(duplicate(`${at}.type`, type))
    seen.add(type)
    return causes
  })
}

/** Approved and Denied conditions are final. */
function keptConditions(request: KubeObject, old: KubeObject): Cause[] {
  const types = (object: KubeObject) =>
    items(fieldsOf(object.status).conditions, '').map(({ item }) => textOf(item.type))
  const [now, before] = [types(request), types(old)]
  return DECIDED.filter((type) => before.includes(type) && !now.includes(type)).map((type) =>
    forbiddenField('status.conditions', `updates may not remove a condition of type "${type}"`),
  )
}
