// The editor: help from the schema, the server's word while one writes, drafts, the change before it happens, and conflicts.

import type { Page } from 'playwright-core'
import { describe, expect, test } from 'vitest'
import { expectAccessible } from './accessible.ts'
import { DESK, defineLamp, LAMP, lamp } from './lamp.ts'
import { takePicture } from './picture.ts'
import { noBrowser, type Stage, startStage, useBrowser } from './stage.ts'

const EDIT = `${DESK}?tab=edit`
const editorOf = (page: Page) => page.getByRole('textbox', { name: /^YAML of/ })

/** Puts another text into a line of the editor, as somebody does who writes there. */
async function replaceLine(page: Page, from: RegExp, to: string): Promise<void> {
  await page.locator('.cm-line').filter({ hasText: from }).click()
  await page.keyboard.press('Home')
  await page.keyboard.press('Shift+End')
  await page.keyboard.press('Delete')
  await page.keyboard.insertText(to)
}

const desk = ({ client }: Stage) =>
  client.resourceOf(LAMP.apiVersion, LAMP.kind).get({ name: 'desk', namespace: 'default' })

describe.skipIf(noBrowser)('the editor', () => {
  const browser = useBrowser()

  test('helps from the schema, asks the server, keeps a draft, and saves what was reviewed', async () => {
    const stage = await startStage(browser())
    await defineLamp(stage)
    await stage.apply(lamp('desk', { size: 3, colour: 'red' }))
    const page = await stage.open(EDIT, { expected: [/^422: PATCH/] })
    await editorOf(page).waitFor()
    await expectAccessible(page)
    await replaceLine(page, /size: 3/, 'size: 10')
    await page.getByText('1 error').waitFor()
    await replaceLine(page, /size: 10/, 'size: 4')
    await page.getByText('1 field changed; the server would accept it').waitFor()
    await page
      .locator('.cm-line')
      .filter({ hasText: /colour/ })
      .hover({ position: { x: 40, y: 10 } })
    await page.getByText('The colour of its light.').waitFor()
    await page.reload()
    await page.getByText('This is your draft').waitFor()
    await page.locator('.cm-line').filter({ hasText: 'size: 4' }).waitFor()
    await replaceLine(page, /colour/, 'colour: ')
    await page.keyboard.press('Control+Space')
    await page.getByRole('option', { name: 'green' }).waitFor()
    await takePicture(page, 'editor-light')
    await page.keyboard.press('Enter')
    await page.getByText('2 fields changed; the server would accept it').waitFor()
    await page.getByRole('button', { name: 'Review and save' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByText('is applied by').first().waitFor()
    await expectAccessible(page)
    await takePicture(page, 'editor-save-light')
    await dialog.getByRole('button', { name: 'Save' }).click()
    await page.getByText('Saved: generation 2.').waitFor()
    expect(await desk(stage)).toMatchObject({ spec: { size: 4, colour: 'green' } })
    await page.reload()
    await page.locator('.cm-line').filter({ hasText: 'size: 4' }).waitFor()
    expect(await page.getByText('This is your draft').isVisible()).toBe(false)
  })

  test('merges what others changed elsewhere, and asks where both changed the same', async () => {
    const stage = await startStage(browser())
    await defineLamp(stage)
    await stage.apply(lamp('desk', { size: 1, colour: 'red', notes: 'mine' }))
    const page = await stage.open(EDIT, { expected: [/^409: PATCH/] })
    await replaceLine(page, /size: 1/, 'size: 5')
    await replaceLine(page, /notes/, 'notes: edited')
    await page.getByText('2 fields changed; the server would accept it').waitFor()
    await stage.client
      .resourceOf(LAMP.apiVersion, LAMP.kind)
      .patch({ name: 'desk', namespace: 'default' }, { spec: { size: 7, colour: 'green' } }, { fieldManager: 'scaler' })
    await page.getByText('The object has changed since you began').waitFor()
    await page.getByRole('button', { name: 'Review and save' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Save' }).click()
    await page.getByRole('dialog').getByText('Now written by scaler').waitFor()
    await expectAccessible(page)
    await takePicture(page, 'conflict-light')
    await page.getByRole('radio', { name: 'Take theirs' }).check()
    await page.getByRole('button', { name: 'Go on' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Save' }).click()
    await page.getByText('Saved: generation 3.').waitFor()
    expect(await desk(stage)).toMatchObject({ spec: { size: 7, colour: 'green', notes: 'edited' } })
  })

  test('keeps the text when the object is deleted meanwhile, for a new one', async () => {
    const stage = await startStage(browser())
    await defineLamp(stage)
    await stage.apply(lamp('desk', { size: 1, colour: 'red' }))
    const page = await stage.open(EDIT)
    await replaceLine(page, /size: 1/, 'size: 5')
    await page.getByText('1 field changed; the server would accept it').waitFor()
    const lamps = stage.client.resourceOf(LAMP.apiVersion, LAMP.kind)
    await lamps.delete({ name: 'desk', namespace: 'default' })
    await page.getByText('desk was deleted while you wrote').waitFor()
    await expectAccessible(page)
    // Another object of that name is another one: the text is not put over it.
    await stage.apply(lamp('desk', { size: 2 }))
    await page.getByText('It was deleted. This is the last state').waitFor({ state: 'detached' })
    await page.locator('.cm-line').filter({ hasText: 'size: 5' }).waitFor()
    await page.getByText('desk was deleted while you wrote').waitFor()
    expect(await page.getByRole('button', { name: 'Review and save' }).getAttribute('aria-disabled')).toBe('true')
    await lamps.delete({ name: 'desk', namespace: 'default' })
    await page.getByRole('button', { name: 'Make a new one of it' }).click()
    await page.getByText('new; the server would accept it').waitFor()
    await page.getByRole('button', { name: 'Create', exact: true }).click()
    await page.getByRole('heading', { name: 'desk' }).waitFor()
    await expect.poll(() => desk(stage)).toMatchObject({ spec: { size: 5, colour: 'red' } })
  })

  test('gives up, with the text, when every try meets a conflict', async () => {
    const stage = await startStage(browser())
    await defineLamp(stage)
    await stage.apply(lamp('desk', { size: 1 }))
    const page = await stage.open(EDIT, { expected: [/^409: PATCH/] })
    let tries = 0
    await page.route('**/lamps/desk?**', (route) => {
      if (route.request().method() !== 'PATCH' || route.request().url().includes('dryRun')) return route.continue()
      tries += 1
      const json = { kind: 'Status', status: 'Failure', reason: 'Conflict', code: 409, message: 'a webhook says no' }
      return route.fulfill({ status: 409, json })
    })
    await replaceLine(page, /size: 1/, 'size: 5')
    await page.getByText('1 field changed; the server would accept it').waitFor()
    await page.getByRole('button', { name: 'Review and save' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Save' }).click()
    await page.getByText('Nothing was saved, in 5 tries: a webhook says no').waitFor()
    expect(tries).toBe(5)
    await page.locator('.cm-line').filter({ hasText: 'size: 5' }).waitFor()
    expect(await page.getByRole('button', { name: 'Review and save' }).getAttribute('aria-disabled')).toBeNull()
  })

  test('creates an object from its schema, by keyboard alone', async () => {
    const stage = await startStage(browser())
    await defineLamp(stage)
    const page = await stage.open('/new/past.io/v1/lamps?ns=default')
    const editor = page.getByRole('textbox', { name: 'YAML of the new Lamp' })
    await editor.focus()
    await page.keyboard.press('Control+a')
    await page.keyboard.press('Delete')
    await page.keyboard.insertText(
      'apiVersion: past.io/v1\nkind: Lamp\nmetadata: {name: wall}\nspec: {size: 2}\n---\na: 1',
    )
    await page.getByText('1 error').waitFor()
    await page.keyboard.press('Control+a')
    await page.keyboard.press('Delete')
    await page.keyboard.insertText('apiVersion: past.io/v1\nkind: Lamp\nmetadata: {name: wall}\nspec: {size: 2}')
    await page.getByText('new; the server would accept it').waitFor()
    await expectAccessible(page)
    await page.keyboard.press('Control+s')
    await page.getByRole('heading', { name: 'wall' }).waitFor()
    await page.waitForURL(/objects\/past.io\/v1\/lamps\/default\/wall/)
  })
})
