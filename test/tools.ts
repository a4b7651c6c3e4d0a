// Finds the programs of the machine that tests need. A test that misses one is skipped visibly and says why;
// with HOMEOSTAT_NO_SKIP=1, as on CI, it fails instead.

import { execFileSync } from 'node:child_process'
import { accessSync, constants, readdirSync, realpathSync } from 'node:fs'
import { delimiter, dirname, join } from 'node:path'

export type Tool =
  | { readonly path: string; readonly missing?: undefined }
  | { readonly path?: undefined; readonly missing: string }

/** The oldest kubectl that is supported, 1.NN. */
const OLDEST_KUBECTL = 27

const told = new Set<string>()

/** Pass `missing` on: `test.skipIf(need('curl').missing)`. */
export function need(tool: string): Tool {
  const path = findTool(tool)
  return path === undefined ? lacking(tool, `${tool} is not on the PATH`) : { path }
}

/**
 * Every supported kubectl at hand, oldest first, each to be called by its own path: a `kubectl` on the PATH may be
 * a dispatcher that picks one of the binaries beside it by the server's version. Never empty: one entry may be `missing`.
 */
export function needKubectls(): readonly (Tool & { readonly version: string })[] {
  const path = findTool('kubectl')
  if (path === undefined) return [{ ...lacking('kubectl', 'kubectl is not on the PATH'), version: 'any' }]
  const folder = dirname(realpathSync(path))
  const minors = readdirSync(folder)
    .map((name) => Number(/^kubectl\.1\.(\d+)$/.exec(name)?.[1] ?? 0))
    .filter((minor) => minor >= OLDEST_KUBECTL)
    .sort((a, b) => a - b)
  if (minors.length === 0) return [onlyKubectl(path)]
  return minors.map((minor) => ({ path: join(folder, `kubectl.1.${minor}`), version: `1.${minor}` }))
}

function onlyKubectl(path: string): Tool & { readonly version: string } {
  const { clientVersion } = JSON.parse(execFileSync(path, ['version', '--client', '-o', 'json'], { encoding: 'utf8' }))
  const version = `${clientVersion.major}.${Number.parseInt(clientVersion.minor, 10)}`
  if (Number.parseInt(clientVersion.minor, 10) >= OLDEST_KUBECTL) return { path, version }
  return { ...lacking('kubectl', `kubectl ${version} is older than 1.${OLDEST_KUBECTL}`), version }
}

function lacking(tool: string, reason: string): { missing: string } {
  if (process.env.HOMEOSTAT_NO_SKIP === '1')
    throw new Error(`${reason}, and HOMEOSTAT_NO_SKIP=1 forbids skipping its tests`)
  if (!told.has(tool)) process.stderr.write(`skipped: tests that need ${tool}, since ${reason}\n`)
  told.add(tool)
  return { missing: reason }
}

export function findTool(program: string): string | undefined {
  for (const folder of (process.env.PATH ?? '').split(delimiter)) {
    const path = join(folder, program)
    try {
      accessSync(path, constants.X_OK)
      return path
    } catch {
      // Not in this folder.
    }
  }
  return undefined
}
