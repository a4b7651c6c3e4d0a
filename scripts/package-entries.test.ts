import { realpathSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { temporaryFolder } from '@homeostat/base/testing/temporary-folder'
import { expect, test } from 'vitest'
import { PackageEntries } from './package-entries.ts'

const packages = join(import.meta.dirname, '../packages/')

test('the entries of packages are those that Node finds', () => {
  const entries = new PackageEntries(packages)
  for (const entry of ['base', 'meta', 'meta/server', 'store/early', 'apiserver/keys', 'client/node']) {
    // Node 22 leaves the link in node_modules in the path.
    const found = realpathSync(fileURLToPath(import.meta.resolve(`@homeostat/${entry}`)))
    expect(packages + entries.sourceOf(entry)).toBe(found)
  }
})

test('what a package does not export, and what is no package, is left to Node', () => {
  const folder = temporaryFolder({
    'plain/package.json':
      '{"exports":{".":{"default":"./dist/index.js"},"./odd":{"homeostat-source":"../../etc/passwd"}}}',
    'broken/package.json': '{',
  })
  const entries = new PackageEntries(`${folder}/`)
  for (const one of ['plain', 'plain/odd', 'plain/none', 'broken', 'missing', '', '..', '../etc']) {
    expect(entries.sourceOf(one)).toBeUndefined()
  }
})
