// Kinds and tables: columns, filters, marks, what is done to many at once, saved views; all by keyboard, too.

import type { Page } from 'playwright-core'
import { describe, expect, test } from 'vitest'
import { expectAccessible } from './accessible.ts'
import { takePicture } from './picture.ts'
import { noBrowser, type Stage, startStage, useBrowser, type View } from './stage.ts'

const LOOKS: Record<string, View> = { light: { theme: 'light' }, dark: { theme: 'dark' }, phone: { size: 'phone' } }
const MAPS = '/kinds/-/v1/configmaps'
const MARKUP = '<img src=x onerror="document.title=1">'

async function withMaps(stage: Stage, count: number): Promise<void> {
  for (let index = 0; index < count; index++) {
    await stage.apply({
      apiVersion: 'v1',
      kind: 'ConfigMap',
      metadata: { name: `map-${index}`, namespace: 'default', labels: { team: index % 2 ? 'red' : 'blue' } },
      data: { size: String(index), text: MARKUP },
    } as never)
  }
}

/** Answers lists of ConfigMaps as a server with so many does, of which 3000 are labelled `app=db`. Gives the addresses that were asked. */
async function manyMaps(page: Page, total: number): Promise<string[]> {
  const asked: string[] = []
  await page.route('**/ui/api/api/v1/namespaces/default/configmaps?**limit=*', async (route) => {
    const url = new URL(route.request().url())
    asked.push(url.href)
    const labels = url.searchParams.get('labelSelector')
    const all = labels === 'app=db' ? 3000 : total
    const from = Number(url.searchParams.get('continue') ?? '0')
    const to = Math.min(all, from + Number(url.searchParams.get('limit')))
    const rows = Array.from({ length: to - from }, (_, at) => {
      const name = `many-${from + at}`
      return { cells: [name, 0, '1m'], object: { metadata: { name, namespace: 'default', uid: name } } }
    })
    const more = to < all && { continue: String(to), ...(labels === null && { remainingItemCount: all - to }) }
    const columnDefinitions = ['Name', 'Data', 'Age'].map((name) => ({ name, type: 'string', priority: 0 }))
    await route.fulfill({
      json: { kind: 'Table', metadata: { resourceVersion: '1', ...more }, columnDefinitions, rows },
    })
  })
  return asked
}

