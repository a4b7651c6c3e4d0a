// Rules of Endpoints and EndpointSlice: the addresses behind a service.

import { deepEqual, dns1123Subdomain, type KubeObject, labelValue } from '@homeostat/meta'
import { type Cause, duplicate, invalidValue, required, tooMany } from '@homeostat/meta/server'
import { type Fields, fieldsOf, listOf, textOf } from '../fields-of.ts'
import type { KindRules } from '../schema-strategy.ts'
import { addressErrors, isIPv6, reachableErrors } from './addresses.ts'
import { PROTOCOLS } from './container-checks.ts'
import {
  choice,
  dnsLabel,
  dnsSubdomain,
  fill,
  fillMissing,
  immutable,
  isSet,
  items,
  messages,
  optionalChoice,
  portNumber,
  qualified,
  structs,
  texts,
} from './field-checks.ts'
import { labelErrors } from './label-checks.ts'

export const endpointsRules: Partial<KindRules> = {
  applyDefaults(endpoints) {
    for (const subset of structs(endpoints, 'subsets')) {
      for (const port of structs(subset, 'ports')) fill(port, 'protocol', 'TCP')
    }
  },
  validate: (endpoints) => subsetErrors(endpoints.subsets),
  validateUpdate: (endpoints, old) =>
    deepEqual(endpoints.subsets ?? null, old.subsets ?? null) ? [] : subsetErrors(endpoints.subsets),
}

function subsetErrors(subsets: unknown): Cause[] {
  return items(subsets, 'subsets').flatMap(({ item, path }) => {
    const causes: Cause[] = []
    if (listOf(item.addresses).length === 0 && listOf(item.notReadyAddresses).length === 0) {
      causes.push(required(path, 'must specify `addresses` or `notReadyAddresses`'))
    }
    const several = listOf(item.ports).length > 1
    return [
      ...causes,
      ...['addresses', 'notReadyAddresses'].flatMap((list) =>
        items(item[list], `${path}.${list}`).flatMap((one) => targetErrors(one.item, one.path)),
      ),
      ...items(item.ports, `${path}.ports`).flatMap((one) => portErrors(one.item, one.path, several)),
    ]
  })
}

function targetErrors(address: Fields, path: string): Cause[] {
  const ip = textOf(address.ip)
  return [
    ...addressErrors(`${path}.ip`, ip),
    ...(textOf(address.hostname) === '' ? [] : dnsLabel(`${path}.hostname`, address.hostname)),
    ...(isSet(address.nodeName) ? dnsSubdomain(`${path}.nodeName`, address.nodeName) : []),
    ...reachableErrors(`${path}.ip`, ip),
  ]
}

function portErrors(port: Fields, path: string, several: boolean): Cause[] {
  const name = textOf(port.name)
  const causes = name === '' ? [] : dnsLabel(`${path}.name`, name)
  if (name === '' && several) causes.push(required(`${path}.name`))
  return [
    ...causes,
    ...portNumber(`${path}.port`, port.port),
    ...choice(`${path}.protocol`, port.protocol, PROTOCOLS),
    ...(isSet(port.appProtocol) ? qualified(`${path}.appProtocol`, port.appProtocol) : []),
  ]
}

const MAX_ENDPOINTS = 1000
const MAX_ADDRESSES = 100
const MAX_PORTS = 20_000
const MAX_HINTS = 8

export const endpointSliceRules: Partial<KindRules> = {
  prepareForCreate(slice) {
    // A field of an older API version: a create drops it, an update may keep it.
    for (const endpoint of structs(slice, 'endpoints')) delete endpoint.deprecatedTopology
  },
  applyDefaults(slice) {
    for (const port of structs(slice, 'ports')) {
      fillMissing(port, 'name', '')
      fillMissing(port, 'protocol', 'TCP')
    }
  },
  validate: (slice) => [...sliceErrors(slice), ...endpointErrors(slice)],
  validateUpdate: (slice, old) => [
    ...sliceErrors(slice),
    ...(deepEqual(slice.endpoints ?? null, old.endpoints ?? null) ? [] : endpointErrors(slice)),
    ...immutable('addressType', slice.addressType, old.addressType),
  ],
}

