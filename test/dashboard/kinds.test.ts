// The kinds of a server: new ones are there at once, and what an object owns is found without a question for each kind.

import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, onTestFinished, test } from 'vitest'
import { BROKEN, DESK, defineLamp, LAMP, lamp, setStatus } from './lamp.ts'
import { takePicture } from './picture.ts'
import { noBrowser, startStage, useBrowser } from './stage.ts'

describe.skipIf(noBrowser)('the kinds of a server', () => {
  const browser = useBrowser()

  test('are listed when they are defined and when they go, on a page that is open all the time', async () => {
    const stage = await startStage(browser(), [])
    const page = await stage.open()
    const list = page.getByRole('navigation', { name: 'Screens and kinds' })
    await list.getByRole('link', { name: 'Overview' }).waitFor()
    // Of the tour: its first step ticks itself.
    await page.getByText('Nothing is here yet').waitFor()
    expect(await list.getByRole('link', { name: 'Lamp', exact: true }).count()).toBe(0)
    await defineLamp(stage)
    await list.getByRole('link', { name: 'Lamp', exact: true }).waitFor()
    await page.getByRole('heading', { name: 'Declare a kind ✓ done' }).waitFor()
    await list.getByRole('link', { name: 'Lamp', exact: true }).click()
    await page.getByText('There is no Lamp').waitFor()
    await stage.apply(lamp('desk', { size: 1 }))
    await page.getByRole('link', { name: 'desk', exact: true }).waitFor()
    await page.getByRole('link', { name: 'Overview' }).click()
    await page.getByRole('link', { name: /^Lamp 1/ }).waitFor()
    await stage.client.resource('apiextensions.k8s.io/v1', 'CustomResourceDefinition').delete({ name: 'lamps.past.io' })
    await list.getByRole('link', { name: 'Lamp', exact: true }).waitFor({ state: 'detached' })
  })

  test('are not asked one by one for what an object owns', async () => {
    const stage = await startStage(browser())
    await defineLamp(stage)
    await stage.apply(lamp('desk', { size: 1 }))
    const { metadata } = await stage.client
      .resourceOf(LAMP.apiVersion, LAMP.kind)
      .get({ name: 'desk', namespace: 'default' })
    const owner = { ...LAMP, name: 'desk', uid: metadata.uid ?? '' }
    await stage.apply(lamp('bulb', { size: 1 }, { ownerReferences: [owner] }))
    const page = await stage.open('/views')
    const asked: string[] = []
    page.on('request', (request) => asked.push(request.url()))
    await page.goto(`${stage.server.url}/ui${DESK}`)
    await page.getByText('Owns: 1').waitFor()
    // The one that watches definitions begins with a list of one.
    const single = asked.filter((url) => /limit=1(?:&|$)/.test(url) && !url.includes('customresourcedefinitions'))
    expect(single).toEqual([])
    // A kind that gets its first object later is found, too.
    await stage.apply({
      apiVersion: 'v1',
      kind: 'Secret',
      metadata: { name: 'fuse', namespace: 'default', ownerReferences: [owner] },
    })
    await page.getByText('Owns: 2').waitFor()
  })

  test('that one may not list are named, and not asked for', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'homeostat-tokens-'))
    onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
    writeFileSync(join(folder, 'tokens'), 'maps-only,mapper,m1\n', { mode: 0o600 })
    const stage = await startStage(browser(), ['--token-auth-file', join(folder, 'tokens')])
    const rbac = { apiVersion: 'rbac.authorization.k8s.io/v1', metadata: { name: 'mapper', namespace: 'default' } }
    const rules = [{ verbs: ['get', 'list', 'watch'], apiGroups: [''], resources: ['configmaps', 'events'] }]
    await stage.apply({ ...rbac, kind: 'Role', rules } as never)
    const group = 'rbac.authorization.k8s.io'
    const subjects = [{ kind: 'User', name: 'mapper', apiGroup: group }]
    const roleRef = { apiGroup: group, kind: 'Role', name: 'mapper' }
    await stage.apply({ ...rbac, kind: 'RoleBinding', subjects, roleRef } as never)
    const maps = stage.client.resource('v1', 'ConfigMap')
    const { metadata } = await maps.create({ metadata: { name: 'top', namespace: 'default' } })
    const ownerReferences = [{ apiVersion: 'v1', kind: 'ConfigMap', name: 'top', uid: metadata.uid ?? '' }]
    await maps.create({ metadata: { name: 'leaf', namespace: 'default', ownerReferences } })
    // The choice of namespaces asks for them; the history is a right of its own.
    const page = await stage.open('/views', {
      expected: [/^403: GET .*\/namespaces\?limit=\d+$/, /^403: GET .*\/configmaps\/top\/history$/],
    })
    await page.evaluate(`fetch('/ui/session', { method: 'POST', body: '{"token":"maps-only"}' })
      .then((answer) => answer.json()).then(({ half }) => sessionStorage.setItem('homeostat-session', half))`)
    await page.goto(`${stage.server.url}/ui/objects/-/v1/configmaps/default/top`)
    await page.getByText('mapper', { exact: true }).waitFor()
    await page.getByText('Owns: 1').waitFor()
    await page.getByText(/^You may not list .* more kinds\.$/).waitFor()
  })

  test('with what is not ready are readable on a phone', async () => {
    const stage = await startStage(browser())
    await defineLamp(stage)
    await stage.apply(lamp('desk', { size: 2 }))
    await setStatus(stage, 'desk', BROKEN)
    const page = await stage.open('', { size: 'phone' })
    const message = page.getByText('Socket 2 of 3 has no bulb')
    await message.waitFor()
    const box = await message.boundingBox()
    expect(box?.width).toBeGreaterThan(250)
    expect((box?.x ?? 0) + (box?.width ?? 0)).toBeLessThanOrEqual(390)
    await takePicture(page, 'overview-phone')
  })
})
