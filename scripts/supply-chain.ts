// `npm run supply-chain`: the licences of what is installed, always; and known vulnerabilities of what is published, by the
// registry's audit, where a registry answers. Continuous integration runs it as a stage of its own.

import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { checkLicences } from './licences.ts'

const root = join(import.meta.dirname, '..')
const { problems, seen } = checkLicences(root)
for (const problem of problems) process.stdout.write(`licences: ${problem}\n`)
if (problems.length === 0) process.stdout.write(`licences: ${seen}, all allowed\n`)

const AUDIT = ['audit', '--omit=dev', '--audit-level=moderate', '--json', '--fetch-retries=0', '--fetch-timeout=20000']
const { stdout, error } = spawnSync('npm', AUDIT, { cwd: root, encoding: 'utf8', timeout: 60_000 })
const verdict = readAudit(stdout ?? '')
if (error !== undefined || verdict === undefined) {
  process.stdout.write(
    'vulnerabilities: NOT CHECKED, since the registry does not answer an audit; run it where one does\n',
  )
} else process.stdout.write(`vulnerabilities: ${verdict.text}\n`)
process.exitCode = problems.length > 0 || verdict?.found ? 1 : 0

/** Undefined when the registry gave no verdict. */
function readAudit(text: string): { found: boolean; text: string } | undefined {
  let report: { metadata?: { vulnerabilities?: Record<string, number> }; vulnerabilities?: object }
  try {
    report = JSON.parse(text)
  } catch {
    return undefined
  }
  const counts = report.metadata?.vulnerabilities
  if (counts === undefined) return undefined
  const bad = ['moderate', 'high', 'critical'].filter((level) => (counts[level] ?? 0) > 0)
  if (bad.length === 0) return { found: false, text: 'none is known' }
  const names = Object.keys(report.vulnerabilities ?? {}).join(', ')
  return { found: true, text: `${bad.map((level) => `${counts[level]} ${level}`).join(', ')}: ${names}` }
}
