// Executors of an ExecutorDeployment as real processes: counted by their pids, killed by hand, and found by the next
// controller.

import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { colonyDefinitions } from '@homeostat/colony/kinds'
import { openProcessRuntime, type UnitState } from '@homeostat/runtimes'
import { environmentOf, isAlive } from '@homeostat/runtimes/testing/os-process'
import { type TestEnv, testEnv } from '@homeostat/testing'
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import type { DeploymentStatus } from './deployment-status.ts'
import { reconcileDeployment } from './reconcile.ts'
import { claimFolder } from './targets/folder-claim.ts'
import { Targets } from './targets/targets.ts'

const root = mkdtempSync(join(tmpdir(), 'homeostat-executors-'))
let env: TestEnv
beforeAll(async () => {
  env = await testEnv({ definitions: [...colonyDefinitions] })
})
afterAll(async () => {
  await env.close()
  rmSync(root, { recursive: true, force: true })
})

const SLEEP = ['/bin/sh', '-c', 'exec sleep 600', 'executor run']

interface Controller {
  run(spec: object, more?: { deleting?: boolean; signal?: AbortSignal }): Promise<void>
  readonly status: DeploymentStatus
  close(): Promise<void>
}

function controller(directory: string, say: (line: string) => void = () => {}, settleMs = 20): Controller {
  const targets = new Targets({
    client: env.client,
    directory,
    executorCommand: SLEEP,
    localEnv: {},
    server: undefined,
    kubeconfig: undefined,
    settleMs,
    waitMs: 100,
    executorsOnline: async () => ({ has: () => true }),
  })
  onTestFinished(() => targets.close())
  let status: DeploymentStatus = {}
  return {
    get status() {
      return status
    },
    async run(spec, { deleting = false, signal = new AbortController().signal } = {}) {
      const kwargs = {
        kind: 'ExecutorDeployment',
        metadata: { name: 'ml', namespace: 'dev', uid: 'a1b2c3d4-0000', ...(deleting && { deletionTimestamp: 'now' }) },
        spec,
        status,
      }
      const context = {
        kwargs,
        signal,
        log() {},
        status(fields: object) {
          status = fields
        },
        requeueAfter() {},
      }
      await reconcileDeployment(context, { targets, allowCommands: true, say, now: Date.now })
    },
    close: () => targets.close(),
  }
}

/** As the machine sees it, whoever keeps them. */
async function pids(directory: string): Promise<Map<string, number>> {
  const runtime = await openProcessRuntime({ directory })
  const units = (await runtime.list({})).filter(({ phase }: UnitState) => phase === 'running')
  await runtime.close()
  for (const { pid = 0 } of units) process.kill(pid, 0)
  return new Map(units.map(({ name, pid = 0 }) => [name.replace('ml-a1b2c3d4-', ''), pid]))
}

const local = (replicas: number, config: object = {}) => ({ runtime: 'local', replicas, executorType: 'ml', config })

describe('local executors', () => {
  it('are processes: two more for 3 to 5, four fewer for 5 to 1, and none after a deletion', async () => {
    const directory = join(root, 'scaled')
    const { run } = controller(directory)
    await run(local(3))
    const three = await pids(directory)
    expect([...three.keys()].sort()).toEqual(['0', '1', '2'])
    await run(local(5))
    const five = await pids(directory)
    expect([...five.keys()].sort()).toEqual(['0', '1', '2', '3', '4'])
    for (const [name, pid] of three) expect(five.get(name)).toBe(pid)
    await run(local(1))
    expect([...(await pids(directory))]).toEqual([['0', three.get('0')]])
    expect([...five.values()].filter(isAlive)).toEqual([three.get('0')])
    await run(local(1), { deleting: true })
    expect([...five.values()].filter(isAlive)).toEqual([])
  })

  it('come back when they are killed, with the environment of the spec; the others go on', async () => {
    const directory = join(root, 'killed')
    const one = controller(directory)
    const spec = local(2, { env: { BATCH_SIZE: '32' } })
    await one.run(spec)
    const before = await pids(directory)
    const victim = before.get('1') ?? 0
    process.kill(victim, 'SIGKILL')
    await expect.poll(() => isAlive(victim)).toBe(false)
    // The end of a process is known to its keeper a moment later.
    await expect
      .poll(() =>
        one
          .run(spec)
          .then(() => pids(directory))
          .then((now) => now.get('1') ?? victim),
      )
      .not.toBe(victim)
    const after = await pids(directory)
    expect(after.get('0')).toBe(before.get('0'))
    expect(environmentOf(after.get('1') ?? 0)).toEqual(
      expect.arrayContaining(['BATCH_SIZE=32', 'COLONIES_EXECUTOR_NAME=ml-a1b2c3d4-1', 'COLONIES_COLONY_NAME=dev']),
    )
    await one.run(spec, { deleting: true })
  })

  it('go on without their controller, and the next one starts none of them again', async () => {
    const directory = join(root, 'found')
    const first = controller(directory)
    await first.run(local(2))
    const before = await pids(directory)
    await first.close()
    const second = controller(directory)
    await second.run(local(2))
    expect(await pids(directory)).toEqual(before)
    expect(second.status).toMatchObject({ phase: 'Running', ready: 2 })
    await second.run(local(2), { deleting: true })
    expect(await pids(directory)).toEqual(new Map())
  })

  it('of a run that was cut off are finished by the next controller, and none is started twice', async () => {
    const directory = join(root, 'cut')
    const cut = new AbortController()
    const first = controller(directory, (line) => line.includes('-1 (ID') && cut.abort(new Error('cut off')))
    await expect(first.run(local(4), { signal: cut.signal })).rejects.toThrow('cut off')
    const before = await pids(directory)
    expect([...before.keys()].sort()).toEqual(['0', '1'])
    await first.close()
    const second = controller(directory)
    await second.run(local(4))
    const after = await pids(directory)
    expect([...after.keys()].sort()).toEqual(['0', '1', '2', '3'])
    for (const [name, pid] of before) expect(after.get(name)).toBe(pid)
    await second.run(local(4), { deleting: true })
  })

  it('are kept by one controller at a time', async () => {
    const directory = join(root, 'claimed')
    const release = await claimFolder(directory)
    const { run } = controller(directory)
    await expect(run(local(1))).rejects.toThrow('another controller keeps its executors in')
    await release()
    await run(local(1))
    await run(local(1), { deleting: true })
  })

  it('that cannot run are reported with the last they said', async () => {
    const { run } = controller(join(root, 'broken'), () => {}, 10_000)
    const spec = local(1, { command: ['/bin/sh', '-c', 'echo no models here; exit 4'] })
    await expect(run(spec)).rejects.toThrow('ml-a1b2c3d4-0 has ended already: exit code 4, no models here')
    await expect(run(local(1, { command: ['/no/such'] }))).rejects.toThrow('cannot start /no/such')
    await run(spec, { deleting: true })
  })
})
