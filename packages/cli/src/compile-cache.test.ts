import { chmodSync, chownSync, existsSync, mkdirSync, statSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { temporaryFolder } from '@homeostat/base/testing/temporary-folder'
import { expect, test } from 'vitest'
import { privateFolder } from './compile-cache.ts'

test('the folder is made for its user alone, with those above it', () => {
  const parent = join(temporaryFolder(), '.cache')
  expect(privateFolder(parent)).toBe(join(parent, 'homeostat'))
  expect(statSync(join(parent, 'homeostat')).mode & 0o777).toBe(0o700)
  expect(privateFolder(parent)).toBe(join(parent, 'homeostat'))
})

test('a link above the folder is followed, and a sticky folder above it, such as /tmp, is fine', () => {
  const [home, disk] = [temporaryFolder(), temporaryFolder()]
  chmodSync(disk, 0o1777)
  mkdirSync(join(disk, 'cache'), { mode: 0o700 })
  symlinkSync(join(disk, 'cache'), join(home, '.cache'))
  expect(privateFolder(join(home, '.cache'))).toBe(join(disk, 'cache/homeostat'))
})

test.each<[string, (parent: string) => void]>([
  ['may be read by the group', (parent) => mkdirSync(join(parent, 'homeostat'), { mode: 0o750 })],
  ['is a link', (parent) => symlinkSync(temporaryFolder(), join(parent, 'homeostat'))],
  ['may be replaced by the group', (parent) => chmodSync(parent, 0o770)],
])('a folder that %s is not used', (_, prepare) => {
  const parent = temporaryFolder()
  prepare(parent)
  expect(privateFolder(parent)).toBeUndefined()
})

test("nothing is made in another user's home", () => {
  const home = temporaryFolder()
  const own = process.geteuid?.() ?? 0
  if (own === 0) chownSync(home, 12_345, 12_345)
  expect(privateFolder(join(home, '.cache'), own === 0 ? 0 : own + 1)).toBeUndefined()
  expect(existsSync(join(home, '.cache'))).toBe(false)
})
