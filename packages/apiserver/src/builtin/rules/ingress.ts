// Rules of Ingress and IngressClass: which requests from outside reach which services.

import { dns1035Label, dns1123Subdomain, isObject, type KubeObject, pathSegmentName } from '@homeostat/meta'
import { type Cause, forbiddenField, invalidValue, notSupported, required, tooLong } from '@homeostat/meta/server'
import { type Fields, fieldsOf, listOf, textOf } from '../fields-of.ts'
import type { KindRules } from '../schema-strategy.ts'
import { addressErrors, isAddress } from './addresses.ts'
import { domainPath } from './domain-path.ts'
import {
  dnsLabel,
  dnsSubdomain,
  fillMissing,
  immutable,
  isSet,
  items,
  messages,
  numberOf,
  portName,
  portNumber,
  requiredName,
  texts,
} from './field-checks.ts'

const CLASS_ANNOTATION = 'kubernetes.io/ingress.class'

export const ingressRules: Partial<KindRules> = {
  validate: (ingress) => [...ingressErrors(ingress), ...classErrors(ingress)],
  validateUpdate: (ingress) => [...ingressErrors(ingress), ...statusErrors(ingress)],
}

export const ingressClassRules: Partial<KindRules> = {
  applyDefaults(ingressClass) {
    const { parameters } = fieldsOf(ingressClass.spec)
    if (isObject(parameters)) fillMissing(parameters, 'scope', 'Cluster')
  },
  validate: ingressClassErrors,
  validateUpdate: (ingressClass, old) => [
    ...immutable('spec.controller', fieldsOf(ingressClass.spec).controller, fieldsOf(old.spec).controller),
    ...ingressClassErrors(ingressClass),
  ],
}

function ingressErrors(ingress: KubeObject): Cause[] {
  const spec = fieldsOf(ingress.spec)
  const causes: Cause[] = []
  if (listOf(spec.rules).length === 0 && !isSet(spec.defaultBackend)) {
    causes.push(invalidValue('spec', listOf(spec.rules), 'either `defaultBackend` or `rules` must be specified'))
  }
  return [
    ...causes,
    ...(isObject(spec.defaultBackend) ? backendErrors(spec.defaultBackend, 'spec.defaultBackend') : []),
    ...items(spec.rules, 'spec.rules').flatMap(({ item, path }) => ruleErrors(item, path)),
    ...items(spec.tls, 'spec.tls').flatMap(({ item, path }) => [
      ...texts(item.hosts).flatMap((host, index) => hostErrors(`${path}.hosts[${index}]`, host)),
      ...(textOf(item.secretName) === '' ? [] : dnsSubdomain(`${path}.secretName`, item.secretName)),
    ]),
    ...(isSet(spec.ingressClassName) ? dnsSubdomain('spec.ingressClassName', spec.ingressClassName) : []),
  ]
}

function classErrors({ metadata, spec }: KubeObject): Cause[] {
  const annotation = metadata.annotations?.[CLASS_ANNOTATION]
  const name = fieldsOf(spec).ingressClassName
  if (annotation === undefined || !isSet(name) || annotation === name) return []
  const detail = 'must match `ingressClassName` when both are specified'
  return [invalidValue(`annotations.${CLASS_ANNOTATION}`, annotation, detail)]
}

function statusErrors(ingress: KubeObject): Cause[] {
  const { ingress: points } = fieldsOf(fieldsOf(ingress.status).loadBalancer)
  return items(points, 'status.loadBalancer.ingress').flatMap(({ item, path }) => [
    ...(textOf(item.ip) === '' ? [] : addressErrors(`${path}.ip`, textOf(item.ip))),
    ...(textOf(item.hostname) === '' ? [] : nameErrors(`${path}.hostname`, textOf(item.hostname))),
  ])
}

/** A hostname, possibly with a wildcard: `*.example.com`. */
function hostErrors(path: string, host: string): Cause[] {
  if (!host.includes('*')) return dnsSubdomain(path, host)
  const rest = host.startsWith('*.') ? host.slice(2) : host
  const found = host.startsWith('*.')
    ? dns1123Subdomain(rest)
    : ['must start with `*.` and continue as a DNS subdomain']
  return messages(path, host, found)
}

function nameErrors(path: string, name: string): Cause[] {
  const causes = dnsSubdomain(path, name)
  return isAddress(name) ? [...causes, invalidValue(path, name, 'must be a DNS name, not an IP address')] : causes
}

