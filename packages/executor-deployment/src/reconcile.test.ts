import { colonyDefinitions } from '@homeostat/colony/kinds'
import { PermanentError } from '@homeostat/executor'
import { type TestEnv, testEnv } from '@homeostat/testing'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { DeploymentStatus } from './deployment-status.ts'
import { openStage, type StageOptions } from './reconcile.fixture.ts'
import { reconcileDeployment } from './reconcile.ts'
import type { Targets } from './targets/targets.ts'

let env: TestEnv
beforeAll(async () => {
  env = await testEnv({ definitions: [...colonyDefinitions] })
})
afterAll(() => env.close())

const stage = (options?: StageOptions) => openStage(env, options)

const local = (replicas: number, config: object = {}) => ({ runtime: 'local', replicas, executorType: 'ml', config })
/** Needs leave: it is a variable of ours. */
const told = (directive: string) => ({ env: { HOMEOSTAT_SIMULATE: directive } })

describe('executors that run', () => {
  it('are ready when the colony hears of them, and waited for', async () => {
    const online = new Set<string>()
    const { run } = await stage({ isOnline: (name) => online.has(name) })
    online.add('ml-a1b2c3d4-0')
    const first = await run(local(2))
    expect(first.error).toBeUndefined()
    expect(first.requeueAfter).toBe('5s')
    expect(first.status).toMatchObject({
      phase: 'Degraded',
      ready: 1,
      available: 2,
      message: '1 of 2 running: ml-a1b2c3d4-1 runs, and has not come online as an executor',
    })
    online.add('ml-a1b2c3d4-1')
    const second = await run(local(2))
    expect([second.status?.ready, second.requeueAfter]).toEqual([2, undefined])
  })

  it('report which folder they will miss', async () => {
    const { run } = await stage()
    const volumes = [{ source: '/no/such/models', target: '/no/such/models' }]
    const { lines, status } = await run(local(1, { volumes }))
    expect(lines).toContain('Warning: spec.config.volumes: there is no file or folder /no/such/models on this machine')
    expect(status).toMatchObject({ phase: 'Running', conditions: [{ type: 'Accepted', status: 'True' }, {}] })
  })

  it('as containers that cannot reach the server report what to set, at once', async () => {
    const { run } = await stage()
    const { lines, status } = await run({ ...local(1), runtime: 'docker', image: 'ml:1' })
    const warning =
      'containers do not reach the server at http://127.0.0.1:3000: set spec.config.network to "host", and run them as root or as ' +
      "the server's user, since a server on loopback lets no others in"
    expect(lines).toContain(`Warning: ${warning}`)
    expect(status?.conditions?.find(({ type }) => type === 'Accepted')).toMatchObject({
      status: 'True',
      message: warning,
    })
    const host = await run({ ...local(1), runtime: 'docker', image: 'ml:1', config: { network: 'host' } })
    expect(host.lines.filter((line) => line.startsWith('Warning'))).toEqual([])
  })
})

describe('another runtime', () => {
  const docker = { ...local(2), runtime: 'docker', image: 'ml:1' }

  it('is looked at before the executors leave the former one', async () => {
    let isDown = true
    const { run, names, docker: containers } = await stage({ dockerDown: () => isDown })
    await run(local(2))
    const { status, error } = await run(docker)
    expect(error?.message).toContain('Docker does not answer')
    expect(await names()).toEqual(['0', '1'])
    expect(status).toMatchObject({ phase: 'Degraded', available: 2, deployedTo: { runtime: 'local' } })
    expect(status?.message).toContain('Docker does not answer')
    isDown = false
    expect((await run(docker)).status).toMatchObject({ phase: 'Running', deployedTo: { runtime: 'docker' } })
    expect([await names(), await names(containers)]).toEqual([[], ['0', '1']])
  })

  it('that was never reached keeps nobody from deleting the resource', async () => {
    const { run } = await stage({ dockerDown: () => true })
    const { status } = await run(docker)
    expect(status).toMatchObject({ phase: 'Failed' })
    expect(status?.deployedTo).toBeUndefined()
    const { error, lines } = await run(docker, { deleting: true })
    expect(error).toBeUndefined()
    expect(lines).toContain('Nothing was ever deployed to docker, which cannot be reached: Docker does not answer')
  })

  it('that was reached, and is away when the resource is deleted, is waited for', async () => {
    let isDown = false
    const { run, docker: containers, names } = await stage({ dockerDown: () => isDown })
    await run(docker)
    const { status } = await run(docker)
    expect(status?.deployedTo).toEqual({ runtime: 'docker' })
    const next = await stage({ dockerDown: () => true })
    next.send(status ?? {})
    expect((await next.run(docker, { deleting: true })).error?.message).toContain('Docker does not answer')
    isDown = true
    expect(await names(containers)).toEqual(['0', '1'])
  })
})

