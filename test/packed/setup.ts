// Once per run of the tests on packed packages: makes the tarballs, serves them, and installs the oldest Node.

import { execFile, execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import type { TestProject } from 'vitest/node'
import { tarballs } from './published.ts'
import { serveTarballs } from './registry.ts'

declare module 'vitest' {
  interface ProvidedContext {
    /** The folder of the tarballs. */
    tarballs: string
    /** The address of a registry that has them. */
    registry: string
    oldestNode: string
  }
}

/** Runs a script of the repository; answers what it prints. */
async function script(name: string, ...args: string[]): Promise<string> {
  const file = join(import.meta.dirname, '../../scripts', name)
  const { stdout } = await promisify(execFile)(process.execPath, ['--conditions=homeostat-source', file, ...args])
  return stdout.trim()
}

export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const folder = mkdtempSync(join(tmpdir(), 'homeostat-tarballs-'))
  await script('pack.ts', folder)
  const upstream = execFileSync('npm', ['config', 'get', 'registry'], { encoding: 'utf8' }).trim()
  const registry = await serveTarballs(tarballs(folder), upstream)
  project.provide('tarballs', folder)
  project.provide('registry', registry.url)
  project.provide('oldestNode', await script('oldest-node.ts'))
  return async () => {
    await registry[Symbol.asyncDispose]()
    rmSync(folder, { recursive: true })
  }
}
