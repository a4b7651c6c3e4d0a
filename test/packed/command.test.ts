// The installed command, in each way in which people install it.

import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { linesOf } from '@homeostat/base/testing/lines-of'
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
    await hasPage(`${server.url}/ui`)
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

test('`homeostat dashboard` has the page, too, and shows the server of a kubeconfig', async () => {
  using project = await packedProject({ devDependencies: ['homeostat'] })
  const data = join(project.folder, '.homeostat')
  await ready(project.spawn('homeostat', ['up', '--port', '0']), data)
  const { stdout } = project.spawn('homeostat', ['dashboard', '--port', '0'])
  if (stdout === null) throw new Error('it has no output')
  for await (const line of linesOf(stdout)) {
    const [, url] = /is at (http:\S+)/.exec(line) ?? []
    if (url === undefined) continue
    await hasPage(url)
    expect((await call(`${url}/api/api/v1/namespaces/default`)).body.metadata.name).toBe('default')
    return
  }
  throw new Error('it ended without an address')
})

/** The page and a program of it: a clone would have to build them first. */
async function hasPage(url: string): Promise<void> {
  const { text } = await call(url)
  const [, script] = /<script type="module"[^>]* src="([^"]+)"/.exec(text) ?? []
  expect(script, text).toMatch(/^\/ui\/assets\//)
  const { code, headers } = await call(new URL(script ?? '', url).href)
  expect([code, headers.get('content-type')]).toEqual([200, expect.stringMatching(/javascript/)])
}

test('a global installation has it on the PATH', async () => {
  using project = await packedProject()
  const prefix = join(project.folder, 'global')
  mkdirSync(prefix)
  await project.run('npm', ['install', '--global', '--prefix', prefix, 'homeostat'])
  const { stdout } = await project.run(join(prefix, 'bin/homeostat'), ['version'])
  expect(stdout).toMatch(/^homeostat \d/)
})
