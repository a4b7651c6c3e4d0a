// MutatingWebhookConfiguration and ValidatingWebhookConfiguration.

import {
  type Cause,
  dns1035Label,
  dns1123Subdomain,
  duplicate,
  invalidValue,
  type KubeObject,
  notSupported,
  required,
} from '@homeostat/meta'
import { type Fields, fieldsOf, isFields, textOf } from '../fields-of.ts'
import type { KindRules } from '../schema-strategy.ts'
import {
  defaultMatching,
  defaultRules,
  FAILURE_POLICIES,
  MATCH_POLICIES,
  matchConditionErrors,
  ruleErrors,
} from './admission-rules.ts'
import { fillMissing, inRange, isSet, items, numberOf, optionalChoice, structs, texts } from './field-checks.ts'
import { selectorErrors } from './label-checks.ts'

export const validatingWebhookRules = webhookRules(false)
export const mutatingWebhookRules = webhookRules(true)

function webhookRules(mutating: boolean): Partial<KindRules> {
  return {
    applyDefaults(configuration) {
      for (const hook of structs(configuration, 'webhooks')) {
        fillMissing(hook, 'failurePolicy', 'Fail')
        defaultMatching(hook)
        fillMissing(hook, 'timeoutSeconds', 10)
        if (mutating) fillMissing(hook, 'reinvocationPolicy', 'Never')
        defaultRules(hook, 'rules')
        const { service } = fieldsOf(hook.clientConfig)
        if (isFields(service)) fillMissing(service, 'port', 443)
      }
    },
    validate: errors,
  }
}

function errors(configuration: KubeObject): Cause[] {
  const names = new Set<string>()
  return items(configuration.webhooks, 'webhooks').flatMap(({ item, path }) => {
    const causes = [...hookErrors(item, path), ...versionErrors(texts(item.admissionReviewVersions), path)]
    const name = textOf(item.name)
    if (name !== '' && names.has(name)) causes.push(duplicate(`${path}.name`, name))
    names.add(name)
    return causes
  })
}

const SIDE_EFFECTS = ['None', 'NoneOnDryRun']

function hookErrors(hook: Fields, path: string): Cause[] {
  const causes = [...nameErrors(textOf(hook.name), `${path}.name`), ...ruleErrors(hook.rules, `${path}.rules`)]
  causes.push(...optionalChoice(`${path}.failurePolicy`, hook.failurePolicy, FAILURE_POLICIES))
  causes.push(...optionalChoice(`${path}.matchPolicy`, hook.matchPolicy, MATCH_POLICIES))
  if (!isSet(hook.sideEffects)) {
    causes.push(required(`${path}.sideEffects`, `must specify one of ${SIDE_EFFECTS.join(', ')}`))
  } else if (!SIDE_EFFECTS.includes(textOf(hook.sideEffects))) {
    causes.push(notSupported(`${path}.sideEffects`, hook.sideEffects, SIDE_EFFECTS))
  }
  const seconds = numberOf(hook.timeoutSeconds)
  if (seconds < 1 || seconds > 30) {
    const detail = 'the timeout value must be between 1 and 30 seconds'
    causes.push(invalidValue(`${path}.timeoutSeconds`, seconds, detail))
  }
  return [
    ...causes,
    ...selectorErrors(`${path}.namespaceSelector`, hook.namespaceSelector),
    ...selectorErrors(`${path}.objectSelector`, hook.objectSelector),
    ...optionalChoice(`${path}.reinvocationPolicy`, hook.reinvocationPolicy, ['IfNeeded', 'Never']),
    ...clientErrors(fieldsOf(hook.clientConfig), `${path}.clientConfig`),
    ...matchConditionErrors(hook.matchConditions, `${path}.matchConditions`),
  ]
}

function nameErrors(name: string, path: string): Cause[] {
  if (name === '') return [required(path)]
  const found = dns1123Subdomain(name)
  if (found.length > 0) return [invalidValue(path, name, found.join(','))]
  if (name.split('.').length >= 3) return []
  return [invalidValue(path, name, 'should be a domain with at least three segments separated by dots')]
}

function versionErrors(versions: readonly string[], path: string): Cause[] {
  const at = `${path}.admissionReviewVersions`
  if (versions.length === 0) return [required(at, 'must specify one of v1, v1beta1')]
  const causes = versions.flatMap((version, index) => {
    const field = `${at}[${index}]`
    if (versions.indexOf(version) < index) return [invalidValue(field, version, 'duplicate version')]
    return dns1035Label(version).map((message) => invalidValue(field, version, message))
  })
  if (versions.includes('v1') || versions.includes('v1beta1')) return causes
  return [...causes, invalidValue(at, versions, 'must include at least one of v1, v1beta1')]
}

function clientErrors({ url, service }: Fields, path: string): Cause[] {
  if (isSet(url) === isSet(service)) return [required(path, 'exactly one of url or service is required')]
  if (isFields(service)) return serviceErrors(service, `${path}.service`)
  return urlErrors(textOf(url), `${path}.url`)
}

const FORM = '; desired format: https://host[/path]'

/** Go reads nearly everything as a URL, so that most mistakes show as missing parts. */
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
  // Kubernetes takes the one for the other in these two paths, and so do those who read them.
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
