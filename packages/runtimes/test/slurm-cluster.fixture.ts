// A Slurm cluster of one node for a test file: munge, slurmctld and slurmd with their files in a temporary folder, on free
// ports of loopback. Other packages have it as `@homeostat/runtimes/testing-slurm`. Where it cannot be its tests are skipped;
// with HOMEOSTAT_NO_SKIP=1 that is an error.

import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { accessSync, chmodSync, constants, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { hostname, tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import type { BatchPrograms } from '../src/batch/index.ts'

export interface SlurmCluster {
  /** The commands with this cluster's configuration. */
  readonly programs: BatchPrograms
  /** A folder that the node shares. */
  readonly directory: string
  /** Ends the controller of the cluster, and starts it again. */
  stopController(): Promise<void>
  startController(): Promise<void>
  close(): Promise<void>
}

const TOOLS = ['munged', 'slurmctld', 'slurmd', 'sbatch', 'scontrol', 'scancel', 'squeue']
const SEARCH = [process.env.PATH, '/usr/sbin', '/sbin'].join(delimiter)
const START_MS = 120_000

/** Why there can be no cluster here; undefined when there can. */
export function slurmMissing(): string | undefined {
  const tool = TOOLS.find((one) => !isThere(one))
  const reason =
    tool !== undefined ? `${tool} is not on the PATH` : process.getuid?.() !== 0 ? 'it needs root' : undefined
  if (reason === undefined) return undefined
  if (process.env.HOMEOSTAT_NO_SKIP === '1') {
    throw new Error(`${reason}, and HOMEOSTAT_NO_SKIP=1 forbids skipping the tests of Slurm`)
  }
  process.stderr.write(`skipped: tests that need Slurm, since ${reason}\n`)
  return reason
}

export async function slurmCluster(): Promise<SlurmCluster> {
  const root = mkdtempSync(join(tmpdir(), 'homeostat-slurm-'))
  chmodSync(root, 0o755)
  for (const folder of ['state', 'spool', 'jobs', 'munge']) mkdirSync(join(root, folder), { mode: 0o755 })
  chmodSync(join(root, 'munge'), 0o700)
  const configuration = join(root, 'slurm.conf')
  writeFileSync(configuration, slurmConfiguration(root, await freePort(), await freePort()))
  const running = new Map<string, ChildProcess>()
  const start = (program: string, args: readonly string[]) => {
    const env = { ...process.env, PATH: SEARCH, SLURM_CONF: configuration }
    running.set(program, spawn(program, args, { stdio: 'ignore', env }))
  }
  const stop = async (program: string) => {
    const child = running.get(program)
    running.delete(program)
    if (child === undefined || child.exitCode !== null || child.signalCode !== null) return
    const ended = once(child, 'exit')
    child.kill('SIGTERM')
    const killing = setTimeout(() => child.kill('SIGKILL'), 10_000)
    await ended
    clearTimeout(killing)
  }
  const command = (program: string) => ['env', `SLURM_CONF=${configuration}`, program] as const
  const answers = (program: string, ...args: string[]) => {
    try {
      return execFileSync('env', [`SLURM_CONF=${configuration}`, program, ...args], { encoding: 'utf8', stdio: 'pipe' })
    } catch {
      return ''
    }
  }
  const startController = async () => {
    start('slurmctld', ['-D', '-f', configuration])
    await until(() => answers('scontrol', 'ping').includes('is UP'), 'slurmctld does not answer')
  }
  const close = async () => {
    for (const program of ['slurmd', 'slurmctld', 'munged']) await stop(program)
    rmSync(root, { recursive: true, force: true })
  }
  try {
    writeFileSync(join(root, 'munge/key'), randomBytes(1024), { mode: 0o600 })
    const munge = {
      socket: join(root, 'munge.sock'),
      'key-file': 'munge/key',
      'log-file': 'munge/log',
      'pid-file': 'munge/pid',
      'seed-file': 'munge/seed',
    }
    const options = Object.entries(munge).map(
      ([name, file]) => `--${name}=${file.startsWith('/') ? file : join(root, file)}`,
    )
    start('munged', ['--foreground', '--force', '--num-threads=2', ...options])
    await startController()
    start('slurmd', ['-D', '-f', configuration])
    await until(() => answers('sinfo', '--noheader', '--format=%T').includes('idle'), 'the node is not idle')
  } catch (error) {
    await close()
    throw error
  }
  return {
    programs: {
      submit: command('sbatch'),
      find: command('squeue'),
      query: command('scontrol'),
      cancel: command('scancel'),
    },
    directory: join(root, 'jobs'),
    stopController: () => stop('slurmctld'),
    startController,
    close,
  }
}

function slurmConfiguration(root: string, controllerPort: number, nodePort: number): string {
  const node = hostname().split('.')[0]
  return `ClusterName=test
SlurmctldHost=${node}(127.0.0.1)
SlurmctldPort=${controllerPort}
SlurmdPort=${nodePort}
AuthType=auth/munge
AuthInfo=socket=${root}/munge.sock
CredType=cred/munge
SlurmUser=root
SlurmdUser=root
StateSaveLocation=${root}/state
SlurmdSpoolDir=${root}/spool
SlurmctldPidFile=${root}/slurmctld.pid
SlurmdPidFile=${root}/slurmd.pid
SlurmctldLogFile=${root}/slurmctld.log
SlurmdLogFile=${root}/slurmd.log
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
SelectType=select/cons_tres
SelectTypeParameters=CR_Core
MpiDefault=none
ReturnToService=2
SlurmdTimeout=0
MinJobAge=300
KillWait=2
NodeName=${node} NodeAddr=127.0.0.1 CPUs=2 RealMemory=500 State=UNKNOWN
PartitionName=main Nodes=${node} Default=YES MaxTime=INFINITE OverSubscribe=FORCE:8 State=UP
`
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  await new Promise((resolve) => server.close(resolve))
  return typeof address === 'object' && address !== null ? address.port : 0
}

async function until(condition: () => boolean, failure: string): Promise<void> {
  for (const end = Date.now() + START_MS; Date.now() < end; await delay(100)) if (condition()) return
  throw new Error(failure)
}

function isThere(tool: string): boolean {
  return SEARCH.split(delimiter).some((folder) => {
    try {
      accessSync(join(folder, tool), constants.X_OK)
      return true
    } catch {
      return false
    }
  })
}
