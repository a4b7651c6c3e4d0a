// `npm run test:oldest-node`: runs the tests on the oldest Node that the packages support. npm installs it into a
// folder that every user can read, since some tests run it as another user. Arguments are passed to the test runner.

import { spawnSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'

const root = join(import.meta.dirname, '..')
const { engines } = JSON.parse(readFileSync(join(root, 'packages/cli/package.json'), 'utf8')) as {
  engines: { node: string }
}
const version = `${engines.node.replace('>=', '')}.0`
const name = `node-${process.platform}-${process.arch}`
const folder = join(root, `node_modules/.cache/homeostat/node-${version}`)
const node = process.env.HOMEOSTAT_NODE || join(folder, 'node_modules', name, 'bin/node')

if (!existsSync(node)) {
  console.log(`installing Node ${version}`)
  const options = ['--prefix', folder, '--no-save', '--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error']
  const { status } = spawnSync('npm', ['install', ...options, `${name}@${version}`], { stdio: 'inherit' })
  if (status !== 0) fail(`npm has no ${name}@${version}; set HOMEOSTAT_NODE to a Node ${version}.`)
}
const found = spawnSync(node, ['--version'], { encoding: 'utf8' }).stdout?.trim()
if (found !== `v${version}`) fail(`${node} is ${found || 'no Node'}, not v${version}.`)

const bootstrap = [join(root, 'bootstrap.mjs'), 'test', ...process.argv.slice(2)]
// Node 22 may leave the link in node_modules in the path of a source, and strips no types there. The hook, which bootstrap.mjs has
// every command of the clone import, resolves the link; programs that tests start by themselves need it here, too.
const hook = `--import=${pathToFileURL(join(root, 'scripts/quick-imports.ts')).href}`
const env = { ...process.env, HOMEOSTAT_NODE: node, NODE_OPTIONS: `${process.env.NODE_OPTIONS ?? ''} ${hook}`.trim() }
process.exitCode = spawnSync(process.execPath, bootstrap, { cwd: root, env, stdio: 'inherit' }).status ?? 1

function fail(text: string): never {
  console.error(text)
  process.exit(1)
}
