// A stranger copies examples/homelab into a project of their own: it compiles there, strictly, and tells its story.

import { existsSync, globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { need } from '../tools.ts'
import { packedProject } from './packed-project.ts'
import { strictSettings, withVersions } from './strict-project.ts'

const example = join(import.meta.dirname, '../../examples/homelab')
// Debian keeps the programs of PostgreSQL where no PATH looks.
const postgres = existsSync('/usr/lib/postgresql') ? undefined : need('postgres').missing
const missing = postgres ?? need('redis-server').missing

test.skipIf(missing).each(['oldest', 'newest'] as const)(
  'the copied example compiles and runs, on the %s Node',
  async (node) => {
    const { dependencies, devDependencies } = JSON.parse(readFileSync(join(example, 'package.json'), 'utf8'))
    const files = globSync('**/*.{ts,json,yaml}', {
      cwd: example,
      exclude: (path) => /node_modules|\.(test|fixture)\.ts$/.test(String(path)),
    })
    expect(files.length).toBeGreaterThan(30)
    const copied = files.filter((file) => file !== 'package.json' && !/\.(test|fixture)\.ts$/.test(file))
    using project = await packedProject({
      node,
      dependencies: withVersions(dependencies),
      devDependencies: [...withVersions(devDependencies), 'typescript@7', '@types/node@24'],
      files: {
        ...Object.fromEntries(copied.map((file) => [file, readFileSync(join(example, file), 'utf8')])),
        'tsconfig.json': JSON.stringify(strictSettings),
      },
    })
    await project.run('npx', ['tsc', '-p', '.'])
    const { stdout } = await project.run('node', ['main.ts'])
    expect(stdout).toContain('AuthentikServer homelab: ready')
    expect(stdout).toMatch(/databases of the homelab: 0\n$/)
  },
)
