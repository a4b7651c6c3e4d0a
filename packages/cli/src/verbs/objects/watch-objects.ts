// `homeostat get -w`: prints what is there, then a row or an object for every change until standard output is closed.

import type { Session } from '../../access/session.ts'
import { listTable, readTable, type ServerTable, TABLE } from '../../access/tables.ts'
import { Fault } from '../../fault.ts'
import { type Format, printFormatted } from '../../output/format.ts'
import type { Terminal } from '../../terminal.ts'
import { followTables } from './follow-tables.ts'
import { type Reference, selectionOf } from './references.ts'
import { type GetValues, layoutOf, show } from './table-view.ts'

export async function watchObjects(
  values: GetValues,
  references: readonly Reference[],
  format: Format,
  { session, terminal }: { readonly session: Session; readonly terminal: Terminal },
): Promise<void> {
  const [only, ...more] = references
  if (only === undefined || more.length > 0) throw new Fault('you may only specify a single resource type')
  const { client } = session
  const { kind, namespace, name } = only
  const named = name === undefined ? undefined : `metadata.name=${name}`
  const chosen = selectionOf(values)
  const fields = [named, chosen.fieldSelector].filter((one) => one !== undefined).join(',')
  const selection = { ...chosen, namespace, fieldSelector: fields || undefined }
  const whole = format.kind !== 'table'
  const list = () => listTable(client, kind, selection, whole)
  const first = await list()
  // The server says what is wrong with a name that is not there.
  if (name !== undefined && first.rows.length === 0) await readTable(client, kind, { namespace, name })
  const print = printer(values, only, format, terminal)
  if (!values['watch-only']) await print(first)
  const signal = terminal.unread ?? new AbortController().signal
  const onTrouble = (message: string) => terminal.error(`error: ${message}; trying again\n`)
  const accept = whole ? 'application/json' : TABLE
  for await (const table of followTables(client, first, { kind, selection, accept, list, onTrouble }, signal)) {
    await print(table)
  }
}

function printer(
  values: GetValues,
  { kind }: Reference,
  format: Format,
  terminal: Terminal,
): (table: ServerTable) => Promise<void> {
  if (format.kind === 'table') {
    const layout = layoutOf(kind, { values, terminal, wide: format.wide, isMixed: false })
    return async (table) => show(terminal, layout.lines(table))
  }
  const managedFields = values['show-managed-fields']
  let count = 0
  return async ({ rows }) => {
    for (const { object } of rows) {
      if (format.kind === 'yaml' && count > 0) terminal.out('---\n')
      const headers = count === 0 && !values['no-headers']
      await printFormatted(terminal, format, [object], { asList: false, headers, managedFields })
      count += 1
    }
  }
}
