// What goes wrong in a run, drawn from its seed: when, what, and for how long. Pure; fault-hands.ts carries it out.

import type { Random } from '../crash/random.ts'
import type { Way } from './network.ts'

export const SERVERS = ['s1', 's2', 's3'] as const
export const MEMBERS = ['m1', 'm2', 'm3'] as const

export type Fault =
  /** The process ends at once, and comes again when the fault is over; `leader` is the member that leads then. */
  | { readonly type: 'kill' | 'pause'; readonly whom: string }
  /** Asked to end, as by a restart. */
  | { readonly type: 'restart'; readonly whom: string }
  /** Each fsync of the member takes so much longer. */
  | { readonly type: 'slow-disk'; readonly whom: string; readonly delayMs: number }
  /** Nothing comes through these ways. */
  | { readonly type: 'partition'; readonly shape: string; readonly cut: readonly Way[] }
  /** All but the newest changes are forgotten, whoever still reads them. */
  | { readonly type: 'compact' }
  | { readonly type: 'replace'; readonly whom: string }
  /** All members lose their data and get those of a snapshot that was taken `ms` before. */
  | { readonly type: 'restore' }

export interface PlannedFault {
  /** After the end of the fault before, or after its beginning when they overlap. */
  readonly afterMs: number
  readonly overlaps: boolean
  readonly forMs: number
  readonly fault: Fault
}

const FAULTS = 10
/** Longer than a server may be silent before others lead what it led. */
const LONG_MS = 5500

export function drawPlan(random: Random): PlannedFault[] {
  const plan = Array.from({ length: FAULTS }, () => ({
    afterMs: random.between(0, 900),
    overlaps: random.between(0, 3) === 0,
    forMs: random.between(0, 4) === 0 ? random.between(3000, LONG_MS) : random.between(50, 2000),
    fault: drawFault(random),
  }))
  // Both take long, and a second one of them shows nothing new.
  const rare = random.pick([undefined, undefined, 'replace', 'restore'] as const)
  if (rare !== undefined) {
    const fault: Fault = rare === 'restore' ? { type: rare } : { type: rare, whom: random.pick(MEMBERS) }
    plan.splice(random.between(2, FAULTS), 0, { afterMs: 0, overlaps: false, forMs: random.between(0, 1000), fault })
  }
  return plan
}

function drawFault(random: Random): Fault {
  const server = random.pick(SERVERS)
  const member = random.pick([...MEMBERS, 'leader', 'leader'] as const)
  const draws: readonly [() => Fault, ...(() => Fault)[]] = [
    () => ({ type: 'kill', whom: server }),
    () => ({ type: 'pause', whom: server }),
    () => ({ type: 'restart', whom: server }),
    () => ({ type: 'kill', whom: member }),
    () => ({ type: 'pause', whom: member }),
    () => ({ type: 'slow-disk', whom: member, delayMs: random.pick([20, 100, 400]) }),
    () => drawPartition(random),
    () => drawPartition(random),
    () => drawPartition(random),
    () => ({ type: 'compact' }),
  ]
  return random.pick(draws)()
}

export function drawPartition(random: Random): Fault {
  const server = random.pick(SERVERS)
  const member = random.pick(MEMBERS)
  const [other = '', third = ''] = MEMBERS.filter((one) => one !== member)
  const all = [...SERVERS, ...MEMBERS]
  const shapes: readonly [[string, readonly Way[]], ...[string, readonly Way[]][]] = [
    ['a server reaches no member', both([server], MEMBERS)],
    ['a server does not reach one member', both([server], [member])],
    ['a server is not heard', ways([server], MEMBERS)],
    ['a server hears nothing', ways(MEMBERS, [server])],
    ['a member is alone among members', both([member], MEMBERS)],
    ['a member is not heard by members', ways([member], MEMBERS)],
    ['a member hears no members', ways(MEMBERS, [member])],
    ['a member and a server on their own', both([member, server], all)],
    ['two members meet only at the third', both([other], [third])],
    ['all members on their own', both(MEMBERS, MEMBERS)],
    ['any ways', ways(all, all).filter(() => random.between(0, 3) === 0)],
  ]
  const [shape, cut] = random.pick(shapes)
  return { type: 'partition', shape, cut: cut.filter((way) => !isInside(way, [member, server], shape)) }
}

/** On the small side of a network that broke in two, programs reach each other. */
function isInside({ from, to }: Way, side: readonly string[], shape: string): boolean {
  return shape === 'a member and a server on their own' && side.includes(from) && side.includes(to)
}

function both(some: readonly string[], others: readonly string[]): Way[] {
  return [...ways(some, others), ...ways(others, some)]
}

function ways(from: readonly string[], to: readonly string[]): Way[] {
  return from.flatMap((one) => to.filter((other) => other !== one).map((other) => ({ from: one, to: other })))
}

/** One fault, for a person. */
export function describeFault({ fault, forMs }: Pick<PlannedFault, 'fault' | 'forMs'>): string {
  const whom = 'whom' in fault ? ` ${fault.whom}` : ''
  const cut =
    fault.type === 'partition' ? ` (${fault.shape}: ${fault.cut.map(({ from, to }) => `${from}>${to}`).join(' ')})` : ''
  const delay = fault.type === 'slow-disk' ? ` by ${fault.delayMs} ms` : ''
  return `${fault.type}${whom}${delay}${cut} for ${forMs} ms`
}
