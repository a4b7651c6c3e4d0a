// Tests with a control plane and its queue inside them, in memory.

import assert from 'node:assert/strict'
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { testColony } from '@homeostat/testing/colony'
import { webSiteOperator } from './web-site.ts'

const folder = mkdtempSync(join(tmpdir(), 'my-operator-'))
after(() => rmSync(folder, { recursive: true }))
const operator = webSiteOperator(folder)
const options = {
  name: 'my-operator',
  pull: { executorType: 'my-operator' },
}

const { apiVersion, kind } = operator
const [name, namespace] = ['hello', 'default']
const site = { apiVersion, kind, name, namespace }
const manifest = { apiVersion, kind, metadata: { name, namespace }, spec: { title: 'Hello' } }

test('a worker publishes the page, again when it changes, and removes it at the end', async (t) => {
  const colony = await testColony()
  t.after(() => colony.close())
  await colony.run(operator, options).ready
  await colony.apply(manifest)
  await colony.until(site, isReady)
  const file = join(folder, namespace, name, 'index.html')
  assert.match(readFileSync(file, 'utf8'), /<h1>Hello<\/h1>/)

  await colony.apply({ ...manifest, spec: { title: 'Good bye' } })
  await colony.until(site, ({ status }) => status?.['observedGeneration'] === 2)
  assert.match(readFileSync(file, 'utf8'), /<h1>Good bye<\/h1>/)

  await colony.client.resourceOf(apiVersion, kind).delete({ name, namespace })
  await colony.untilGone(site)
  assert.equal(existsSync(file), false)
})

test('several workers share the objects', async (t) => {
  const colony = await testColony()
  t.after(() => colony.close())
  await Promise.all([1, 2, 3].map(() => colony.run(operator, options).ready))
  const names = Array.from({ length: 12 }, (_, index) => `page-${index}`)
  await colony.apply(...names.map((name) => ({ ...manifest, metadata: { name, namespace } })))
  for (const name of names) await colony.until({ ...site, name }, isReady)
})

test('the server refuses a WebSite without a title', async (t) => {
  const colony = await testColony()
  t.after(() => colony.close())
  await colony.run(operator, options).ready
  await assert.rejects(colony.apply({ ...manifest, spec: {} }), /spec\.title: Required value/)
})

function isReady({ status }: { status?: { conditions?: readonly { type: string; status: string }[] } }): boolean {
  return status?.conditions?.some(({ type, status }) => type === 'Ready' && status === 'True') ?? false
}
