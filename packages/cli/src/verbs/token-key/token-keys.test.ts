import { readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { makeTokenKey, type Pki, readTokenKeys, tokenKeyId, tokenKeysText } from '@homeostat/apiserver/keys'
import { ManualClock, silentLog } from '@homeostat/base'
import { temporaryFolder } from '@homeostat/base/testing/temporary-folder'
import { expect, onTestFinished, test } from 'vitest'
import { followTokenKeys } from '../../server/token-key-file.ts'
import { fakeTerminal } from '../../terminal.fixture.ts'
import { dropTokenKey, listTokenKeys, rotateTokenKey } from './token-keys.ts'

function setUp() {
  const first = makeTokenKey()
  const directory = temporaryFolder({ 'pki/token.key': tokenKeysText([first]) })
  const file = join(directory, 'pki/token.key')
  const terminal = fakeTerminal()
  const values = { 'data-dir': directory }
  const ids = () => readTokenKeys(readFileSync(file, 'utf8')).map(tokenKeyId)
  return { first, directory, file, terminal, values, ids }
}

test('a rotation puts a new key first; the former can then be dropped by the beginning of its name', async () => {
  const { first, file, terminal, values, ids } = setUp()
  const name = tokenKeyId(first)
  await expect(dropTokenKey(values, [name], terminal)).rejects.toThrow('homeostat token-key rotate')
  await rotateTokenKey(values, [], terminal)
  expect(ids()).toEqual([expect.not.stringMatching(name), name])
  expect(statSync(file).mode & 0o777).toBe(0o600)
  await listTokenKeys(values, [], terminal)
  expect(terminal.shown.out).toMatch(new RegExp(`${name}  verifies\\n$`))
  await expect(dropTokenKey(values, ['none'], terminal)).rejects.toThrow('there is no key none')
  await dropTokenKey(values, [name.slice(0, 8)], terminal)
  expect(ids()).toHaveLength(1)
  expect(ids()).not.toContain(name)
})

test('a server that runs follows the file, and keeps its keys when the file is wrong', async () => {
  const { first, directory, file, terminal, values, ids } = setUp()
  const clock = new ManualClock(0)
  const ending = new AbortController()
  onTestFinished(() => ending.abort())
  const pki = { caCertificate: 'CA', tokenKeys: [first] } as unknown as Pki
  const live = followTokenKeys({ directory, pki, read: readTokenKeys, logger: silentLog, signal: ending.signal, clock })
  expect([live.caCertificate, live.tokenKeys]).toEqual(['CA', [first]])
  await rotateTokenKey(values, [], terminal)
  clock.advance(1000)
  expect(live.tokenKeys.map(tokenKeyId)).toEqual(ids())
  writeFileSync(file, 'nothing')
  clock.advance(1000)
  expect(live.tokenKeys).toHaveLength(2)
})

test('without a data directory it says what to do', async () => {
  const values = { 'data-dir': join(temporaryFolder(), 'none') }
  await expect(listTokenKeys(values, [], fakeTerminal())).rejects.toThrow('--data-dir')
})
