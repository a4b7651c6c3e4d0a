// SlurmJobs on a real Slurm of one node.

import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { slurm, withPrograms } from '@homeostat/runtimes/batch'
import { type SlurmCluster, slurmCluster, slurmMissing } from '@homeostat/runtimes/testing-slurm'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { stage } from '../stage.fixture.ts'

const missing = slurmMissing()
let cluster: SlurmCluster
const HPC = 'hpc.research.org/v1alpha1'
const job = (name: string, spec: object) =>
  ({ apiVersion: HPC, kind: 'SlurmJob', metadata: { name }, spec: { partition: 'main', nodes: 1, ...spec } }) as never

describe.skipIf(missing)('a SlurmJob', () => {
  beforeAll(async () => {
    cluster = await slurmCluster()
  })
  afterAll(() => cluster?.close())
  const lab = () => stage(withPrograms(slurm, cluster.programs), cluster.directory)
  const kept = () => readdirSync(join(cluster.directory, 'slurm'))

  it('runs on the cluster; its output and exit code are in the status', async () => {
    const { create, find } = await lab()
    await create(
      job('hello', { script: 'echo "hello $WHO"', environment: { WHO: 'you' }, time: '0:05:00', colour: 'red' }),
    )
    await expect
      .poll(async () => (await find(HPC, 'SlurmJob', 'hello'))?.status, { interval: 200 })
      .toMatchObject({ phase: 'Succeeded', exitCode: 0, output: 'hello you\n', jobId: expect.stringMatching(/^\d+$/) })
    expect((await find(HPC, 'SlurmJob', 'hello'))?.status).toMatchObject({
      conditions: expect.arrayContaining([
        expect.objectContaining({ type: 'PartiallySupported', message: 'nothing acts on spec.colour' }),
      ]),
    })
  })

  it('waits for the job that it depends on, and is cancelled when it is deleted', async () => {
    const { client, create, find } = await lab()
    await create(job('second', { script: 'true', dependencies: { afterany: ['first'] } }))
    await expect
      .poll(async () => (await find(HPC, 'SlurmJob', 'second'))?.status)
      .toMatchObject({ phase: 'Pending', reason: 'WaitingForDependency' })
    await create(job('first', { script: 'sleep 600' }))
    await expect
      .poll(async () => (await find(HPC, 'SlurmJob', 'first'))?.status, { interval: 200 })
      .toMatchObject({ phase: 'Running' })
    await client.resourceOf(HPC, 'SlurmJob').delete({ name: 'first', namespace: 'dev' })
    await expect.poll(() => find(HPC, 'SlurmJob', 'first'), { interval: 200 }).toBeUndefined()
    expect(kept().some((name) => name.startsWith('first-'))).toBe(false)
  })

  it('that cannot be says which field', async () => {
    const { create, find } = await lab()
    await create(job('wrong', { script: 'true', account: 'a b' }))
    await expect
      .poll(async () => (await find(HPC, 'SlurmJob', 'wrong'))?.status)
      .toMatchObject({
        conditions: expect.arrayContaining([
          expect.objectContaining({ type: 'Ready', status: 'False', message: expect.stringContaining('spec.account') }),
        ]),
      })
  })
})
