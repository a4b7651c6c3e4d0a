// Checks the DNS policy and DNS config of a pod.

import { dns1123Subdomain, isObject } from '@homeostat/meta'
import { type Cause, invalidValue, required } from '@homeostat/meta/server'
import { type Fields, fieldsOf, textOf } from '../fields-of.ts'
import { addressErrors } from './addresses.ts'
import { items, messages, texts } from './field-checks.ts'

export function dnsConfigErrors(spec: Fields, path: string): Cause[] {
  const config = spec.dnsConfig
  if (spec.dnsPolicy === 'None') {
    if (!isObject(config)) return [required(path, 'must provide `dnsConfig` when `dnsPolicy` is None')]
    if (texts(config.nameservers).length === 0) {
      return [required(`${path}.nameservers`, 'must provide at least one DNS nameserver when `dnsPolicy` is None')]
    }
  }
  const { nameservers, searches, options } = fieldsOf(config)
  const [servers, names] = [texts(nameservers), texts(searches)]
  const causes: Cause[] = []
  if (servers.length > 3) {
    causes.push(invalidValue(`${path}.nameservers`, servers, 'must not have more than 3 nameservers'))
  }
  causes.push(...servers.flatMap((server, index) => addressErrors(`${path}.nameservers[${index}]`, server)))
  if (names.length > 32) causes.push(invalidValue(`${path}.searches`, names, 'must not have more than 32 search paths'))
  if (names.join(' ').length > 2048) {
    const detail = 'must not have more than 2048 characters (including spaces) in the search list'
    causes.push(invalidValue(`${path}.searches`, names, detail))
  }
  names.forEach((name, index) => {
    if (name !== '.') causes.push(...searchErrors(`${path}.searches[${index}]`, name.replace(/\.$/, '')))
  })
  for (const { item, path: at } of items(options, `${path}.options`)) {
    if (textOf(item.name) === '') causes.push(required(at, 'must not be empty'))
  }
  return causes
}

/** Search domains may have underscores, because real resolvers use them. */
function searchErrors(path: string, name: string): Cause[] {
  return messages(path, name, dns1123Subdomain(name.replace(/_/g, 'a')))
}
