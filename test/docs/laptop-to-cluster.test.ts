// The programs of docs/from-laptop-to-cluster.md, started as printed in a folder with a server: first alone, then as replicas.

import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { eventually } from '@homeostat/base/testing/eventually'
import { temporaryFolder } from '@homeostat/base/testing/temporary-folder'
import { clientFromKubeconfig } from '@homeostat/client/node'
import { expect, onTestFinished, test } from 'vitest'
import { spawnScript, startServer } from '../server-process.ts'
import { blocks, root } from './blocks.ts'

test('the same operator runs on the laptop, and as replicas that share namespaces with a label', async () => {
  const folder = temporaryFolder()
  const server = await startServer(join(folder, '.homeostat'))
  const [greeting = '', main = '', replicas = ''] = blocks('ts')
    .filter(({ page }) => page === 'docs/from-laptop-to-cluster.md')
    .map(({ code }) => code)
  mkdirSync(join(folder, 'src'))
  symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'))
  writeFileSync(join(folder, 'package.json'), '{"type":"module"}')
  for (const [file, text] of Object.entries({ greeting, main, replicas })) {
    writeFileSync(join(folder, 'src', `${file}.ts`), text)
  }
  const client = await clientFromKubeconfig({ path: server.kubeconfig })
  onTestFinished(() => client.close())
  const greetings = client.resourceOf('example.com/v1', 'Greeting')
  const create = (namespace: string) =>
    greetings.create({ metadata: { name: 'hello', namespace }, spec: { text: namespace } } as object)
  const copied = (namespace: string) => client.resource('v1', 'ConfigMap').find({ name: 'hello', namespace })

  const env = { KUBECONFIG: '', PORT: '0', HOME: folder, HOMEOSTAT_LOG_LEVEL: 'error' }
  const alone = spawnScript(join(folder, 'src/main.ts'), [], env, folder)
  await eventually(() => client.discover('example.com/v1', 'Greeting'))
  await create('default')
  await eventually(() => copied('default'))
  const ended = new Promise((resolve) => alone.once('close', resolve))
  alone.kill('SIGTERM')
  expect(await ended).toBe(0)

  for (const [name, labels] of Object.entries({ shop: { greetings: 'enabled' }, other: {} })) {
    await client.resource('v1', 'Namespace').create({ metadata: { name, labels } } as object)
    await create(name)
  }
  for (let replica = 0; replica < 2; replica++) spawnScript(join(folder, 'src/replicas.ts'), [], env, folder)
  await eventually(() => copied('shop'))
  await client
    .resourceOf('v1', 'Namespace')
    .patch({ name: 'default' }, { metadata: { labels: { greetings: 'enabled' } } })
  await client.resource('v1', 'ConfigMap').delete({ name: 'hello', namespace: 'default' })
  await eventually(() => copied('default'))
  expect(await copied('other')).toBeUndefined()
})
