// Builds the page once for all files of tests, unless it is newer than its sources.

import { execFileSync } from 'node:child_process'
import { join } from 'node:path'

export default function setup(): void {
  const build = join(import.meta.dirname, '../../packages/dashboard/page/build.ts')
  execFileSync(process.execPath, [build], { stdio: 'inherit' })
}
