// Every program of docs/operators-functional.md is a file here, and runs.

import { readdirSync, readFileSync } from 'node:fs'
import type { LooseObject } from '@homeostat/client'
import { testEnv } from '@homeostat/testing'
import { expect, onTestFinished, test } from 'vitest'
import { databaseOperator } from './database.ts'
import { migration } from './migration.ts'
import { site } from './site.ts'

const here = new URL('.', import.meta.url)
const guide = readFileSync(new URL('../../docs/operators-functional.md', here), 'utf8')

test('the guide shows the files as they are', () => {
  const others = ['guide.test.ts', 'recipes.test.ts']
  const programs = readdirSync(here).filter((file) => file.endsWith('.ts') && !others.includes(file))
  expect(programs.length).toBeGreaterThan(3)
  for (const file of programs) {
    expect(guide, file).toContain(`\`\`\`ts\n${readFileSync(new URL(file, here), 'utf8')}\`\`\``)
  }
})

test('the page on testing shows recipes.test.ts, part by part', () => {
  const page = readFileSync(new URL('../../docs/testing.md', here), 'utf8')
  const blocks = [...page.matchAll(/```ts\n([\s\S]*?)```/g)].map(([, code]) => code)
  expect(blocks).toHaveLength(4)
  expect(blocks.join('\n')).toBe(readFileSync(new URL('recipes.test.ts', here), 'utf8'))
})

async function open() {
  const env = await testEnv()
  onTestFinished(() => env.close())
  return env
}

const named = (apiVersion: string, kind: string, name: string) => ({ apiVersion, kind, name, namespace: 'default' })
const custom = (kind: string, name: string, spec: object) => ({
  apiVersion: 'ex.io/v1',
  kind,
  metadata: { name, namespace: 'default' },
  spec,
})
const isReady = (object: LooseObject) =>
  object.status?.conditions?.some(({ type, status }) => type === 'Ready' && status === 'True') === true

test('a database waits for its site, keeps its password, and is dropped when it goes', async () => {
  const env = await open()
  const calls: string[] = []
  const databases = {
    ensure: async (name: string, password: string) => void calls.push(`ensure ${name} ${password.length}`),
    drop: async (name: string) => void calls.push(`drop ${name}`),
  }
  await env.run([site, databaseOperator(databases)], { name: 'ex-operator' }).ready
  await env.apply(custom('Database', 'orders', { site: 'shop' }))
  await env.settled()
  expect(calls).toEqual([])
  await env.apply(custom('Site', 'shop', { image: 'nginx', replicas: 0 }))
  await env.client
    .resource('apps/v1', 'Deployment')
    .status.patch(await seen(env, named('apps/v1', 'Deployment', 'shop')), { status: { observedGeneration: 1 } })
  await env.until<LooseObject>(named('ex.io/v1', 'Database', 'orders'), isReady)
  expect(calls).toEqual(['ensure orders 24'])
  await env.client.resource('ex.io/v1', 'Database').delete({ name: 'orders', namespace: 'default' })
  await env.untilGone(named('v1', 'Secret', 'orders-creds'))
  expect(calls.at(-1)).toBe('drop orders')
})

async function seen(env: Awaited<ReturnType<typeof open>>, ref: ReturnType<typeof named>) {
  await env.until(ref, () => true)
  return ref
}

test('a report is written after the job', async () => {
  const env = await open()
  await env.run(migration).ready
  await env.apply(custom('Migration', 'm1', { image: 'migrate:1' }))
  const job = named('batch/v1', 'Job', 'm1')
  await env.until(job, () => true)
  await env.settled()
  const maps = env.client.resource('v1', 'ConfigMap')
  expect(await maps.find({ name: 'm1', namespace: 'default' })).toBeUndefined()
  const now = new Date().toISOString().replace(/\.\d+/, '')
  const done = (type: string) => ({ type, status: 'True', lastProbeTime: now, lastTransitionTime: now })
  const status = {
    startTime: now,
    completionTime: now,
    succeeded: 1,
    conditions: [done('SuccessCriteriaMet'), done('Complete')],
  }
  await env.client.resource('batch/v1', 'Job').status.patch(job, { status })
  const report = await env.until<LooseObject>(named('v1', 'ConfigMap', 'm1'), () => true)
  expect(report.data?.migrated).toBe('migrate:1')
})
