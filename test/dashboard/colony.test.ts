// The colony's screens, with a real queue and real executors: the queue, a Process, a graph, schedules, executors.

import { silentLog } from '@homeostat/base'
import type { ApiObject } from '@homeostat/client'
import { type ExecutorFunction, executor } from '@homeostat/executor'
import { executorAccount } from '@homeostat/executor/account'
import type { Page } from 'playwright-core'
import { describe, expect, onTestFinished, test } from 'vitest'
import { expectAccessible } from './accessible.ts'
import { takePicture } from './picture.ts'
import { noBrowser, type Stage, startStage, useBrowser, type View } from './stage.ts'

const LOOKS: Record<string, View> = { light: { theme: 'light' }, dark: { theme: 'dark' }, phone: { size: 'phone' } }
const MARKUP = '<img src=x onerror="document.title=1">'
const HOSTILE = `${MARKUP}\u0000\u001b[31m\u202e${'x'.repeat(100_000)}`

function create(stage: Stage, kind: string, name: string, spec: object): Promise<ApiObject> {
  return stage.client.resource('colonies.io/v1', kind).create({
    apiVersion: 'colonies.io/v1',
    kind,
    metadata: { name, namespace: 'default' },
    spec,
  } as never) as Promise<ApiObject>
}

function run(stage: Stage, type: string, functions: Readonly<Record<string, ExecutorFunction>>): void {
  const { client } = stage
  const running = executor({ client, type, name: `${type}-1`, functions, log: silentLog, drain: '0s', concurrency: 4 })
  onTestFinished(() => running.close())
}

async function phaseOf(stage: Stage, kind: string, name: string): Promise<unknown> {
  const found = await stage.client.resource('colonies.io/v1', kind).get({ namespace: 'default', name })
  return (found as { status?: { phase?: string } }).status?.phase
}

const work = (executorType: string, funcName: string) => ({ funcName, conditions: { executorType } })

/** Each in light, in dark and on a phone. */
async function inAllLooks(stage: Stage, path: string, name: string, ready: (page: Page) => Promise<void>) {
  for (const [look, view] of Object.entries(LOOKS)) {
    const page = await stage.open(path, view)
    await ready(page)
    await expectAccessible(page)
    await takePicture(page, `${name}-${look}`)
  }
}

