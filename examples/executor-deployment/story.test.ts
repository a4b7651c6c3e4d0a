// The story that the README tells, with executors as processes of this machine: steps 3 to 7, more and fewer replicas, one
// killed by hand, and the end.

import { environmentOf, isAlive } from '@homeostat/runtimes/testing/os-process'
import { describe, expect, it } from 'vitest'
import { register as registerDefinition } from './register.ts'
import { document, mainProgram, stage, startedPids, withInterval, withReplicas, write } from './stage.fixture.ts'

const definition = document('executor-deployment-definition.json')
const local = document('ml-executor-deployment-local.json')

describe('the story', () => {
  it('register, start the controller, submit: three executors run, with what the resource gives them', async () => {
    const { program, until, executors, client } = await stage()
    const registering = program(['./crd-example', '-mode', 'register-crd'])
    expect(await registering.ended).toBe(0)
    expect(registering.lines).toEqual([
      'Registering ResourceDefinition from file: executor-deployment-definition.json',
      'ResourceDefinition Details:',
      '  Name: executordeployments.compute.colonies.io',
      '  Group: compute.colonies.io',
      '  Version: v1',
      '  Kind: ExecutorDeployment',
      '  Handler Type: executor-deployment-controller',
      '  Handler Function: reconcile_executor_deployment',
      '✓ ResourceDefinition registered successfully',
    ])
    const controller = program(mainProgram('-mode', 'controller'))
    await expect
      .poll(() => controller.lines)
      .toEqual([
        'Starting controller:',
        '  Colony: dev',
        '  Executor Name: executor-deployment-controller',
        '  Executor Type: executor-deployment-controller',
        'Controller is running. Press Ctrl+C to stop.',
      ])
    const submitting = program(mainProgram('-mode', 'submit', '-resource', 'ml-executor-deployment-local.json'))
    expect(await submitting.ended).toBe(0)
    expect(submitting.lines.at(-1)).toBe('✓ ExecutorDeployment/ml-training-executors created (generation 1)')
    const { metadata, status } = await until('three run', (now) => now.status?.ready === 3)
    const name = `ml-training-executors-${metadata.uid?.slice(0, 8)}`
    await expect.poll(() => controller.lines.at(-1)).toBe('Reconciliation complete: 3 replicas running')
    expect(
      // The machine may or may not have /tmp/models.
      controller.lines
        .slice(5)
        .filter((line) => !line.startsWith('Warning:'))
        .map((line) => line.replace(/ID: \d+/, 'ID: N').replace(/: \S+ \(label/, ': P (label')),
    ).toEqual([
      'Assigned process: P (label: ExecutorDeployment/ml-training-executors)',
      'Reconciling ExecutorDeployment/ml-training-executors',
      '  Runtime: local',
      '  Replicas: 3',
      '  ExecutorType: ml-executor',
      '  Current replicas: 0, Desired: 3',
      'Scaling up: deploying 3 new local processes',
      `Started process: ${name}-0 (ID: N)`,
      `Started process: ${name}-1 (ID: N)`,
      `Started process: ${name}-2 (ID: N)`,
      'Reconciliation complete: 3 replicas running',
    ])
    const pids = startedPids(controller.lines)
    expect(pids.filter(isAlive)).toHaveLength(3)
    for (const pid of pids) {
      expect(environmentOf(pid)).toEqual(expect.arrayContaining(['BATCH_SIZE=32', 'MODEL_CACHE_DIR=/tmp/models']))
    }
    expect(status).toMatchObject({
      phase: 'Running',
      available: 3,
      deployedExecutors: [`${name}-0`, `${name}-1`, `${name}-2`],
    })
    await expect.poll(() => executors('ml-executor')).toEqual([`${name}-0`, `${name}-1`, `${name}-2`])
    // As from a terminal, by way of npm.
    controller.kill('SIGINT')
    controller.kill('SIGINT')
    expect(await controller.ended).toBe(0)
    expect(controller.lines.at(-1)).toBe('Controller stopped')
    expect(pids.filter(isAlive)).toHaveLength(3)
    expect(
      await client
        .resource('colonies.io/v1', 'Executor')
        .find({ name: 'executor-deployment-controller', namespace: 'dev' }),
    ).toBe(undefined)
  })

  it('3 to 5 starts exactly two, 5 to 1 stops exactly four, and one killed by hand is back with the next look', async () => {
    const { register, submit, controller, until, executors } = await stage()
    await register(definition)
    const { lines } = await controller()
    await submit(local)
    await until('three run', (now) => now.status?.ready === 3)
    const three = startedPids(lines)
    await submit(withReplicas(local, 5))
    await until('five run', (now) => now.status?.ready === 5)
    const five = startedPids(lines)
    expect([three.length, five.length, five.filter(isAlive).length]).toEqual([3, 5, 5])
    expect(five.slice(0, 3)).toEqual(three)
    await submit(withReplicas(local, 1))
    await until('one runs', (now) => now.status?.ready === 1)
    expect(five.filter(isAlive)).toEqual([three[0]])
    expect(startedPids(lines)).toEqual(five)
    process.kill(three[0] ?? 0, 'SIGKILL')
    await register(withInterval(definition, 1))
    await expect.poll(() => startedPids(lines)).toHaveLength(6)
    await until('it is healed', (now) => now.status?.phase === 'Running')
    expect(startedPids(lines).filter(isAlive)).toEqual([startedPids(lines).at(-1)])
    await expect.poll(() => executors('ml-executor')).toHaveLength(1)
  })

  it('looks that change nothing write nothing and leave no process behind', async () => {
    const { register, submit, controller, until, find, processes } = await stage()
    await register(withInterval(definition, 1))
    const { lines } = await controller()
    await submit(withReplicas(local, 1))
    const { metadata } = await until('one runs', (now) => now.status?.ready === 1)
    const ends = () => lines.filter((line) => line === 'Reconciliation complete: 1 replica running').length
    const before = ends()
    await expect.poll(ends).toBeGreaterThanOrEqual(before + 3)
    expect((await find())?.metadata.resourceVersion).toBe(metadata.resourceVersion)
    expect((await processes()).filter(({ status }) => status.phase === 'Succeeded')).toHaveLength(1)
  })

  it('a deletion waits for a controller, which cleans up before the resource goes', async () => {
    const { register, submit, controller, until, executors, find, client, gone, processes } = await stage()
    await register(definition)
    const first = await controller()
    await submit(withReplicas(local, 2))
    await until('two run', (now) => now.status?.ready === 2)
    const pids = startedPids(first.lines)
    await first.end()
    await client
      .resource('compute.colonies.io/v1', 'ExecutorDeployment')
      .delete({ name: 'ml-training-executors', namespace: 'dev' })
    await expect
      .poll(async () => (await processes()).filter(({ status }) => status.phase === 'Waiting'))
      .toHaveLength(1)
    await expect(submit(withReplicas(local, 3))).rejects.toThrow(
      'ExecutorDeployment/ml-training-executors is being deleted: submit it again when it is gone',
    )
    expect((await find())?.metadata).toMatchObject({
      deletionTimestamp: expect.any(String),
      finalizers: ['colonies.io/handler'],
    })
    expect(pids.filter(isAlive)).toEqual(pids)
    const second = await controller()
    await gone()
    expect(pids.filter(isAlive)).toEqual([])
    expect(second.lines.filter((line) => line.startsWith('Removed process'))).toHaveLength(2)
    expect(await executors('ml-executor')).toEqual([])
  })

  it('a definition that another is in force for is refused with the reason, and nothing is left of it', async () => {
    const { register, client } = await stage()
    await register(definition)
    const other = { ...definition, kind: 'CustomResourceDefinition' }
    await expect(register(other)).rejects.toThrow(
      'is not accepted: another schema is in force: the CustomResourceDefinition of this name was made from colonies.io/v1 ResourceDefinition',
    )
    const lines: string[] = []
    await registerDefinition(client, withInterval(definition, 7), (line) => lines.push(line))
    expect(lines).toContain('  Another definition was in force until now, and is replaced by this one')
    const name = { name: definition.metadata.name ?? '' }
    expect(await client.resource('colonies.io/v1', 'CustomResourceDefinition').find(name)).toBeUndefined()
    await register(definition)
  })

  it('a second controller for the same colony ends at start, and says which folder', async () => {
    const { register, program, folder } = await stage()
    await register(definition)
    const first = program(mainProgram('-mode', 'controller'))
    await expect.poll(() => first.lines.at(-1)).toMatch(/^Controller is running/)
    const second = program(mainProgram('-mode', 'controller'))
    expect(await second.ended).toBe(1)
    expect(second.lines.at(-1)).toContain('crd-example: another controller keeps its executors in ')
    expect(second.lines.at(-1)).toContain(folder)
  })

  it('a resource before its definition is refused with what to do', async () => {
    const { program, folder } = await stage()
    const file = write(folder, 'one.json', local)
    const submitting = program(mainProgram('-mode', 'submit', '-resource', file))
    expect(await submitting.ended).toBe(1)
    expect(submitting.lines.at(-1)).toBe(
      'crd-example: the server knows no ExecutorDeployment of compute.colonies.io/v1: ' +
        'register its definition first (-mode register-crd)',
    )
  })
})
