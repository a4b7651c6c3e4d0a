// Prints a list as a table or as objects, once or with every change (`--watch`). The list verbs call it.

import type { ApiObject } from '@homeostat/client'
import type { Session } from '../access/session.ts'
import type { Watched } from '../access/wait.ts'
import { draw } from '../output/escape-controls.ts'
import { type Output, printObject, printObjects, showsObjects } from '../output/objects.ts'
import { paintFor } from '../output/style.ts'
import { type Column, tableOf } from '../output/table.ts'
import type { Terminal } from '../terminal.ts'

export interface Listing<T> {
  readonly columns: readonly Column<T>[]
  readonly output: Output
  /** Printed instead of an empty table. */
  readonly empty: string
}

export async function printList<T extends ApiObject>(
  terminal: Terminal,
  { columns, output, empty }: Listing<T>,
  items: readonly T[],
): Promise<void> {
  if (showsObjects(output)) return printObjects(terminal, output, items)
  if (items.length === 0) return terminal.error(`${empty}\n`)
  const table = tableOf(shownColumns(columns, output), items, look(terminal))
  draw(terminal, `${[table.head(), ...items.map(table.row)].join('\n')}\n`)
}

/** Prints a row for every change until standard output is closed. `gone` makes the last row of a deleted object. */
export async function printChanges<T extends ApiObject>(
  { client }: Session,
  terminal: Terminal,
  { columns, output }: Listing<T>,
  sources: readonly { readonly watched: Watched; readonly first: readonly T[] }[],
  gone: (item: T) => T,
): Promise<void> {
  // Verbs that only ask once do not need informers.
  const { createInformers } = await import('@homeostat/client')
  let isTold = false
  const informers = createInformers(client, {
    onTrouble(error) {
      if (!isTold) terminal.error(`homeostat: ${error.message}; trying again\n`)
      isTold = true
    },
  })
  const first = sources.flatMap((source) => source.first)
  const table = tableOf(shownColumns(columns, output), first, look(terminal))
  const print = async (item: T) => {
    if (showsObjects(output)) await printObject(terminal, output, item)
    else draw(terminal, `${table.row(item)}\n`)
  }
  if (!showsObjects(output)) draw(terminal, `${table.head()}\n`)
  let printing = Promise.resolve()
  for (const { watched } of sources) {
    informers.open<T>(watched.apiVersion, watched.kind, watched.selection).subscribe(({ type, object }) => {
      isTold = false
      printing = printing.then(() => print(type === 'deleted' ? gone(object) : object))
    })
  }
  await unread(terminal)
  informers.close()
}

function unread({ unread }: Terminal): Promise<void> {
  return new Promise((resolve) => {
    if (unread?.aborted) resolve()
    else unread?.addEventListener('abort', () => resolve(), { once: true })
  })
}

function shownColumns<T>(columns: readonly Column<T>[], output: Output): Column<T>[] {
  return columns.filter(({ wide }) => !wide || output === 'wide')
}

function look(terminal: Terminal) {
  return { width: terminal.columns, paint: paintFor(terminal) }
}
