// Manners: everything is found by a few letters, keys do what k9s' do, the page obeys when it shall change nothing, and buttons say why
// one may not.

import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, onTestFinished, test } from 'vitest'
import { expectAccessible } from './accessible.ts'
import { takePicture } from './picture.ts'
import { noBrowser, type Stage, startStage, useBrowser } from './stage.ts'

const MAPS = '/kinds/-/v1/configmaps'

async function withMap(stage: Stage, name: string): Promise<void> {
  await stage.apply({
    apiVersion: 'v1',
    kind: 'ConfigMap',
    metadata: { name, namespace: 'default' },
    data: { a: '1' },
  } as never)
}

describe.skipIf(noBrowser)('manners', () => {
  const browser = useBrowser()

  test('the palette finds screens, kinds, objects, namespaces and actions by keyboard alone', async () => {
    const stage = await startStage(browser(), [])
    await withMap(stage, 'needle-in-hay')
    const page = await stage.open()
    await page.getByRole('button', { name: /^Find/ }).waitFor()
    const field = page.getByRole('combobox')
    const go = async (text: string) => {
      await page.keyboard.press('Control+k')
      await field.fill(text)
      return page.getByRole('option').first()
    }
    await expect.poll(async () => (await go('serv')).textContent()).toContain('Server')
    await expectAccessible(page)
    await takePicture(page, 'palette')
    await page.keyboard.press('Escape')
    await expect.poll(async () => (await go('cm')).textContent()).toContain('ConfigMap')
    await page.keyboard.press('Enter')
    await expect.poll(() => page.url()).toContain(MAPS)
    await expect.poll(async () => (await go('needle')).textContent()).toContain('ConfigMap in default')
    await page.keyboard.press('Enter')
    await expect.poll(() => page.url()).toContain('/objects/-/v1/configmaps/default/needle-in-hay')
    await expect.poll(async () => (await go('kube-public')).textContent()).toContain('namespace')
    await page.keyboard.press('Enter')
    await expect.poll(() => page.url()).toContain('ns=kube-public')
    await expect.poll(async () => (await go('dark')).textContent()).toContain('Dark colours')
    await page.keyboard.press('Enter')
    await expect.poll(() => page.evaluate('document.documentElement.style.colorScheme')).toBe('dark')
    await expectAccessible(page)
    await page.keyboard.press('Control+k')
    await field.fill('zzzzqqq')
    await page.getByText('Nothing has these letters.').waitFor()
  }, 240_000)

  test('keys do what they do in k9s, and nothing while somebody writes', async () => {
    const stage = await startStage(browser(), [])
    await withMap(stage, 'first')
    const page = await stage.open(`${MAPS}?ns=default&q=first`)
    await page.getByRole('link', { name: 'first' }).waitFor()
    for (const key of ['j', 'y']) await page.keyboard.press(key)
    await expect.poll(() => page.url()).toContain('tab=yaml')
    await page.getByRole('tab', { name: 'yaml', selected: true }).waitFor()
    await page.keyboard.press('d')
    await expect.poll(() => page.url()).not.toContain('tab=yaml')
    await page.keyboard.press('Escape')
    await expect.poll(() => page.url()).toContain(MAPS)
    await page.keyboard.press('/')
    await page.keyboard.type('jy?:')
    await expect.poll(() => page.getByLabel('Filter rows').inputValue()).toBe('firstjy?:')
    await page.getByLabel('Filter rows').fill('first')
    await page.keyboard.press('Escape')
    await page.keyboard.press('?')
    await page.getByText('delete it, or what is marked').waitFor()
    await expectAccessible(page)
    await page.keyboard.press('Escape')
    await page.keyboard.press('j')
    await page.keyboard.press('Control+d')
    await page.getByText('Delete 1 configmaps?').waitFor()
    await page.keyboard.press('Escape')
    await page.keyboard.press(':')
    await page.getByRole('combobox').pressSequentially('proc')
    await expect.poll(() => page.getByRole('option').first().textContent()).toContain('Process')
    await page.keyboard.press('Enter')
    await expect.poll(() => page.url()).toContain('/kinds/colonies.io/v1/processes')
  }, 240_000)

  test('times are relative, local or UTC, in every table', async () => {
    const stage = await startStage(browser(), [])
    await withMap(stage, 'one')
    const page = await stage.open(`${MAPS}?ns=default&q=one`)
    const time = page.locator('tbody time').first()
    await expect.poll(() => time.textContent()).toMatch(/^\d+s$/)
    await page.getByRole('button', { name: 'Options' }).focus()
    await page.keyboard.press('Enter')
    await page.getByRole('menuitemradio', { name: 'UTC' }).click()
    await expect.poll(() => time.textContent()).toMatch(/^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d UTC$/)
    await page.reload()
    await expect.poll(() => time.textContent()).toContain('UTC')
  }, 240_000)

  test('read-only, no request changes anything, and the buttons say why', async () => {
    const stage = await startStage(browser(), [])
    await withMap(stage, 'kept')
    const page = await stage.open(`${MAPS}?ns=default&q=kept`)
    await page.getByRole('button', { name: 'Options' }).click()
    await page.getByRole('menuitemcheckbox', { name: 'read-only' }).click()
    await page.getByText('read-only', { exact: true }).waitFor()
    await page.getByRole('checkbox', { name: 'Mark kept' }).click()
    const remove = page.getByRole('button', { name: 'Delete', exact: true })
    await expect.poll(() => remove.getAttribute('aria-disabled')).toBe('true')
    expect(await remove.getAttribute('title')).toContain('read-only')
    await remove.click({ force: true })
    expect(await page.getByRole('dialog').count()).toBe(0)
    await expectAccessible(page)
  }, 240_000)

  test('who may only look is told so at the button, by the server', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'homeostat-tokens-'))
    onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
    writeFileSync(join(folder, 'tokens'), 'looking-only,viewer,v1\n', { mode: 0o600 })
    const stage = await startStage(browser(), ['--token-auth-file', join(folder, 'tokens')])
    await withMap(stage, 'kept')
    const subjects = [{ kind: 'User', name: 'viewer', apiGroup: 'rbac.authorization.k8s.io' }]
    const roleRef = { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name: 'view' }
    await stage.apply({
      apiVersion: 'rbac.authorization.k8s.io/v1',
      kind: 'ClusterRoleBinding',
      metadata: { name: 'viewer' },
      subjects,
      roleRef,
    } as never)
    const page = await stage.open('', { expected: [/40[13]/] })
    const begun = `fetch('/ui/session', { method: 'POST', headers: { 'Content-Type': 'application/json' },
      body: '{"token":"looking-only"}' }).then((answer) => answer.json()).then(({ half }) => sessionStorage.setItem('homeostat-session', half))`
    await page.evaluate(begun)
    await page.goto(`${stage.server.url}/ui${MAPS}?ns=default&q=kept`)
    await page.getByText('viewer', { exact: true }).waitFor()
    await page.getByRole('checkbox', { name: 'Mark kept' }).click()
    const remove = page.getByRole('button', { name: 'Delete', exact: true })
    await expect.poll(() => remove.getAttribute('aria-disabled')).toBe('true')
    expect(await remove.getAttribute('title')).toMatch(/may not|cannot|not allowed|forbidden/i)
    await page.goto(`${stage.server.url}/ui/server`)
    await page.getByText('Its metrics cannot be read').waitFor()
    await expectAccessible(page)
  }, 240_000)
})
