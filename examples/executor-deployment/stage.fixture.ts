// A server with a colony, the program of this example against it, and a look at the processes of the machine.

import { spawn } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { ApiObject, Client } from '@homeostat/client'
import type { Process } from '@homeostat/executor'
import { endUnits } from '@homeostat/runtimes/testing/end-units'
import { type TestColony, testColony } from '@homeostat/testing/colony'
import { expect, onTestFinished } from 'vitest'
import { control } from './controller.ts'
import { type Document, readDocument } from './document.ts'
import { register } from './register.ts'
import { submit } from './submit.ts'

export interface Deployment extends ApiObject {
  spec: Record<string, unknown>
  status?: {
    phase?: string
    ready?: number
    available?: number
    message?: string
    observedGeneration?: number
    deployedExecutors?: string[]
    conditions?: { type: string; status: string; reason: string; message: string }[]
  }
}

export interface Program {
  readonly lines: string[]
  /** Its exit code. */
  readonly ended: Promise<number>
  kill(signal: NodeJS.Signals): void
}

export interface Stage {
  readonly colony: TestColony
  readonly client: Client
  readonly folder: string
  /** Runs a program of this folder with the environment variables of the colony. */
  program(command: readonly string[]): Program
  register(document: Document): Promise<void>
  submit(document: Document): Promise<void>
  /** Starts the controller in this process. Returns its lines and the function that ends it. */
  controller(): Promise<{ lines: string[]; end(): Promise<void> }>
  find(): Promise<Deployment | undefined>
  /** The resource, once the condition holds and no process is open. */
  until(what: string, wanted: (deployment: Deployment) => boolean): Promise<Deployment>
  /** The resource, once a reconcile of it has failed. */
  failed(phase: 'Failed' | 'Degraded'): Promise<Deployment>
  gone(): Promise<void>
  processes(): Promise<Process[]>
  executors(type: string): Promise<string[]>
}

const NAME = { name: 'ml-training-executors', namespace: 'dev' }

export const document = (file: string): Document => readDocument(file, import.meta.dirname)

export function withReplicas(of: Document, replicas: number): Document {
  return { ...of, spec: { ...of.spec, replicas } }
}

/** The interval of reconciles in seconds. */
export function withInterval(definition: Document, reconcileInterval: number): Document {
  const handler = { ...(definition.spec?.handler as object), reconcileInterval }
  return { ...definition, spec: { ...definition.spec, handler } }
}

export async function stage(): Promise<Stage> {
  const folder = mkdtempSync(join(tmpdir(), 'homeostat-example-'))
  const colony = await testColony({ listen: true })
  const { client } = colony
  const server = colony.url ?? ''
  const settings = { server, colony: 'dev', isColonyGiven: true, executorName: undefined }
  const directory = join(folder, 'executors')
  onTestFinished(async () => {
    await endUnits(join(directory, 'dev'))
    await colony.close()
    rmSync(folder, { recursive: true, force: true })
  })
  const find = () => client.resourceOf<Deployment>('compute.colonies.io/v1', 'ExecutorDeployment').find(NAME)
  return {
    colony,
    client,
    folder,
    program: (command) => startProgram(command, folder, new URL(server)),
    register: (definition) => register(client, definition, () => {}),
    submit: async (resource) => void (await submit(client, resource, settings, () => {})),
    async controller() {
      const ending = new AbortController()
      const lines: string[] = []
      const say = (line: string) => void lines.push(line)
      const done = control({ client, settings, directory, allowCommands: false, signal: ending.signal, say })
      const end = async () => {
        ending.abort()
        await done
      }
      onTestFinished(end)
      await expect.poll(() => lines.slice(4, 5)).toEqual(['Controller is running. Press Ctrl+C to stop.'])
      return { lines, end }
    },
    find,
    until: (what, wanted) =>
      untilFound(find, what, (one) => one.status?.observedGeneration === one.metadata.generation && wanted(one)),
    failed: (phase) => untilFound(find, `it is ${phase}`, (one) => one.status?.phase === phase),
    gone: async () => void (await expect.poll(find).toBe(undefined)),
    async processes() {
      const all = await client.resourceOf<Process>('colonies.io/v1', 'Process').list({ namespace: 'dev' })
      return all.items
    },
    async executors(type) {
      const all = await client.resource('colonies.io/v1', 'Executor').list({ namespace: 'dev' })
      return all.items
        .filter(({ spec }) => (spec as { type?: string }).type === type)
        .map(({ metadata }) => metadata.name ?? '')
    },
  }
}

async function untilFound(
  find: () => Promise<Deployment | undefined>,
  what: string,
  wanted: (deployment: Deployment) => boolean,
): Promise<Deployment> {
  let last: Deployment | undefined
  const isSo = async () => {
    last = await find()
    return last !== undefined && wanted(last)
  }
  await expect.poll(isSo, { message: what }).toBe(true)
  return last as Deployment
}

function startProgram([program = '', ...args]: readonly string[], folder: string, { hostname, port }: URL): Program {
  const env = {
    ...process.env,
    COLONIES_SERVER_HOST: hostname,
    COLONIES_SERVER_PORT: port,
    COLONIES_INSECURE: 'true',
    COLONIES_COLONY_NAME: 'dev',
    HOMEOSTAT_DATA: folder,
    INIT_CWD: undefined,
  }
  const child = spawn(program, args, { env, cwd: import.meta.dirname, stdio: ['ignore', 'pipe', 'pipe'] })
  const lines: string[] = []
  let rest = ''
  for (const stream of [child.stdout, child.stderr]) {
    stream.on('data', (chunk: Buffer) => {
      const parts = `${rest}${chunk}`.split('\n')
      rest = parts.pop() ?? ''
      lines.push(...parts)
    })
  }
  const ended = new Promise<number>((resolve) => child.once('close', (code) => resolve(code ?? -1)))
  onTestFinished(async () => {
    child.kill('SIGKILL')
    await ended
  })
  return { lines, ended, kill: (signal) => void child.kill(signal) }
}

/** The example's program on this Node, without npm around it. */
export function mainProgram(...args: readonly string[]): string[] {
  const flags = ['--conditions=homeostat-source', '--disable-warning=ExperimentalWarning']
  return [process.execPath, ...flags, join(import.meta.dirname, 'main.ts'), ...args]
}

export function write(folder: string, name: string, content: object): string {
  const file = join(folder, name)
  writeFileSync(file, JSON.stringify(content))
  return file
}

/** The pids that lines of a controller name as started. */
export function startedPids(lines: readonly string[]): number[] {
  return lines.flatMap((line) => /^Started process: \S+ \(ID: (\d+)\)$/.exec(line)?.[1] ?? []).map(Number)
}
