// `homeostat dashboard`: the page for any cluster, with the credentials of a kubeconfig and over TLS; and for one that has nothing but what
// Kubernetes has.

import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { silentLog } from '@homeostat/base'
import { nodeTransport, readConnection } from '@homeostat/client/node'
import { serveCluster } from '@homeostat/dashboard'
import { describe, expect, onTestFinished, test } from 'vitest'
import { spawnHomeostat, startServer } from '../server-process.ts'
import { takePicture } from './picture.ts'
import { application, noBrowser, openPage, useBrowser } from './stage.ts'

/** A server that only its kubeconfig lets in. */
async function foreignServer() {
  const folder = mkdtempSync(join(tmpdir(), 'homeostat-foreign-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true, maxRetries: 5 }))
  const server = await startServer(folder, [
    '--secure',
    '--secure-port',
    '0',
    '--plain-http',
    'off',
    '--with',
    application,
  ])
  const { transport } = await readConnection({ path: server.kubeconfig })
  const asked = nodeTransport(transport)
  onTestFinished(() => asked.close())
  const apply = async (name: string, data: object, ownerReferences: readonly object[] = []) => {
    const { status } = await asked.send({
      method: 'PATCH',
      path: `/api/v1/namespaces/default/configmaps/${name}?fieldManager=test`,
      headers: { 'content-type': 'application/apply-patch+yaml' },
      body: JSON.stringify({ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name, ownerReferences }, data }),
    })
    expect([200, 201]).toContain(status)
  }
  return { ...server, transport, apply }
}

/** Runs the command until the test ends. Resolves with the address that it prints. */
async function runDashboard(...args: string[]): Promise<string> {
  const child = spawnHomeostat(['dashboard', '--port', '0', ...args])
  let printed = ''
  const ended = once(child, 'close').then(() => Promise.reject(new Error(`it ended: ${printed}`)))
  const said = new Promise<string>((resolve) => {
    for (const stream of [child.stdout, child.stderr])
      stream?.on('data', (chunk) => {
        printed += chunk
        const url = /is at (http:\S+)/.exec(printed)?.[1]
        if (url !== undefined) resolve(url)
      })
  })
  ended.catch(() => {})
  return Promise.race([said, ended])
}

describe.skipIf(noBrowser)('the dashboard of a cluster', () => {
  const browser = useBrowser()

  test('shows a server over TLS with the credentials of its kubeconfig, live', async () => {
    const { kubeconfig, apply } = await foreignServer()
    const url = await runDashboard('--kubeconfig', kubeconfig)
    expect(new URL(url).hostname).toBe('127.0.0.1')
    await apply('first', { a: '1' })
    const page = await openPage(browser(), `${url}/kinds/-/v1/configmaps?ns=default`)
    await page.getByRole('link', { name: 'first', exact: true }).waitFor()
    await apply('second', { a: '1' })
    await page.getByRole('link', { name: 'second', exact: true }).click()
    await page.getByRole('heading', { name: /second/ }).waitFor()
    // The command that one copies reaches the cluster through this port.
    await page.getByRole('button', { name: 'Copy as …' }).click()
    const curl = (await page.locator('.copy code').filter({ hasText: /^curl/ }).textContent()) ?? ''
    const answer = await fetch(curl.replace('curl ', ''))
    expect(await answer.json()).toMatchObject({ kind: 'ConfigMap', metadata: { name: 'second' } })
  })

  test('with --read-only nothing can be changed, whatever the page sends', async () => {
    const { kubeconfig } = await foreignServer()
    const url = await runDashboard('--kubeconfig', kubeconfig, '--read-only')
    const answer = await fetch(`${url}/api/api/v1/namespaces/default/configmaps`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: '{"metadata":{"name":"a"}}',
    })
    expect(answer.status).toBe(403)
    expect((await fetch(`${url}/api/api/v1/namespaces`)).status).toBe(200)
  })

  test('of a cluster without extensions of ours, it says on the screen what is missing', async () => {
    const { transport, apply } = await foreignServer()
    await apply('one', {})
    const cluster = nodeTransport(transport)
    const plain = {
      ...cluster,
      close: () => cluster.close(),
      send: (request: Parameters<typeof cluster.send>[0]) =>
        cluster.send({
          ...request,
          path: request.path.replace(/^\/apis\/dashboard\.homeostat\.io\//, '/apis/nothing.example/'),
        }),
    }
    const served = await serveCluster({ transport: plain, port: 0, log: silentLog })
    onTestFinished(() => served.close())
    const page = await openPage(browser(), served.url, { expected: [/404: GET .*\/overview(?:\?|$)/] })
    await page.getByText('This server has no overview').waitFor()
    // What nobody has looked at is not said to be well.
    expect(await page.getByText('Everything that says whether').count()).toBe(0)
    expect(await page.getByRole('heading', { name: 'Not ready' }).count()).toBe(0)
    await takePicture(page, 'foreign')
    await page.goto(`${served.url}/kinds/-/v1/configmaps?ns=default`)
    await page.getByRole('link', { name: 'one', exact: true }).waitFor()
    // There, kinds are asked one by one for what an object owns.
    const { metadata } = (await (await fetch(`${served.url}/api/api/v1/namespaces/default/configmaps/one`)).json()) as {
      metadata: { uid: string }
    }
    await apply('two', {}, [{ apiVersion: 'v1', kind: 'ConfigMap', name: 'one', uid: metadata.uid }])
    await page.getByRole('link', { name: 'one', exact: true }).click()
    await page.getByText('Owns: 1').waitFor()
  })

  test('a cluster that is gone is said on the screen, and its answers run nothing when they are opened as pages', async () => {
    const { transport, stop } = await foreignServer()
    const served = await serveCluster({ transport: nodeTransport(transport), port: 0, log: silentLog })
    onTestFinished(() => served.close())
    const answer = await fetch(`${served.url}/api/api/v1/namespaces`)
    expect(answer.headers.get('content-security-policy')).toBe("default-src 'none'; sandbox")
    const page = await openPage(browser(), `${served.url}/kinds/-/v1/configmaps`, {
      expected: [/502/, /WebSocket/, /ERR_/],
    })
    await page.locator('.rows').waitFor()
    await stop('SIGKILL')
    await page.getByRole('alert').first().waitFor()
    expect((await fetch(`${served.url}/api/api/v1/namespaces`)).status).toBe(502)
  })
})
