// The first thing every npm script runs: installs what is missing, then starts the pinned Node on the sources.
// It must stay one file without dependencies that an older Node (20) can read, since nothing is installed yet.

import { spawn } from 'node:child_process'
import { existsSync, mkdirSync, readdirSync, readFileSync } from 'node:fs'
import { constants } from 'node:os'
import { basename, dirname, join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'

const root = dirname(fileURLToPath(import.meta.url))
const installNeedsNode = [20, 0]
const sourcesNeedNode = [22, 18]
/** The child reads this descriptor; it closes when this process is gone, however it went. */
const lifeline = 3
const pinnedNode = `node_modules/node-${process.platform}-${process.arch}`

const [command = '', ...args] = process.argv.slice(2)
/** What each npm script runs, as arguments of the pinned Node. */
const commands = {
  start: () => homeostat(['up', '--with', join(root, 'examples/application'), ...args]),
  homeostat: () => homeostat(args),
  test: () => runNode([join(root, 'node_modules/vitest/vitest.mjs'), 'run', ...args]),
  'test-oldest-node': () => runNode([join(root, 'scripts/test-oldest-node.ts'), ...args]),
  check: () => runNode([join(root, 'scripts/check.ts'), ...args]),
  'supply-chain': () => runNode([join(root, 'scripts/supply-chain.ts'), ...args]),
  'api-report': () => runNode([join(root, 'scripts/write-api-report.ts'), ...args]),
  bundle: () => runNode([join(root, 'scripts/bundle.ts'), ...args]),
  image: () => runNode([join(root, 'scripts/image.ts'), ...args]),
  build: () => runNode([join(root, 'scripts/build.ts'), ...args]),
  pack: () => runNode([join(root, 'scripts/pack.ts'), ...args], { cwd: process.env.INIT_CWD ?? process.cwd() }),
  release: () => runNode([join(root, 'scripts/release.ts'), ...args]),
  bench: () => runNode([join(root, 'bench/main.ts'), ...args]),
  'etcd-up': () => runNode([join(root, 'scripts/etcd-up.ts'), ...args]),
  example: () => runNode([exampleProgram(args[0] ?? ''), ...args.slice(1)]),
  run: () => runNode([join(root, 'node_modules/.bin', args[0] ?? ''), ...args.slice(1)]),
}

if (process.platform === 'win32') fail('Homeostat runs on Linux and macOS; on Windows use WSL.')
if (!atLeast(process.versions.node, installNeedsNode)) {
  fail(`Homeostat needs Node 20 or newer to install; this is ${process.version}.`)
}
if (!Object.hasOwn(commands, command)) fail(`usage: node bootstrap.mjs ${Object.keys(commands).join('|')} [arguments]`)
if (!installed()) await install()
commands[command]()

function exampleProgram(name) {
  const programs = readdirSync(join(root, 'examples')).filter((one) =>
    existsSync(join(root, 'examples', one, 'main.ts')),
  )
  if (!programs.includes(name)) fail(`usage: npm run example -- ${programs.join('|')} [arguments]`)
  return join(root, 'examples', name, 'main.ts')
}

/** The data of a clone lives in the clone, wherever in it the command was typed. */
function homeostat(verbAndArgs) {
  const quickImports = `--import=${pathToFileURL(join(root, 'scripts/quick-imports.ts'))}`
  // A start makes few things that it drops soon: with room for them all, 560 sources load with a tenth less of CPU.
  const room = '--min-semi-space-size=8'
  runNode([room, quickImports, join(root, 'packages/cli/src/main.ts'), ...verbAndArgs], {
    cwd: process.env.INIT_CWD ?? process.cwd(),
    env: {
      HOMEOSTAT_DATA: process.env.HOMEOSTAT_DATA || join(root, '.homeostat'),
      HOMEOSTAT_LIFELINE: String(lifeline),
    },
  })
}

/**
 * True when node_modules holds what package-lock.json asks for. npm writes its own record last, and leaves out
 * optional packages made for other machines; the pinned Node for this one must be there.
 */
function installed() {
  const wanted = readJson(join(root, 'package-lock.json'))?.packages
  const present = readJson(join(root, 'node_modules/.package-lock.json'))?.packages
  if (!wanted) fail('package-lock.json is missing or unreadable; restore it with git.')
  if (!present) return false
  return Object.entries(wanted).every(([path, entry]) => {
    const found = present[path]
    if (path === '') return true
    if (!found) return entry.optional === true && path !== pinnedNode
    // The record alone is not enough: copies of a clone made with hard links share it.
    return found.version === entry.version && found.integrity === entry.integrity && existsSync(join(root, path))
  })
}

async function install() {
  const started = Date.now()
  say('installing dependencies from the npm registry (once; about 390 MB on disk)')
  const still = setInterval(
    () => say(`still installing, ${Math.round((Date.now() - started) / 1000)} s so far`),
    10_000,
  )
  const [program, before] = npm()
  // Not `npm ci`: it refuses a lock file that was written where a registry lacks packages of some other platform.
  const options = [
    'install',
    '--no-save',
    '--include=dev',
    '--include=optional',
    '--ignore-scripts',
    '--no-audit',
    '--no-fund',
  ]
  options.push('--loglevel=error')
  const child = spawn(program, [...before, ...options], { cwd: root, stdio: ['ignore', 'pipe', 'pipe'] })
  const stop = passSignals(child)
  let output = ''
  child.stdout.on('data', (chunk) => (output += chunk))
  child.stderr.on('data', (chunk) => (output += chunk))
  const code = await new Promise((resolve) => {
    child.on('error', (error) => {
      if (error.code === 'ENOENT') fail('npm was not found on the PATH; install Node together with npm.')
      fail(`npm could not be started: ${error.message}`)
    })
    child.on('close', (status, signal) => resolve(status ?? 128 + constants.signals[signal]))
  })
  clearInterval(still)
  stop()
  if (code !== 0) {
    // npm adds its whole manual to some errors.
    process.stderr.write(`${output.trimEnd().split('\n').slice(0, 40).join('\n')}\n`)
    if (/ENOTFOUND|EAI_AGAIN|ECONNREFUSED|ECONNRESET|ETIMEDOUT|ENETUNREACH|network/i.test(output)) {
      fail(
        'the npm registry could not be reached. Check the network or the proxy (npm config get registry) and run this again.',
        code,
      )
    }
    fail(`npm install failed (exit code ${code}); its output is above.`, code)
  }
  say(`installed in ${Math.round((Date.now() - started) / 1000)} s`)
}

/** The npm that called us, or the one on the PATH. */
function npm() {
  const caller = process.env.npm_execpath ?? ''
  return basename(caller) === 'npm-cli.js' ? [process.execPath, [caller]] : ['npm', []]
}

/** The one that HOMEOSTAT_NODE names, the pinned Node that npm brought, or the machine's own if it runs TypeScript. */
function findNode() {
  const chosen = process.env.HOMEOSTAT_NODE
  if (chosen) return existsSync(chosen) ? chosen : fail(`HOMEOSTAT_NODE names ${chosen}, which is not there.`)
  const pinned = join(root, pinnedNode, 'bin/node')
  if (existsSync(pinned)) return pinned
  if (atLeast(process.versions.node, sourcesNeedNode)) return process.execPath
  return fail(
    `On ${process.platform} ${process.arch} Homeostat uses the machine's own Node, which must be ${sourcesNeedNode.join('.')} or newer; this is ${process.version}. Install a newer Node.`,
  )
}

function runNode(nodeArgs, { cwd = root, env = {} } = {}) {
  const node = findNode()
  // Before Node makes it for the compile cache: what a server keeps in it is its owner's alone.
  mkdirSync(join(root, '.homeostat'), { recursive: true, mode: 0o700 })
  const flags = ['--conditions=homeostat-source', '--disable-warning=ExperimentalWarning']
  const child = spawn(node, [...flags, ...nodeArgs], {
    cwd,
    stdio: ['inherit', 'inherit', 'inherit', 'pipe'],
    env: {
      NODE_COMPILE_CACHE: join(root, '.homeostat/compile-cache'),
      ...process.env,
      ...env,
    },
  })
  passSignals(child)
  endWithNpm(child)
  child.on('error', (error) => {
    if (error.code === 'ENOENT' && node !== process.execPath)
      fail(`${node} does not run here: it needs glibc. Use a glibc Linux, or Node 22.18 or newer.`)
    fail(`${node} could not be started: ${error.message}`)
  })
  child.on('exit', (code, signal) => process.exit(code ?? 128 + constants.signals[signal]))
}

function passSignals(child) {
  const signals = ['SIGINT', 'SIGTERM', 'SIGHUP']
  const pass = (signal) => child.kill(signal)
  for (const signal of signals) process.on(signal, pass)
  return () => {
    for (const signal of signals) process.off(signal, pass)
  }
}

/** A killed npm cannot pass a signal on, so that its end is noticed here. */
function endWithNpm(child) {
  if (!process.env.npm_lifecycle_event) return
  const parent = process.ppid
  setInterval(() => process.ppid === parent || child.kill('SIGTERM'), 1000).unref()
}

function atLeast(version, [major, minor]) {
  const [a = 0, b = 0] = version.split('.').map(Number)
  return a > major || (a === major && b >= minor)
}

function readJson(file) {
  try {
    return JSON.parse(readFileSync(file, 'utf8'))
  } catch {
    return undefined
  }
}

function say(text) {
  process.stderr.write(`homeostat: ${text}\n`)
}

function fail(text, code = 1) {
  say(text)
  process.exit(code)
}
