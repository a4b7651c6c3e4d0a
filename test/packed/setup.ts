// Once per run of the tests on packed packages: makes the tarballs, serves them, and installs the oldest Node.

import { execFile, execFileSync } from 'node:child_process'
import { globSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import type { TestProject } from 'vitest/node'
import { installedNode, oldestVersion } from '../../scripts/installed-node.ts'
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

const script = join(import.meta.dirname, '../../scripts/pack.ts')

export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const folder = mkdtempSync(join(tmpdir(), 'homeostat-tarballs-'))
  await promisify(execFile)(process.execPath, ['--conditions=homeostat-source', script, folder])
  const upstream = execFileSync('npm', ['config', 'get', 'registry'], { encoding: 'utf8' }).trim()
  const registry = await serveTarballs(
    globSync('*.tgz', { cwd: folder }).map((file) => join(folder, file)),
    upstream,
  )
  project.provide('tarballs', folder)
  project.provide('registry', registry.url)
  project.provide('oldestNode', await installedNode(oldestVersion()))
  return async () => {
    await registry[Symbol.asyncDispose]()
    rmSync(folder, { recursive: true })
  }
}
