// The clients of the matrix: what each needs to be built, and how it is started. All of them read KUBECONFIG and
// CLIENT_NAMESPACE and print "ok STEP" for what worked.

import { execFile } from 'node:child_process'
import { mkdirSync } from 'node:fs'
import { basename, join } from 'node:path'
import { promisify } from 'node:util'
import { findTool } from '../tools.ts'

/** What operators and their users do. */
export const STEPS: readonly string[] = ['list', 'watch', 'create', 'apply', 'status', 'finalizer', 'election']

export interface Program {
  readonly name: string
  /** Of the table that it is a row of. */
  readonly columns: readonly string[]
  /** The steps it takes; kubectl elects no leader. */
  readonly steps: readonly string[]
  /** Why it cannot be run on this machine. */
  readonly missing?: string
  /** Builds it; the command to start it with. */
  prepare(): Promise<readonly [string, ...string[]]>
  /** A second identity: MANAGER_KUBECONFIG has the certificate of this user. */
  readonly manager?: Manager
}

export interface Manager {
  readonly user: string
  readonly rules: readonly object[]
  /** The rules of accounts in kube-system for which it asks tokens. */
  readonly accounts: Readonly<Record<string, readonly object[]>>
}

const here = import.meta.dirname
const cache = join(here, '../../node_modules/.cache/homeostat-clients')
const run = promisify(execFile)

export const PROGRAMS: readonly Program[] = [
  go('client-go 0.37 (informers, protobuf, streaming lists)', 'informer'),
  go('controller-runtime 0.25 (manager)', 'manager'),
  python('kopf 1.45 and the Python client 37'),
  rust('kube-rs 5 (watcher, finalizer)'),
  node('@kubernetes/client-node 2.0', 'client-node.mjs'),
  node('kubernetes-fluent-client 3.11', 'fluent-client.mjs'),
]

function go(name: string, folder: string): Program {
  return {
    name,
    columns: STEPS,
    steps: STEPS,
    ...needs('go'),
    prepare: async () => [await buildGo(`./${folder}`, 'go')],
  }
}

/** Builds a package that go.mod knows, or one of its own folders; the program's path. */
export async function buildGo(path: string, folder: string): Promise<string> {
  const out = folderIn(folder)
  await build('go', ['build', '-o', `${out}/`, path], join(here, 'go'))
  return join(out, basename(path))
}

function rust(name: string): Program {
  return {
    name,
    columns: STEPS,
    steps: STEPS,
    ...needs('cargo'),
    prepare: async () => {
      const out = folderIn('rust')
      await build('cargo', ['build', '--quiet', '--locked', '--target-dir', out], join(here, 'rust'))
      return [join(out, 'debug/homeostat-test-client')]
    },
  }
}

function python(name: string): Program {
  return {
    name,
    columns: STEPS,
    steps: STEPS,
    ...needs('python3'),
    prepare: async () => {
      const folder = folderIn('python')
      await build('python3', ['-m', 'venv', folder], folder)
      const pip = ['-m', 'pip', 'install', '--quiet', '--disable-pip-version-check', '-r', 'requirements.txt']
      await build(join(folder, 'bin/python'), pip, join(here, 'python'))
      return [join(folder, 'bin/python'), join(here, 'python/client.py')]
    },
  }
}

function node(name: string, script: string): Program {
  return {
    name,
    columns: STEPS,
    steps: STEPS,
    ...needs('npm'),
    prepare: async () => {
      const folder = join(here, 'node')
      installed ??= build('npm', ['install', '--no-audit', '--no-fund', '--no-save', '--ignore-scripts'], folder)
      await installed
      return [process.execPath, join(folder, script)]
    },
  }
}

/** Once for both programs. */
let installed: Promise<void> | undefined

export function needs(...tools: readonly string[]): { missing?: string } {
  const missing = tools.find((tool) => findTool(tool) === undefined)
  return missing === undefined ? {} : { missing: `${missing} is not on the PATH` }
}

function folderIn(name: string): string {
  const folder = join(cache, name)
  mkdirSync(folder, { recursive: true })
  return folder
}

async function build(program: string, args: readonly string[], cwd: string): Promise<void> {
  try {
    await run(program, args, { cwd, maxBuffer: 64 << 20 })
  } catch (error) {
    const { stdout = '', stderr = '' } = error as { stdout?: string; stderr?: string }
    throw new Error(`${program} ${args.join(' ')} failed:\n${stdout}${stderr}`.slice(-8000))
  }
}
