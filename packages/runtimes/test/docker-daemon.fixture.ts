// A Docker engine of its own for a test file: data, socket and pid in a temporary folder, no network, one image made of the
// machine's busybox. Tests of other packages have it as `@homeostat/runtimes/testing`. Where it cannot be its tests are
// skipped; with HOMEOSTAT_NO_SKIP=1 that is an error.

import { type ChildProcess, execFileSync, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import {
  accessSync,
  constants,
  copyFileSync,
  createReadStream,
  mkdirSync,
  mkdtempSync,
  openSync,
  readdirSync,
  readFileSync,
  rmdirSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { request } from 'node:http'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'

export interface DockerDaemon {
  readonly socket: string
  /** The files of `IMAGE`. */
  readonly tar: string
  /** Calls the engine's API past everything that is tested. */
  call(method: string, path: string, body?: unknown): Promise<{ status: number; body: unknown }>
  /** Ends the engine and starts it again on the same data, as an upgrade does. Containers run on meanwhile. */
  restart(meanwhile?: () => void): Promise<void>
  close(): Promise<void>
}

/** busybox with sh, sleep, echo and the like; it does not say what to run. */
export const IMAGE = 'homeostat/busybox:1'
const APPLETS = 'sh sleep echo env cat head tr ls pwd kill true false touch printf id'
const FLAGS = '--bridge=none --iptables=false --ip6tables=false --storage-driver=vfs'
const TOOLS = ['dockerd', 'containerd', 'runc', 'setpriv', 'busybox', 'tar']
/** Those of an administrator are not on everybody's path. */
const SEARCH = [process.env.PATH, '/usr/sbin', '/sbin'].join(delimiter)
const START_MS = 120_000

/** Why there can be no engine here; undefined when there can. */
export function dockerMissing(): string | undefined {
  const reason = whyNot()
  if (reason === undefined) return undefined
  if (process.env.HOMEOSTAT_NO_SKIP === '1') {
    throw new Error(`${reason}, and HOMEOSTAT_NO_SKIP=1 forbids skipping the tests of Docker`)
  }
  process.stderr.write(`skipped: tests that need a Docker engine, since ${reason}\n`)
  return reason
}

function whyNot(): string | undefined {
  const missing = TOOLS.find((tool) => find(tool) === undefined)
  if (missing !== undefined) return `${missing} is not on the PATH`
  if (process.getuid?.() !== 0) return 'dockerd has to be started by root'
  // The one of Debian's package busybox-static needs no libraries, which the image would not have.
  const { status } = spawnSync(find('ldd') ?? '', [find('busybox') ?? ''], { stdio: 'ignore' })
  return status === 0 ? 'busybox is not statically linked' : undefined
}

export async function startDockerDaemon(): Promise<DockerDaemon> {
  // Sockets have short names: the folder's must be short, too.
  const root = mkdtempSync(join(tmpdir(), 'hd-'))
  const socket = join(root, 'docker.sock')
  const call = (method: string, path: string, body?: unknown) => ask(socket, method, path, body)
  writeFileSync(join(root, 'config.json'), '{}')
  let daemon = launch(root)
  const close = async () => {
    await removeContainers(call)
    await end(daemon)
    sweep(root)
  }
  try {
    await ready(daemon, root, call)
    await importImage(socket, root)
  } catch (error) {
    const log = readFileSync(join(root, 'log'), 'utf8').slice(-4000)
    await close()
    throw new Error(`the Docker engine does not start: ${(error as Error).message}\n${log}`, { cause: error })
  }
  return {
    socket,
    tar: join(root, 'image.tar'),
    call,
    async restart(meanwhile = () => {}) {
      await keepContainers(daemon, root, call, true)
      await end(daemon)
      meanwhile()
      daemon = launch(root)
      await ready(daemon, root, call)
      await keepContainers(daemon, root, call, false)
    },
    close,
  }
}

function launch(root: string): ChildProcess {
  const log = openSync(join(root, 'log'), 'a')
  const places = [
    `--data-root=${root}/data`,
    `--exec-root=${root}/exec`,
    `--pidfile=${root}/pid`,
    `--host=unix://${root}/docker.sock`,
    `--cgroup-parent=/${root.split('/').at(-1)}`,
    // Instead of the machine's own settings.
    `--config-file=${root}/config.json`,
  ]
  // Whatever becomes of the test, its engine ends with it.
  const command = ['--pdeathsig', 'TERM', 'dockerd', ...FLAGS.split(' '), ...places]
  return spawn(find('setpriv') ?? '', command, { stdio: ['ignore', log, log], env: { PATH: SEARCH, TMPDIR: root } })
}

async function ready(daemon: ChildProcess, root: string, call: DockerDaemon['call']): Promise<void> {
  for (const until = Date.now() + START_MS; Date.now() < until; await delay(20)) {
    if (daemon.exitCode !== null) throw new Error(`it ended with ${daemon.exitCode}`)
    const answer = await call('GET', '/_ping').catch(() => undefined)
    if (answer?.status === 200) return
  }
  throw new Error(`it does not answer within ${START_MS / 1000} s, see ${root}/log`)
}

/** Whether containers run on without the engine. Else it takes them with it, also when a test is killed. */
async function keepContainers(
  daemon: ChildProcess,
  root: string,
  call: DockerDaemon['call'],
  kept: boolean,
): Promise<void> {
  writeFileSync(join(root, 'config.json'), JSON.stringify({ 'live-restore': kept }))
  daemon.kill('SIGHUP')
  for (const until = Date.now() + START_MS; Date.now() < until; await delay(20)) {
    const { body } = await call('GET', '/info')
    if ((body as { LiveRestoreEnabled?: boolean }).LiveRestoreEnabled === kept) return
  }
  throw new Error('the Docker engine does not read its settings again')
}

/** What a test that failed has left. */
async function removeContainers(call: DockerDaemon['call']): Promise<void> {
  const all = await call('GET', '/containers/json?all=1').catch(() => undefined)
  for (const { Id } of (all?.body ?? []) as { Id: string }[]) await call('DELETE', `/containers/${Id}?force=1&v=1`)
}

async function end(daemon: ChildProcess): Promise<void> {
  if (daemon.exitCode !== null || daemon.signalCode !== null) return
  const gone = once(daemon, 'exit')
  daemon.kill('SIGTERM')
  const patience = setTimeout(() => daemon.kill('SIGKILL'), 60_000)
  await gone
  clearTimeout(patience)
}

/** What an engine leaves behind even at an orderly end: a network namespace, groups of processes, its folder. */
function sweep(root: string): void {
  const mounts = readFileSync('/proc/self/mounts', 'utf8')
    .split('\n')
    .map((line) => line.split(' ')[1] ?? '')
    .filter((place) => place.startsWith(`${root}/`))
  for (const place of mounts.reverse()) execFileSync('umount', [place])
  const group = root.split('/').at(-1) ?? ''
  for (const parent of ['.', ...readdirSync('/sys/fs/cgroup')]) {
    try {
      rmdirSync(join('/sys/fs/cgroup', parent, group))
    } catch {
      // There is none of this kind.
    }
  }
  rmSync(root, { recursive: true, force: true })
}

async function importImage(socket: string, root: string): Promise<void> {
  const files = join(root, 'image')
  mkdirSync(join(files, 'bin'), { recursive: true })
  mkdirSync(join(files, 'tmp'))
  copyFileSync(find('busybox') ?? '', join(files, 'bin/busybox'))
  for (const applet of APPLETS.split(' ')) symlinkSync('busybox', join(files, 'bin', applet))
  execFileSync('tar', ['-C', files, '-cf', join(root, 'image.tar'), '.'])
  const [repo = '', tag = ''] = IMAGE.split(':')
  const query = new URLSearchParams({ fromSrc: '-', repo, tag })
  const { status, body } = await ask(
    socket,
    'POST',
    `/images/create?${query}`,
    createReadStream(join(root, 'image.tar')),
  )
  if (status !== 200) throw new Error(`the image cannot be made: ${JSON.stringify(body)}`)
}

function ask(socketPath: string, method: string, path: string, body?: unknown): DockerAnswer {
  return new Promise((resolve, reject) => {
    const isStream = body !== undefined && typeof (body as { pipe?: unknown }).pipe === 'function'
    const headers = { host: 'docker', 'content-type': isStream ? 'application/x-tar' : 'application/json' }
    const sent = request({ socketPath, method, path, headers, agent: false }, (response) => {
      let text = ''
      response.setEncoding('utf8')
      response.on('data', (chunk: string) => {
        text += chunk
      })
      response.on('error', reject)
      response.on('end', () => resolve({ status: response.statusCode ?? 0, body: parsed(text) }))
    })
    sent.on('error', reject)
    if (isStream) (body as NodeJS.ReadableStream).pipe(sent)
    else sent.end(body === undefined ? undefined : JSON.stringify(body))
  })
}

type DockerAnswer = Promise<{ status: number; body: unknown }>

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}

function find(program: string): string | undefined {
  return SEARCH.split(delimiter)
    .map((folder) => join(folder, program))
    .find((path) => {
      try {
        accessSync(path, constants.X_OK)
        return true
      } catch {
        return false
      }
    })
}
