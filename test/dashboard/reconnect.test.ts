// A server that is killed and started again: the page says so, comes back by itself and shows what is true then. And tabs, which share
// the few connections that a browser has.

import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createClient, fetchTransport } from '@homeostat/client'
import type { Page } from 'playwright-core'
import { describe, expect, onTestFinished, test } from 'vitest'
import { startServer } from '../server-process.ts'
import { noBrowser, openPage, startStage, useBrowser } from './stage.ts'

const LOST = [/ERR_CONNECTION_REFUSED/, /ERR_EMPTY_RESPONSE/, /ERR_CONNECTION_RESET/, /WebSocket/]
const MAP = { apiVersion: 'v1', kind: 'ConfigMap' }

/** A server that can be started again at the same address. */
async function lastingServer() {
  const folder = mkdtempSync(join(tmpdir(), 'homeostat-reconnect-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true, maxRetries: 5 }))
  const first = await startServer(folder)
  const again = () => startServer(folder, ['--port', new URL(first.url).port])
  const client = createClient(fetchTransport({ baseUrl: first.url }))
  const maps = client.resource('v1', 'ConfigMap')
  return { ...first, again, maps }
}

/** Watches of a page that are open now. */
async function countSockets(page: Page): Promise<() => number> {
  let open = 0
  page.on('websocket', (socket) => {
    open++
    socket.on('close', () => open--)
  })
  return () => open
}

describe.skipIf(noBrowser)('a page whose server', () => {
  const browser = useBrowser()

  test('is killed and started again says so, comes back, and shows the truth', async () => {
    const { url, stop, again, maps } = await lastingServer()
    for (const name of ['stays', 'goes']) await maps.create({ ...MAP, metadata: { name, namespace: 'default' } })
    const table = await openPage(browser(), `${url}/ui/kinds/-/v1/configmaps?ns=default`, { expected: LOST })
    const object = await openPage(browser(), `${url}/ui/objects/-/v1/configmaps/default/stays`, { expected: LOST })
    await table.getByRole('link', { name: 'goes', exact: true }).waitFor()
    await object.getByRole('heading', { name: /stays/ }).waitFor()
    await stop('SIGKILL')
    for (const page of [table, object]) await page.getByText('The server has not answered since').waitFor()
    // What was known is still there to be read.
    expect(await table.getByRole('link', { name: 'goes', exact: true }).isVisible()).toBe(true)
    await again()
    await maps.delete({ name: 'goes', namespace: 'default' })
    await maps.create({ ...MAP, metadata: { name: 'comes', namespace: 'default' } })
    await table.getByRole('link', { name: 'comes', exact: true }).waitFor()
    await table.getByRole('link', { name: 'goes', exact: true }).waitFor({ state: 'detached' })
    for (const page of [table, object])
      await page.getByText('The server has not answered since').waitFor({ state: 'detached' })
    await maps.apply(
      { ...MAP, metadata: { name: 'stays', namespace: 'default', labels: { after: 'restart' } } },
      { fieldManager: 'test', force: true },
    )
    await object.getByText('restart').first().waitFor()
  })

  test('serves two tabs with ten watches each goes on answering both', async () => {
    const stage = await startStage(browser(), [])
    const context = await browser().newContext()
    onTestFinished(() => context.close())
    const tabs = await Promise.all(
      [1, 2].map(async (tab) => {
        const page = await context.newPage()
        const sockets = await countSockets(page)
        await page.goto(`${stage.server.url}/ui/kinds/-/v1/configmaps?ns=default`)
        await page.locator('.rows').waitFor()
        // As many screens would have them: by the page's own way, of which its policy knows.
        await page.evaluate(`for (let i = 0; i < 9; i++) new WebSocket(
          location.origin.replace('http', 'ws') + '/ui/api/api/v1/configmaps?watch=1&tab=${tab}', ['v1.homeostat.io'])`)
        await expect.poll(sockets).toBeGreaterThanOrEqual(10)
        return page
      }),
    )
    await stage.apply({ ...MAP, metadata: { name: 'seen', namespace: 'default' } })
    for (const page of tabs) {
      await page.getByRole('link', { name: 'seen', exact: true }).waitFor()
      // Requests are answered, too.
      const status = await page.evaluate("fetch('/ui/api/version').then(({ status }) => status)")
      expect(status).toBe(200)
    }
  })
})
