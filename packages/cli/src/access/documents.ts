// Reads the objects of a file, or of all files of a folder: JSON or YAML, several documents, and lists of objects.

import { readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { messageOf } from '@homeostat/base'
import { parseJson } from '@homeostat/meta'
import type { YAMLParseError } from 'yaml'
import { Fault, usageFault } from '../fault.ts'
import type { Terminal } from '../terminal.ts'

export interface Document {
  readonly apiVersion: string
  readonly kind: string
  readonly metadata: Readonly<Record<string, unknown>> & { readonly name?: string; readonly namespace?: string }
  readonly [field: string]: unknown
}

/** At least one object, each with apiVersion, kind and a name. */
export async function readDocuments(file: string | undefined, verb: string, terminal: Terminal): Promise<Document[]> {
  if (file === undefined) throw usageFault(`name the file: homeostat ${verb} -f FILE, or -f - for standard input`)
  const documents: Document[] = []
  for (const one of filesOf(file)) {
    const values = await readValues(one, terminal)
    documents.push(...values.flatMap(itemsOf).map((value, at) => checked(value, one, at)))
  }
  if (documents.length === 0) throw new Fault(`${shown(file)} has no object in it`)
  return documents
}

/** As kubectl does: of a folder its JSON and YAML files in the order of their names, without subfolders. */
function filesOf(file: string): string[] {
  if (file === '-' || statSync(file, { throwIfNoEntry: false })?.isDirectory() !== true) return [file]
  const names = readdirSync(file).filter((name) => /\.(json|ya?ml)$/.test(name))
  if (names.length === 0) throw new Fault(`${file} has no .json, .yaml or .yml file in it`)
  return names.sort().map((name) => join(file, name))
}

/** All documents of a file without any check; empty ones are left out. */
export async function readValues(file: string, terminal: Terminal): Promise<unknown[]> {
  const text = file === '-' ? await readInput(terminal) : readFile(file)
  const values = await parsed(text, file)
  return values.filter((value) => value !== null && value !== undefined)
}

async function parsed(text: string, file: string): Promise<unknown[]> {
  if (/^\s*[[{]/.test(text)) {
    try {
      return [parseJson(text)]
    } catch {
      // YAML documents may begin with a brace too, and the YAML parser reports the place of a mistake.
    }
  }
  const { parseAllDocuments } = await import('yaml')
  return [...parseAllDocuments(text, { intAsBigInt: true })].map((document) => {
    const [error] = document.errors
    if (error !== undefined) throw new Fault(`${shown(file)} is neither JSON nor YAML: ${whatIsWrong(error)}`)
    return plain(document.toJS({ maxAliasCount: 100 }))
  })
}

/** Without the lines that the parser quotes, since they may contain a Secret. */
function whatIsWrong({ code, linePos }: YAMLParseError): string {
  const { line, col } = linePos?.[0] ?? { line: 1, col: 1 }
  return `${code.toLowerCase().replaceAll('_', ' ')} at line ${line}, column ${col}`
}

/** Turns BigInts that a number holds exactly into numbers. */
function plain(value: unknown): unknown {
  if (typeof value === 'bigint') return Number.isSafeInteger(Number(value)) ? Number(value) : value
  if (Array.isArray(value)) return value.map(plain)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, plain(item)]))
}

function readFile(file: string): string {
  try {
    return readFileSync(file, 'utf8')
  } catch (cause) {
    throw new Fault(`${file} could not be read: ${messageOf(cause)}`, { cause })
  }
}

async function readInput(terminal: Terminal): Promise<string> {
  if (terminal.input === undefined) throw new Fault('there is no standard input')
  return terminal.input()
}

function itemsOf(value: unknown): unknown[] {
  if (Array.isArray(value)) return value
  const { kind, items } = value as { kind?: unknown; items?: unknown }
  return typeof kind === 'string' && kind.endsWith('List') && Array.isArray(items) ? items : [value]
}

function checked(value: unknown, file: string, at: number): Document {
  const { apiVersion, kind, metadata } = (value ?? {}) as Record<string, unknown>
  const where = `${shown(file)}, object ${at + 1}`
  const missing = Object.entries({ apiVersion, kind }).filter(([, field]) => typeof field !== 'string' || field === '')
  if (missing.length > 0) {
    const [names, are, them] = [missing.map(([name]) => name).join(' and '), ...number(missing.length)]
    throw new Fault(`${where}: ${names} ${are} missing; without ${them} nobody knows what it is`)
  }
  const { name, generateName } = (metadata ?? {}) as Record<string, unknown>
  if (typeof name !== 'string' && typeof generateName !== 'string') {
    throw new Fault(`${where}: the ${kind} has no metadata.name`)
  }
  return value as Document
}

function number(count: number): readonly [string, string] {
  return count === 1 ? ['is', 'it'] : ['are', 'them']
}

function shown(file: string): string {
  return file === '-' ? 'standard input' : file
}
