// `homeostat history TYPE NAME`: the generations that the server kept of an object, with who wrote each and when.

import { type HistoryEntry, labelOf } from '@homeostat/meta/history'
import { generationOf, readHistory } from '../../access/history.ts'
import { withServer } from '../../access/session.ts'
import type { historyOptions } from '../../options/option-groups.ts'
import type { Values } from '../../options/option-table.ts'
import { ageOf } from '../../output/cells.ts'
import { draw } from '../../output/escape-controls.ts'
import { encoded, printObject } from '../../output/objects.ts'
import { paintFor } from '../../output/style.ts'
import { type Column, tableOf } from '../../output/table.ts'
import type { Terminal } from '../../terminal.ts'
import { namedObject } from './named-object.ts'

const COLUMNS: readonly Column<HistoryEntry>[] = [
  { header: 'GENERATION', text: (entry) => labelOf(entry), firm: true },
  { header: 'CHANGE', text: ({ change, current }) => (current ? `${change}, current` : change) },
  { header: 'BY', text: ({ user = '' }) => user },
  { header: 'MANAGER', text: ({ manager = '' }) => manager },
  { header: 'AGE', text: ({ time }) => ageOf(time) },
  { header: 'TIME', text: ({ time = '' }) => time },
]

export async function history(
  values: Values<(typeof historyOptions)[number]>,
  operands: readonly string[],
  terminal: Terminal,
): Promise<number> {
  return withServer(values, terminal, async (session) => {
    const named = await namedObject(operands, session, 'history')
    const found = await readHistory(session.client, named)
    const { generation, 'history-output': output } = values
    if (generation !== undefined) {
      await printObject(terminal, output ?? 'yaml', generationOf(found, generation, named.name).object)
    } else if (output !== undefined) terminal.out(await encoded(output, found))
    else {
      const table = tableOf(
        COLUMNS,
        found.lives.flatMap(({ entries }) => entries),
        { width: terminal.columns, paint: paintFor(terminal) },
      )
      const lines = found.lives.flatMap(({ uid, entries }) => [
        ...(found.lives.length > 1 ? [`uid ${uid}`] : []),
        ...entries.map(table.row),
      ])
      draw(terminal, `${[table.head(), ...lines].join('\n')}\n`)
    }
    return 0
  })
}
