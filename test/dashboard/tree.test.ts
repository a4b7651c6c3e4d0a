// The tree of an object: health, groups, only what is not ready, by keyboard too; and that 5,000 boxes pan.

import type { CDPSession, Page } from 'playwright-core'
import { describe, expect, test } from 'vitest'
import { expectAccessible } from './accessible.ts'
import { DESK, defineLamp, LAMP, lamp, setStatus } from './lamp.ts'
import { takePicture } from './picture.ts'
import { noBrowser, type Stage, startStage, useBrowser, type View } from './stage.ts'

const LOOKS: Record<string, View> = { light: { theme: 'light' }, dark: { theme: 'dark' }, phone: { size: 'phone' } }

async function ownerOf({ client }: Stage, name: string): Promise<object> {
  const { metadata } = await client.resourceOf(LAMP.apiVersion, LAMP.kind).get({ name, namespace: 'default' })
  return { ...LAMP, name, uid: metadata.uid, controller: true }
}

async function scriptMs(session: CDPSession): Promise<number> {
  const { metrics } = await session.send('Performance.getMetrics')
  return 1000 * (metrics.find(({ name }) => name === 'ScriptDuration')?.value ?? 0)
}

const boxes = (page: Page) => page.locator('.tree-box')

describe.skipIf(noBrowser)('the tree', () => {
  const browser = useBrowser()

  test('shows owners and children with how they are, follows changes and shows only what is not ready', async () => {
    const stage = await startStage(browser())
    await defineLamp(stage)
    await stage.apply(lamp('desk', { size: 3 }))
    const owner = await ownerOf(stage, 'desk')
    for (const name of ['arm', 'foot', 'shade'])
      await stage.apply(lamp(name, { size: 1 }, { ownerReferences: [owner] }))
    const arm = await ownerOf(stage, 'arm')
    for (const name of ['bulb-1', 'bulb-2']) await stage.apply(lamp(name, { size: 1 }, { ownerReferences: [arm] }))
    const status = (word: string) => ({ conditions: [{ type: 'Ready', status: word, reason: 'Any' }] })
    for (const name of ['desk', 'foot', 'bulb-1']) await setStatus(stage, name, status('True'))
    await setStatus(stage, 'bulb-2', status('False'))
    for (const [look, view] of Object.entries(LOOKS)) {
      const page = await stage.open(`${DESK}?tab=tree`, view)
      await page.locator('.tree-box.bad').getByText('bulb-2').waitFor()
      await page.getByText('6 objects, 1 not ready').waitFor()
      await expectAccessible(page)
      await takePicture(page, `tree-${look}`)
    }
    const page = await stage.open('/objects/past.io/v1/lamps/default/bulb-1?tab=tree')
    await page.locator('.tree-box.focus').getByText('bulb-1').waitFor()
    await page.getByRole('checkbox', { name: 'only what is not ready' }).focus()
    await page.keyboard.press('Space')
    await page.locator('.tree-box').getByText('foot').waitFor({ state: 'detached' })
    await setStatus(stage, 'foot', status('False'))
    await page.locator('.tree-box.bad').getByText('foot').waitFor()
    await page.getByRole('link', { name: 'foot' }).focus()
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { name: 'foot' }).waitFor()
  })

  test('puts 5,000 objects into groups, and pans all of them within 50 ms of script for each step', async () => {
    const stage = await startStage(browser())
    await stage.client.resource('v1', 'ConfigMap').create({ metadata: { name: 'top', namespace: 'default' } })
    const { metadata } = await stage.client.resource('v1', 'ConfigMap').get({ name: 'top', namespace: 'default' })
    const owner = { apiVersion: 'v1', kind: 'ConfigMap', name: 'top', uid: metadata.uid ?? '' }
    const names = Array.from({ length: 5000 }, (_, at) => `leaf-${at}`)
    const create = async () => {
      for (let name = names.pop(); name !== undefined; name = names.pop())
        await stage.client
          .resource('v1', 'ConfigMap')
          .create({ metadata: { name, namespace: 'default', ownerReferences: [owner] } })
    }
    await Promise.all(Array.from({ length: 16 }, create))
    const page = await stage.open('/objects/-/v1/configmaps/default/top?tab=tree')
    await page.getByText('5001 objects, 0 not ready').waitFor()
    expect(await boxes(page).count()).toBe(2)
    await page.getByRole('button', { name: '5000 ConfigMap' }).click()
    await page.getByRole('link', { name: 'leaf-2500' }).waitFor()
    expect(await boxes(page).count()).toBeLessThan(100)
    const session = await page.context().newCDPSession(page)
    // The time of the page's thread: other programs of the machine do not count.
    await session.send('Performance.enable', { timeDomain: 'threadTicks' })
    await page.getByRole('region', { name: /^Tree/ }).focus()
    const steps = 40
    const before = await scriptMs(session)
    for (let step = 0; step < steps; step++) {
      await page.keyboard.press(step % 2 === 0 ? 'ArrowDown' : 'ArrowUp')
      await page.evaluate('new Promise((resolve) => requestAnimationFrame(resolve))')
    }
    const each = ((await scriptMs(session)) - before) / steps
    expect(each).toBeLessThan(50)
  })
})
