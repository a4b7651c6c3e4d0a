// A stranger's project: an empty folder outside of the clone, in which npm installs the packed packages as a user would. Nothing of
// the clone is within reach of it.
//
//   using project = await packedProject({ dependencies: ['@homeostat/operator', 'zod'], files: { 'src/main.ts': '...' } })
//   const { stdout } = await project.run('node', ['src/main.ts'])

import { type ChildProcess, type ExecFileException, execFile, spawn } from 'node:child_process'
import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { homedir, tmpdir } from 'node:os'
import { delimiter, dirname, join } from 'node:path'
import { inject } from 'vitest'

export interface PackedProjectOptions {
  /** What `npm install` gets: ours by name, others as npm takes them, e.g. `zod@^4.1`. */
  readonly dependencies?: readonly string[]
  readonly devDependencies?: readonly string[]
  readonly files?: Readonly<Record<string, string>>
  /** Default: the Node of the tests, 24. */
  readonly node?: 'oldest' | 'newest'
}

export interface Output {
  readonly stdout: string
  readonly stderr: string
}

interface Place {
  /** Below the project's folder. */
  readonly cwd?: string
  readonly env?: NodeJS.ProcessEnv
}

export interface PackedProject extends Disposable {
  readonly folder: string
  write(files: Readonly<Record<string, string>>): void
  /** Runs `node`, `npm`, `npx` or a program of the project to its end; throws what it printed unless that is a good one. */
  run(program: string, args: readonly string[], place?: Place): Promise<Output>
  /** Starts a program. It and what it starts end with the project, or with the test process. */
  spawn(program: string, args: readonly string[], place?: Place): ChildProcess
}

export async function packedProject(options: PackedProjectOptions = {}): Promise<PackedProject> {
  // npm shows real paths, and a temporary folder may be reached by a link.
  const home = realpathSync(mkdtempSync(join(tmpdir(), 'homeostat-packed-')))
  const folder = join(home, 'project')
  mkdirSync(folder)
  const env = environment(home, options.node === 'oldest' ? inject('oldestNode') : process.execPath)
  const children = new Set<ChildProcess>()
  const endAll = () => children.forEach(endGroup)
  // A test that runs into its limit disposes of nothing.
  process.once('exit', endAll)
  const project: PackedProject = {
    folder,
    write(files) {
      for (const [name, text] of Object.entries(files)) {
        mkdirSync(dirname(join(folder, name)), { recursive: true })
        writeFileSync(join(folder, name), text)
      }
    },
    run: (program, args, place = {}) => runToEnd(program, args, at(place)),
    spawn(program, args, place = {}) {
      const child = spawn(program, args, { ...at(place), stdio: ['ignore', 'pipe', 'pipe'], detached: true })
      children.add(child)
      return child
    },
    [Symbol.dispose]() {
      process.off('exit', endAll)
      endAll()
      rmSync(home, { recursive: true, force: true, maxRetries: 3 })
    },
  }
  const at = ({ cwd = '.', env: more }: Place) => ({ cwd: join(folder, cwd), env: { ...env, ...more } })
  const { dependencies = [], devDependencies = [], files = {} } = options
  project.write({
    'package.json': '{ "name": "stranger", "version": "1.0.0", "private": true, "type": "module" }\n',
    ...files,
  })
  if (dependencies.length > 0) await project.run('npm', ['install', ...dependencies])
  if (devDependencies.length > 0) await project.run('npm', ['install', '--save-dev', ...devDependencies])
  return project
}

/** Only what a program of a user has: the chosen Node before the machine's programs, and npm with the registry of the tests. */
function environment(home: string, node: string): NodeJS.ProcessEnv {
  const programs = join(home, 'programs')
  mkdirSync(programs)
  symlinkSync(node, join(programs, 'node'))
  const network = Object.entries(process.env).filter(([name]) => /^(https?_proxy|NODE_EXTRA_CA_CERTS)$/i.test(name))
  return {
    ...Object.fromEntries(network),
    PATH: [programs, join(home, 'project/node_modules/.bin'), ...machinePath()].join(delimiter),
    HOME: home,
    NO_COLOR: '1',
    no_proxy: '127.0.0.1,localhost',
    npm_config_registry: inject('registry'),
    npm_config_cache: join(import.meta.dirname, '../../node_modules/.cache/homeostat/npm'),
    npm_config_userconfig: join(homedir(), '.npmrc'),
    npm_config_loglevel: 'error',
    npm_config_audit: 'false',
    npm_config_fund: 'false',
    npm_config_update_notifier: 'false',
    npm_config_yes: 'true',
  }
}

/** Without the programs of the clone, which npm puts first. */
function machinePath(): string[] {
  return (process.env.PATH ?? '').split(delimiter).filter((folder) => !folder.includes('node_modules'))
}

function runToEnd(
  program: string,
  args: readonly string[],
  options: { cwd: string; env: NodeJS.ProcessEnv },
): Promise<Output> {
  return new Promise((resolve, reject) => {
    const done = (error: ExecFileException | null, stdout: string, stderr: string) => {
      if (error === null) resolve({ stdout, stderr })
      else reject(new Error(`${[program, ...args].join(' ')}: ${error.signal ?? error.code}\n${stdout}${stderr}`))
    }
    execFile(program, args, { ...options, maxBuffer: 64 << 20 }, done)
  })
}

/** npx starts a shell, which starts the program. */
function endGroup(child: ChildProcess): void {
  try {
    if (child.pid !== undefined) process.kill(-child.pid, 'SIGKILL')
  } catch {
    // All of it has ended.
  }
}
