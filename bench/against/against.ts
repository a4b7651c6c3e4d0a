// `npm run bench -- --against FOLDER`: what requests cost here and in another clone, in turns in one run, with a second
// server of our own code beside them that shows the noise. It judges a change of the code, not the bars.

import { existsSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { COLLECTION } from '../items/item.ts'
import { applyText, createText, getText, patchText, WATCH } from '../items/request-text.ts'
import type { Lab } from '../lab.ts'
import type { LoadGenerator } from '../load/load-generator.ts'
import type { RequestPlan } from '../load/protocol.ts'
import { measureLoad } from '../measure.ts'
import { type Program, sources } from '../servers/homeostat.ts'
import type { Server } from '../servers/server.ts'
import { judge, type Slices, type Verdict } from './verdict.ts'

const OBJECTS = 1000
const SLICES = 15
const SIDES = ['ours', 'other', 'twin'] as const

interface Work {
  readonly work: string
  readonly count: number
  /** So many watches are open, and each operation is a change that all of them are told. */
  readonly watchers?: number
  plan(server: Server, slice: number, count: number): Omit<RequestPlan, 'port'>
}

const cycling = { connections: 64, cycle: OBJECTS, status: 200 }
const works: readonly Work[] = [
  {
    work: 'GET one object',
    count: 4000,
    plan: ({ port }, _slice, count) => ({
      connections: 64,
      count,
      status: 200,
      text: getText(port, `${COLLECTION}/item-00000000`),
    }),
  },
  {
    work: 'LIST 1,000 objects',
    count: 60,
    plan: ({ port }, _slice, count) => ({ connections: 2, count, status: 200, text: getText(port, COLLECTION) }),
  },
  {
    work: 'merge patch',
    count: 1200,
    plan: ({ port }, slice, count) => ({ ...cycling, count, first: slice * count, text: patchText(port) }),
  },
  {
    work: 'apply of an unchanged object',
    count: 1200,
    plan: ({ port }, _slice, count) => ({ ...cycling, count, text: applyText(port) }),
  },
  {
    work: 'merge patch that 200 watchers are told',
    count: 250,
    watchers: 200,
    plan: ({ port }, slice, count) => ({ ...cycling, count, first: slice * count, text: patchText(port) }),
  },
  // Last, since it makes the lists longer.
  {
    work: 'durable create',
    count: 1200,
    plan: ({ port }, slice, count) => ({
      connections: 64,
      count,
      first: OBJECTS + slice * count,
      status: 201,
      text: createText(port),
    }),
  },
]

/** Resolves to whether no row is worse. */
export async function compareWith(folder: string, lab: Lab, wanted: (work: string) => boolean): Promise<boolean> {
  const sides: Record<keyof Slices, Server> = {
    ours: await lab.startWithDefinition(),
    twin: await lab.startWithDefinition(),
    other: await lab.startWithDefinition(programOf(folder)),
  }
  for (const server of Object.values(sides)) await lab.fill(server, 0, OBJECTS)
  let fine = true
  for (const work of works.filter((one) => wanted(one.work))) {
    const verdict = judge(await measure(lab, sides, work))
    console.log(line(work.work, verdict))
    fine &&= !verdict.worse
  }
  return fine
}

function programOf(folder: string): Program {
  const main = join(resolve(folder), 'packages/cli/src/main.ts')
  if (!existsSync(main)) throw new Error(`${folder} is no clone of this repository: there is no ${main}`)
  const hook = join(resolve(folder), 'scripts/quick-imports.ts')
  // The same flags as ours: the young generation is part of what is measured.
  const flags = sources.filter((flag) => flag.startsWith('--') && !flag.startsWith('--import'))
  return [...flags, ...(existsSync(hook) ? [`--import=${pathToFileURL(hook)}`] : []), main]
}

async function measure(lab: Lab, sides: Record<keyof Slices, Server>, work: Work): Promise<Slices> {
  const { watchers = 0, plan } = work
  const count = lab.count(work.count)
  const costs: Record<keyof Slices, number[]> = { ours: [], twin: [], other: [] }
  const loads = { ours: lab.load, twin: lab.load, other: lab.load }
  if (watchers > 0) for (const side of SIDES) loads[side] = await withWatchers(lab, sides[side], watchers)
  // The first slice of each side warms it up.
  for (let slice = 0; slice <= SLICES; slice++) {
    for (const side of SIDES) {
      const server = sides[side]
      const { cpuUs } = await measureLoad(loads[side], server, plan(server, slice, count), watchers > 0)
      if (slice > 0) costs[side].push(cpuUs)
    }
  }
  if (watchers > 0) for (const load of Object.values(loads)) load.end()
  return costs
}

/** They are told what changes from now on. */
async function withWatchers(lab: Lab, { port }: Server, watchers: number): Promise<LoadGenerator> {
  const load = lab.newLoad()
  await load.watch({ port, watchers, text: getText(port, WATCH) })
  return load
}

function line(work: string, { ours, other, change, noise, worse }: Verdict): string {
  const percent = (value: number) => `${(value * 100).toFixed(1)} %`
  return [
    work,
    `here ${ours.toFixed(0)} µs CPU`,
    `there ${other.toFixed(0)} µs`,
    `${change >= 0 ? '+' : ''}${percent(change)}, noise ${percent(noise)}`,
    worse ? '**worse**' : 'fine',
  ].join(' · ')
}
