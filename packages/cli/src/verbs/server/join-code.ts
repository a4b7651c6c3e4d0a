// `homeostat server join-code`: prints the code by which one new server gets the keys of this one. It works on the data directory, so
// that whoever has the keys can give them, and nobody else.

import { resolve } from 'node:path'
import { makeJoinToken, readPki } from '@homeostat/apiserver/keys'
import { systemClock } from '@homeostat/base'
import { serverForOthers } from '../../access/server-for-others.ts'
import { Fault, systemCode, usageFault } from '../../fault.ts'
import type { joinCodeOptions } from '../../options/option-groups.ts'
import type { Values } from '../../options/option-table.ts'
import { writeDurable } from '../../server/durable-file.ts'
import { serverJoinCodeText } from '../../server/join-servers.ts'
import { ownServer } from '../../server/own-server.ts'
import { readPkiFolder } from '../../server/pki-folder.ts'
import type { Terminal } from '../../terminal.ts'
import { noOperands } from '../operands.ts'

type JoinCodeValues = Values<(typeof joinCodeOptions)[number]>

/** Whoever has the code has all keys, so it is for today. */
const LONGEST_MS = 24 * 3_600_000

export async function joinCode(
  values: JoinCodeValues,
  operands: readonly string[],
  terminal: Terminal,
): Promise<number> {
  noOperands(operands)
  const { 'data-dir': folder, 'join-for': ms, 'join-code-file': file } = values
  if (ms > LONGEST_MS) throw usageFault('--for is at most 24h: the code gives away all keys of the servers')
  const directory = resolve(folder)
  const pki = readPkiFolder(directory, readPki)
  const { server, ca } = await serverOf(directory, values, pki.caCertificate, terminal)
  const expires = (terminal.clock ?? systemClock).now() + ms
  const code = serverJoinCodeText({ server, ca, token: makeJoinToken(() => pki.tokenKeys, expires) })
  if (file === undefined) terminal.out(`${code}\n`)
  else writeCode(file, `${code}\n`)
  terminal.error(
    `gives one server the keys of this one until ${new Date(expires).toISOString()}; carry it there as a secret, and start that with:
  homeostat up --store etcd --etcd … --join-file FILE
`,
  )
  return 0
}

async function serverOf(directory: string, values: JoinCodeValues, ca: string, terminal: Terminal) {
  const { 'server-address': address, 'certificate-authority': authorityFile } = values
  const own = address === undefined ? ownServer(directory) : { server: address, serverName: undefined }
  const asked = { url: own.server, ca, serverName: own.serverName, address, authorityFile }
  const found = await serverForOthers(asked, terminal)
  if (found.server.startsWith('https:')) return found
  throw usageFault(`--address ${found.server} is no https URL: keys are given over TLS alone`)
}

function writeCode(file: string, text: string): void {
  try {
    writeDurable(file, text)
  } catch (cause) {
    if (systemCode(cause) === 'EEXIST') throw new Fault(`${file} exists already; a code never overwrites a file`)
    throw new Fault(`${file} cannot be written (${systemCode(cause) ?? cause})`, { cause })
  }
}
