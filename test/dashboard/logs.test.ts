// The log of a Pod: 12,000 lines of which few are in the document, followed, searched and paused.

import { describe, expect, test } from 'vitest'
import { expectAccessible } from './accessible.ts'
import { takePicture } from './picture.ts'
import { noBrowser, startStage, useBrowser } from './stage.ts'

/** Writes its lines at once, and one more for each file that appears. */
const SCRIPT = `i=0; while [ $i -lt 12000 ]; do i=$((i+1)); echo "line $i <b>of</b> many"; done; printf 'red \\033[31mhot\\033[0m\\n'; sleep 600`

describe.skipIf(noBrowser)('a log', () => {
  const browser = useBrowser()

  test('of a Pod with several containers below an object is that of the one that is chosen', async () => {
    const stage = await startStage(browser(), ['--runtime', 'process'])
    const container = (name: string) => ({ name, image: 'none', command: ['sh', '-c', `echo I am ${name}; sleep 600`] })
    const labels = { app: 'pair' }
    await stage.apply({
      apiVersion: 'apps/v1',
      kind: 'Deployment',
      metadata: { name: 'pair', namespace: 'default' },
      spec: {
        selector: { matchLabels: labels },
        template: { metadata: { labels }, spec: { containers: [container('web'), container('side')] } },
      },
    })
    const running = () => stage.client.resource('v1', 'Pod').list({ namespace: 'default', labelSelector: 'app=pair' })
    await expect
      .poll(async () => (await running()).items.map(({ status }) => (status as { phase?: string }).phase))
      .toEqual(['Running'])
    const page = await stage.open('/objects/apps/v1/deployments/default/pair?tab=logs')
    await page.getByText('I am web').waitFor()
    await page.getByLabel('Container').selectOption('side')
    await page.getByText('I am side').waitFor()
    await expectAccessible(page)
    await page.reload()
    await page.getByText('I am side').waitFor()
    expect(await page.getByText('I am web').count()).toBe(0)
  })

  test('of 12,000 lines is followed, searched and paused', async () => {
    const stage = await startStage(browser(), ['--runtime', 'process'])
    await stage.apply({
      apiVersion: 'v1',
      kind: 'Pod',
      metadata: { name: 'talker', namespace: 'default' },
      spec: { containers: [{ name: 'main', image: 'none', command: ['sh', '-c', SCRIPT] }] },
    })
    const page = await stage.open('/objects/-/v1/pods/default/talker?tab=logs', {
      expected: [/^40\d: GET .*log/],
    })
    await page.getByText('12001 lines, live').waitFor()
    await page.getByText('red hot').waitFor()
    expect(await page.locator('.log-line').count()).toBeLessThan(200)
    await expectAccessible(page)
    await takePicture(page, 'logs-light')
    await page.getByRole('searchbox', { name: 'Search the log' }).fill('LINE 11999')
    await page.getByText('1 of 12001 lines, live').waitFor()
    await page.locator('mark').getByText('line 11999').waitFor()
    await page.getByRole('button', { name: 'Pause' }).focus()
    await page.keyboard.press('Enter')
    await page.getByText('1 of 12001 lines, paused').waitFor()
  })
})
