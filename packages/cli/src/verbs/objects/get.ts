// `homeostat get TYPE [NAME...]`: prints objects as the server's tables or as they are, once or with every change.

import type { ApiObject } from '@homeostat/client'
import { isMissing } from '../../access/failure.ts'
import { listObjects, readObject } from '../../access/objects.ts'
import type { ServedKind } from '../../access/served-kinds.ts'
import { type Session, withServer } from '../../access/session.ts'
import { listTable, readTable, type ServerTable } from '../../access/tables.ts'
import { Fault } from '../../fault.ts'
import { type Format, formatOf, printFormatted } from '../../output/format.ts'
import type { TableLayout } from '../../output/server-table.ts'
import { sortedBy } from '../../output/sort-by.ts'
import type { Terminal } from '../../terminal.ts'
import { Problems } from './problems.ts'
import { type Reference, referencesOf, selectionOf } from './references.ts'
import { type GetValues, layoutOf, show } from './table-view.ts'
import { watchObjects } from './watch-objects.ts'

export async function get(values: GetValues, operands: readonly string[], terminal: Terminal): Promise<number> {
  if (operands.length === 0 && values.filename.length === 0) {
    throw new Fault('Required resource not specified: homeostat get TYPE [NAME...], or -f FILE')
  }
  const format = formatOf(values['get-output'])
  return withServer(values, terminal, async (session) => {
    const problems = new Problems(terminal, session.url)
    const references = await referencesOf(values, operands, { session, terminal, problems })
    if (values.watch || values['watch-only']) {
      await watchObjects(values, references, format, { session, terminal })
    } else {
      const getting = { values, session, terminal, problems }
      if (format.kind === 'table') await printTables(references, format, getting)
      else await printWhole(references, format, getting)
    }
    return problems.exitCode
  })
}

interface Getting {
  readonly values: GetValues
  readonly session: Session
  readonly terminal: Terminal
  readonly problems: Problems
}

/** Reads all at once, and reports what failed in the order of the arguments. */
async function readAll<T>(
  references: readonly Reference[],
  { values, problems }: Getting,
  read: (reference: Reference) => Promise<T>,
): Promise<{ readonly reference: Reference; readonly value: T }[]> {
  const outcomes = await Promise.allSettled(references.map(read))
  return outcomes.flatMap((outcome, at) => {
    const reference = references[at] as Reference
    if (outcome.status === 'fulfilled') return [{ reference, value: outcome.value }]
    const isIgnored = values['ignore-not-found'] && isMissing(outcome.reason)
    if (!isIgnored) problems.report(outcome.reason, reference.where)
    return []
  })
}

async function printTables(
  references: readonly Reference[],
  { wide }: { wide: boolean },
  getting: Getting,
): Promise<void> {
  const { values, session, terminal, problems } = getting
  const path = values['sort-by']
  const tables = await readAll(references, getting, (reference) => tableOf(reference, getting))
  const isMixed = new Set(tables.map(({ reference }) => reference.kind)).size > 1
  let layout: { readonly kind: ServedKind; readonly table: TableLayout } | undefined
  let text = ''
  for (const { reference, value } of merged(tables)) {
    const rows = path === undefined ? value.rows : sortedBy(value.rows, path, ({ object }) => object)
    if (rows.length === 0) continue
    if (layout?.kind !== reference.kind) {
      if (text !== '' && !values['no-headers']) text += '\n'
      layout = { kind: reference.kind, table: layoutOf(reference.kind, { values, terminal, wide, isMixed }) }
    }
    text += layout.table.lines({ ...value, rows })
  }
  if (text !== '') show(terminal, text)
  else if (problems.exitCode === 0 && !values['ignore-not-found']) terminal.error(noneText(references, values, session))
}

/** Tables of the same kind that follow each other become one, so that their columns are aligned. */
function merged<R extends { readonly reference: Reference; readonly value: ServerTable }>(tables: readonly R[]): R[] {
  const all: R[] = []
  for (const one of tables) {
    const last = all.at(-1)
    if (last?.reference.kind !== one.reference.kind) all.push(one)
    else all[all.length - 1] = { ...last, value: { ...last.value, rows: [...last.value.rows, ...one.value.rows] } }
  }
  return all
}

function tableOf({ kind, namespace, name }: Reference, { values, session }: Getting): Promise<ServerTable> {
  const whole = values['sort-by'] !== undefined
  if (name !== undefined) return readTable(session.client, kind, { namespace, name }, whole)
  return listTable(session.client, kind, { ...selectionOf(values), namespace }, whole)
}

function noneText(references: readonly Reference[], values: GetValues, { namespace }: Session): string {
  const isOfNamespace = !values['all-namespaces'] && references.every(({ kind }) => kind.namespaced)
  return isOfNamespace ? `No resources found in ${namespace} namespace.\n` : 'No resources found\n'
}

async function printWhole(
  references: readonly Reference[],
  format: Exclude<Format, { kind: 'table' }>,
  getting: Getting,
): Promise<void> {
  const { values, session, terminal, problems } = getting
  const path = values['sort-by']
  const found = await readAll(references, getting, async ({ kind, namespace, name }): Promise<ApiObject[]> => {
    if (name !== undefined) return [await readObject(session.client, kind, namespace ?? '', name)]
    return listObjects(session.client, kind, { ...selectionOf(values), namespace })
  })
  const objects = found.flatMap(({ value }) => value)
  const shown = path === undefined ? objects : sortedBy(objects, path, (object) => object)
  const isOne = references.length === 1 && references[0]?.name !== undefined
  if (objects.length === 0 && (problems.exitCode !== 0 || (isOne && values['ignore-not-found']))) return
  await printFormatted(terminal, format, shown, {
    asList: !isOne,
    headers: !values['no-headers'],
    managedFields: values['show-managed-fields'],
  })
}
