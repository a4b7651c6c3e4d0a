// Reads the file that `homeostat up --config FILE` names: YAML or JSON, with the names of the flags as keys. It yields texts, as
// a command line has them, so that an option is parsed in one way only. Every problem is a fault with its line.

import { readFileSync, statSync } from 'node:fs'
import { messageOf } from '@homeostat/base'
import { isAlias, isMap, isScalar, isSeq, LineCounter, type Node, parseDocument, Scalar } from 'yaml'
import { systemCode, usageFault } from '../fault.ts'
import { nearest } from './nearest.ts'
import { type OptionName, optionTable } from './option-table.ts'
import type { ConfigFile, FileSetting } from './parse-options.ts'

const MAX_BYTES = 1024 * 1024

export function readConfigFile(path: string, names: readonly OptionName[]): ConfigFile {
  return { path, settings: readSettings(readText(path), path, names) }
}

function readText(path: string): string {
  try {
    const { mode, size } = statSync(path)
    // It decides which code the server loads.
    if ((mode & 0o002) !== 0) throw new Error(`everybody may write to it; run chmod o-w ${path}`)
    if (size > MAX_BYTES) throw new Error(`it has ${size} bytes, and a configuration at most ${MAX_BYTES}`)
    return readFileSync(path, 'utf8')
  } catch (error) {
    const problem = systemCode(error) === 'ENOENT' ? 'there is no such file' : messageOf(error)
    throw usageFault(`--config ${path}: ${problem}`)
  }
}

function readSettings(text: string, path: string, names: readonly OptionName[]): Map<OptionName, FileSetting> {
  const lines = new LineCounter()
  const document = parseDocument(text, { lineCounter: lines, prettyErrors: false })
  const where = (offset: number | undefined) => `${path}:${lines.linePos(offset ?? 0).line}`
  const [problem] = [...document.errors, ...document.warnings]
  if (problem?.code === 'MULTIPLE_DOCS') throw usageFault(`${where(problem.pos[0])}: a second document begins here`)
  if (problem) throw usageFault(`${where(problem.pos[0])}: it cannot be read as YAML: ${problem.message}`)
  const settings = new Map<OptionName, FileSetting>()
  const { contents } = document
  if (contents === null || (isScalar(contents) && contents.value === null)) return settings
  if (!isMap<Node, Node | null>(contents))
    throw usageFault(`${where(contents.range?.[0])}: it must hold options, such as port: 3000`)
  for (const { key, value } of contents.items) {
    const place = where(key.range?.[0])
    const name = readName(key, place, names)
    settings.set(name, { texts: readTexts(name, value, place), where: place })
  }
  return settings
}

function readName(key: Node, place: string, names: readonly OptionName[]): OptionName {
  const word = isScalar(key) ? textOf(key) : undefined
  const name = names.find((one) => one === word)
  if (name !== undefined) return name
  const meant = word === undefined ? undefined : nearest(word, names)
  const hint = meant === undefined ? '; homeostat up --help lists what there is' : `; did you mean ${meant}?`
  throw usageFault(`${place}: there is no option ${word ?? 'of this form'}${hint}`)
}

function readTexts(name: OptionName, value: Node | null, place: string): string[] {
  const { repeatable } = optionTable[name].type
  const items: readonly (Node | null)[] = isSeq<Node>(value) && repeatable ? value.items : [value]
  return items.map((item) => {
    const text = isScalar(item) ? textOf(item) : undefined
    if (text === undefined)
      throw usageFault(
        `${place}: ${name} must be one value${repeatable ? ' or a list of values' : ''}, not ${what(item)}`,
      )
    return text
  })
}

/** As it is written, so that 010 and 1e3 mean what they mean on the command line; undefined for null. */
function textOf(scalar: Scalar): string | undefined {
  if (scalar.value === null) return undefined
  const isPlain = scalar.type === undefined || scalar.type === Scalar.PLAIN
  return isPlain && scalar.source !== undefined ? scalar.source : String(scalar.value)
}

function what(node: Node | null): string {
  if (isSeq(node)) return 'a list'
  if (isMap(node)) return 'a mapping'
  return isAlias(node) ? 'an alias' : 'null'
}