function sliceErrors(slice: KubeObject): Cause[] {
  const causes = choice('addressType', slice.addressType, ['FQDN', 'IPv4', 'IPv6'])
  const ports = listOf(slice.ports)
  if (ports.length > MAX_PORTS) return [...causes, tooMany('ports', ports.length, MAX_PORTS)]
  const names = new Set<string>()
  for (const { item, path } of items(ports, 'ports')) {
    const name = textOf(item.name)
    if (name !== '') causes.push(...dnsLabel(`${path}.name`, name))
    if (names.has(name)) causes.push(duplicate(`${path}.name`, name))
    names.add(name)
    causes.push(...optionalChoice(`${path}.protocol`, item.protocol, PROTOCOLS))
    if (isSet(item.appProtocol)) causes.push(...qualified(`${path}.appProtocol`, item.appProtocol))
  }
  return causes
}

function endpointErrors(slice: KubeObject): Cause[] {
  const { length } = listOf(slice.endpoints)
  if (length > MAX_ENDPOINTS) return [tooMany('endpoints', length, MAX_ENDPOINTS)]
  return items(slice.endpoints, 'endpoints').flatMap(({ item, path }) => {
    const at = `${path}.addresses`
    const addresses = texts(item.addresses)
    const causes = addresses.length === 0 ? [required(at, 'must contain at least 1 address')] : []
    if (addresses.length > MAX_ADDRESSES) causes.push(tooMany(at, addresses.length, MAX_ADDRESSES))
    addresses.forEach((address, index) => {
      causes.push(...sliceAddressErrors(textOf(slice.addressType), address, at, index))
    })
    return [
      ...causes,
      ...(isSet(item.nodeName) ? dnsSubdomain(`${path}.nodeName`, item.nodeName) : []),
      ...labelErrors(`${path}.deprecatedTopology`, item.deprecatedTopology),
      ...(isSet(item.hostname) ? dnsLabel(`${path}.hostname`, item.hostname) : []),
      ...hintErrors(fieldsOf(item.hints), `${path}.hints`),
    ]
  })
}

function sliceAddressErrors(type: string, address: string, path: string, index: number): Cause[] {
  const at = `${path}[${index}]`
  if (type === 'FQDN') return domainErrors(at, address)
  if (type !== 'IPv4' && type !== 'IPv6') return []
  const causes = addressErrors(at, address)
  if (causes.length > 0) return causes
  if (isIPv6(address) !== (type === 'IPv6')) causes.push(invalidValue(path, address, `must be an ${type} address`))
  return [...causes, ...reachableErrors(at, address)]
}

function domainErrors(path: string, name: string): Cause[] {
  if (name === '') return [required(path)]
  const plain = name.replace(/\.$/, '')
  const found = dns1123Subdomain(plain)
  if (found.length > 0) return [invalidValue(path, plain, found.join(','))]
  if (plain.includes('.')) return []
  return [invalidValue(path, plain, 'should be a domain with at least two segments separated by dots')]
}

function hintErrors(hints: Fields, path: string): Cause[] {
  for (const list of ['forZones', 'forNodes']) {
    const { length } = listOf(hints[list])
    if (length > MAX_HINTS) return [tooMany(`${path}.${list}`, length, MAX_HINTS)]
  }
  return ['forZones', 'forNodes'].flatMap((list) => {
    const seen = new Set<string>()
    return items(hints[list], `${path}.${list}`).flatMap(({ item, path: at }) => {
      const name = textOf(item.name)
      const causes = seen.has(name) ? [duplicate(`${at}.name`, name)] : []
      seen.add(name)
      return [
        ...causes,
        ...messages(`${at}.name`, name, list === 'forZones' ? labelValue(name) : dns1123Subdomain(name)),
      ]
    })
  })
}
