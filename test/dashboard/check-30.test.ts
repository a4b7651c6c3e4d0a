// Check 30 as a person does it: the dashboard shows resources by kind with conditions, queue depth, executors alive, a Process with its timeline
// and log, and a graph while it runs. (That /metrics shows them, too, is in test/acceptance; the benchmark is a row of `npm run bench`.)

import { silentLog } from '@homeostat/base'
import { executor } from '@homeostat/executor'
import { describe, expect, onTestFinished, test } from 'vitest'
import { defineLamp, lamp, setStatus } from './lamp.ts'
import { noBrowser, type Stage, startStage, useBrowser } from './stage.ts'

const work = (executorType: string) => ({ funcName: 'f', conditions: { executorType } })

async function create({ client }: Stage, kind: string, name: string, spec: object): Promise<void> {
  const metadata = { name, namespace: 'default' }
  await client.resource('colonies.io/v1', kind).create({ apiVersion: 'colonies.io/v1', kind, metadata, spec } as never)
}

describe.skipIf(noBrowser)('check 30', () => {
  const browser = useBrowser()

  test('on the screens of the dashboard, without a command', async () => {
    const stage = await startStage(browser())
    await defineLamp(stage)
    await stage.apply(lamp('desk', { size: 1 }))
    await setStatus(stage, 'desk', {
      conditions: [{ type: 'Ready', status: 'False', reason: 'NoBulb', message: 'dark' }],
    })
    const gate = Promise.withResolvers<void>()
    const running = executor({
      client: stage.client,
      type: 't',
      name: 't-1',
      functions: {
        f: async ({ log }) => {
          log('hello from f')
          await gate.promise
          return 'done'
        },
      },
      log: silentLog,
      drain: '0s',
      concurrency: 4,
    })
    onTestFinished(() => running.close())
    await create(stage, 'Process', 'stuck', work('nobody'))
    await create(stage, 'Process', 'one', work('t'))
    const nodes = [
      { name: 'first', ...work('t') },
      { name: 'second', dependencies: ['first'], ...work('t') },
    ]
    await create(stage, 'ProcessGraph', 'flow', { nodes })

    const page = await stage.open()
    // Resources by kind, with the condition of the one that is not ready.
    await page.getByRole('link', { name: 'desk' }).first().click()
    await page.getByText('NoBulb').first().waitFor()

    await page.getByRole('navigation').getByRole('link', { name: 'Queue', exact: true }).click()
    await page.getByRole('link', { name: '1 Waiting' }).first().waitFor()
    await page.getByRole('cell', { name: 'none is online' }).waitFor()

    await page.getByRole('navigation').getByRole('link', { name: 'Executors', exact: true }).click()
    await page.getByText('t-1').first().waitFor()

    const graph = await stage.open('/objects/colonies.io/v1/processgraphs/default/flow')
    await graph.locator('.node-box').nth(1).waitFor()
    await graph.getByText(/\b1 running/).waitFor()
    const process = await stage.open('/objects/colonies.io/v1/processes/default/one')
    await process.getByText('attempt 1, t-1').waitFor()
    await process.getByRole('tab', { name: 'logs' }).click()
    await process.getByText('hello from f').waitFor()
    // What is on the screen follows.
    gate.resolve()
    await graph.getByText('2 succeeded').waitFor()
    await process.getByRole('tab', { name: 'run' }).click()
    await process.getByRole('group', { name: 'output' }).getByText('done').waitFor()
    expect(await process.title()).toBe('Homeostat')
  }, 240_000)
})
