// `homeostat types`: writes TypeScript types for the kinds of a server from its OpenAPI documents.

import { writeFileSync } from 'node:fs'
import { messageOf } from '@homeostat/base'
import type { Client } from '@homeostat/client'
import { builtInKinds } from '@homeostat/client/kinds/built-in'
import { readDocuments, type TypeFile, typeFile } from '@homeostat/client/types'
import { withServer } from '../access/session.ts'
import { Fault } from '../fault.ts'
import type { typesOptions } from '../options/option-groups.ts'
import type { Values } from '../options/option-table.ts'
import type { Terminal } from '../terminal.ts'
import { noOperands } from './operands.ts'

type TypesValues = Values<(typeof typesOptions)[number]>

export async function types(values: TypesValues, operands: readonly string[], terminal: Terminal): Promise<number> {
  noOperands(operands)
  const { text, kinds } = await withServer(values, terminal, ({ client }) => typesOf(client, values.group))
  if (values.out === undefined) terminal.out(text)
  else {
    write(values.out, text)
    terminal.out(`the types of ${kinds} ${kinds === 1 ? 'kind' : 'kinds'} were written to ${values.out}\n`)
  }
  return 0
}

async function typesOf(client: Client, groups: readonly string[]): Promise<TypeFile> {
  const known = new Set<string>(builtInKinds)
  const knownVersions = new Set(builtInKinds.map((key) => key.slice(0, key.lastIndexOf('/'))))
  const seen: string[] = []
  const documents = await readDocuments(client, (apiVersion) => {
    seen.push(apiVersion)
    return groups.length === 0 ? !knownVersions.has(apiVersion) : groups.some((group) => isOf(group, apiVersion))
  })
  const missing = groups.find((group) => ![...documents.keys()].some((apiVersion) => isOf(group, apiVersion)))
  if (missing !== undefined) throw new Fault(`the server does not serve ${missing}; it serves ${seen.join(', ')}`)
  const heading = [`Types of ${[...documents.keys()].join(', ')}, made by \`homeostat types\`. Changes here are lost.`]
  const file = typeFile(documents, { heading, knows: (key) => known.has(key) })
  if (file.kinds === 0) {
    throw new Fault('the server serves no kinds but those that the client knows; name a group with --group')
  }
  return file
}

/** `apps` and `apps/v1` both select apps/v1; the group without a name is `core`. */
function isOf(wish: string, apiVersion: string): boolean {
  const group = apiVersion.includes('/') ? apiVersion.slice(0, apiVersion.indexOf('/')) : 'core'
  return wish === apiVersion || wish === group
}

function write(file: string, text: string): void {
  try {
    writeFileSync(file, text)
  } catch (cause) {
    throw new Fault(`${file} could not be written: ${messageOf(cause)}`, { cause })
  }
}
