// Objects whose authors mean no good: markup, control characters, a megabyte in a field, 10,000 conditions. They are text everywhere, and no
// tab of theirs stops the page.

import { describe, expect, test } from 'vitest'
import { expectAccessible } from './accessible.ts'
import { DESK, defineLamp, LAMP, lamp, setStatus } from './lamp.ts'
import { noBrowser, startStage, useBrowser } from './stage.ts'

const MARKUP = `<img src=x onerror="window.taken=1"><script>window.taken=1</script>[a](javascript:window.taken=1)`
const CONTROLS = '\u001b[2J\u0007\u202edrowssap\u2066\u0001'
const TABS = ['tree', 'yaml', 'edit', 'history', 'why', 'logs', 'summary']

describe.skipIf(noBrowser)('a hostile object', () => {
  const browser = useBrowser()

  test('is text in every tab', async () => {
    const stage = await startStage(browser())
    await defineLamp(stage)
    const nasty = `${MARKUP}${CONTROLS}`
    await stage.apply(
      lamp('desk', { size: 1, notes: nasty }, { annotations: { 'a.io/b': nasty, 'a.io/c': 'x'.repeat(100_000) } }),
    )
    await stage.apply(lamp('desk', { size: 2, notes: `${nasty}${'y'.repeat(1 << 20)}` }))
    const { metadata } = await stage.client
      .resourceOf(LAMP.apiVersion, LAMP.kind)
      .get({ name: 'desk', namespace: 'default' })
    await stage.client.resource('v1', 'Event').create({
      metadata: { name: 'desk.1', namespace: 'default' },
      involvedObject: { ...LAMP, name: 'desk', namespace: 'default', uid: metadata.uid },
      type: 'Warning',
      reason: 'Nasty',
      message: nasty.slice(0, 900),
      lastTimestamp: '2026-01-31T10:00:00Z',
    } as never)
    await setStatus(stage, 'desk', {
      phase: nasty,
      conditions: [{ type: 'Ready', status: 'False', reason: MARKUP, message: nasty, lastTransitionTime: 'never' }],
    })
    const page = await stage.open(DESK)
    await page.getByText('Ready is False').waitFor()
    expect(await page.getByText('<img src=x onerror=').count()).toBeGreaterThan(0)
    await expectAccessible(page)
    for (const tab of TABS) {
      await page.getByRole('tab', { name: tab }).click()
      await page.getByRole('tabpanel').locator('p, pre, button, table, section, .banner').first().waitFor()
      expect(await page.evaluate('window.taken')).toBeUndefined()
      expect(await page.locator('main img, main script').count()).toBe(0)
    }
  })

  test('with 10,000 conditions opens, and every tab of it', async () => {
    const stage = await startStage(browser())
    await defineLamp(stage)
    await stage.apply(lamp('desk', { size: 1 }))
    await setStatus(stage, 'desk', {
      conditions: Array.from({ length: 10_000 }, (_, at) => ({ type: `Part${at}`, status: 'False' })),
    })
    const page = await stage.open(DESK)
    await page.getByText('9900 more conditions are in its YAML.').waitFor()
    for (const tab of TABS) {
      await page.getByRole('tab', { name: tab }).click()
      await page.getByRole('tabpanel').locator('p, pre, button, table, section, .banner').first().waitFor()
    }
  })
})
