// The installed command, in each way in which people install it.

import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { call } from '../http-call.ts'
import { ready } from '../server-process.ts'
import { packedProject } from './packed-project.ts'

test.each(['oldest', 'newest'] as const)(
  '`npx homeostat up` answers where nothing is installed, on the %s Node',
  async (node) => {
    using project = await packedProject({ node })
    const data = join(project.folder, '.homeostat')
    const server = await ready(project.spawn('npx', ['homeostat', 'up', '--port', '0']), data)
    expect((await call(`${server.url}/readyz`)).text).toBe('ok')
    const { stdout } = await project.run('npx', ['homeostat', 'version'])
    expect(stdout).toMatch(/^homeostat \d/)
  },
)

test('a project that depends on it has it in node_modules/.bin, and its scripts find it', async () => {
  using project = await packedProject({ devDependencies: ['homeostat'] })
  await project.run('npm', ['pkg', 'set', 'scripts.server=homeostat version'])
  const direct = await project.run(join(project.folder, 'node_modules/.bin/homeostat'), ['version'])
  expect((await project.run('npm', ['run', '--silent', 'server'])).stdout).toBe(direct.stdout)
})

test('a global installation has it on the PATH', async () => {
  using project = await packedProject()
  const prefix = join(project.folder, 'global')
  mkdirSync(prefix)
  await project.run('npm', ['install', '--global', '--prefix', prefix, 'homeostat'])
  const { stdout } = await project.run(join(prefix, 'bin/homeostat'), ['version'])
  expect(stdout).toMatch(/^homeostat \d/)
})
