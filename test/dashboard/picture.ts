// Pictures of screens, to look at and for the documents. `HOMEOSTAT_PICTURES=1 npm run test:dashboard` writes those of the documents anew;
// otherwise they are beside the built page, so that a run changes nothing that is kept.

import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import type { Page } from 'playwright-core'

const root = join(import.meta.dirname, '../..')
const beside = join(root, 'packages/dashboard/page/dist/pictures')
/** Those that README and docs/dashboard.md show. */
const SHOWN: ReadonlySet<string> = new Set([
  'login-light',
  'summary-light',
  'summary-phone',
  'conflict-light',
  'tree-light',
  'graph-dark',
])

/** `name` becomes `dashboard-NAME.png`. */
export async function takePicture(page: Page, name: string): Promise<string> {
  const folder = process.env.HOMEOSTAT_PICTURES === '1' && SHOWN.has(name) ? join(root, 'docs/images') : beside
  mkdirSync(folder, { recursive: true })
  const path = join(folder, `dashboard-${name}.png`)
  await page.screenshot({ path, animations: 'disabled' })
  return path
}
