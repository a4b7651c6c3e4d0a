// Checks how a webhook is reached and which review versions it accepts, for admission and for conversion.

import { dns1035Label, dns1123Subdomain, isObject } from '@homeostat/meta'
import { type Cause, invalidValue, required } from '@homeostat/meta/server'
import { type Fields, textOf } from '../fields-of.ts'
import { inRange, isSet } from './field-checks.ts'

interface ReviewVersionRules {
  /** The detail of the cause when there is no version. */
  readonly missing: string
  /** Whether a list without any known version is allowed. */
  readonly mayBeUnknown?: boolean
}

export function reviewVersionErrors(versions: readonly string[], path: string, rules: ReviewVersionRules): Cause[] {
  if (versions.length === 0) return [required(path, rules.missing)]
  const causes = versions.flatMap((version, index) => {
    const field = `${path}[${index}]`
    if (versions.indexOf(version) < index) return [invalidValue(field, version, 'duplicate version')]
    return dns1035Label(version).map((message) => invalidValue(field, version, message))
  })
  if (rules.mayBeUnknown || hasKnownReviewVersion(versions)) return causes
  return [...causes, invalidValue(path, versions, 'must include at least one of v1, v1beta1')]
}

export function hasKnownReviewVersion(versions: readonly string[]): boolean {
  return versions.includes('v1') || versions.includes('v1beta1')
}

export function webhookClientErrors({ url, service }: Fields, path: string): Cause[] {
  if (isSet(url) === isSet(service)) return [required(path, 'exactly one of url or service is required')]
  if (isObject(service)) return serviceErrors(service, `${path}.service`)
  return urlErrors(textOf(url), `${path}.url`)
}

const FORM = '; desired format: https://host[/path]'

/** Go parses nearly everything as a URL, so that most mistakes appear as missing parts. */
function urlErrors(url: string, path: string): Cause[] {
  const [, scheme = '', rest = ''] = /^(?:([a-zA-Z][a-zA-Z0-9+.-]*):)?(.*)$/s.exec(url) ?? []
  if (/[\s<>"{}|\\^`]|%(?![0-9a-fA-F]{2})/.test(url) || url.startsWith(':')) {
    return [required(path, `url must be a valid URL${FORM}`)]
  }
  const [, authority = '', , query, fragment] = /^(?:\/\/([^/?#]*))?([^?#]*)(?:\?([^#]*))?(?:#(.*))?$/s.exec(rest) ?? []
  const host = authority.slice(authority.lastIndexOf('@') + 1)
  const causes: Cause[] = []
  if (scheme.toLowerCase() !== 'https') {
    causes.push(invalidValue(path, scheme, `'https' is the only allowed URL scheme${FORM}`))
  }
  if (host === '') causes.push(invalidValue(path, host, `host must be specified${FORM}`))
  if (authority.includes('@')) causes.push(invalidValue(path, url, 'user information is not permitted in the URL'))
  if (fragment) causes.push(invalidValue(path, fragment, 'fragments are not permitted in the URL'))
  if (query) causes.push(invalidValue(path, query, 'query parameters are not permitted in the URL'))
  return causes
}

function serviceErrors(service: Fields, path: string): Cause[] {
  const causes: Cause[] = []
  // Kubernetes swaps these two paths; clients expect them this way.
  if (textOf(service.namespace) === '') causes.push(required(`${path}.name`))
  if (textOf(service.name) === '') causes.push(required(`${path}.namespace`))
  causes.push(...inRange(`${path}.port`, service.port, 1, 65535))
  const place = textOf(service.path)
  if (place === '' || place === '/') return causes
  const at = `${path}.path`
  if (place === '//') return [...causes, invalidValue(at, place, 'segment[0] may not be empty')]
  if (!place.startsWith('/')) causes.push(invalidValue(at, place, "must start with a '/'"))
  const steps = place.slice(1).replace(/\/$/, '').split('/')
  steps.forEach((step, index) => {
    const found = step === '' ? ['may not be empty'] : dns1123Subdomain(step)
    causes.push(...found.map((message) => invalidValue(at, place, `segment[${index}]: ${message}`)))
  })
  return causes
}
