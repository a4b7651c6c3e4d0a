// The names and addresses that the serving certificate is for: those of this machine, those by which programs in
// containers and Pods know it, and what --tls-san adds.

import { isIP } from 'node:net'
import type { networkInterfaces } from 'node:os'
import { usageFault } from '../fault.ts'
import { isLoopback } from './access-plan.ts'

export interface ServingNames {
  readonly dnsNames: readonly string[]
  readonly addresses: readonly string[]
}

export interface NamedMachine {
  readonly hostname: string
  readonly interfaces: ReturnType<typeof networkInterfaces>
}

const ALWAYS = [
  'localhost',
  'kubernetes',
  'kubernetes.default',
  'kubernetes.default.svc',
  'kubernetes.default.svc.cluster.local',
  'host.docker.internal',
  'host.containers.internal',
]
/** The address of the Service `kubernetes`. */
const SERVICE = '10.0.0.1'

/** `address` is the one to listen on. */
export function servingNames(address: string, more: readonly string[], machine: NamedMachine): ServingNames {
  const own = Object.values(machine.interfaces).flatMap((list) => (list ?? []).map((each) => each.address))
  const everywhere = address === '0.0.0.0' || address === '::'
  const reached = everywhere ? own : isLoopback(address) ? [] : [address]
  for (const name of more)
    if (isIP(name) === 0 && !NAME.test(name))
      throw usageFault(`--tls-san ${name}: this is neither a host name nor an address`)
  const names = more.filter((name) => isIP(name) === 0)
  const hostname = NAME.test(machine.hostname) ? [machine.hostname] : []
  return {
    dnsNames: sorted([...ALWAYS, ...hostname, ...names]),
    // An address with a zone means something else on every machine.
    addresses: sorted(
      ['127.0.0.1', '::1', SERVICE, ...reached, ...more.filter((name) => isIP(name) !== 0)].filter(
        (each) => !each.includes('%') && !/^fe80:/i.test(each),
      ),
    ),
  }
}

const NAME = /^(?:\*\.)?[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?(\.[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?)*$/i

/** In an order of its own, so that a change is a change of names. */
function sorted(names: readonly string[]): string[] {
  return [...new Set(names)].sort()
}
