// What is in the tarballs, and that each entry of each package can be imported where only they are installed.

import { execFileSync } from 'node:child_process'
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, inject, test } from 'vitest'
import { libraries, publicEntries, readManifests } from '../../scripts/packages.ts'
import { packedProject } from './packed-project.ts'

const root = join(import.meta.dirname, '../..')
const packages = libraries(readManifests(root))

test('a tarball has built files, a README and a licence, and neither sources, tests nor fixtures', () => {
  const folder = inject('tarballs')
  const files = globSync('*.tgz', { cwd: folder })
  expect(files).toHaveLength(packages.size + 1)
  for (const file of files) {
    const names = execFileSync('tar', ['-tzf', join(folder, file)], { encoding: 'utf8' })
      .trim()
      .split('\n')
    expect(names).toEqual(expect.arrayContaining(['package/package.json', 'package/README.md', 'package/LICENSE']))
    const foreign = names.filter((name) =>
      /^package\/(src|test)\/|\/(dist|lib)\/.*(\.test\.|fixture|(?<!\.d)\.ts$)/.test(name),
    )
    expect(foreign).toEqual([])
  }
})

test.each(['oldest', 'newest'] as const)('every entry can be imported on the %s Node', async (node) => {
  const names = [...packages.values()].map(({ name }) => name)
  using project = await packedProject({ dependencies: [...names, 'zod@^4.1'], node })
  const entries = [...packages].flatMap(([folder, manifest]) =>
    publicEntries(root, folder, manifest).map(([name]) => name),
  )
  // It needs the test runner.
  const imported = entries.filter((name) => name !== '@homeostat/store/conformance')
  project.write({
    'all.js': imported.map((name) => `import * as _${imported.indexOf(name)} from '${name}'`).join('\n'),
  })
  await project.run('node', ['all.js'])
  const manifests = globSync('node_modules/@homeostat/*/package.json', { cwd: project.folder })
  expect(manifests).toHaveLength(packages.size)
  for (const file of manifests) {
    const text = readFileSync(join(project.folder, file), 'utf8')
    expect(text).not.toMatch(/homeostat-source|devDependencies/)
  }
})
