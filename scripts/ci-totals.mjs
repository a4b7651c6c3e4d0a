// The end of a run: each failed test with the first lines of its error, then how many tests of all stages passed, failed
// and were skipped. Fails when anything failed. Reads what .ci/run left for each stage: NAME.code, its exit code; NAME.json,
// vitest's report, if it ran tests; NAME.again.code and .json if its failed files were run once more.

import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { basename, join } from 'node:path'

const [directory = ''] = process.argv.slice(2)
const ERROR_LINES = 12
const total = { passed: 0, failed: 0, skipped: 0 }
const failedStages = []

const stages = readdirSync(directory)
  .filter((name) => name.endsWith('.code') && !name.endsWith('.again.code'))
  .map((name) => basename(name, '.code'))

for (const stage of stages) {
  const first = outcome(stage)
  const again = existsSync(join(directory, `${stage}.again.code`)) ? outcome(`${stage}.again`) : undefined
  const flaky = first.code !== 0 && again?.code === 0
  for (const failure of (flaky ? first : (again ?? first)).failures)
    console.log(`${flaky ? 'passed only when run again' : 'failed'}: ${failure}`)
  const counts = { ...first.counts }
  if (flaky) {
    counts.passed += counts.failed
    counts.failed = 0
  } else if (first.code !== 0) {
    failedStages.push(stage)
    // A check that failed, or a run that ended before it could say which test did.
    counts.failed ||= 1
  }
  for (const key of Object.keys(total)) total[key] += counts[key]
}

if (failedStages.length > 0) console.log(`failed: ${failedStages.join(', ')}`)
console.log(`${total.passed} passed, ${total.failed} failed, ${total.skipped} skipped`)
process.exitCode = total.failed > 0 || total.passed === 0 ? 1 : 0

function outcome(name) {
  const code = Number(readFileSync(join(directory, `${name}.code`), 'utf8'))
  const file = join(directory, `${name}.json`)
  if (!existsSync(file)) return { code, counts: { passed: 0, failed: 0, skipped: 0 }, failures: [] }
  const report = JSON.parse(readFileSync(file, 'utf8'))
  return { code, counts: count(report), failures: report.testResults.flatMap(failuresOf) }
}

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

function failuresOf({ name, status, message, assertionResults }) {
  if (status !== 'failed') return []
  if (assertionResults.length === 0) return [`${name}\n${head(message)}`]
  return assertionResults
    .filter((test) => test.status === 'failed')
    .map((test) => `${name} > ${test.fullName}\n${head(test.failureMessages?.join('\n'))}`)
}

function head(text = '') {
  return text
    .split('\n')
    .slice(0, ERROR_LINES)
    .map((line) => `  ${line.slice(0, 400)}`)
    .join('\n')
}
