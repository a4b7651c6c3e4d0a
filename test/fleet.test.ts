// A fleet of executors in three languages, each on a machine of its own that nobody can connect to: they join with a code, trade it
// for credentials, and work over TLS with the programs of docs/executors.md. The way of README's "A second machine".

import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { until } from '@homeostat/base/testing/eventually'
import { temporaryFolder } from '@homeostat/base/testing/temporary-folder'
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { layNetwork, type Machine, type Network, namespacesMissing } from './network-namespaces.ts'
import { ready, SOURCE_FLAGS } from './server-process.ts'
import { need } from './tools.ts'

const root = join(import.meta.dirname, '..')
const missing = namespacesMissing() ?? need('jq').missing ?? need('curl').missing ?? need('python3').missing
const MAIN = [...SOURCE_FLAGS, join(root, 'packages/cli/src/main.ts')]

/** The program of the page in this language: the first block. */
function program(language: string): string {
  const page = readFileSync(join(root, 'docs/executors.md'), 'utf8')
  return new RegExp(`^\`\`\`${language}\\n(.*?)^\`\`\`$`, 'ms').exec(page)?.[1] ?? ''
}

const NODE_FLAGS = [
  '--conditions=homeostat-source',
  '--input-type=module-typescript',
  '--disable-warning=ExperimentalWarning',
]
const LANGUAGES = [
  { type: 'bash', command: ['bash', '-c', program('sh')] },
  { type: 'python', command: ['python3', '-c', program('python')] },
  { type: 'python', command: [process.execPath, ...NODE_FLAGS, '-e', program('ts')] },
] as const

describe.skipIf(missing)('a fleet behind firewalls', () => {
  let network: Network
  beforeAll(() => {
    network = layNetwork(LANGUAGES.length)
  })
  afterAll(() => network?.close())

  function started(
    machine: Pick<Machine, 'on'>,
    command: readonly string[],
    env: NodeJS.ProcessEnv = {},
  ): ChildProcess {
    const [first = '', ...rest] = command
    const [outer, ...args] = machine.on(first, ...rest)
    const child = spawn(outer, args, {
      // The sources of the SDK are found from there.
      cwd: root,
      env: { ...process.env, NODE_COMPILE_CACHE: join(root, '.homeostat/compile-cache'), ...env },
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    onTestFinished(() => void child.kill('SIGKILL'))
    return child
  }

  /** Runs the command to its end and returns what it printed. */
  async function homeostat(machine: Pick<Machine, 'on'>, args: readonly string[], env: NodeJS.ProcessEnv = {}) {
    const child = started(machine, [process.execPath, ...MAIN, ...args], env)
    const [out, error, [code]] = await Promise.all([
      text(child.stdout as never),
      text(child.stderr as never),
      once(child, 'close'),
    ])
    return { out, error, code }
  }

  it('joins by code and works; one that is revoked does not', async () => {
    const data = temporaryFolder()
    const up = ['up', '--host', '0.0.0.0', '--secure-port', '6443', '--data-dir', data]
    const { kubeconfig } = await ready(started(network.server, [process.execPath, ...MAIN, ...up]), data)
    const here = (...args: string[]) => homeostat(network.server, args, { KUBECONFIG: kubeconfig })

    const codes = new Map<string, string>()
    for (const type of ['bash', 'python']) {
      const made = await here('executor', 'bootstrap-token', '--type', type, '--uses', '2', '-n', 'default')
      expect(made).toMatchObject({ code: 0, error: expect.stringContaining('names the server https://10.77.') })
      codes.set(type, /--join (\S+)/.exec(made.out)?.[1] ?? '')
    }
    const fleet = await Promise.all(
      LANGUAGES.map(async ({ type, command }, index) => {
        const machine = network.others[index] as Machine
        const credential = join(temporaryFolder(), 'executor.kubeconfig')
        const name = `worker-${index}`
        const code = addressed(codes.get(type) ?? '', machine.server)
        const joined = await homeostat(machine, ['executor', 'join', code, '--name', name, '-o', credential], {
          KUBECONFIG: undefined,
        })
        expect(joined).toMatchObject({ code: 0, error: `joined default as ${name}\n` })
        expect(statSync(credential).mode & 0o777).toBe(0o600)
        const env = { CREDENTIAL: credential, KUBECONFIG: undefined, HOMEOSTAT_SERVER: undefined }
        const child = started(machine, command, env)
        const printed = Promise.all([text(child.stdout as never), text(child.stderr as never)])
        return { name, type, child, printed }
      }),
    )
    await Promise.all(
      fleet.map(async ({ name, type, printed, child }) => {
        const submit = [
          'process',
          'submit',
          'add',
          '--type',
          type,
          '--executor',
          name,
          '--arg',
          '3',
          '--arg',
          '4',
          '--wait',
        ]
        const done = here(...submit)
        const ended = once(child, 'close').then(() => printed)
        const result = await Promise.race([done, ended])
        expect(result, name).toMatchObject({ code: 0, out: expect.stringContaining('7') })
      }),
    )
    const listed = await here('executor', 'list')
    for (const { name } of fleet) expect(listed.out).toMatch(new RegExp(`^${name} .* Online `, 'm'))

    // The machine is out of reach, its credential is not.
    const [first, ...others] = fleet
    expect(await here('executor', 'revoke', 'worker-0')).toMatchObject({ code: 0 })
    const [, refused = ''] = (await first?.printed) ?? []
    expect(refused).toMatch(/401|403/)
    await until(async () => expect((await here('executor', 'list')).out).not.toContain('worker-0'))
    for (const { child } of others) expect(child.exitCode).toBeNull()
  }, 240_000)
})

/** The code with the server's address on the wire to this machine. */
function addressed(code: string, address: string): string {
  const fields = JSON.parse(Buffer.from(code, 'base64url').toString()) as { server: string }
  const server = fields.server.replace(/10\.77\.\d+\.1/, address)
  return Buffer.from(JSON.stringify({ ...fields, server })).toString('base64url')
}
