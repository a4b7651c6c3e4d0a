// The last line of a run: how many tests of all stages passed, failed and were skipped. Fails when anything failed.
// Reads what .ci/run left for each stage: NAME.code, its exit code, and NAME.json, vitest's report, if it ran tests.

import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { basename, join } from 'node:path'

const [directory = ''] = process.argv.slice(2)
const total = { passed: 0, failed: 0, skipped: 0 }
const failedStages = []

for (const file of readdirSync(directory).filter((name) => name.endsWith('.code'))) {
  const stage = basename(file, '.code')
  const report = join(directory, `${stage}.json`)
  const counts = existsSync(report)
    ? count(JSON.parse(readFileSync(report, 'utf8')))
    : { passed: 0, failed: 0, skipped: 0 }
  if (readFileSync(join(directory, file), 'utf8').trim() !== '0') {
    failedStages.push(stage)
    // A check that failed, or a run that ended before it could say which test did.
    counts.failed ||= 1
  }
  for (const key of Object.keys(total)) total[key] += counts[key]
}

if (failedStages.length > 0) console.log(`failed: ${failedStages.join(', ')}`)
console.log(`${total.passed} passed, ${total.failed} failed, ${total.skipped} skipped`)
process.exitCode = total.failed > 0 || total.passed === 0 ? 1 : 0

function count({ numPassedTests, numFailedTests, numPendingTests, numTodoTests, testResults }) {
  // A file that cannot be loaded has no tests to fail.
  const unreadable = testResults.filter(
    ({ status, assertionResults }) => status === 'failed' && assertionResults.length === 0,
  )
  return {
    passed: numPassedTests,
    failed: numFailedTests + unreadable.length,
    skipped: numPendingTests + numTodoTests,
  }
}