describe.skipIf(noBrowser)('a table', () => {
  const browser = useBrowser()

  test('has columns of labels and of any field, filters and an order, all of it in the address', async () => {
    const stage = await startStage(browser(), [])
    await withMaps(stage, 12)
    const page = await stage.open(
      `${MAPS}?ns=default&cols=label:team,.data.size,.data.text&sort=-.data.size&where=.data.size::>5`,
    )
    const cells = () => page.locator('tbody tr[aria-rowindex]').allTextContents()
    await expect.poll(async () => (await cells()).length).toBe(6)
    expect((await cells())[0]).toContain(`map-11red11${MARKUP}`)
    await page.getByRole('button', { name: 'label:team' }).click()
    await expect.poll(() => page.url()).toContain('sort=label%3Ateam')
    await page.getByLabel('Filter by label:team').fill('=blue')
    await expect.poll(async () => (await cells()).length).toBe(3)
    await page.reload()
    await expect.poll(async () => (await cells()).length).toBe(3)
    // A row that comes fits in, or does not.
    await stage.apply({
      apiVersion: 'v1',
      kind: 'ConfigMap',
      metadata: { name: 'late', namespace: 'default', labels: { team: 'blue' } },
      data: { size: '99' },
    } as never)
    await expect.poll(async () => (await cells()).length).toBe(4)
    await page.getByRole('button', { name: 'Columns', exact: true }).click()
    await page.getByLabel('A field').fill('metadata')
    await page.getByLabel('A field').press('Enter')
    await page.getByText('A path begins with a dot').waitFor()
    await page.getByLabel('A field').fill('.metadata.uid')
    await page.getByLabel('A field').press('Enter')
    await page.getByRole('checkbox', { name: '.metadata.uid' }).waitFor()
    await expectAccessible(page)
    await page.getByRole('button', { name: 'Move .metadata.uid to the front' }).click()
    await takePicture(page, 'columns')
    await page.getByRole('button', { name: 'Done' }).click()
    await page.getByRole('columnheader', { name: '.metadata.uid' }).waitFor()
    const heads = await page.getByRole('columnheader').allTextContents()
    expect(heads.slice(-2)).toEqual(['.metadata.uid', '.data.text'])
    await expectAccessible(page)
  })

  test('is used by keyboard alone: rows are marked, labelled and deleted', async () => {
    const stage = await startStage(browser(), [])
    await withMaps(stage, 4)
    const page = await stage.open(`${MAPS}?ns=default&q=map-`)
    await page.getByRole('link', { name: 'map-3' }).waitFor()
    await page.getByRole('grid').focus()
    for (const key of ['j', 'Space', 'Shift+ArrowDown']) await page.keyboard.press(key)
    await page.getByText('2 marked').waitFor()
    await page.getByRole('button', { name: 'Label', exact: true }).focus()
    await page.keyboard.press('Enter')
    await page.getByLabel('Labels to set').focus()
    await page.keyboard.type('checked=yes team-')
    await page.getByRole('button', { name: 'Label 2' }).focus()
    await page.keyboard.press('Enter')
    await page.getByText('2 of 2 done').waitFor()
    await page.keyboard.press('Escape')
    const maps = () =>
      stage.client.resource('v1', 'ConfigMap').list({ namespace: 'default', labelSelector: 'checked=yes,!team' })
    expect((await maps()).items.map(({ metadata }) => metadata.name)).toEqual(['map-0', 'map-1'])
    await page.getByRole('button', { name: 'Delete', exact: true }).click()
    await page.getByText('default/map-1', { exact: true }).waitFor()
    await expectAccessible(page)
    await takePicture(page, 'bulk')
    await page.getByRole('button', { name: 'Delete 2' }).click()
    await expect.poll(async () => (await maps()).items).toEqual([])
    await page.getByText('2 of 2 done').waitFor()
    await page.getByRole('button', { name: 'Close' }).click()
    await expect.poll(() => page.locator('tbody tr[aria-rowindex]').count()).toBe(2)
    await page.getByRole('grid').focus()
    await page.keyboard.press('j')
    await page.keyboard.press('Enter')
    await expect.poll(() => page.url()).toContain('/objects/-/v1/configmaps/default/map-2')
  })

  test('marks by mouse what is there now, whichever rows have come meanwhile', async () => {
    const stage = await startStage(browser(), [])
    await withMaps(stage, 3)
    const page = await stage.open(`${MAPS}?ns=default&q=map-&sort=Name`)
    await page.getByLabel('Mark map-0', { exact: true }).click()
    await page.getByText('1 marked').waitFor()
    await stage.apply({
      apiVersion: 'v1',
      kind: 'ConfigMap',
      metadata: { name: 'map-0a', namespace: 'default' },
    } as never)
    await page.getByLabel('Mark map-0a').waitFor()
    // A row that has not changed since it was first shown knows of the new one all the same.
    await page.getByLabel('Mark map-2', { exact: true }).click({ modifiers: ['Shift'] })
    await page.getByText('4 marked').waitFor()
    expect(await page.getByLabel('Mark map-0a').isChecked()).toBe(true)
  })

  test('is saved under a name, and a link carries that to another browser', async () => {
    const stage = await startStage(browser(), [])
    const page = await stage.open(`${MAPS}?ns=default&q=map-`)
    await page.getByRole('button', { name: 'Save view' }).click()
    await page.getByLabel('Name', { exact: true }).fill('my maps')
    await page.getByRole('button', { name: 'Save', exact: true }).click()
    await page.goto(`${stage.server.url}/ui/views`)
    await page.getByRole('link', { name: 'my maps' }).waitFor()
    await expectAccessible(page)
    const link = (await page.locator('.copy code').textContent()) ?? ''
    const other = await stage.open(link.slice(link.indexOf('/ui') + 3))
    await other.getByRole('button', { name: 'Keep them' }).click()
    await other.getByRole('link', { name: 'my maps' }).click()
    await expect.poll(() => other.getByLabel('Filter rows').inputValue()).toBe('map-')
  })

  test('shows hostile values as text, however large they are', async () => {
    const stage = await startStage(browser(), [])
    const hostile = `${MARKUP}\u0001\u001b[31m\u202e\u2028${'x'.repeat(500_000)}`
    for (const name of ['bad-1', 'bad-2', 'bad-3']) {
      await stage.apply({
        apiVersion: 'v1',
        kind: 'ConfigMap',
        metadata: { name, namespace: 'default', annotations: { 'a/b': MARKUP } },
        data: { hostile, [`k${'y'.repeat(200)}`]: hostile },
      } as never)
    }
    const columns = encodeURIComponent('.data.hostile,.data,.metadata.annotations,.metadata.managedFields')
    const page = await stage.open(
      `${MAPS}?ns=default&q=bad&cols=${columns}&sort=.data.hostile&where=.data.hostile::<img`,
    )
    await expect.poll(() => page.locator('tbody tr[aria-rowindex]').count()).toBe(3)
    expect(await page.locator('tbody').innerHTML()).not.toContain('<img')
    expect(await page.title()).toBe('Homeostat')
    expect((await page.locator('tbody').innerHTML()).length).toBeLessThan(100_000)
    await expectAccessible(page)
    // An address may hold anything, too.
    await page.goto(
      `${stage.server.url}/ui${MAPS}?cols=${encodeURIComponent('.x[,label:,%,all')}&where=${encodeURIComponent('::,a::>')}&sort=-&ns=,`,
    )
    await page.getByRole('link', { name: 'bad-1' }).waitFor()
  })

  test('of more than 20,000 objects shows the pages of the server, and says so', async () => {
    const stage = await startStage(browser(), [])
    const page = await stage.open('/views')
    const asked = await manyMaps(page, 25_000)
    await page.goto(`${stage.server.url}/ui${MAPS}?ns=default`)
    await page.getByText('There are more than 20,000 objects').waitFor()
    await page.getByText('After its 1000 rows there are 24,000 more.').waitFor()
    await page.getByText('1000 rows of page 1').waitFor()
    await expectAccessible(page)
    await takePicture(page, 'table-pages')
    // The first rows, and then the page.
    expect(asked.map((url) => new URL(url, 'http://x').searchParams.get('limit'))).toEqual(['100', '1000'])
    await page.getByRole('button', { name: 'Next page' }).click()
    await page.getByText('1000 rows of page 2').waitFor()
    await page.getByRole('link', { name: 'many-1000', exact: true }).waitFor()
    await page.getByRole('button', { name: 'First page' }).click()
    await page.getByRole('link', { name: 'many-0', exact: true }).waitFor()
    // With labels a server does not say how many there are.
    await page.getByLabel('Labels').fill('app=web')
    await page.getByLabel('Labels').press('Enter')
    await expect.poll(() => asked.filter((url) => url.includes('labelSelector=app%3Dweb')).length).toBe(22)
    await page.getByText('After its 1000 rows there are more.').waitFor()
    await page.getByRole('button', { name: 'Next page' }).click()
    await page.getByText('1000 rows of page 2').waitFor()
    // With these there are few enough to hold.
    await page.getByLabel('Labels').fill('app=db')
    await page.getByLabel('Labels').press('Enter')
    await page.getByText('3000 rows', { exact: true }).waitFor()
    expect(await page.getByText('There are more than').count()).toBe(0)
  })

  test('shows several namespaces, and looks as it should', async () => {
    const stage = await startStage(browser(), [])
    await withMaps(stage, 30)
    for (const [look, view] of Object.entries(LOOKS)) {
      const page = await stage.open(`${MAPS}?ns=default,kube-public`, view)
      await page.getByText('map-1', { exact: true }).waitFor()
      await page.getByRole('columnheader', { name: 'Namespace' }).waitFor()
      await expectAccessible(page)
      await takePicture(page, `table-${look}`)
    }
    const page = await stage.open(`${MAPS}?ns=kube-public&q=nothing-has-this`)
    await page.getByText('Nothing matches the filters').waitFor()
    await page.getByRole('button', { name: /^Namespace:/ }).focus()
    await page.keyboard.press('Enter')
    await page.getByRole('menuitemcheckbox', { name: 'default' }).focus()
    await page.keyboard.press('Space')
    await expect.poll(() => page.url()).toContain('ns=kube-public%2Cdefault')
  })
})
