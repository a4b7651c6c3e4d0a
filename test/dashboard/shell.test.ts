// What is around every screen, and the first screen, in every look.

import { describe, expect, test } from 'vitest'
import { expectAccessible } from './accessible.ts'
import { takePicture } from './picture.ts'
import { noBrowser, startStage, useBrowser, type View } from './stage.ts'

const LOOKS: Record<string, View> = { light: { theme: 'light' }, dark: { theme: 'dark' }, phone: { size: 'phone' } }
const APPLICATION = { apiVersion: 'cloudnative.elide.dev/v1', kind: 'Application' }

describe.skipIf(noBrowser)('the shell', () => {
  const browser = useBrowser()

  test('shows the first steps, the overview and a table in light, in dark and on a phone', async () => {
    const stage = await startStage(browser())
    for (const [look, view] of Object.entries(LOOKS)) {
      const page = await stage.open('', view)
      await page.getByRole('heading', { name: 'Nothing is here yet' }).waitFor()
      await expectAccessible(page)
      await takePicture(page, `first-steps-${look}`)
    }
    for (const [name, image] of [
      ['shop', 'nginx:1.29'],
      ['billing', 'python:3.14'],
    ] as const)
      await stage.apply({
        ...APPLICATION,
        metadata: { name, namespace: 'default' },
        spec: { replicas: 2, image, strategy: 'RollingUpdate' },
      })
    for (const [look, view] of Object.entries(LOOKS)) {
      const page = await stage.open('', view)
      await page.getByRole('heading', { name: 'Overview' }).waitFor()
      await expectAccessible(page)
      await takePicture(page, `overview-${look}`)
      if (view.size === 'phone') await page.getByRole('button', { name: 'Menu' }).click()
      await page.getByRole('navigation').getByRole('link', { name: 'Application', exact: true }).click()
      await page.getByRole('link', { name: 'billing' }).waitFor()
      expect(await page.getByRole('link', { name: 'shop' }).isVisible()).toBe(true)
      await expectAccessible(page)
      await takePicture(page, `table-${look}`)
      await page.getByRole('link', { name: 'billing' }).click()
      await page
        .getByRole('cell', { name: /^Ready / })
        .first()
        .waitFor()
      await expectAccessible(page)
      await takePicture(page, `object-${look}`)
    }
  })
})
