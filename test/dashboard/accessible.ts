// Whether people who cannot see, or use no mouse, can use a screen: by axe, with the rules of WCAG 2.2 AA.

import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Page } from 'playwright-core'
import { expect } from 'vitest'

const AXE = join(import.meta.dirname, '../../packages/dashboard/page/node_modules/axe-core/axe.min.js')
const RULES = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice']

interface Violation {
  readonly id: string
  readonly help: string
  readonly nodes: readonly { readonly html: string; readonly failureSummary?: string }[]
}

export async function expectAccessible(page: Page): Promise<void> {
  await page.evaluate(readFileSync(AXE, 'utf8'))
  const violations = (await page.evaluate(
    `axe.run(document, { runOnly: ${JSON.stringify(RULES)} }).then(({ violations }) => violations)`,
  )) as Violation[]
  const told = violations.map(
    ({ id, help, nodes }) =>
      `${id}: ${help}\n${nodes.map(({ html, failureSummary }) => `  ${html}\n  ${failureSummary}`).join('\n')}`,
  )
  expect(told, 'violations that axe found').toEqual([])
}
