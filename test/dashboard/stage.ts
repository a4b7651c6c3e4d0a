// What a test of the dashboard needs: a server as `npm start` makes it, and a browser that opens the server's page and fails the
// test when the page has any trouble.

import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Client, createClient, fetchTransport, type LooseObject } from '@homeostat/client'
import { type Browser, chromium, type Page } from 'playwright-core'
import { afterAll, beforeAll, onTestFinished } from 'vitest'
import { type ServerProcess, startServer } from '../server-process.ts'
import { need } from '../tools.ts'
import { watchTroubles } from './troubles.ts'

const BROWSER_ARGS = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  // The same text on every machine, for screenshots.
  '--font-render-hinting=none',
]
export const application = join(import.meta.dirname, '../../examples/application')
const chrome = need('chromium')

/** What the window is like. */
export interface View {
  readonly theme?: 'light' | 'dark'
  readonly size?: 'desk' | 'phone'
  /** Whether to take certificates of authorities that the test has made. */
  readonly anyAuthority?: boolean
  /** Troubles that the test provokes. */
  readonly expected?: readonly RegExp[]
}

const SIZES = { desk: { width: 1280, height: 800 }, phone: { width: 390, height: 844 } }

export interface Stage {
  readonly server: ServerProcess
  /** Of the local user, who may do everything. */
  readonly client: Client
  /** Creates or changes the object, as the user `test`. */
  apply(object: LooseObject): Promise<void>
  /** Opens a path below `/ui`, in a window that shares nothing with others. */
  open(path?: string, view?: View): Promise<Page>
}

/** Why tests are skipped: `describe.skipIf(noBrowser)`. */
export const noBrowser: string | undefined = chrome.missing

/** Starts a browser for the tests of a `describe`, and ends it after them. */
export function useBrowser(): () => Browser {
  let browser: Browser | undefined
  beforeAll(async () => {
    browser = await chromium.launch({ executablePath: chrome.path ?? '', args: BROWSER_ARGS, timeout: 120_000 })
  }, 150_000)
  afterAll(async () => browser?.close())
  return () => {
    if (browser === undefined) throw new Error('the browser is started before the tests')
    return browser
  }
}

/** Starts a server on fresh data, for one test. */
export async function startStage(browser: Browser, args: readonly string[] = ['--with', application]): Promise<Stage> {
  const folder = mkdtempSync(join(tmpdir(), 'homeostat-dashboard-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true, maxRetries: 5 }))
  const server = await startServer(folder, args)
  const client = createClient(fetchTransport({ baseUrl: server.url }))
  onTestFinished(() => client.close())
  return {
    server,
    client,
    apply: async (object) => {
      await client.resource(object.apiVersion as string, object.kind as string).apply(object as never, {
        fieldManager: 'test',
        force: true,
      })
    },
    open: (path = '', view = {}) => openPage(browser, `${server.url}/ui${path}`, view),
  }
}

export async function openPage(browser: Browser, url: string, view: View = {}): Promise<Page> {
  const { theme = 'light', size = 'desk', anyAuthority = false, expected = [] } = view
  const context = await browser.newContext({
    colorScheme: theme,
    viewport: SIZES[size],
    locale: 'en-GB',
    timezoneId: 'UTC',
    reducedMotion: 'reduce',
    ignoreHTTPSErrors: anyAuthority,
  })
  onTestFinished(() => context.close())
  const page = await context.newPage()
  page.setDefaultTimeout(60_000)
  const end = await watchTroubles(page, expected)
  onTestFinished(end)
  await page.goto(url)
  return page
}
