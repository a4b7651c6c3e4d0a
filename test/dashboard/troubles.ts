// Everything that goes wrong in a page while a test uses it: a test with any such trouble fails, whatever else it finds.

import type { Page } from 'playwright-core'
import { expect } from 'vitest'

/** Resolves once it watches. Call what it resolves to at the end: it throws when there were troubles besides the expected ones. */
export async function watchTroubles(page: Page, expected: readonly RegExp[]): Promise<() => void> {
  const troubles: string[] = []
  const note = (trouble: string) => {
    if (!expected.some((one) => one.test(trouble))) troubles.push(trouble)
  }
  page.on('console', (message) => {
    // The requests themselves tell more.
    if (message.text().startsWith('Failed to load resource')) return
    // What the page itself gave up, when its screen closed.
    if (message.text().endsWith('WebSocket is closed before the connection is established.')) return
    if (message.type() === 'error' || message.type() === 'warning') note(`${message.type()}: ${message.text()}`)
  })
  page.on('pageerror', (error) => note(`uncaught: ${error.stack ?? error.message}`))
  page.on('requestfailed', (request) => {
    const why = request.failure()?.errorText ?? ''
    // What the page itself gave up, when its screen closed.
    if (why !== 'net::ERR_ABORTED') note(`${why}: ${request.method()} ${request.url()}`)
  })
  page.on('response', (response) => {
    if (response.status() >= 400) note(`${response.status()}: ${response.request().method()} ${response.url()}`)
  })
  page.on('crash', () => note('the page crashed'))
  await page.addInitScript(`addEventListener('securitypolicyviolation', (event) =>
    console.error('policy: ' + event.violatedDirective + ' forbids ' + event.blockedURI + ' of ' + event.sourceFile))`)
  return () => expect(troubles, 'troubles in the page').toEqual([])
}
