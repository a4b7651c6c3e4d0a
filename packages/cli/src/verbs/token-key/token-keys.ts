// `homeostat token-key list|rotate|drop`: the keys that sign and verify the tokens of service accounts.

import { makeTokenKey, readTokenKeys, tokenKeyId, tokenKeysText } from '@homeostat/apiserver/keys'
import { messageOf } from '@homeostat/base'
import { Fault, usageFault } from '../../fault.ts'
import type { dataOptions } from '../../options/option-groups.ts'
import type { Values } from '../../options/option-table.ts'
import { readTokenKeyFile, writeTokenKeyFile } from '../../server/token-key-file.ts'
import type { Terminal } from '../../terminal.ts'
import { noOperands, oneName } from '../operands.ts'

type DataValues = Values<(typeof dataOptions)[number]>

export async function listTokenKeys(values: DataValues, operands: readonly string[], terminal: Terminal) {
  noOperands(operands)
  readKeys(values).forEach((key, at) => {
    terminal.out(`${tokenKeyId(key)}  ${at === 0 ? 'signs and verifies' : 'verifies'}\n`)
  })
  return 0
}

export async function rotateTokenKey(values: DataValues, operands: readonly string[], terminal: Terminal) {
  noOperands(operands)
  const former = readKeys(values)
  const key = makeTokenKey()
  writeTokenKeyFile(values['data-dir'], tokenKeysText([key, ...former]))
  terminal.out(`new tokens are signed with ${tokenKeyId(key)}\n`)
  const [last] = former
  if (last !== undefined)
    terminal.error(
      `Tokens of ${tokenKeyId(last)} stay valid. When all of them have ended or were renewed, drop it:\n` +
        `  homeostat token-key drop ${tokenKeyId(last)}\n`,
    )
  return 0
}

export async function dropTokenKey(values: DataValues, operands: readonly string[], terminal: Terminal) {
  const name = oneName(operands, 'token-key drop')
  const keys = readKeys(values)
  const named = keys.filter((key) => tokenKeyId(key).startsWith(name))
  const [dropped, second] = named
  if (dropped === undefined) throw usageFault(`there is no key ${name}; homeostat token-key list shows them`)
  if (second !== undefined) throw usageFault(`${named.length} keys begin with ${name}; write more of the name`)
  if (dropped === keys[0])
    throw new Fault('this key signs the tokens; make another one first: homeostat token-key rotate')
  writeTokenKeyFile(values['data-dir'], tokenKeysText(keys.filter((key) => key !== dropped)))
  terminal.out(`tokens of ${tokenKeyId(dropped)} are no longer valid\n`)
  return 0
}

function readKeys(values: DataValues) {
  const text = readTokenKeyFile(values['data-dir'])
  try {
    return readTokenKeys(text)
  } catch (cause) {
    throw new Fault(messageOf(cause), { cause })
  }
}
