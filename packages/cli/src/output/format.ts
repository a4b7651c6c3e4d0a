// The formats of `-o` that kubectl has: which one is meant, and objects printed in it.

import type { ApiObject } from '@homeostat/client'
import { Fault } from '../fault.ts'
import type { Terminal } from '../terminal.ts'
import { customColumns } from './custom-columns.ts'
import { jsonPathTemplate } from './json-path-template.ts'
import { listOf, printObject } from './objects.ts'

export type Format =
  | { readonly kind: 'table'; readonly wide: boolean }
  | { readonly kind: 'json' | 'yaml' | 'name' }
  | { readonly kind: 'jsonpath' | 'custom-columns'; readonly text: string }

export type ObjectFormat = Exclude<Format, { readonly kind: 'table' }>

export interface ObjectView {
  /** Prints a list, even of one object. */
  readonly asList: boolean
  readonly headers: boolean
  readonly managedFields: boolean
}

const ALLOWED = 'custom-columns,json,jsonpath,name,wide,yaml'

export function formatOf(output: string | undefined): Format {
  if (output === undefined) return { kind: 'table', wide: false }
  if (output === 'wide') return { kind: 'table', wide: true }
  if (output === 'json' || output === 'yaml' || output === 'name') return { kind: output }
  const [, kind, text = ''] = /^(jsonpath|custom-columns)=(.*)$/s.exec(output) ?? []
  if (kind === 'jsonpath' || kind === 'custom-columns') return { kind, text }
  throw new Fault(
    `unable to match a printer suitable for the output format "${output}", allowed formats are: ${ALLOWED}`,
  )
}

export async function printFormatted(
  terminal: Terminal,
  format: ObjectFormat,
  objects: readonly ApiObject[],
  { asList, headers, managedFields }: ObjectView,
): Promise<void> {
  if (format.kind === 'custom-columns') {
    return terminal.out(customColumns(format.text).lines(objects, headers))
  }
  if (format.kind === 'name') {
    for (const object of objects) await printObject(terminal, 'name', object)
    return
  }
  const [first] = objects
  const value = asList || first === undefined ? listOf(objects) : first
  if (format.kind !== 'jsonpath') return printObject(terminal, format.kind, value, { managedFields })
  terminal.out(jsonPathTemplate(format.text)(value))
}
