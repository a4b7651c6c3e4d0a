import { existsSync, readdirSync, readFileSync, renameSync, rmSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { makeNextAuthority, makePki, readPki } from '@homeostat/apiserver/keys'
import { temporaryFolder } from '@homeostat/base/testing/temporary-folder'
import { expect, test } from 'vitest'
import { beginRotation, finishRotation } from './authority-rotation.ts'
import { keysForBackup, openPki, placeKeys } from './pki-folder.ts'

const tools = { makePki, readPki }
const NEXT = makeNextAuthority(Date.UTC(2026, 0, 1))

async function withKeys() {
  const directory = temporaryFolder()
  const before = await openPki(directory, tools)
  return { directory, folder: join(directory, 'pki'), before }
}

test('both are trusted in between, the old one serves and the next one issues; then the next is all', async () => {
  const { directory, folder, before } = await withKeys()
  beginRotation(folder, NEXT)
  const between = await openPki(directory, tools)
  expect(between.caCertificate).toBe(before.caCertificate + NEXT['ca-next.crt'])
  expect(between.servingAuthority.certificate).toBe(before.caCertificate)
  expect(between.issuingAuthority.certificate).toBe(NEXT['ca-next.crt'])
  for (const name of readdirSync(folder)) expect(statSync(join(folder, name)).mode & 0o777).toBe(0o600)
  finishRotation(folder)
  const after = await openPki(directory, tools)
  expect(after.caCertificate).toBe(NEXT['ca-next.crt'])
  expect(after.servingAuthority).toBe(after.issuingAuthority)
  expect(readdirSync(folder).sort()).toEqual(['ca.crt', 'ca.key', 'token.key'])
})

test('a crash in a step leaves the state before it or the one after it', async () => {
  const { directory, folder, before } = await withKeys()
  beginRotation(folder, NEXT)
  rmSync(join(folder, 'ca-next.key'))
  expect((await openPki(directory, tools)).caCertificate).toBe(before.caCertificate)
  expect(existsSync(join(folder, 'ca-next.crt'))).toBe(false)
  beginRotation(folder, NEXT)
  renameSync(join(folder, 'ca-next.crt'), join(folder, 'ca.crt'))
  expect((await openPki(directory, tools)).caCertificate).toBe(NEXT['ca-next.crt'])
})

test('steps in the wrong order are refused', async () => {
  const { folder } = await withKeys()
  expect(() => finishRotation(folder)).toThrow('begin with: homeostat ca rotate')
  beginRotation(folder, NEXT)
  const key = readFileSync(join(folder, 'ca-next.key'), 'utf8')
  expect(() => beginRotation(folder, makeNextAuthority(0))).toThrow('homeostat ca rotate --finish')
  expect(readFileSync(join(folder, 'ca-next.key'), 'utf8')).toBe(key)
})

test('a backup has the next authority too', async () => {
  const { directory, folder } = await withKeys()
  beginRotation(folder, NEXT)
  const elsewhere = temporaryFolder()
  placeKeys(elsewhere, keysForBackup(directory))
  expect((await openPki(elsewhere, tools)).issuingAuthority.certificate).toBe(NEXT['ca-next.crt'])
})
