import { rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { ManualClock } from '@homeostat/base'
import { temporaryFolder } from '@homeostat/base/testing/temporary-folder'
import { expect, test } from 'vitest'
import { TokenFile } from './token-file.ts'

function setUp() {
  const path = join(temporaryFolder({ token: 'one\n' }), 'token')
  const clock = new ManualClock(1_000_000)
  const file = new TokenFile(path, undefined, clock)
  const token = async () => (await file.get()).headers?.authorization
  return { path, clock, file, token }
}

test('the file is read again after a minute', async () => {
  const { path, clock, token } = setUp()
  expect(await token()).toBe('Bearer one')
  writeFileSync(path, 'two')
  clock.advance(59_999)
  expect(await token()).toBe('Bearer one')
  clock.advance(1)
  expect(await token()).toBe('Bearer two')
})

test('a token that the server refuses is read again at once, and tried again when it is another', async () => {
  const { path, file, token } = setUp()
  const first = await file.get()
  expect(file.refused(first)).toBe(false)
  writeFileSync(path, 'two')
  expect(file.refused(first)).toBe(true)
  expect(await token()).toBe('Bearer two')
  expect(file.refused(first)).toBe(true)
})

test('while the file cannot be read the last token counts', async () => {
  const { path, clock, file, token } = setUp()
  const first = await file.get()
  rmSync(path)
  clock.advance(100_000)
  expect(await token()).toBe('Bearer one')
  expect(file.refused(first)).toBe(false)
})

test('a file that never was is an error that names it', async () => {
  await expect(new TokenFile('/nowhere/token').get()).rejects.toThrow('/nowhere/token could not be read')
  const { path } = setUp()
  writeFileSync(path, ' ')
  await expect(new TokenFile(path).get()).rejects.toThrow('is empty')
})
