// Executors as containers of a real Docker engine: with their variables and volumes, replaced when the template changes,
// and gone at the end.

import { existsSync, mkdirSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { deploymentController } from '@homeostat/executor-deployment'
import { openDockerRuntime } from '@homeostat/runtimes'
import { type DockerDaemon, dockerMissing, IMAGE, startDockerDaemon } from '@homeostat/runtimes/testing'
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import type { Document } from './document.ts'
import { document, stage, withReplicas } from './stage.fixture.ts'

const missing = dockerMissing()
let daemon: DockerDaemon
beforeAll(async () => {
  if (missing === undefined) daemon = await startDockerDaemon()
})
afterAll(() => daemon?.close())

/** Writes its name into its volume, and handles SIGTERM: the first process of a container ignores it by default. */
const SCRIPT = `trap 'exit 0' TERM
echo "$COLONIES_EXECUTOR_NAME $BATCH_SIZE" > "$MODEL_CACHE_DIR/$COLONIES_EXECUTOR_NAME"
while :; do sleep 0.05; done`

interface Container {
  readonly Names: string[]
  readonly State: string
  readonly Labels: Record<string, string>
}

async function containers(): Promise<Container[]> {
  return (await daemon.call('GET', '/containers/json?all=1')).body as Container[]
}

describe.skipIf(missing)('executors as containers', () => {
  it('have the image, variables and volumes of the resource, are replaced with it, and go with it', async () => {
    const { register, submit, until, failed, gone, client, folder } = await stage()
    const models = join(folder, 'models')
    mkdirSync(models)
    const lines: string[] = []
    const controller = deploymentController({
      client,
      colony: 'dev',
      directory: join(folder, 'unused'),
      executorCommand: [],
      say: (line) => void lines.push(line),
      openDocker: () => openDockerRuntime({ socket: daemon.socket, owner: 'colony' }),
      settleMs: 100,
      // The image has a shell and no executor.
      executorsOnline: async () => ({ has: () => true }),
    })
    onTestFinished(() => controller.close())
    await register(document('executor-deployment-definition.json'))
    const shipped = document('ml-executor-deployment.json')
    const wanted = (batchSize: string): Document => ({
      ...shipped,
      spec: {
        ...shipped.spec,
        image: IMAGE,
        config: {
          command: ['sh', '-c', SCRIPT],
          env: { MODEL_CACHE_DIR: '/models', BATCH_SIZE: batchSize },
          volumes: [{ source: models, target: '/models' }],
        },
      },
    })
    await submit(wanted('32'))
    const { status, metadata } = await until('three run', (now) => now.status?.ready === 3)
    const name = `ml-training-executors-${metadata.uid?.slice(0, 8)}`
    expect(status?.deployedExecutors).toEqual([`${name}-0`, `${name}-1`, `${name}-2`])
    expect((await containers()).map(({ Names, State }) => `${Names[0]} ${State}`).sort()).toEqual([
      `/colony.${name}-0 running`,
      `/colony.${name}-1 running`,
      `/colony.${name}-2 running`,
    ])
    expect(lines).toContain('Scaling up: deploying 3 new Docker containers')
    expect(lines.filter((line) => /^Started container: .*-\d \(ID: [0-9a-f]{12}\)$/.test(line))).toHaveLength(3)
    await expect.poll(() => existsSync(join(models, `${name}-2`))).toBe(true)
    expect(readFileSync(join(models, `${name}-2`), 'utf8')).toBe(`${name}-2 32\n`)

    rmSync(join(models, `${name}-0`))
    await submit(withReplicas(wanted('64'), 1))
    await until('one is replaced', (now) => now.status?.phase === 'Running' && now.status.ready === 1)
    await expect.poll(() => existsSync(join(models, `${name}-0`))).toBe(true)
    expect(readFileSync(join(models, `${name}-0`), 'utf8')).toBe(`${name}-0 64\n`)
    expect((await containers()).map(({ Labels }) => Labels['colonies.io/generation'])).toEqual(['2'])

    const absent = { image: 'homeostat/nothing:1', imagePullPolicy: 'Never', replicas: 2 }
    await submit({ ...shipped, spec: { ...wanted('64').spec, ...absent } })
    const told = await failed('Degraded')
    expect(told.status?.message).toContain(`cannot start ${name}-1: `)
    expect(told.status?.conditions?.find(({ type }) => type === 'Ready')).toMatchObject({ status: 'False' })
    expect((await containers()).map(({ State }) => State)).toEqual(['running'])

    await client
      .resource('compute.colonies.io/v1', 'ExecutorDeployment')
      .delete({ name: 'ml-training-executors', namespace: 'dev' })
    await gone()
    expect(await containers()).toEqual([])
  })
})
