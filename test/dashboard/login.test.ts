// The login of a server that asks for a credential: at a real OIDC provider on another site, and by a token. Over TLS, as such servers are.

import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Client, createClient } from '@homeostat/client'
import { nodeTransport, readConnection } from '@homeostat/client/node'
import type { Browser, Page } from 'playwright-core'
import { describe, expect, onTestFinished, test } from 'vitest'
import { PAGE_CLIENT_ID, type ProviderOptions, startProvider } from '../login/provider.ts'
import { startServer } from '../server-process.ts'
import { expectAccessible } from './accessible.ts'
import { takePicture } from './picture.ts'
import { noBrowser, openPage, useBrowser, type View } from './stage.ts'

const LOOKS: Record<string, View> = { light: { theme: 'light' }, dark: { theme: 'dark' }, phone: { size: 'phone' } }
const TABLE = '/kinds/-/v1/configmaps?ns=default'
/** A page that does not know yet who it is gets 401, and says so by its login. */
const UNKNOWN = [/^401/]

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await new Promise((resolve) => server.once('listening', resolve))
  const { port } = server.address() as { port: number }
  await new Promise((resolve) => server.close(resolve))
  return port
}

/** A server that lets nobody in without a credential, and a provider. For a browser they are two sites: a name and an address. */
async function setUp(options: ProviderOptions = {}) {
  const port = await freePort()
  const url = `https://localhost:${port}/ui`
  const provider = await startProvider({ ...options, pages: [`${url}/login`] })
  const folder = mkdtempSync(join(tmpdir(), 'homeostat-login-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true, maxRetries: 5 }))
  const ca = join(folder, 'issuer.crt')
  writeFileSync(ca, provider.ca)
  const server = await startServer(join(folder, 'data'), [
    ...['--secure', '--secure-port', String(port), '--plain-http', 'off', '--runtime', 'none'],
    ...['--oidc-issuer-url', provider.url, '--oidc-client-id', PAGE_CLIENT_ID, '--oidc-ca-file', ca],
    ...['--oidc-username-prefix', 'oidc:'],
  ])
  const { transport } = await readConnection({ path: server.kubeconfig })
  const client = createClient(nodeTransport(transport))
  onTestFinished(() => client.close())
  await letIn(client, 'oidc:ada')
  await client.resource('v1', 'ConfigMap').create({ metadata: { name: 'seen', namespace: 'default' } })
  return { url, provider, client }
}

async function letIn(client: Client, user: string): Promise<void> {
  await client.resource('rbac.authorization.k8s.io/v1', 'ClusterRoleBinding').create({
    metadata: { name: 'everything' },
    roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name: 'cluster-admin' },
    subjects: [{ apiGroup: 'rbac.authorization.k8s.io', kind: 'User', name: user }],
  } as never)
}

/** Opens the page with the certificates of the test. The provider's pages ask for a font, which nothing here needs. */
async function open(browser: Browser, url: string, view: View = {}): Promise<Page> {
  const page = await openPage(browser, 'about:blank', {
    ...view,
    anyAuthority: true,
    expected: [...UNKNOWN, /fonts\.googleapis/, ...(view.expected ?? [])],
  })
  await page.goto(url)
  return page
}

/** At the provider, as a person does it: by keyboard. */
async function answerProvider(page: Page): Promise<void> {
  await page.locator('input[name=login]').fill('ada')
  await page.locator('input[name=password]').fill('any')
  await page.keyboard.press('Enter')
  await page.getByRole('button', { name: 'Continue' }).press('Enter')
}

const loginButton = (page: Page) => page.getByRole('button', { name: /^Log in with 127\.0\.0\.1/ })
const stored = (page: Page) =>
  page.evaluate('JSON.stringify([{ ...sessionStorage }, { ...localStorage }, document.cookie])')

describe.skipIf(noBrowser)('a server that asks for a credential', () => {
  const browser = useBrowser()

  test('sends the browser to its provider and back to where the person was, live and in further tabs', async () => {
    const { url, client } = await setUp()
    const page = await open(browser(), url + TABLE)
    await loginButton(page).focus()
    await page.keyboard.press('Enter')
    await answerProvider(page)
    await page.getByRole('link', { name: 'seen', exact: true }).waitFor()
    expect(page.url()).toBe(url + TABLE)
    await page.getByText('oidc:ada').waitFor()
    // Neither the code nor a token is where a script or a history finds it.
    expect(await stored(page)).not.toMatch(/ey[A-Za-z0-9_-]{20}|code=|verifier/)
    const cookies = await page.context().cookies(`${url}/renew`)
    expect(
      cookies
        .filter(({ name }) => name.includes('homeostat'))
        .map(({ httpOnly, secure, sameSite }) => [httpOnly, secure, sameSite]),
    ).toEqual([
      [true, true, 'Strict'],
      [true, true, 'Strict'],
    ])
    // Over the WebSocket, too.
    await client.resource('v1', 'ConfigMap').create({ metadata: { name: 'comes', namespace: 'default' } })
    await page.getByRole('link', { name: 'comes', exact: true }).waitFor()
    const other = await page.context().newPage()
    await other.goto(url + TABLE)
    await other.getByRole('link', { name: 'comes', exact: true }).waitFor()
    await page.getByRole('button', { name: 'Options' }).click()
    await page.getByRole('menuitem', { name: 'log out' }).click()
    await loginButton(page).waitFor()
    expect((await page.context().cookies(`${url}/renew`)).filter(({ name }) => name.includes('homeostat'))).toEqual([])
  }, 240_000)

  test('renews the session of a short token by itself, and asks again when the provider does not want to', async () => {
    // Each token is about to end when it comes.
    const { url, provider, client } = await setUp({ idTokenSeconds: 40 })
    const page = await open(browser(), url + TABLE)
    await loginButton(page).click()
    await answerProvider(page)
    await page.getByRole('link', { name: 'seen', exact: true }).waitFor()
    // The login itself is one request; whatever the page asks afterwards renews first.
    await expect.poll(() => provider.tokenRequests()).toBeGreaterThan(1)
    await client.resource('v1', 'ConfigMap').create({ metadata: { name: 'comes', namespace: 'default' } })
    await page.reload()
    await page.getByRole('link', { name: 'comes', exact: true }).waitFor()
    await page.context().clearCookies({ name: /-renewal$/ })
    await page.context().clearCookies({ name: /^__Host-homeostat/ })
    await page.reload()
    await page.getByText('The session has ended').waitFor()
    await loginButton(page).waitFor()
  }, 240_000)

  test('refuses an end that this tab has not begun, and one that the provider refuses', async () => {
    const { url } = await setUp()
    const page = await open(browser(), `${url}/login?code=stolen&state=${'x'.repeat(43)}`, {
      expected: [/^(?:400|502): POST .*login\/finish/],
    })
    await page.getByRole('alert').getByText('This login was not begun in this tab').waitFor()
    expect(page.url()).toBe(url)
    for (const [answer, told] of [
      ['code=stolen&state=STATE', 'refuses the login: invalid_grant'],
      [
        'error=access_denied&error_description=Nobody+%3Cb%3Eshall%3C%2Fb%3E&state=STATE',
        'access_denied: Nobody <b>shall</b>',
      ],
      ['code=c&state=STATE&iss=https%3A%2F%2Fevil.example', 'came back from another issuer'],
      ['code=c&state=other', 'was not begun here'],
    ] as const) {
      const asked = page.waitForRequest(/\/auth\?/)
      await loginButton(page).click()
      const state = new URL((await asked).url()).searchParams.get('state') ?? ''
      await page.locator('input[name=login]').waitFor()
      await page.goto(`${url}/login?${answer.replace('STATE', state)}`)
      await page.getByRole('alert').getByText(told).waitFor()
    }
  }, 240_000)

  test('shows its login in every look, and takes a token as well', async () => {
    const { url, client } = await setUp()
    for (const [look, view] of Object.entries(LOOKS)) {
      const page = await open(browser(), url, view)
      await loginButton(page).waitFor()
      await expectAccessible(page)
      await takePicture(page, `login-${look}`)
    }
    await client.resource('v1', 'ServiceAccount').create({ metadata: { name: 'robot', namespace: 'default' } })
    const { status } = (await client.requestJson({
      method: 'POST',
      path: '/api/v1/namespaces/default/serviceaccounts/robot/token',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify({ apiVersion: 'authentication.k8s.io/v1', kind: 'TokenRequest', spec: {} }),
    })) as { status: { token: string } }
    const page = await open(browser(), `${url}/views`, { expected: [/^403/] })
    await page.getByLabel('Or a token').fill('no-token')
    await page.keyboard.press('Enter')
    await page.getByRole('alert').waitFor()
    await page.getByLabel('Or a token').fill(status.token)
    await page.keyboard.press('Enter')
    await page.getByText('system:serviceaccount:default:robot').waitFor()
  }, 240_000)
})
