// A stranger copies examples/colony-kinds, and the definitions of the documents, into a project of their own: it compiles there,
// strictly, and tells its story.

import { existsSync, globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { need } from '../tools.ts'
import { packedProject } from './packed-project.ts'
import { strictSettings, withVersions } from './strict-project.ts'

const examples = join(import.meta.dirname, '../../examples')
// Debian keeps the programs of PostgreSQL where no PATH looks.
const missing = existsSync('/usr/lib/postgresql') ? undefined : need('postgres').missing

test.skipIf(missing)('the copied example compiles and runs, on the oldest Node', async () => {
  const manifest = readFileSync(join(examples, 'colony-kinds/package.json'), 'utf8')
  const { dependencies, devDependencies } = JSON.parse(manifest)
  const copied = globSync(['colony-kinds/**/*.{ts,json}', 'executor-deployment/definitions/*.json'], {
    cwd: examples,
    exclude: (path) => /node_modules|\.(test|fixture)\.ts$/.test(String(path)),
  }).filter((file) => !file.endsWith('package.json') && !/\.(test|fixture)\.ts$/.test(file))
  expect(copied.length).toBeGreaterThan(25)
  using project = await packedProject({
    node: 'oldest',
    dependencies: withVersions(dependencies),
    devDependencies: [...withVersions(devDependencies), 'typescript@7', '@types/node@24'],
    files: {
      ...Object.fromEntries(copied.map((file) => [file, readFileSync(join(examples, file), 'utf8')])),
      'tsconfig.json': JSON.stringify(strictSettings),
    },
  })
  await project.run('npx', ['tsc', '-p', '.'])
  const { stdout } = await project.run('node', ['colony-kinds/main.ts'])
  expect(stdout).toContain('Process resize-1: Succeeded at attempt 2')
  expect(stdout).toMatch(/data of databases: 0\n$/)
})
