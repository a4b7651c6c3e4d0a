// Objects whose every field is hostile are shown as text on every screen: nothing of them runs, and no screen breaks.

import type { Page } from 'playwright-core'
import { describe, expect, onTestFinished, test } from 'vitest'
import { configMap, definition, event, KIND, status, trap } from './hostile-object.ts'
import { takePicture } from './picture.ts'
import { noBrowser, type Stage, startStage, useBrowser } from './stage.ts'

async function setTraps({ client, apply }: Stage): Promise<void> {
  await apply(definition)
  await expect
    .poll(() =>
      client
        .resource(KIND.apiVersion, KIND.kind)
        .list({ namespace: 'default' })
        .then(() => 'served', String),
    )
    .toBe('served')
  const path = '/apis/hostile.example.com/v1/namespaces/default/traps'
  const headers = { 'content-type': 'application/json' }
  await client.requestJson({ method: 'POST', path, headers, body: JSON.stringify(trap) })
  const patch = { method: 'PATCH', path: `${path}/constructor/status`, body: JSON.stringify({ status }) }
  await client.requestJson({ ...patch, headers: { 'content-type': 'application/merge-patch+json' } })
  await client.requestJson({
    method: 'POST',
    path: '/api/v1/namespaces/default/events',
    headers,
    body: JSON.stringify(event),
  })
  await apply(configMap)
}

/** What a page looks like in which markup of an object became elements, or ran. */
async function expectOnlyText(page: Page): Promise<void> {
  expect(await page.evaluate('globalThis.hostile')).toBeUndefined()
  const made = `[...document.querySelectorAll('img[src="x"], script:not([src]), svg[onload], [onerror], a[href^="javascript:"]')]
    .map((one) => one.outerHTML.slice(0, 200))`
  expect(await page.evaluate(made)).toEqual([])
}

async function openTabs(page: Page, name: string): Promise<void> {
  await page.getByRole('tab').first().waitFor()
  const tabs = await page.getByRole('tab').allTextContents()
  expect(tabs.length).toBeGreaterThan(1)
  for (const tab of tabs) {
    await page.getByRole('tab', { name: tab, exact: true }).click()
    await page.getByRole('tabpanel').waitFor()
    // What the tab loads must have come.
    await expect.poll(() => page.getByText('Loading …').count()).toBe(0)
    await expectOnlyText(page)
    await takePicture(page, `hostile-${name}-${tab.toLowerCase()}`)
  }
}

describe.skipIf(noBrowser)('a hostile object', () => {
  const browser = useBrowser()

  test('is text on every screen', async () => {
    const stage = await startStage(browser())
    await setTraps(stage)
    const page = await stage.open()
    const dialogs: string[] = []
    page.on('dialog', (dialog) => {
      dialogs.push(dialog.message())
      void dialog.dismiss()
    })
    onTestFinished(() => expect(dialogs).toEqual([]))
    const heap = 400 * 2 ** 20
    await page
      .getByRole('link', { name: /constructor/ })
      .first()
      .waitFor()
    await expectOnlyText(page)
    await takePicture(page, 'hostile-overview')
    await page.getByRole('navigation').getByRole('link', { name: 'Trap', exact: true }).click()
    await page.getByRole('link', { name: 'constructor', exact: true }).waitFor()
    await expectOnlyText(page)
    // A row is no wider than its columns may be, whatever is in them.
    const box = await page.locator('.rows table').boundingBox()
    expect(box?.width).toBeLessThan(4000)
    await takePicture(page, 'hostile-table')
    await page.getByRole('link', { name: 'constructor', exact: true }).click()
    await openTabs(page, 'object')
    await page.goto(`${stage.server.url}/ui/objects/-/v1/configmaps/default/markup`)
    await openTabs(page, 'configmap')
    await page.goto(`${stage.server.url}/ui/kinds/-/v1/events?ns=default`)
    await page.locator('.rows table').waitFor()
    await expectOnlyText(page)
    expect(await page.evaluate('performance.memory.usedJSHeapSize')).toBeLessThan(heap)
  })

  test('an address with markup is shown as text, too', async () => {
    const stage = await startStage(browser(), [])
    const markup = encodeURIComponent('<img src=x onerror=globalThis.hostile=1>')
    for (const path of [
      `/kinds/-/v1/${markup}`,
      `/kinds/-/v1/configmaps?q=${markup}&labels=${markup}&fields=${markup}&sort=${markup}&cols=${markup}&ns=${markup}`,
      `/objects/-/v1/configmaps/default/${markup}?tab=${markup}`,
      `/${markup}`,
      '/kinds/__proto__/v1/constructor',
      '/objects/-/v1/configmaps/..%2f..%2fsecrets/x',
    ]) {
      const page = await stage.open(path, { expected: [/^4\d\d: GET/, /WebSocket.* response code: 400/] })
      await page.getByRole('main').waitFor()
      await expectOnlyText(page)
      await page.close()
    }
  })
})
