// One object: why it is not ready, who changed it, and the way back.

import { describe, expect, test } from 'vitest'
import { expectAccessible } from './accessible.ts'
import { BROKEN, DESK, defineLamp, LAMP, lamp, setStatus } from './lamp.ts'
import { takePicture } from './picture.ts'
import { noBrowser, startStage, useBrowser, type View } from './stage.ts'

const LOOKS: Record<string, View> = { light: { theme: 'light' }, dark: { theme: 'dark' }, phone: { size: 'phone' } }

describe.skipIf(noBrowser)('an object', () => {
  const browser = useBrowser()

  test('begins with why it is not ready, and shows what it owns and what happened', async () => {
    const stage = await startStage(browser())
    await defineLamp(stage)
    await stage.apply(lamp('desk', { size: 2, colour: 'red' }, { labels: { room: 'study', floor: '2' } }))
    await stage.apply(lamp('desk', { size: 3, colour: 'red' }, { labels: { room: 'study', floor: '2' } }))
    await setStatus(stage, 'desk', BROKEN)
    const desk = await stage.client.resourceOf(LAMP.apiVersion, LAMP.kind).get({ name: 'desk', namespace: 'default' })
    const owner = { ...LAMP, name: 'desk', uid: desk.metadata.uid, controller: true }
    for (const name of ['bulb-1', 'bulb-2', 'bulb-3'])
      await stage.apply(lamp(name, { size: 1 }, { ownerReferences: [owner] }))
    await setStatus(stage, 'bulb-2', { conditions: [{ type: 'Ready', status: 'False', reason: 'Burnt' }] })
    await stage.client.resource('v1', 'Event').create({
      metadata: { name: 'desk.1', namespace: 'default' },
      involvedObject: { ...LAMP, name: 'desk', namespace: 'default', uid: desk.metadata.uid },
      type: 'Warning',
      reason: 'BulbMissing',
      message: 'socket 2 is empty',
      lastTimestamp: '2026-01-31T10:00:00Z',
    } as never)
    for (const [look, view] of Object.entries(LOOKS)) {
      const page = await stage.open(DESK, view)
      const why = page.getByRole('region', { name: 'Why it is not ready' })
      await why.getByText('Ready is False').waitFor()
      expect(await why.textContent()).toContain('Socket 2 of 3 has no bulb')
      await page.getByRole('link', { name: 'bulb-2' }).waitFor()
      await page.getByText('socket 2 is empty').waitFor()
      await expectAccessible(page)
      await takePicture(page, `summary-${look}`)
      await page.getByRole('link', { name: 'bulb-2' }).click()
      await page.getByRole('navigation', { name: 'Owners' }).getByRole('link', { name: 'Lamp desk' }).waitFor()
      await expectAccessible(page)
    }
  })

  test('has a link for what somebody looks at in a tab', async () => {
    const stage = await startStage(browser())
    await defineLamp(stage)
    for (const size of [1, 2, 3]) await stage.apply(lamp('desk', { size }))
    const page = await stage.open(`${DESK}?tab=history`)
    await page.getByRole('radio', { name: 'Compare from generation 1' }).check()
    await page.getByText('What changed from 1 to 3').waitFor()
    await page.reload()
    await page.getByText('What changed from 1 to 3').waitFor()
    await page.getByRole('tab', { name: 'tree' }).click()
    await expect.poll(() => page.url()).not.toContain('from=')
    await page.getByRole('checkbox', { name: 'only what is not ready' }).check()
    await expect.poll(() => page.url()).toContain('only=unwell')
    await page.reload()
    await expect.poll(() => page.getByRole('checkbox', { name: 'only what is not ready' }).isChecked()).toBe(true)
    await page.getByRole('tab', { name: 'yaml' }).click()
    await page.getByRole('checkbox', { name: /with managed fields/ }).check()
    await page.reload()
    await page.getByText('managedFields:').waitFor()
    // Fields have a colour, and the text is whole.
    expect(await page.locator('.yaml .name').first().textContent()).toBe('apiVersion:')
    expect(await page.locator('.yaml pre').textContent()).toMatch(/^apiVersion: past\.io\/v1\nkind: Lamp\nmetadata:\n/)
  })

  test('tells beside its YAML who manages which field', async () => {
    const stage = await startStage(browser())
    await defineLamp(stage)
    await stage.apply(lamp('desk', { size: 2, colour: 'red' }))
    await stage.client
      .resourceOf(LAMP.apiVersion, LAMP.kind)
      .patch({ name: 'desk', namespace: 'default' }, { spec: { size: 5 } }, { fieldManager: 'scaler' })
    await setStatus(stage, 'desk', BROKEN)
    for (const [look, view] of Object.entries(LOOKS)) {
      const page = await stage.open(`${DESK}?tab=yaml`, view)
      await page.getByRole('checkbox', { name: 'who manages which field' }).check()
      const line = (start: string) => page.locator('.managed-line').filter({ hasText: new RegExp(`^ *${start}`) })
      await expect.poll(() => line('size:').textContent()).toMatch(/size: 5\s*scaler$/)
      expect(await line('colour:').textContent()).toMatch(/red\s*test$/)
      expect(await line('observedGeneration: 2').first().textContent()).toMatch(/lamp-controller$/)
      expect(await line('kind:').textContent()).toMatch(/Lamp$/)
      await expectAccessible(page)
      await takePicture(page, `managers-${look}`)
    }
  })

  test('shows who changed it, and rolls it back', async () => {
    const stage = await startStage(browser())
    await defineLamp(stage)
    for (const size of [1, 2, 3]) await stage.apply(lamp('desk', { size, colour: 'green' }))
    const page = await stage.open(DESK)
    await page.getByRole('tab', { name: 'history' }).click()
    await page.getByRole('button', { name: 'Roll back to generation 2' }).waitFor()
    await expectAccessible(page)
    await takePicture(page, 'history-light')
    await page.getByRole('button', { name: 'Roll back to generation 2' }).click()
    await page.getByRole('dialog').getByText('size: 2').waitFor()
    await expectAccessible(page)
    await takePicture(page, 'rollback-light')
    await page.getByRole('button', { name: 'Roll back', exact: true }).click()
    await page.getByText('rolled back to generation 2, now generation 4').waitFor()
    const desk = await stage.client.resourceOf(LAMP.apiVersion, LAMP.kind).get({ name: 'desk', namespace: 'default' })
    expect(desk).toMatchObject({ spec: { size: 2 }, metadata: { generation: 4 } })
    await page.getByRole('tab', { name: 'why' }).click()
    await page.getByText('updated to generation 4').waitFor()
    await expectAccessible(page)
    await takePicture(page, 'why-light')
  })
})
