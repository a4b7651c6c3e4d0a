// Jobs on a real Slurm of one node.

import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type BatchJob, BatchRuntime, slurm, withPrograms } from '../src/batch/index.ts'
import { type SlurmCluster, slurmCluster, slurmMissing } from './slurm-cluster.fixture.ts'

const missing = slurmMissing()
let cluster: SlurmCluster
const runtime = () => new BatchRuntime({ system: withPrograms(slurm, cluster.programs), directory: cluster.directory })
const ended = async (name: string, jobs = runtime()) => {
  await expect
    .poll(async () => (await jobs.state(name))?.phase, { interval: 200 })
    .toBeOneOf(['Succeeded', 'Failed', 'Cancelled'])
  return jobs.state(name)
}

describe.skipIf(missing)('a job of Slurm', () => {
  beforeAll(async () => {
    cluster = await slurmCluster()
  })
  afterAll(() => cluster?.close())

  it('runs with its environment, and its output and exit code are collected', async () => {
    const jobs = runtime()
    const job: BatchJob = {
      name: 'hello',
      partition: 'main',
      nodes: 1,
      tasks: 1,
      cpusPerTask: 1,
      memory: '100M',
      time: '0:10:00',
      environment: { GREETING: `it's "$HOME" & <you>\nsecond` },
      script: 'printf "%s" "$GREETING"; exit 3',
    }
    const id = await jobs.submit(job)
    expect(id).toMatch(/^\d+$/)
    expect(await ended('hello')).toEqual({ id, phase: 'Failed', reason: 'exit code 3', exitCode: 3 })
    expect(await jobs.output('hello', 1000)).toBe(`it's "$HOME" & <you>\nsecond`)
    expect(await jobs.output('hello', 6)).toBe('second')
  })

  it('is submitted once, also by a program that died before it kept the id', async () => {
    const job = { name: 'once', script: 'sleep 600' }
    const id = await runtime().submit(job)
    expect(await runtime().submit(job)).toBe(id)
    rmSync(join(cluster.directory, 'once/id'))
    expect(await runtime().state('once')).toMatchObject({ id })
    expect(await runtime().submit(job)).toBe(id)
    await runtime().cancel('once')
    expect(await ended('once')).toMatchObject({ id, phase: 'Cancelled' })
    await runtime().cancel('once')
    await runtime().forget('once')
    expect(await runtime().state('once')).toBeUndefined()
  })

  it('waits for the jobs that it depends on', async () => {
    const jobs = runtime()
    const first = await jobs.submit({ name: 'first', script: 'sleep 600' })
    await jobs.submit({ name: 'second', script: 'true', dependencies: { afterany: [first] } })
    await expect.poll(() => jobs.state('second')).toMatchObject({ phase: 'Pending', reason: 'Dependency' })
    await jobs.cancel('first')
    expect(await ended('second')).toMatchObject({ phase: 'Succeeded', exitCode: 0 })
  })

  it('that ended while Slurm was away is found, and an error of Slurm is one', async () => {
    const jobs = runtime()
    await jobs.submit({ name: 'quick', script: 'true' })
    await ended('quick')
    await cluster.stopController()
    await expect(jobs.state('quick')).rejects.toThrow(/scontrol|slurm/i)
    await cluster.startController()
    expect(await ended('quick')).toMatchObject({ phase: 'Succeeded' })
  })

  it('that Slurm refuses says why, and leaves nothing running', async () => {
    await expect(runtime().submit({ name: 'nowhere', partition: 'none', script: 'true' })).rejects.toThrow(/partition/)
    expect(await runtime().state('nowhere')).toBeUndefined()
  })
})
