import type { KeyObject } from 'node:crypto'
import { chmodSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { makePki, readPki } from '@homeostat/apiserver/keys'
import { temporaryFolder } from '@homeostat/base/testing/temporary-folder'
import { expect, onTestFinished, test } from 'vitest'
import { openPki } from './pki-folder.ts'

const tools = { makePki, readPki }

test('keys are made once, for their owner alone, and used again', async () => {
  const directory = temporaryFolder()
  const made = await openPki(directory, tools)
  expect(statSync(join(directory, 'pki')).mode & 0o777).toBe(0o700)
  expect(readdirSync(join(directory, 'pki')).sort()).toEqual(['ca.crt', 'ca.key', 'token.key'])
  for (const name of readdirSync(join(directory, 'pki')))
    expect(statSync(join(directory, 'pki', name)).mode & 0o777).toBe(0o600)
  const again = await openPki(directory, { readPki, makePki: () => Promise.reject(new Error('there are keys')) })
  expect(again.caCertificate).toBe(made.caCertificate)
  expect(again.tokenKeys[0]?.equals(made.tokenKeys[0] as KeyObject)).toBe(true)
  expect(readdirSync(directory)).toEqual(['pki'])
})

test('two that start at once have the same keys', async () => {
  const directory = temporaryFolder()
  const slow = openPki(directory, {
    readPki,
    async makePki() {
      const late = await makePki()
      await openPki(directory, tools)
      return late
    },
  })
  expect((await slow).caCertificate).toBe(readFileSync(join(directory, 'pki/ca.crt'), 'utf8'))
  expect(readdirSync(directory)).toEqual(['pki'])
})

test.each(['ca.crt', 'ca.key', 'token.key'])('a damaged %s is named with what to do', async (name) => {
  const directory = temporaryFolder()
  await openPki(directory, tools)
  writeFileSync(join(directory, 'pki', name), 'garbage')
  await expect(openPki(directory, tools)).rejects.toThrow(
    new RegExp(`pki/${name} does not hold .*; bring it back from a backup, or move .*/pki away`),
  )
})

test.each(['ca.crt', 'ca.key', 'token.key'])('a missing %s is never made anew', async (name) => {
  const directory = temporaryFolder()
  await openPki(directory, tools)
  rmSync(join(directory, 'pki', name))
  await expect(openPki(directory, tools)).rejects.toThrow(`pki/${name} is missing; bring it back`)
})

test('an empty folder is filled', async () => {
  const directory = temporaryFolder()
  mkdirSync(join(directory, 'pki'), { mode: 0o700 })
  await openPki(directory, tools)
  expect(readdirSync(join(directory, 'pki'))).toHaveLength(3)
})

test('a file that cannot be read is named with what to do', async () => {
  const directory = temporaryFolder()
  await openPki(directory, tools)
  const file = join(directory, 'pki/token.key')
  rmSync(file)
  mkdirSync(file)
  await expect(openPki(directory, tools)).rejects.toThrow(/token\.key cannot be read \(EISDIR\); the user who runs/)
})

test.skipIf(process.getuid?.() === 0)('a data directory that cannot be written to is named', async () => {
  const directory = temporaryFolder()
  chmodSync(directory, 0o500)
  onTestFinished(() => chmodSync(directory, 0o700))
  await expect(openPki(directory, tools)).rejects.toThrow(/cannot be written to .*pki \(EACCES\)/)
})
