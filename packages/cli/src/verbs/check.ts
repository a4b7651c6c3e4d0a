// `homeostat check`: reads the whole store for damage, also while a server uses it, and changes nothing.

import { existsSync } from 'node:fs'
import { resolve } from 'node:path'
import { messageOf } from '@homeostat/base'
import type { DamagedRecord } from '@homeostat/store'
import { type CheckReport, checkDirectory } from '@homeostat/store/maintenance'
import { Fault } from '../fault.ts'
import type { dataOptions } from '../options/option-groups.ts'
import type { Values } from '../options/option-table.ts'
import { progressOn } from '../output/progress.ts'
import type { Terminal } from '../terminal.ts'
import { noOperands } from './operands.ts'

type CheckValues = Values<(typeof dataOptions)[number]>

/** How many damaged records get a line of their own; the rest are counted. */
const MOST_LINES = 100

/** Returns 0 if nothing is damaged, else 1. */
export async function check(values: CheckValues, operands: readonly string[], terminal: Terminal): Promise<number> {
  noOperands(operands)
  const directory = resolve(values['data-dir'])
  if (!existsSync(directory)) throw new Fault(`there is no data directory ${directory}; name it with --data-dir`)
  const progress = progressOn(terminal)
  let lines = 0
  try {
    const report = await checkDirectory(directory, {
      damaged(record) {
        progress.end()
        if (lines++ < MOST_LINES) terminal.out(`${lineOf(record)}\n`)
      },
      progress: (records, revision) => progress.show(`${records} records read, at revision ${revision}`),
    })
    progress.end()
    for (const line of report.structure) terminal.out(`the file: ${line}\n`)
    terminal.out(`${summaryOf(directory, report)}\n`)
    return report.damaged + report.structure.length === 0 ? 0 : 1
  } catch (cause) {
    progress.end()
    throw new Fault(`the store cannot be read: ${messageOf(cause)}`, { cause })
  }
}

/** A damaged key may hold anything, so it is quoted. */
function lineOf({ revision, key, problem }: DamagedRecord): string {
  return `revision ${revision}${key === undefined ? '' : `, ${JSON.stringify(key)}`}: ${problem}`
}

function summaryOf(directory: string, { records, revision, damaged, structure }: CheckReport): string {
  const what = `${records} records up to revision ${revision} in ${directory}`
  if (damaged === 0 && structure.length === 0) return `${what}: all are sound`
  const more = damaged > MOST_LINES ? ` (${damaged - MOST_LINES} of them not shown)` : ''
  const advice = 'objects whose newest record is damaged can be deleted and made again, or a backup restored'
  return `${what}: ${damaged} damaged${more}; ${advice}`
}
