// `npm run check`: runs every static check of the sources. A check that passes prints one line; one that fails prints
// its own output, and the exit code is 1.

import { spawn } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { apiReports, checkApiReports, declarationArguments } from './api-report.ts'
import { checkClassIdentity } from './class-identity.ts'
import { checkFileCycles } from './file-cycles.ts'
import { checkFileSize } from './file-size.ts'
import { checkFolderOrder } from './folder-order.ts'
import { checkCalls } from './forbidden-calls.ts'
import { checkImports, type Rules } from './import-direction.ts'
import { type KnownProblems, unknownProblems } from './known-problems.ts'
import { checkLockFile } from './lock-file.ts'
import { checkLockstep } from './lockstep.ts'
import { checkMachinePaths } from './machine-paths.ts'
import { checkModuleState } from './module-state.ts'
import { readModules } from './modules.ts'
import { checkNamedFiles } from './named-files.ts'
import { readManifests } from './packages.ts'
import { checkDependencies } from './phantom-dependencies.ts'
import { checkPublicNames } from './public-names.ts'
import { checkReadmeFolders } from './readme-folders.ts'

interface Verdict {
  readonly fine: boolean
  readonly text: string
}

const TYPES = 'types (tsc)'
const root = join(import.meta.dirname, '..')
/** tsc writes the declarations here while it checks types; the API report is made from them. */
const declarations = mkdtempSync(join(tmpdir(), 'homeostat-declarations-'))
const tools: Record<string, readonly [program: string, ...args: string[]]> = {
  'format and lint (biome)': ['@biomejs/biome/bin/biome', 'check', '--error-on-warnings', '.'],
  [TYPES]: ['typescript/bin/tsc', ...declarationArguments(declarations)],
  'unused code and dependencies (knip)': ['knip/bin/knip.js', '--no-progress'],
}
const modules = readModules(root)
const manifests = readManifests(root)
const rules: Rules = readJson('scripts/import-rules.json')
const checks: Record<string, () => { problems: string[]; seen: string }> = {
  'import direction': () => checkImports(modules, rules),
  'folder order': () => checkFolderOrder(modules, rules),
  'file cycles': () => checkFileCycles(modules),
  'phantom dependencies': () => checkDependencies(modules, manifests),
  'public names': () => checkPublicNames(root, manifests),
  'class identity': () => checkClassIdentity(root, manifests),
  'file size': () => checkFileSize(root, modules),
  'forbidden calls': () => checkCalls(root),
  'module state': () => checkModuleState(root),
  'one version': () => checkLockstep(manifests),
  'lock file': () => checkLockFile(root),
  'machine paths': () => checkMachinePaths(root),
  'files that documents name': () => checkNamedFiles(root),
  'folders in READMEs': () => checkReadmeFolders(root, rules),
}
const known: Readonly<Record<string, KnownProblems>> = readJson('scripts/known-problems.json')

const started = Date.now()
const running: Record<string, Verdict | Promise<Verdict>> = {}
for (const [name, command] of Object.entries(tools)) running[name] = runTool(...command)
for (const [name, check] of Object.entries(checks)) running[name] = runCheck(name, check)
running['API report'] = reportVerdict()
let fine = true
for (const [name, verdict] of Object.entries(running)) {
  const { fine: ok, text } = await verdict
  fine &&= ok
  console.log(ok ? `ok    ${name}${text}` : `FAIL  ${name}\n${text}`)
}
console.log(`${fine ? 'all fine' : 'there is something to mend'}, ${((Date.now() - started) / 1000).toFixed(1)} s`)
process.exitCode = fine ? 0 : 1
rmSync(declarations, { recursive: true })

function runTool(program: string, ...args: string[]): Promise<Verdict> {
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

function runCheck(name: string, check: () => { problems: string[]; seen: string }): Verdict {
  const { problems, seen } = check()
  const unknown = unknownProblems(problems, known[name])
  if (unknown.length === 0) return { fine: true, text: `: ${seen}` }
  return { fine: false, text: unknown.map((problem) => `  ${problem}`).join('\n') }
}

async function reportVerdict(): Promise<Verdict> {
  const types = await running[TYPES]
  if (!types?.fine) return { fine: false, text: '  waits for the types to be right' }
  return runCheck('API report', () => checkApiReports(root, apiReports(root, declarations, manifests)))
}

function readJson<T>(path: string): T {
  return JSON.parse(readFileSync(join(root, path), 'utf8'))
}
