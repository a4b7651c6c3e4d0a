// Reads the objects of files and folders: JSON or YAML, several documents, and lists of objects. Each knows where it stands,
// so that a message about it can say so.

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

export interface PlacedDocument {
  readonly object: Document
  /** `FILE:LINE` */
  readonly where: string
}

export interface FilesRead {
  readonly documents: readonly PlacedDocument[]
  /** What could not be read, or is no object. */
  readonly faults: readonly Fault[]
}

/** At least one object, each with apiVersion, kind and a name. Throws if anything in the file is wrong. */
export async function readDocuments(
  file: string | undefined,
  verb: string,
  terminal: Terminal,
): Promise<readonly PlacedDocument[]> {
  if (file === undefined) throw usageFault(`name the file: homeostat ${verb} -f FILE, or -f - for standard input`)
  const { documents, faults } = await readFiles([file], terminal)
  if (faults[0] !== undefined) throw faults[0]
  return documents
}

/** Reads everything that can be read. */
export async function readFiles(
  files: readonly string[],
  terminal: Terminal,
  { recursive = false }: { readonly recursive?: boolean } = {},
): Promise<FilesRead> {
  const documents: PlacedDocument[] = []
  const faults: Fault[] = []
  const attempt = async (work: () => Promise<void> | void) => {
    try {
      await work()
    } catch (error) {
      if (!(error instanceof Fault)) throw error
      faults.push(error)
    }
  }
  for (const named of files) {
    await attempt(async () => {
      for (const file of filesOf(named, recursive)) {
        await attempt(async () => {
          for (const value of await readPlaced(file, terminal)) await attempt(() => void documents.push(checked(value)))
        })
      }
    })
  }
  if (documents.length + faults.length === 0) {
    faults.push(new Fault(`${files.map(shown).join(', ')} has no object in it`))
  }
  return { documents, faults }
}

/** All documents of a file without any check; empty ones are left out. */
export async function readValues(file: string, terminal: Terminal): Promise<unknown[]> {
  return (await parsed(await textOf(file, terminal), file)).map(({ value }) => value)
}

/** As kubectl does: of a folder its JSON and YAML files in the order of their names. */
function filesOf(file: string, recursive: boolean): string[] {
  if (file === '-' || statSync(file, { throwIfNoEntry: false })?.isDirectory() !== true) return [file]
  const names = readdirSync(file, { recursive, encoding: 'utf8' }).filter((name) => /\.(json|ya?ml)$/.test(name))
  if (names.length === 0) throw new Fault(`${file} has no .json, .yaml or .yml file in it`)
  return names.sort().map((name) => join(file, name))
}

interface Placed {
  readonly value: unknown
  readonly where: string
}

/** A value with the line where it begins, and those of its items if it is a list. */
interface Parsed {
  readonly value: unknown
  readonly line: number
  readonly itemLines?: readonly number[] | undefined
}

/** The objects of a file; a list stands for its items. */
async function readPlaced(file: string, terminal: Terminal): Promise<Placed[]> {
  const values = await parsed(await textOf(file, terminal), file)
  return values.flatMap(({ value, line, itemLines }): Placed[] => {
    const items = itemsOf(value)
    if (items === undefined) return [{ value, where: `${shown(file)}:${line}` }]
    return items.map((item, at) => ({ value: item, where: `${shown(file)}:${itemLines?.[at] ?? line}` }))
  })
}

async function parsed(text: string, file: string): Promise<Parsed[]> {
  if (/^\s*[[{]/.test(text)) {
    try {
      return [{ value: parseJson(text), line: /^\s*/.exec(text)?.[0].split('\n').length ?? 1 }]
    } catch {
      // YAML documents may begin with a brace too, and the YAML parser reports the place of a mistake.
    }
  }
  // JSON is read without this large package.
  const { isMap, isSeq, LineCounter, parseAllDocuments } = await import('yaml')
  const lineCounter = new LineCounter()
  const lineAt = (node: unknown) => lineCounter.linePos((node as { range?: [number] } | null)?.range?.[0] ?? 0).line
  const values = [...parseAllDocuments(text, { intAsBigInt: true, lineCounter })].map((document): Parsed => {
    const [error] = document.errors
    if (error !== undefined) throw new Fault(`${shown(file)} is neither JSON nor YAML: ${whatIsWrong(error)}`)
    const { contents } = document
    const items = isMap(contents) ? contents.get('items', true) : contents
    return {
      value: plain(document.toJS({ maxAliasCount: 100 })),
      line: lineAt(contents),
      itemLines: isSeq(items) ? items.items.map(lineAt) : undefined,
    }
  })
  return values.filter(({ value }) => value !== null && value !== undefined)
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

async function textOf(file: string, terminal: Terminal): Promise<string> {
  if (file !== '-') return readFile(file)
  if (terminal.input === undefined) throw new Fault('there is no standard input')
  return terminal.input()
}

function readFile(file: string): string {
  try {
    return readFileSync(file, 'utf8')
  } catch (cause) {
    throw new Fault(`${file} could not be read: ${messageOf(cause)}`, { cause })
  }
}

function itemsOf(value: unknown): unknown[] | undefined {
  if (Array.isArray(value)) return value
  const { kind, items } = value as { kind?: unknown; items?: unknown }
  return typeof kind === 'string' && kind.endsWith('List') && Array.isArray(items) ? items : undefined
}

function checked({ value, where }: Placed): PlacedDocument {
  const { apiVersion, kind, metadata } = (value ?? {}) as Record<string, unknown>
  const missing = Object.entries({ apiVersion, kind }).filter(([, field]) => typeof field !== 'string' || field === '')
  if (missing.length > 0) {
    const [names, are, them] = [missing.map(([name]) => name).join(' and '), ...number(missing.length)]
    throw new Fault(`${where}: ${names} ${are} missing; without ${them} nobody knows what it is`)
  }
  const { name, generateName } = (metadata ?? {}) as Record<string, unknown>
  if (typeof name !== 'string' && typeof generateName !== 'string') {
    throw new Fault(`${where}: the ${kind} has no metadata.name`)
  }
  return { object: value as Document, where }
}

function number(count: number): readonly [string, string] {
  return count === 1 ? ['is', 'it'] : ['are', 'them']
}

function shown(file: string): string {
  return file === '-' ? 'standard input' : file
}
