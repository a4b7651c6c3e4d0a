// The two tasks that people come for, counted in clicks from the first page; and what one can do with an object.

import type { Page } from 'playwright-core'
import { describe, expect, test } from 'vitest'
import { expectAccessible } from './accessible.ts'
import { BROKEN, DESK, defineLamp, LAMP, lamp, setStatus } from './lamp.ts'
import { takePicture } from './picture.ts'
import { noBrowser, type Stage, startStage, useBrowser } from './stage.ts'

const desk = ({ client }: Stage) =>
  client.resourceOf(LAMP.apiVersion, LAMP.kind).find({ name: 'desk', namespace: 'default' })

/** Counts what a person clicks. */
function counting(page: Page) {
  let clicks = 0
  return {
    click: async (role: 'link' | 'tab' | 'button', name: string) => {
      clicks += 1
      await page.getByRole(role, { name, exact: true }).click()
    },
    clicks: () => clicks,
  }
}

describe.skipIf(noBrowser)('a person', () => {
  const browser = useBrowser()

  test('sees why something is not ready with one click, and undoes who changed it with three', async () => {
    const stage = await startStage(browser())
    await defineLamp(stage)
    for (const size of [2, 3]) await stage.apply(lamp('desk', { size }))
    await setStatus(stage, 'desk', BROKEN)
    const page = await stage.open()
    const why = counting(page)
    await why.click('link', 'default/desk')
    await page.getByText('Socket 2 of 3 has no bulb').first().waitFor()
    expect(why.clicks()).toBeLessThanOrEqual(3)
    await page.goBack()
    const undo = counting(page)
    await undo.click('link', 'default/desk')
    await page.getByText('Last changed by').waitFor()
    await undo.click('button', 'Undo …')
    await page.getByRole('dialog').getByText('size: 2').waitFor()
    await expectAccessible(page)
    await takePicture(page, 'undo-light')
    await undo.click('button', 'Roll back')
    await page.getByText('It was rolled back to generation 1').waitFor()
    expect(undo.clicks()).toBeLessThanOrEqual(3)
    expect(await desk(stage)).toMatchObject({ spec: { size: 2 } })
  })

  test('scales, copies, deletes and undeletes an object', async () => {
    const stage = await startStage(browser())
    await defineLamp(stage)
    await stage.apply(lamp('desk', { size: 2 }))
    const page = await stage.open(DESK)
    await page.getByRole('button', { name: 'Scale' }).click()
    await page.getByRole('spinbutton', { name: 'Replicas' }).fill('5')
    await expectAccessible(page)
    await page.getByRole('button', { name: 'Scale to 5' }).click()
    await page.getByRole('dialog').waitFor({ state: 'detached' })
    expect(await desk(stage)).toMatchObject({ spec: { size: 5 } })
    await page.getByRole('button', { name: 'Copy as …' }).click()
    await page.getByText('kubectl get lamps.past.io desk -n default -o yaml').waitFor()
    await expectAccessible(page)
    await page.keyboard.press('Escape')
    await page.getByRole('button', { name: 'Delete' }).focus()
    await page.keyboard.press('Enter')
    await page.getByRole('dialog').waitFor()
    await expectAccessible(page)
    await takePicture(page, 'delete-light')
    await page.getByRole('button', { name: 'Delete desk' }).focus()
    await page.keyboard.press('Enter')
    await page.getByText('It was deleted. This is the last state').waitFor()
    expect(await desk(stage)).toBeUndefined()
    await page.getByRole('tab', { name: 'history' }).click()
    await page.getByRole('button', { name: 'Undelete' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Undelete' }).click()
    await page.getByText('made again as it was deleted').waitFor()
    expect(await desk(stage)).toMatchObject({ spec: { size: 5 } })
  })

  test('sees no value of a Secret before asking for it', async () => {
    const stage = await startStage(browser())
    await stage.apply({
      apiVersion: 'v1',
      kind: 'Secret',
      metadata: { name: 'key', namespace: 'default' },
      data: { password: 'aHVudGVyMg==' },
    })
    const page = await stage.open('/objects/-/v1/secrets/default/key')
    for (const tab of ['yaml', 'edit', 'history', 'summary']) {
      await page.getByRole('tab', { name: tab }).click()
      await page.getByRole('tabpanel').locator('p, pre, button, table, section').first().waitFor()
      expect(await page.content()).not.toContain('aHVudGVyMg')
    }
    await page.getByRole('tab', { name: 'yaml' }).click()
    await page.getByRole('button', { name: 'Show the values' }).click()
    await page.getByText('aHVudGVyMg').waitFor()
  })
})
