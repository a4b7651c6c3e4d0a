// Prints the test files in which something failed, a line each. .ci/run runs them once more when they are few.
// Usage: node scripts/ci-failed-files.mjs REPORT, a JSON report of vitest. Prints nothing when there is no report.

import { existsSync, readFileSync } from 'node:fs'
import { relative } from 'node:path'

const [report = ''] = process.argv.slice(2)
if (existsSync(report)) {
  const { testResults } = JSON.parse(readFileSync(report, 'utf8'))
  for (const { name, status } of testResults) if (status === 'failed') console.log(relative(process.cwd(), name))
}
