// From `npm create` to an object that is ready, as somebody does who has nothing but Node: the templates that
// own-project.test.ts does not take.

import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { ready } from '../server-process.ts'
import { type PackedProject, packedProject } from './packed-project.ts'

const inside = { cwd: 'my-operator', env: { HEALTH_PORT: '0' } }

async function create(template: string, node: 'oldest' | 'newest'): Promise<PackedProject> {
  const project = await packedProject({ node })
  const words = ['my-operator', '--', '--template', template, '--kind', 'Shop', '--group', 'shops.example']
  const { stdout } = await project.run('npm', ['create', 'homeostat@latest', ...words])
  expect(stdout).toContain(`my-operator is written in my-operator: Shop of shops.example, ${template}`)
  return project
}

test.each([
  ['class', 'newest'],
  ['executor', 'newest'],
] as const)(
  'a new project, %s on the %s Node, passes its checks and makes its example ready',
  async (template, node) => {
    using project = await create(template, node)
    for (const script of ['test', 'typecheck', 'lint']) await project.run('npm', ['run', script], inside)

    const folder = join(project.folder, 'my-operator')
    const server = await ready(
      project.spawn('npx', ['homeostat', 'up', '--port', '0'], inside),
      join(folder, '.homeostat'),
    )
    project.spawn('npm', ['start'], inside) // finds .homeostat/kubeconfig
    const hello = `${server.url}/apis/shops.example/v1/namespaces/default/shops/hello`
    const apply = async () => {
      const headers = { 'content-type': 'application/apply-patch+yaml' }
      const body = readFileSync(join(folder, 'examples/shop.yaml'))
      return (await fetch(`${hello}?fieldManager=test`, { method: 'PATCH', headers, body })).status
    }
    await expect.poll(apply).toBe(201)
    await expect.poll(async () => (await fetch(hello)).text()).toMatch(/"type":"Ready","status":"True"/)
  },
)

test('homeostat init writes what npm create does', async () => {
  using project = await packedProject({ dependencies: ['homeostat'] })
  const words = ['--kind', 'Shop', '--no-install']
  await project.run('npx', ['homeostat', 'init', 'one', '--name', 'shops', ...words])
  await project.run('npm', ['create', 'homeostat@latest', 'two', '--', '--name', 'shops', ...words])
  await project.run('diff', ['-r', 'one', 'two'])
})
