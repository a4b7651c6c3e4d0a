// A kind described in Zod, as people meet it: kubectl explains it, lists its columns, refuses what does not fit.

import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { startApiServer } from '@homeostat/apiserver'
import { temporaryFolder } from '@homeostat/base/testing/temporary-folder'
import { createClient } from '@homeostat/client'
import { nodeTransport } from '@homeostat/client/node'
import { definitionManifest, installDefinition, k8s } from '@homeostat/operator'
import { MemoryStore } from '@homeostat/store'
import { expect, onTestFinished, test } from 'vitest'
import { z } from 'zod'
import { needKubectls } from './tools.ts'

const run = promisify(execFile)
const { path = '', missing } = needKubectls().at(-1) ?? { missing: 'no kubectl' }

const spec = z.object({
  host: z.string().min(1).describe('Where the site is found.').meta({ column: true, selectable: true }),
  replicas: z.int().min(0).default(1).meta({ scale: 'specReplicas', column: true }),
  memory: k8s.quantity().default('128Mi'),
  level: z.enum(['low', 'high']).optional(),
})
const status = z.object({ replicas: z.int().meta({ scale: 'statusReplicas' }) })

const site = (name: string, fields: object) =>
  JSON.stringify({ apiVersion: 'zod.example/v1', kind: 'Site', metadata: { name }, spec: fields })

test.skipIf(missing !== undefined)('kubectl and a kind described in Zod', async () => {
  const folder = temporaryFolder()
  const store = new MemoryStore()
  const server = await startApiServer({ store, host: '127.0.0.1', port: 0 })
  const url = `http://127.0.0.1:${server.address.port}`
  const client = createClient(nodeTransport({ url }))
  onTestFinished(async () => {
    client.close()
    await server.close()
    await store.close()
  })
  const kubectl = async (args: string[], input = '') => {
    const env = { PATH: process.env.PATH, HOME: folder, KUBECONFIG: '/dev/null' }
    const running = run(path, ['--server', url, '--cache-dir', folder, ...args], { env })
    running.child.stdin?.end(input)
    return (await running).stdout
  }
  const description = 'A page on the web.'
  const names = { shortNames: ['st'] }
  const manifest = definitionManifest({
    group: 'zod.example',
    version: 'v1',
    kind: 'Site',
    names,
    description,
    spec,
    status,
  })
  await installDefinition(client, manifest)

  await kubectl(['apply', '-f', '-'], site('shop', { host: 'shop.example', memory: 2 }))
  expect(await kubectl(['get', 'st'])).toMatch(/^NAME +HOST +REPLICAS +READY +AGE\nshop +shop\.example +1 +/)
  expect(await kubectl(['explain', 'site'])).toContain(description)
  const explained = await kubectl(['explain', 'site.spec'])
  expect(explained).toMatch(/host\s+<string> -required-\n\s+Where the site is found\./)
  expect(explained).toMatch(/enum: low, high/)
  expect(await kubectl(['get', 'sites', '--field-selector', 'spec.host=other'])).toBe('')
  await kubectl(['scale', 'site', 'shop', '--replicas=3'])
  expect(await kubectl(['get', 'site', 'shop', '-o', 'jsonpath={.spec}'])).toBe(
    JSON.stringify({ host: 'shop.example', memory: 2, replicas: 3 }),
  )
  const wrong = site('wrong', { host: '', level: 'middle', memory: 'much' })
  const refusal = await kubectl(['apply', '-f', '-'], wrong).catch((error: { stderr: string }) => error.stderr)
  for (const field of ['spec.host', 'spec.level', 'spec.memory']) expect(refusal).toContain(field)
  await expect(kubectl(['apply', '-f', '-'], site('typo', { host: 'a', replicass: 1 }))).rejects.toThrow(/replicass/)
})
