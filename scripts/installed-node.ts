// Other versions of Node, as npm packages: each is installed once, into a folder below node_modules that every user can read,
// since some tests run it as another user.

import { execFile } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'

const root = join(import.meta.dirname, '..')

/** The oldest version that the packages support. */
export function oldestVersion(): string {
  const { engines } = JSON.parse(readFileSync(join(root, 'packages/cli/package.json'), 'utf8')) as {
    engines: { node: string }
  }
  return `${engines.node.replace('>=', '')}.0`
}

/** The path of Node in that version, installed if it is not there yet. */
export async function installedNode(version: string): Promise<string> {
  const name = `node-${process.platform}-${process.arch}`
  const folder = join(root, `node_modules/.cache/homeostat/node-${version}`)
  const node = join(folder, 'node_modules', name, 'bin/node')
  if (!existsSync(node)) {
    const options = ['--prefix', folder, '--no-save', '--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error']
    await promisify(execFile)('npm', ['install', ...options, `${name}@${version}`])
  }
  const { stdout } = await promisify(execFile)(node, ['--version'])
  if (stdout.trim() !== `v${version}`) throw new Error(`${node} is ${stdout.trim()}, not v${version}`)
  return node
}