describe('a run for an ExecutorDeployment', () => {
  it('starts what is missing, tells so, and shows it in the status', async () => {
    const { run, names, runtime } = await stage()
    const { status, lines, error } = await run({ ...local(3), image: 'ml:1' })
    expect(error).toBeUndefined()
    expect(lines).toEqual([
      'Reconciling ExecutorDeployment/ml',
      '  Runtime: local',
      '  Replicas: 3',
      '  ExecutorType: ml',
      '  Image: ml:1',
      '  Current replicas: 0, Desired: 3',
      'Scaling up: deploying 3 new local processes',
      'Started process: ml-a1b2c3d4-0 (ID: ml-a1b2c3d4-)',
      'Started process: ml-a1b2c3d4-1 (ID: ml-a1b2c3d4-)',
      'Started process: ml-a1b2c3d4-2 (ID: ml-a1b2c3d4-)',
      'Reconciliation complete: 3 replicas running',
    ])
    expect(status).toMatchObject({
      phase: 'Running',
      ready: 3,
      available: 3,
      deployedExecutors: ['ml-a1b2c3d4-0', 'ml-a1b2c3d4-1', 'ml-a1b2c3d4-2'],
    })
    expect(await names()).toEqual(['0', '1', '2'])
    expect(
      (await runtime.list({ 'colonies.io/deployment-uid': 'a1b2c3d4-0000', 'colonies.io/index': '1' }))[0],
    ).toMatchObject({
      labels: { 'colonies.io/generation': '1', 'colonies.io/colony': 'dev', 'colonies.io/deployment-name': 'ml' },
    })
  })

  it('does and says nothing new when all is as it should be', async () => {
    const { run } = await stage()
    const first = await run(local(2))
    const second = await run(local(2))
    expect(second.lines.filter((line) => /Start|Scal|Remov/.test(line))).toEqual([])
    const withoutGeneration = (status: DeploymentStatus | undefined) =>
      status?.conditions?.map(({ observedGeneration, ...rest }) => rest)
    expect(withoutGeneration(second.status)).toEqual(withoutGeneration(first.status))
  })

  it('scales from 3 to 5 by two starts, and from 5 to 1 by four stops', async () => {
    const { run, names } = await stage()
    await run(local(3))
    const up = await run(local(5))
    expect(up.lines.filter((line) => line.startsWith('Started'))).toHaveLength(2)
    expect(up.lines).toContain('Scaling up: deploying 2 new local processes')
    const down = await run(local(1))
    expect(down.lines.filter((line) => line.startsWith('Removed'))).toHaveLength(4)
    expect(down.lines).toContain('Scaling down: removing 4 local processes')
    expect(down.status).toMatchObject({ phase: 'Running', ready: 1, deployedExecutors: ['ml-a1b2c3d4-0'] })
    expect(await names()).toEqual(['0'])
  })

  it('replaces one that has ended, and only that one', async () => {
    const { run, runtime } = await stage({ allowCommands: true })
    await run(local(2, told('exit:7:30')))
    await expect.poll(async () => (await runtime.list({})).filter(({ phase }) => phase === 'exited')).toHaveLength(2)
    const { lines } = await run(local(2))
    expect(lines.filter((line) => line.startsWith('Found'))).toEqual([
      'Found process ended: ml-a1b2c3d4-0 (exit code 7, simulated: ended with exit code 7)',
      'Found process ended: ml-a1b2c3d4-1 (exit code 7, simulated: ended with exit code 7)',
    ])
    expect(lines).toContain('Scaling up: deploying 2 new local processes')
  })

  it('replaces all, one after the other, when what they are made of has changed', async () => {
    const { run, runtime } = await stage()
    await run(local(2))
    let most = 0
    let least = 2
    runtime.watch(async () => {
      const live = (await runtime.list({})).filter(({ phase }) => phase !== 'exited').length
      most = Math.max(most, live)
      least = Math.min(least, live)
    })
    const { lines, status } = await run(local(2, { env: { A: '1' } }))
    expect(lines.filter((line) => /Replac|Started/.test(line)).map((line) => line.split(' (')[0])).toEqual([
      'Replacing process: ml-a1b2c3d4-0',
      'Started process: ml-a1b2c3d4-0',
      'Replacing process: ml-a1b2c3d4-1',
      'Started process: ml-a1b2c3d4-1',
    ])
    expect([least, most]).toEqual([1, 2])
    expect(status).toMatchObject({ phase: 'Running', ready: 2 })
  })

  it('keeps the old ones when a new one does not start', async () => {
    const { run, names } = await stage({ allowCommands: true })
    await run(local(3))
    const { status, error, lines } = await run(local(3, told('fail:no such file')))
    expect(error?.message).toBe('cannot start ml-a1b2c3d4-0: no such file')
    expect(error).not.toBeInstanceOf(PermanentError)
    expect(lines.at(-1)).toBe('Reconciliation failed: cannot start ml-a1b2c3d4-0: no such file')
    expect(status).toMatchObject({
      phase: 'Degraded',
      ready: 0,
      available: 2,
      message: '0 of 3 running: cannot start ml-a1b2c3d4-0: no such file',
    })
    const again = await run(local(3, told('fail:no such file')))
    expect(again.error?.message).toBe('cannot start ml-a1b2c3d4-0: no such file')
    expect(await names()).toEqual(['1', '2'])
  })

  it('fails when one ends as soon as it was started', async () => {
    const { run } = await stage({ allowCommands: true, settleMs: 10_000 })
    const { status, error } = await run(local(1, told('exit:3')))
    expect(error?.message).toBe('ml-a1b2c3d4-0 has ended already: exit code 3, simulated: ended with exit code 3')
    expect(status).toMatchObject({ phase: 'Failed', ready: 0 })
  })

  it('takes away the Executor of one that could not sign off', async () => {
    const { run } = await stage()
    await run(local(2))
    const executors = env.client.resource('colonies.io/v1', 'Executor')
    const where = { name: 'ml-a1b2c3d4-1', namespace: 'dev' }
    await executors.create({ metadata: where, spec: { type: 'ml' } })
    await run(local(1))
    expect(await executors.find(where)).toBe(undefined)
  })

  it('is refused for good for another runtime, and for what is wrong with its spec', async () => {
    const { run } = await stage()
    const unsupported = await run({ runtime: 'lambda', executorType: 'ml' })
    expect(unsupported.error).toBeInstanceOf(PermanentError)
    expect(unsupported.status).toMatchObject({
      phase: 'Failed',
      message: 'spec.runtime "lambda" is not supported: use local, docker, kubernetes',
      conditions: [
        { type: 'Accepted', status: 'False', reason: 'UnsupportedRuntime' },
        { type: 'Ready', status: 'False' },
      ],
    })
    const invalid = await run({ runtime: 'local' })
    expect(invalid.error).toBeInstanceOf(PermanentError)
    expect(invalid.status?.conditions?.[0]).toMatchObject({ status: 'False', reason: 'InvalidSpec' })
  })

  it('leaves what runs as it is while the spec is refused, and counts it', async () => {
    const { run, names } = await stage()
    await run(local(2))
    const { status } = await run({ ...local(2), replicas: 'many' })
    expect(status).toMatchObject({ phase: 'Degraded', ready: 0, available: 2 })
    expect(await names()).toEqual(['0', '1'])
    expect((await run(local(2))).status).toMatchObject({ phase: 'Running', ready: 2 })
  })

  it.each([
    ['command', local(1, { command: ['/bin/true'] })],
    ['env.NODE_OPTIONS', local(1, { env: { A: '1', NODE_OPTIONS: '--import=/tmp/x.mjs' } })],
    ['env.LD_PRELOAD', local(1, { env: { LD_PRELOAD: '/tmp/x.so' } })],
    ['kubeconfig', { ...local(1, { kubeconfig: '/etc/k' }), runtime: 'kubernetes', image: 'x' }],
  ])('runs nothing of the machine that a resource names (%s), unless that was allowed', async (field, spec) => {
    const { run, names } = await stage()
    const { status, error } = await run(spec)
    expect(error).toBeInstanceOf(PermanentError)
    expect(status?.conditions?.[0]).toMatchObject({ status: 'False', reason: 'NotAllowed' })
    expect(status?.message).toContain(`spec.config.${field} chooses what runs on the controller's machine`)
    expect(await names()).toHaveLength(0)
  })

  it('follows no kubeconfig that it was not allowed to, also where a status names it and in a deletion', async () => {
    const { run, send } = await stage()
    const spec = { ...local(1, { kubeconfig: '/etc/k' }), runtime: 'kubernetes', image: 'x' }
    expect((await run(spec, { deleting: true })).error).toBeUndefined()
    send({ deployedTo: { runtime: 'kubernetes', namespace: 'dev', kubeconfig: '/etc/k' } })
    const message = 'status.deployedTo.kubeconfig chooses what runs'
    expect((await run(local(1))).error?.message).toContain(message)
    expect((await run(local(1), { deleting: true })).error?.message).toContain(message)
  })

  it('gives executors the command line, their names and where the server is', async () => {
    const { run, runtime } = await stage()
    await run(local(1))
    let log = ''
    for await (const chunk of runtime.logs('ml-a1b2c3d4-0')) log += Buffer.from(chunk)
    expect(log).toContain('homeostat executor run --type ml --name ml-a1b2c3d4-0 -n dev --server http://127.0.0.1:3000')
    const allowed = await stage({ allowCommands: true })
    await allowed.run(local(1, { command: ['/bin/sleep', '9'] }))
    for await (const chunk of allowed.runtime.logs('ml-a1b2c3d4-0')) log += Buffer.from(chunk)
    expect(log).toContain('this stands for: /bin/sleep 9\n')
  })

  it('stops all before it is done with one that is deleted', async () => {
    const { run, names } = await stage()
    await run(local(3))
    const { error, lines } = await run(local(3), { deleting: true })
    expect(error).toBeUndefined()
    expect(lines.filter((line) => line.startsWith('Removed'))).toHaveLength(3)
    expect(lines.at(-1)).toBe('Reconciliation complete: all replicas are gone')
    expect(await names()).toHaveLength(0)
    expect((await run(local(3), { deleting: true })).error).toBeUndefined()
  })

  it('removes what runs elsewhere when the runtime changes, also with a deletion', async () => {
    const { run, names, docker } = await stage()
    await run(local(2))
    await run({ ...local(1), runtime: 'docker', image: 'ml:1' })
    expect([await names(), await names(docker)]).toEqual([[], ['0']])
    await run(local(1), { deleting: true })
    expect(await names(docker)).toEqual([])
  })

  it('goes no further once it is aborted', async () => {
    const { run, names } = await stage()
    const { error, status } = await run(local(3), { signal: AbortSignal.abort(new Error('lost')) })
    expect([error?.message, status]).toEqual(['lost', undefined])
    expect(await names()).toEqual([])
  })

  it('is refused when kwargs hold no resource', async () => {
    const context = { kwargs: {}, signal: AbortSignal.abort(), log() {}, status() {}, requeueAfter() {} }
    const options = { targets: {} as Targets, allowCommands: false, say() {}, now: Date.now }
    await expect(reconcileDeployment(context, options)).rejects.toThrow('kwargs hold no resource')
  })
})
