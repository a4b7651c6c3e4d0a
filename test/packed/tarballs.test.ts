// What is in the tarballs, and that each entry of each package can be imported where only they are installed.

import { execFile } from 'node:child_process'
import { createHash } from 'node:crypto'
import { globSync, readFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { promisify } from 'node:util'
import { temporaryFolder } from '@homeostat/base/testing/temporary-folder'
import { expect, inject, test } from 'vitest'
import { packedProject } from './packed-project.ts'
import { filesIn, publishedEntries, publishedLibraries, tarballs } from './published.ts'

const root = join(import.meta.dirname, '../..')

test('a tarball has built files, a README and a licence, and neither sources, tests nor fixtures', () => {
  const manifests = globSync('packages/*/package.json', { cwd: root }).map(
    (path) => JSON.parse(readFileSync(join(root, path), 'utf8')) as { private?: boolean },
  )
  const files = tarballs(inject('tarballs'))
  expect(files).toHaveLength(manifests.filter((manifest) => manifest.private !== true).length)
  for (const file of files) {
    const names = filesIn(file)
    expect(names).toEqual(expect.arrayContaining(['package.json', 'README.md', 'LICENSE']))
    const own = names.filter((name) => !name.includes('create-homeostat-templates/'))
    const foreign = own.filter((name) => /^(src|test)\/|^(dist|lib)\/.*(\.test\.|fixture|(?<!\.d)\.ts$)/.test(name))
    expect(foreign).toEqual([])
  }
})

test('the same sources give the same tarballs', async () => {
  const again = temporaryFolder()
  const script = join(root, 'scripts/pack.ts')
  await promisify(execFile)(process.execPath, ['--conditions=homeostat-source', script, again])
  const contents = (folder: string) =>
    Object.fromEntries(tarballs(folder).map((file) => [basename(file), hashOf(file)]))
  expect(contents(again)).toEqual(contents(inject('tarballs')))
})

function hashOf(file: string): string {
  return createHash('sha256').update(readFileSync(file)).digest('hex')
}

test.each(['oldest', 'newest'] as const)('every entry can be imported on the %s Node', async (node) => {
  const names = publishedLibraries().map(({ name }) => name)
  using project = await packedProject({ dependencies: [...names, 'zod@^4.1'], node })
  // It needs the test runner.
  const imported = publishedEntries().filter((name) => name !== '@homeostat/store/conformance')
  project.write({
    'all.js': imported.map((name) => `import * as _${imported.indexOf(name)} from '${name}'`).join('\n'),
  })
  await project.run('node', ['all.js'])
  const manifests = globSync('node_modules/@homeostat/*/package.json', { cwd: project.folder })
  expect(manifests).toHaveLength(names.length)
  for (const file of manifests) {
    const text = readFileSync(join(project.folder, file), 'utf8')
    expect(text).not.toMatch(/homeostat-source|devDependencies/)
  }
})
