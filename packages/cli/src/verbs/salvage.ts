// `homeostat salvage`: recovers the readable records of a damaged data directory, and lists what is lost.

import { existsSync } from 'node:fs'
import { resolve } from 'node:path'
import { messageOf } from '@homeostat/base'
import { type Salvaged, salvageDirectory } from '@homeostat/store/maintenance'
import { Fault } from '../fault.ts'
import type { dataOptions } from '../options/option-groups.ts'
import type { Values } from '../options/option-table.ts'
import type { Terminal } from '../terminal.ts'
import { noOperands } from './operands.ts'

type SalvageValues = Values<(typeof dataOptions)[number]>

const MOST_NAMED = 100

export async function salvage(values: SalvageValues, operands: readonly string[], terminal: Terminal): Promise<number> {
  noOperands(operands)
  const directory = resolve(values['data-dir'])
  if (!existsSync(directory)) throw new Fault(`there is no data directory ${directory}; name it with --data-dir`)
  let salvaged: Salvaged
  try {
    salvaged = await salvageDirectory(directory)
  } catch (cause) {
    throw new Fault(`nothing was changed: ${messageOf(cause)}`, { cause })
  }
  terminal.out(`${report(salvaged).join('\n')}\n`)
  return 0
}

function report({ objects, newest, next, lost, lostBetween, aside }: Salvaged): string[] {
  const named = lost.slice(0, MOST_NAMED).map(({ key, revision }) => `lost: ${key} as of revision ${revision}`)
  if (lost.length > MOST_NAMED) named.push(`lost: ${lost.length - MOST_NAMED} more`)
  return [
    `${objects} objects came back, up to revision ${newest}; the next revisions are above ${next}`,
    ...named,
    ...lostBetween.map(([from, to]) => `lost: whatever was written at revisions ${from} to ${to}`),
    ...(named.length + lostBetween.length === 0 ? ['nothing is known to be lost'] : []),
    `the old files are in ${aside}`,
  ]
}
