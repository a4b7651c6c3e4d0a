// Allocates cluster IPs of 10.0.0.0/24 and node ports of 30000-32767, each to one service. Existing services show which
// are in use; an allocation that is not stored yet is reserved until its write ends.

import { createHash } from 'node:crypto'
import { invalid, type KubeObject } from '@homeostat/meta'
import { type Cause, invalidValue } from '@homeostat/meta/server'
import { type Fields, fieldsOf, listOf, textOf } from '../fields-of.ts'
import { contains } from './addresses.ts'
import { ensure, items, numberOf, structs, texts } from './field-checks.ts'
import { needsAddress, needsHealthPort, needsNodePort } from './service-needs.ts'

export const SERVICE_RANGE = '10.0.0.0/24'
const FIRST_PORT = 30000
const PORTS = 2768
/** 10.0.0.0 and 10.0.0.255 are not host addresses, and 10.0.0.1 is this server's own. */
const ADDRESSES = 253
type Taken = ReadonlySet<string | number>

/** What one write allocates, until it ends. */
interface Reservation {
  readonly owner: string
  readonly things: Set<string | number>
}

export class ServiceAllocation {
  readonly #services: () => Iterable<KubeObject>
  readonly #reservations = new Set<Reservation>()

  /** `services` returns all existing services as they are stored. */
  constructor(services: () => Iterable<KubeObject>) {
    this.#services = services
  }

  /**
   * Fills in missing addresses and ports in place. Throws when the service asks for one that is in use or invalid. Call the
   * returned function when the write has ended: then the service is stored, or its addresses and ports are free.
   */
  allocate(service: KubeObject, old?: KubeObject): (() => void) | undefined {
    const spec = ensure(service, 'spec')
    // Validation refuses unknown types.
    const full = { ...spec, type: textOf(spec.type) || 'ClusterIP' }
    if (!needsAddress(full)) return undefined
    const reservation = { owner: ownerOf(service), things: new Set<string | number>() }
    const taken = this.#takenByOthers(reservation.owner)
    // An update keeps what the service has, even outside the ranges.
    const kept = new Set<string | number>(old ? allocatedBy(fieldsOf(old.spec)) : [])
    const causes = [...giveAddress(spec, taken, reservation, kept), ...givePorts(spec, full, taken, reservation, kept)]
    if (causes.length > 0) throw invalid({ group: '', kind: 'Service' }, service.metadata.name ?? '', causes)
    this.#reservations.add(reservation)
    return () => this.#reservations.delete(reservation)
  }

  #takenByOthers(owner: string): Set<string | number> {
    const taken = new Set<string | number>()
    for (const service of this.#services()) {
      if (ownerOf(service) !== owner) for (const one of allocatedBy(fieldsOf(service.spec))) taken.add(one)
    }
    for (const { owner: other, things } of this.#reservations) {
      if (other !== owner) for (const one of things) taken.add(one)
    }
    return taken
  }
}

function giveAddress(spec: Fields, taken: Taken, { owner, things }: Reservation, kept: Taken): Cause[] {
  const wanted = textOf(spec.clusterIP)
  if (wanted === '' && listOf(spec.clusterIPs).length === 0) {
    const address = firstFree(ADDRESSES, owner, (index) => `10.0.0.${index + 2}`, taken)
    if (address === undefined) return [exhausted('spec.clusterIPs', spec.clusterIPs, 'range is full')]
    things.add(address)
    spec.clusterIP = address
    spec.clusterIPs = [address]
    return []
  }
  if (wanted === '' || wanted === 'None' || kept.has(wanted)) return []
  if (!contains(SERVICE_RANGE, wanted)) {
    const detail = `the provided IP (${wanted}) is not in the valid range. The range of valid IPs is ${SERVICE_RANGE}`
    return /^\d+\.\d+\.\d+\.\d+$/.test(wanted) ? [exhausted('spec.clusterIPs', [wanted], detail)] : []
  }
  if (taken.has(wanted)) return [exhausted('spec.clusterIPs', [wanted], 'provided IP is already allocated')]
  things.add(wanted)
  return []
}

function givePorts(spec: Fields, full: Fields, taken: Taken, { owner, things }: Reservation, kept: Taken): Cause[] {
  const causes: Cause[] = []
  const own = new Set<number>()
  const next = (seed: string) =>
    firstFree(PORTS, seed, (index) => FIRST_PORT + index, new Set<string | number>([...taken, ...own]))
  const give = (holder: Fields, key: string, path: string, seed: string) => {
    if (numberOf(holder[key]) !== 0 && kept.has(numberOf(holder[key]))) return
    const port = numberOf(holder[key]) || next(seed)
    if (port === undefined || port < FIRST_PORT || port >= FIRST_PORT + PORTS) {
      const range = `provided port is not in the valid range. The range of valid ports is ${FIRST_PORT}-${FIRST_PORT + PORTS - 1}`
      causes.push(invalidValue(path, port, range))
    } else if (taken.has(port)) causes.push(invalidValue(path, port, 'provided port is already allocated'))
    else {
      own.add(port)
      things.add(port)
      holder[key] = port
    }
  }
  const all = full.type === 'NodePort' || (needsNodePort(full) && full.allocateLoadBalancerNodePorts !== false)
  const paths = items(spec.ports, 'spec.ports')
  // The same port over TCP and UDP shares one node port.
  const shared = new Map<number, number>()
  for (const port of structs(spec, 'ports')) {
    if (numberOf(port.nodePort) !== 0) shared.set(numberOf(port.port), numberOf(port.nodePort))
  }
  for (const [index, port] of structs(spec, 'ports').entries()) {
    if (!needsNodePort(full) || (!all && numberOf(port.nodePort) === 0)) continue
    port.nodePort = numberOf(port.nodePort) || shared.get(numberOf(port.port))
    give(port, 'nodePort', `${paths[index]?.path}.nodePort`, `${owner}/${index}`)
    shared.set(numberOf(port.port), numberOf(port.nodePort))
  }
  if (needsHealthPort(full)) give(spec, 'healthCheckNodePort', 'spec.healthCheckNodePort', `${owner}/health`)
  return causes
}

function ownerOf({ metadata }: KubeObject): string {
  return `${metadata.namespace}/${metadata.name}`
}

function allocatedBy(spec: Fields): (string | number)[] {
  const ports = structs(spec, 'ports').map((port) => numberOf(port.nodePort))
  return [...texts(spec.clusterIPs), ...ports, numberOf(spec.healthCheckNodePort)]
}

function exhausted(path: string, value: unknown, detail: string): Cause {
  return invalidValue(path, value, `failed to allocate IP: ${detail}`)
}

/** Starts at a hash of the owner's name, so that a recreated service gets the same value if it is free. */
function firstFree<T extends string | number>(
  count: number,
  seed: string,
  name: (index: number) => T,
  taken: ReadonlySet<string | number>,
): T | undefined {
  const start = createHash('sha256').update(seed).digest().readUInt32BE() % count
  for (let step = 0; step < count; step++) {
    const candidate = name((start + step) % count)
    if (!taken.has(candidate)) return candidate
  }
  return undefined
}
