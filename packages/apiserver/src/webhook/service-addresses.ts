// Finds the address behind a Service that a webhook names: a configured one, or an endpoint that is ready. It reads the
// cache alone.

import { isObject, type KubeObject } from '@homeostat/meta'
import { readStored } from '@homeostat/meta/server'
import type { WatchCache } from '../cache/watch-cache.ts'
import { WebhookCallError } from './call-error.ts'

export interface ServicePort {
  readonly namespace: string
  readonly name: string
  readonly port: number
}

export interface HostPort {
  readonly host: string
  readonly port: number
}

type Fields = Readonly<Record<string, unknown>>

const SERVICE_LABEL = 'kubernetes.io/service-name'

export class ServiceAddresses {
  readonly #cache: WatchCache
  readonly #configured: Readonly<Record<string, string>>
  #turn = 0

  /** `configured` maps `namespace/name` to `host:port`. */
  constructor(cache: WatchCache, configured: Readonly<Record<string, string>> = {}) {
    this.#cache = cache
    this.#configured = configured
    for (const [name, text] of Object.entries(configured)) parseHostPort(name, text)
  }

  /** Throws a WebhookCallError that begins with `call` when there is none. */
  resolve(service: ServicePort, call: string): HostPort {
    const place = `${service.namespace}/${service.name}`
    const configured = this.#configured[place]
    if (configured !== undefined) return parseHostPort(place, configured)
    const fail = (reason: string) => new WebhookCallError(`${call}: ${reason}`)
    const found = this.#read('core/services', place)
    if (found === undefined) throw fail(`service "${service.name}" not found`)
    const spec = fieldsOf(found.spec)
    const port = listOf(spec.ports).find((one) => one.port === service.port)
    if (spec.type === 'ExternalName') return { host: String(spec.externalName), port: service.port }
    if (port === undefined) throw fail(`no service port ${service.port} found for service "${service.name}"`)
    const ready = [...this.#slices(service, port), ...this.#endpoints(place, port)]
    const chosen = ready[this.#turn++ % ready.length]
    if (chosen === undefined) throw fail(`no endpoints available for service "${service.name}"`)
    return chosen
  }

  #slices({ namespace, name }: ServicePort, port: Fields): HostPort[] {
    const found: HostPort[] = []
    for (const { name: key, damage } of this.#cache
      .resource('discovery.k8s.io/endpointslices')
      .tree.objects(`${namespace}/`)) {
      const slice = damage === undefined ? this.#read('discovery.k8s.io/endpointslices', key) : undefined
      if (slice?.metadata.labels?.[SERVICE_LABEL] !== name) continue
      const number = numberOf(listOf(slice.ports), port)
      if (number === undefined) continue
      for (const endpoint of listOf(slice.endpoints)) {
        if (fieldsOf(endpoint.conditions).ready === false) continue
        for (const address of Array.isArray(endpoint.addresses) ? endpoint.addresses : [])
          found.push({ host: String(address), port: number })
      }
    }
    return found
  }

  #endpoints(place: string, port: Fields): HostPort[] {
    const endpoints = this.#read('core/endpoints', place)
    return listOf(endpoints?.subsets).flatMap((subset) => {
      const number = numberOf(listOf(subset.ports), port)
      if (number === undefined) return []
      return listOf(subset.addresses).map(({ ip }) => ({ host: String(ip), port: number }))
    })
  }

  #read(storage: string, place: string): KubeObject | undefined {
    const cached = this.#cache.resource(storage).tree.get(place)
    return cached === undefined || cached.damage !== undefined ? undefined : readStored(cached.bytes, cached.metaEnd)
  }
}

/** Ports of endpoints have the names of the service's ports. */
function numberOf(ports: readonly Fields[], { name = '' }: Fields): number | undefined {
  const named = ports.find((one) => (one.name ?? '') === name)
  return typeof named?.port === 'number' ? named.port : undefined
}

function parseHostPort(service: string, text: string): HostPort {
  const [, host, port] = /^(?:\[([^\]]+)\]|([^:]+)):(\d+)$/.exec(text)?.filter((part) => part !== undefined) ?? []
  const number = Number(port)
  if (host !== undefined && number > 0 && number < 65_536) return { host, port: number }
  throw new Error(`the address of the webhook service ${service} is "${text}", and must be host:port`)
}

function fieldsOf(value: unknown): Fields {
  return isObject(value) ? (value as Fields) : {}
}

function listOf(value: unknown): Fields[] {
  return Array.isArray(value) ? value.filter(isObject).map((one) => one as Fields) : []
}
