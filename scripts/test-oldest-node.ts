// `npm run test:oldest-node`: runs the tests on the oldest Node that the packages support. Arguments are passed to the test
// runner.

import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { installedNode, oldestVersion } from './installed-node.ts'

const root = join(import.meta.dirname, '..')
const node = process.env.HOMEOSTAT_NODE || (await installedNode(oldestVersion()))

const bootstrap = [join(root, 'bootstrap.mjs'), 'test', ...process.argv.slice(2)]
// Node 22 may leave the link in node_modules in the path of a source, and strips no types there. The hook, which bootstrap.mjs has
// every command of the clone import, resolves the link; programs that tests start by themselves need it here, too.
const hook = `--import=${pathToFileURL(join(root, 'scripts/quick-imports.ts')).href}`
const env = { ...process.env, HOMEOSTAT_NODE: node, NODE_OPTIONS: `${process.env.NODE_OPTIONS ?? ''} ${hook}`.trim() }
process.exitCode = spawnSync(process.execPath, bootstrap, { cwd: root, env, stdio: 'inherit' }).status ?? 1
