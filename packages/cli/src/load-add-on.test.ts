import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { temporaryFolder } from '@homeostat/base/testing/temporary-folder'
import { expect, test } from 'vitest'
import { loadAddOn } from './load-add-on.ts'

test('a file is loaded, and a folder by its index', async () => {
  const directory = temporaryFolder()
  writeFileSync(join(directory, 'index.mjs'), "export default { name: 'mine', definitions: [{ kind: 'X' }] }")
  const expected = { name: 'mine', definitions: [{ kind: 'X' }] }
  expect(await loadAddOn(directory)).toEqual(expected)
  expect(await loadAddOn(join(directory, 'index.mjs'))).toEqual(expected)
})

test('what cannot be loaded is said with its name and the reason', async () => {
  const directory = temporaryFolder()
  mkdirSync(join(directory, 'empty'))
  writeFileSync(join(directory, 'broken.mjs'), "throw new Error('out of order')")
  writeFileSync(join(directory, 'shapeless.mjs'), 'export default 1')
  await expect(loadAddOn(join(directory, 'absent'))).rejects.toThrow(/absent: there is no such file, folder or package/)
  await expect(loadAddOn(join(directory, 'empty'))).rejects.toThrow(/empty: the folder has no index/)
  await expect(loadAddOn(join(directory, 'broken.mjs'))).rejects.toThrow(/cannot be loaded: out of order/)
  await expect(loadAddOn(join(directory, 'shapeless.mjs'))).rejects.toThrow(/default export must be/)
})
