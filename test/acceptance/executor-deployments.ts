// Seed 001's programs against a server as users start it: for the checks of ExecutorDeployments.

import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { temporaryFolder } from '@homeostat/base/testing/temporary-folder'
import { type ApiObject, type Client, createClient } from '@homeostat/client'
import { nodeTransport } from '@homeostat/client/node'
import { endUnits } from '@homeostat/runtimes/testing/end-units'
import { expect, onTestFinished } from 'vitest'
import { spawnScript, startServer } from '../server-process.ts'

const EXAMPLE = join(import.meta.dirname, '../../examples/executor-deployment')
const NAME = { name: 'ml-training-executors', namespace: 'dev' }

interface Document {
  readonly spec: Readonly<Record<string, unknown>>
}

export interface Deployment extends ApiObject {
  status?: { phase?: string; ready?: number; observedGeneration?: number; deployedExecutors?: string[] }
}

const read = (file: string) => JSON.parse(readFileSync(join(EXAMPLE, file), 'utf8')) as Document
export const definition = read('executor-deployment-definition.json')
const local = read('ml-executor-deployment-local.json')

export async function deployments() {
  const folder = temporaryFolder()
  const { url } = await startServer(join(folder, 'data'), ['--runtime', 'none'])
  const { hostname, port } = new URL(url)
  const client: Client = createClient(nodeTransport({ url }))
  onTestFinished(async () => {
    for (const controllers of [join(folder, 'executors'), folder]) await endUnits(join(controllers, 'dev'))
    client.close()
  })
  const env = {
    COLONIES_SERVER_HOST: hostname,
    COLONIES_SERVER_PORT: port,
    COLONIES_INSECURE: 'true',
    COLONIES_COLONY_NAME: 'dev',
    HOMEOSTAT_DATA: folder,
  }
  /** Runs a mode of the example's program. */
  const program = (...args: string[]) => {
    const child = spawnScript(join(EXAMPLE, 'main.ts'), args, env, EXAMPLE)
    const lines: string[] = []
    let rest = ''
    child.stdout?.on('data', (chunk: Buffer) => {
      const parts = `${rest}${chunk}`.split('\n')
      rest = parts.pop() ?? ''
      lines.push(...parts)
    })
    const ended = new Promise<number | null>((resolve) => child.once('close', resolve))
    return { lines, ended, child }
  }
  const finished = async (...args: string[]): Promise<string[]> => {
    const { lines, ended } = program(...args)
    expect(await ended).toBe(0)
    return lines
  }
  const written = (name: string, document: object): string => {
    const file = join(folder, name)
    writeFileSync(file, JSON.stringify(document))
    return file
  }
  const find = () => client.resourceOf<Deployment>('compute.colonies.io/v1', 'ExecutorDeployment').find(NAME)
  return {
    client,
    find,
    /** Returns the lines that it prints. */
    register: (document: Document = definition) =>
      finished('-mode', 'register-crd', '-crd', written('definition.json', document)),
    submit: (replicas: number) => {
      const file = written('deployment.json', { ...local, spec: { ...local.spec, replicas } })
      return finished('-mode', 'submit', '-resource', file)
    },
    async controller() {
      const { lines, ended, child } = program('-mode', 'controller')
      const end = async () => {
        child.kill('SIGINT')
        await ended
      }
      await expect.poll(() => lines.at(4)).toContain('Controller is running')
      return { lines, end }
    },
    async ready(count: number): Promise<Deployment> {
      const isReady = async () => {
        const { metadata, status } = (await find()) ?? { metadata: {} }
        return status?.observedGeneration === metadata.generation ? status?.ready : undefined
      }
      await expect.poll(isReady).toBe(count)
      return (await find()) as Deployment
    },
    delete: () => client.resourceOf('compute.colonies.io/v1', 'ExecutorDeployment').delete(NAME),
  }
}

/** The pids that lines of a controller name as started. */
export function startedPids(lines: readonly string[]): number[] {
  return lines.flatMap((line) => /^Started process: \S+ \(ID: (\d+)\)$/.exec(line)?.[1] ?? []).map(Number)
}