describe.skipIf(noBrowser)('the colony', () => {
  const browser = useBrowser()

  test('a Process shows its attempts, what went in and out, and is run again with other arguments', async () => {
    const stage = await startStage(browser(), [])
    let tries = 0
    run(stage, 't', {
      f: ({ args }) => {
        if (tries++ === 0) throw new Error(HOSTILE)
        return { text: MARKUP, args }
      },
    })
    await create(stage, 'Process', 'p', { ...work('t', 'f'), args: [MARKUP] })
    await expect.poll(() => phaseOf(stage, 'Process', 'p')).toBe('Succeeded')
    await inAllLooks(stage, '/objects/colonies.io/v1/processes/default/p', 'process', async (page) => {
      await page.getByText('attempt 1, t-1').waitFor()
      await page.getByText('attempt 2, t-1').waitFor()
      await page.getByText('waited again').waitFor()
    })
    // The server refuses a priority.
    const page = await stage.open('/objects/colonies.io/v1/processes/default/p', { expected: [/^422/] })
    await page.getByRole('button', { name: 'Edit and run again' }).focus()
    await page.keyboard.press('Enter')
    const spec = page.getByLabel('The spec, as JSON')
    await spec.fill('{')
    await expect.poll(() => page.getByRole('alert').first().textContent()).toContain('JSON')
    await spec.fill(JSON.stringify({ ...work('t', 'f'), args: ['other'], priority: 99_999 }))
    await page.getByRole('button', { name: 'Run', exact: true }).focus()
    await expectAccessible(page)
    await page.keyboard.press('Enter')
    // The server refuses the priority, and what was written is still there.
    await page.getByText('spec.priority').first().waitFor()
    await spec.fill((await spec.inputValue()).replace('99999', '1'))
    await page.getByRole('button', { name: 'Run', exact: true }).click()
    await expect.poll(() => page.url()).toMatch(/processes\/default\/p-[^/]+$/)
    await page.getByText('"other"').last().waitFor()
    expect(await page.title()).toBe('Homeostat')
  }, 240_000)

  test('the queue shows what waits and that nobody takes it; marked Processes are cancelled and run again', async () => {
    const stage = await startStage(browser(), [])
    for (let index = 0; index < 5; index++) await create(stage, 'Process', `w${index}`, work('nobody', 'f'))
    await inAllLooks(stage, '/colony/queue?charts=on', 'queue', async (page) => {
      await page.getByRole('cell', { name: 'none is online' }).waitFor()
      await expect.poll(() => page.locator('.uplot canvas').count()).toBe(3)
    })
    const page = await stage.open('/colony/queue?ns=default', { expected: [/409/] })
    await page.getByRole('button', { name: 'Pause the queue of default' }).click()
    await page.getByText('The queue of default is paused').waitFor()
    await page.getByRole('button', { name: 'Go on' }).click()
    await page.getByRole('button', { name: 'Pause the queue of default' }).waitFor()
    await page.getByRole('link', { name: '5 Waiting' }).click()
    await page.getByRole('link', { name: 'w4' }).waitFor()
    await page.getByRole('grid').focus()
    await page.keyboard.press('Control+a')
    await page.getByText('5 marked').waitFor()
    await page.getByRole('button', { name: 'Run again' }).click()
    await page.getByText('5 left out: It has not ended').waitFor()
    await page.keyboard.press('Escape')
    await page.getByRole('button', { name: 'Cancel', exact: true }).click()
    await page.getByRole('button', { name: 'Cancel 5' }).click()
    await page.getByText('5 of 5 done').waitFor()
    await expect.poll(() => phaseOf(stage, 'Process', 'w4')).toBe('Cancelled')
    await page.goto(`${stage.server.url}/ui/objects/colonies.io/v1/processes/default/w0`)
    await page.getByRole('button', { name: 'Run again', exact: true }).click()
    await page.getByText('It waits: no executor of type nobody is online.').waitFor()
    await expectAccessible(page)
  }, 240_000)

  test('a graph is drawn while it runs, names what failed, and is run again from there', async () => {
    const stage = await startStage(browser(), [])
    let broken = true
    run(stage, 't', {
      ok: () => 'ok',
      fail: () => {
        if (broken) throw new Error(MARKUP)
      },
    })
    const nodes = [
      { name: 'a', ...work('t', 'ok') },
      { name: 'b', dependencies: ['a'], ...work('t', 'ok') },
      { name: 'c', dependencies: ['a'], ...work('t', 'fail'), maxRetries: 0 },
      { name: 'd', dependencies: ['b', 'c'], ...work('t', 'ok') },
    ]
    await create(stage, 'ProcessGraph', 'g', { nodes })
    await expect.poll(() => phaseOf(stage, 'ProcessGraph', 'g')).toBe('Failed')
    await inAllLooks(stage, '/objects/colonies.io/v1/processgraphs/default/g', 'graph', async (page) => {
      await page.getByText('2 failed').waitFor()
      await expect.poll(() => page.locator('.node-box').count()).toBe(4)
    })
    const page = await stage.open('/objects/colonies.io/v1/processgraphs/default/g')
    await page.getByRole('button', { name: 'c', exact: true }).focus()
    await page.keyboard.press('Enter')
    await page.locator('.facts').getByText(MARKUP).waitFor()
    broken = false
    await page.getByRole('button', { name: 'Run again from where it failed' }).click()
    await expect.poll(() => page.url()).toContain('g-rerun-')
    await page.getByText('4 succeeded').waitFor()
  }, 240_000)

  test('a graph of thousands of nodes does not freeze the page', async () => {
    const stage = await startStage(browser(), [])
    const nodes = Array.from({ length: 2000 }, (_, index) => ({
      name: `n${index}`,
      ...(index >= 40 && { dependencies: [...new Set([`n${index - 40}`, `n${(index * 7) % 40}`])] }),
      ...work('nobody', 'f'),
    }))
    await create(stage, 'ProcessGraph', 'large', { nodes })
    const page = await stage.open('/objects/colonies.io/v1/processgraphs/default/large')
    await page.locator('.node-box').first().waitFor()
    // Of the nodes only those that can be seen are in the document, before and after it is moved.
    expect(await page.locator('.node-box').count()).toBeLessThan(300)
    await page.mouse.move(700, 500)
    await page.mouse.down()
    for (let step = 1; step <= 10; step++) await page.mouse.move(700 - step * 30, 500)
    await page.mouse.up()
    expect(await page.locator('.node-box').count()).toBeLessThan(300)
    await page.getByRole('tab', { name: 'yaml' }).click()
  }, 240_000)

  test('schedules are told in words, run now, suspended and resumed', async () => {
    const stage = await startStage(browser(), [])
    const spec = { cron: '0 9 * * MON-FRI', timeZone: 'Europe/Berlin', process: work('t', MARKUP) }
    await create(stage, 'Schedule', 'weekdays', spec)
    await create(stage, 'Schedule', 'pulse', { intervalSeconds: 7200, process: work('t', 'f') })
    await inAllLooks(stage, '/colony/schedules', 'schedules', async (page) => {
      await page.getByText('every weekday at 09:00 Europe/Berlin').waitFor()
      await page.getByText('every 2 hours').waitFor()
    })
    const page = await stage.open('/colony/schedules')
    await page.getByRole('button', { name: 'Suspend: pulse' }).focus()
    await page.keyboard.press('Enter')
    await page.getByRole('button', { name: 'Resume: pulse' }).waitFor()
    await page.getByRole('button', { name: 'Run now: weekdays' }).click()
    const runs = () => stage.client.resource('colonies.io/v1', 'Process').list({ namespace: 'default' })
    await expect.poll(async () => (await runs()).items.length).toBe(1)
    await page.getByRole('button', { name: 'Resume: pulse' }).click()
    await page.getByRole('button', { name: 'Suspend: pulse' }).waitFor()
  }, 240_000)

  test('executors tell when they were last heard and what they hold; one that joined is approved, another rejected', async () => {
    const stage = await startStage(browser(), [])
    const held = Promise.withResolvers<string>()
    onTestFinished(() => held.resolve(''))
    run(stage, 't', { hold: () => held.promise })
    await create(stage, 'Process', 'held', work('t', 'hold'))
    await expect.poll(() => phaseOf(stage, 'Process', 'held')).toBe('Running')
    for (const name of ['new', 'bad']) {
      const { account, role } = executorAccount({ namespace: 'default', name, type: 't' })
      await stage.apply(account)
      await stage.apply(role)
    }
    await inAllLooks(stage, '/colony/executors', 'executors', async (page) => {
      await page.getByRole('link', { name: 'held' }).waitFor()
      await page.getByText('Waiting for an approval: 2').waitFor()
    })
    const page = await stage.open('/colony/executors')
    await page.getByRole('button', { name: 'Approve new' }).focus()
    await page.keyboard.press('Enter')
    await page.getByText('Waiting for an approval: 1').waitFor()
    await page.getByRole('button', { name: 'Reject bad' }).click()
    await expect.poll(() => page.getByText('Waiting for an approval').count()).toBe(0)
    const accounts = await stage.client.resource('v1', 'ServiceAccount').list({ namespace: 'default' })
    expect(accounts.items.map(({ metadata }) => metadata.name)).toContain('executor-new')
    expect(accounts.items.map(({ metadata }) => metadata.name)).not.toContain('executor-bad')
  }, 240_000)

  test('the server and the operators tell what they do', async () => {
    const stage = await startStage(browser(), [])
    run(stage, 't', {})
    await create(stage, 'Process', 'fails', { ...work('t', 'missing'), maxRetries: 0, maxWaitSeconds: 1 })
    await inAllLooks(stage, '/server', 'server', async (page) => {
      await page.getByText('This server is the only one').waitFor()
      await expect.poll(() => page.locator('.uplot canvas').count()).toBe(6)
    })
    await inAllLooks(stage, '/operators', 'operators', async (page) => {
      await page.getByRole('heading', { name: 'Controllers' }).waitFor()
      await page.getByText('Objects with the most warnings').waitFor()
    })
  }, 240_000)
})
