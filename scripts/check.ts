// `npm run check`: every tool that judges the sources without running them. One line each when all is well;
// a tool that is not content shows its own words, and the exit code is 1.

import { spawn } from 'node:child_process'
import { join } from 'node:path'
import { checkCalls } from './forbidden-calls.ts'
import { checkImports } from './import-direction.ts'
import { checkLockFile } from './lock-file.ts'
import { checkMachinePaths } from './machine-paths.ts'

interface Verdict {
  readonly fine: boolean
  readonly text: string
}

const root = join(import.meta.dirname, '..')
const checks: Record<string, () => Promise<Verdict>> = {
  'format and lint (biome)': () => tool('@biomejs/biome/bin/biome', ['check', '--error-on-warnings', '.']),
  'types (tsc)': () => tool('typescript/bin/tsc', ['-p', '.']),
  'unused code and dependencies (knip)': () => tool('knip/bin/knip.js', ['--no-progress']),
  'import direction': async () => fromProblems(checkImports(root)),
  'forbidden calls': async () => fromProblems(checkCalls(root)),
  'lock file': async () => fromProblems(checkLockFile(root)),
  'machine paths': async () => fromProblems(checkMachinePaths(root)),
}

const started = Date.now()
const running = Object.entries(checks).map(([name, check]) => [name, check()] as const)
let fine = true
for (const [name, verdict] of running) {
  const { fine: ok, text } = await verdict
  fine &&= ok
  console.log(ok ? `ok    ${name}${text}` : `FAIL  ${name}\n${text}`)
}
console.log(`${fine ? 'all fine' : 'there is something to mend'}, ${((Date.now() - started) / 1000).toFixed(1)} s`)
process.exitCode = fine ? 0 : 1

function tool(program: string, args: string[]): Promise<Verdict> {
  const child = spawn(process.execPath, [join(root, 'node_modules', program), ...args], {
    cwd: root,
    env: { ...process.env, ...(process.stdout.isTTY ? { FORCE_COLOR: '1' } : { NO_COLOR: '1' }) },
  })
  let output = ''
  child.stdout.on('data', (chunk) => {
    output += chunk
  })
  child.stderr.on('data', (chunk) => {
    output += chunk
  })
  return new Promise((resolve, reject) => {
    child.on('error', reject)
    child.on('close', (code) => resolve({ fine: code === 0, text: code === 0 ? '' : output }))
  })
}

function fromProblems({ problems, seen }: { problems: string[]; seen: string }): Verdict {
  if (problems.length === 0) return { fine: true, text: `: ${seen}` }
  return { fine: false, text: problems.map((problem) => `  ${problem}`).join('\n') }
}
