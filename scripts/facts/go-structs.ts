// Reads off Go sources what the fields of API types are like in JSON: their names there, whether they are pointers,
// and when they are left out. Protobuf's own description says none of that.

import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

export interface GoField {
  /** Its number in protobuf. */
  readonly number: number
  /** Its name in JSON; empty when the fields of the struct stand for it. */
  readonly json: string
  readonly pointer: boolean
  readonly omitEmpty: boolean
  readonly omitZero: boolean
}

/** The structs of one package, by name; each its fields by number. */
export type GoStructs = ReadonlyMap<string, ReadonlyMap<number, GoField>>

export function readGoStructs(folder: string): GoStructs {
  const structs = new Map<string, Map<number, GoField>>()
  for (const file of readdirSync(folder)) {
    if (!/^(types|watch|meta|duration).*\.go$/.test(file) || file.includes('generated')) continue
    let current: Map<number, GoField> | undefined
    for (const line of readFileSync(join(folder, file), 'utf8').split('\n')) {
      const start = /^type (\w+) struct ?\{/.exec(line)
      if (start?.[1] !== undefined) {
        current = new Map()
        structs.set(start[1], current)
      }
      if (line.endsWith('}') && !line.startsWith('\t')) current = undefined
      else if (current) {
        const field = readField(line)
        if (field) current.set(field.number, field)
      }
    }
  }
  return structs
}

function readField(line: string): GoField | undefined {
  const found = /^\t(?:(\w+)\s+)?(\S+)\s+`(.*)`/.exec(line)
  const tags = found?.[3] ?? ''
  const number = /protobuf:"\w+,(\d+)/.exec(tags)?.[1]
  if (number === undefined) return undefined
  const [json = '', ...options] = (/json:"([^"]*)"/.exec(tags)?.[1] ?? '').split(',')
  return {
    number: Number(number),
    json,
    pointer: found?.[2]?.startsWith('*') ?? false,
    omitEmpty: options.includes('omitempty'),
    omitZero: options.includes('omitzero'),
  }
}