function ruleErrors(rule: Fields, path: string): Cause[] {
  const host = textOf(rule.host)
  const causes: Cause[] = []
  if (isAddress(host)) causes.push(invalidValue(`${path}.host`, host, 'must be a DNS name, not an IP address'))
  if (host !== '') causes.push(...hostErrors(`${path}.host`, host))
  if (!isObject(rule.http)) return causes
  const at = `${path}.http.paths`
  if (listOf(rule.http.paths).length === 0) causes.push(required(at))
  return [...causes, ...items(rule.http.paths, at).flatMap((one) => pathErrors(one.item, one.path))]
}

const BAD_SEQUENCES = ['//', '/./', '/../', '%2f', '%2F']
const BAD_ENDS = ['/..', '/.']

function pathErrors(item: Fields, path: string): Cause[] {
  const [type, value] = [item.pathType, textOf(item.path)]
  if (!isSet(type)) return [required(`${path}.pathType`, 'pathType must be specified')]
  const causes: Cause[] = []
  const add = (detail: string) => causes.push(invalidValue(`${path}.path`, value, detail))
  const exact = type === 'Exact' || type === 'Prefix'
  if (!exact && type !== 'ImplementationSpecific') {
    causes.push(notSupported(`${path}.pathType`, type, ['Exact', 'ImplementationSpecific', 'Prefix']))
  } else if (!value.startsWith('/') && (exact || value !== '')) add('must be an absolute path')
  if (exact) {
    for (const sequence of BAD_SEQUENCES) if (value.includes(sequence)) add(`must not contain '${sequence}'`)
    for (const end of BAD_ENDS) if (value.endsWith(end)) add(`cannot end with '${end}'`)
  }
  return [...causes, ...backendErrors(fieldsOf(item.backend), `${path}.backend`)]
}

function backendErrors({ resource, service }: Fields, path: string): Cause[] {
  if (isSet(resource) && isSet(service)) {
    return [invalidValue(path, '', 'cannot set both resource and service backends')]
  }
  if (isObject(resource)) return referenceErrors(resource, `${path}.resource`)
  if (!isObject(service)) return [invalidValue(path, '', 'resource or service backend is required')]
  const { name, number } = fieldsOf(service.port)
  const causes = requiredName(`${path}.service.name`, service.name, (at, value) =>
    messages(at, value, dns1035Label(textOf(value))),
  )
  const [named, numbered] = [textOf(name) !== '', numberOf(number) !== 0]
  if (named && numbered) return [...causes, invalidValue(path, '', 'cannot set both port name & port number')]
  if (named) return [...causes, ...portName(`${path}.service.port.name`, name)]
  if (numbered) return [...causes, ...portNumber(`${path}.service.port.number`, number)]
  return [...causes, required(path, 'port name or number is required')]
}

function referenceErrors(reference: Fields, path: string): Cause[] {
  const segment = (at: string, value: unknown) => messages(at, value, pathSegmentName(textOf(value)))
  return [
    ...(isSet(reference.apiGroup) ? dnsSubdomain(`${path}.apiGroup`, reference.apiGroup) : []),
    ...requiredName(`${path}.kind`, reference.kind, segment),
    ...requiredName(`${path}.name`, reference.name, segment),
  ]
}

function ingressClassErrors(ingressClass: KubeObject): Cause[] {
  const { controller, parameters } = fieldsOf(ingressClass.spec)
  const causes = textOf(controller).length > 250 ? [tooLong('spec.controller', 250)] : []
  causes.push(...domainPath('spec.controller', textOf(controller)))
  if (!isObject(parameters)) return causes
  const path = 'spec.parameters'
  causes.push(...referenceErrors(parameters, path))
  const { scope, namespace } = parameters
  if (scope === 'Namespace') {
    if (isSet(namespace)) causes.push(...dnsLabel(`${path}.namespace`, namespace))
    else causes.push(required(`${path}.namespace`, "`parameters.scope` is set to 'Namespace'"))
  } else if (scope !== 'Cluster') causes.push(notSupported(`${path}.scope`, scope, ['Cluster', 'Namespace']))
  else if (isSet(namespace)) {
    causes.push(forbiddenField(`${path}.namespace`, "`parameters.scope` is set to 'Cluster'"))
  }
  return causes
}
