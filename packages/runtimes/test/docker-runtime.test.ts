// The docker driver on a real engine: the suite of all drivers, and what only containers can show.

import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { openDockerRuntime, type Unit, type UnitState } from '../src/index.ts'
import { IMAGE } from './docker-daemon.fixture.ts'
import { dockerStage, sh, stays, WAITS } from './docker-stage.fixture.ts'
import { driverSuite, named, printed, reaches } from './driver-suite.ts'

const { missing, root, daemon, opened, containers, byHand } = dockerStage()

// First, since an engine starts the slower the more containers it has had.
describe.skipIf(missing)('an engine', () => {
  it('that is restarted loses no container, and what ended meanwhile is reported', async () => {
    const problems: string[] = []
    const runtime = await opened({ onProblem: ({ message }) => problems.push(message) })
    const last = new Map<string, UnitState>()
    runtime.watch((state) => last.set(state.name, state))
    const go = join(root, 'go')
    const mounts = [{ source: root, target: '/shared' }]
    const stay = await runtime.start(named('stays', stays()))
    const ends = await runtime.start({
      ...named('ends', sh('while [ ! -e /shared/go ]; do sleep 0.02; done; exit 5')),
      mounts,
    })
    await reaches(runtime, ends, 'running')
    const following = printed(runtime, stay, { follow: true }).catch(({ message }: Error) => message)
    await daemon().restart(() => writeFileSync(go, ''))
    await expect.poll(() => last.get('ends')?.phase).toBe('exited')
    expect(last.get('ends')?.exitCode).toBe(5)
    expect(last.get('stays')?.phase).toBe('running')
    expect(await runtime.start(named('stays', stays()))).toBe(stay)
    expect(problems[0]).toMatch(/cannot reach Docker|aborted/)
    await following
  })

  it('that is not there is said so, with what to do', async () => {
    const problems: string[] = []
    const socket = join(root, 'nothing.sock')
    const runtime = await openDockerRuntime({ socket, onProblem: ({ message }) => problems.push(message) })
    const message = `cannot reach Docker at ${socket}: there is no such socket; start the Docker daemon`
    await expect(runtime.start(named('web', stays()))).rejects.toThrow(message)
    await expect(runtime.list({})).rejects.toThrow(message)
    await expect.poll(() => problems).toHaveLength(1)
    await runtime.close()
  })

  it('ends logs that are followed when the driver is closed, and nothing else', async () => {
    const first = await openDockerRuntime({ socket: daemon().socket })
    const id = await first.start(named('web', sh(`echo up; ${WAITS}`)))
    await expect.poll(() => printed(first, id)).toBe('up\n')
    const following = printed(first, id, { follow: true })
    await first.close()
    expect(['', 'up\n']).toContain(await following)
    const second = await opened()
    expect((await second.list({}))[0]).toMatchObject({ id, phase: 'running' })
  })
})

describe.skipIf(missing)('the docker driver', () => {
  driverSuite({
    open: () => openDockerRuntime({ socket: daemon().socket }),
    cleanUp: async () => expect(await containers(), 'left behind').toEqual([]),
    units: {
      stays,
      exits: (code) => sh(`exit ${code}`),
      stubborn: () => sh('trap "" TERM; while :; do sleep 0.05; done'),
      impossible: () => ({ image: IMAGE, command: ['/no/such/program'] }),
      prints: (lines) => sh(`${lines.map((line) => `echo ${line}`).join('; ')}; ${WAITS}`),
    },
    survivors: true,
  })
})

describe.skipIf(missing)('a container', () => {
  it('sees its variables, its folder, its arguments and its mounts', async () => {
    const runtime = await opened()
    writeFileSync(join(root, 'given'), 'from outside')
    const script =
      'echo "$GREETING $0 $1"; pwd; cat /in/given; echo > /in/no || echo refused >&2; echo made > /out/made'
    const id = await runtime.start({
      ...named('job', sh(script)),
      args: ['a', 'b c'],
      env: { GREETING: 'hi=ho' },
      workingDir: '/tmp',
      mounts: [
        { source: root, target: '/in', readOnly: true },
        { source: root, target: '/out' },
      ],
    })
    const text = await printed(runtime, id, { follow: true })
    // Its two streams come in any order.
    for (const part of ['hi=ho a b c\n/tmp\n', 'from outside', 'Read-only file system\nrefused\n']) {
      expect(text).toContain(part)
    }
    expect(readFileSync(join(root, 'made'), 'utf8')).toBe('made\n')
  })

  it('has its long lines whole, its last one without an end, and both streams in its log', async () => {
    const runtime = await opened()
    const script = 'head -c 100000 /dev/zero | tr "\\0" x; echo; sleep 0.1; echo err >&2; sleep 0.1; printf "no end"'
    const id = await runtime.start(named('talker', sh(script)))
    expect(await printed(runtime, id, { follow: true })).toBe(`${'x'.repeat(100_000)}\nerr\nno end`)
    expect(await printed(runtime, id, { tailLines: 2 })).toBe('err\nno end')
    expect((await printed(runtime, id, { timestamps: true })).split('\n')[0]).toMatch(/^2\S+Z x{100000}$/)
  })

  it('runs commands on the side, with their exit code and what they print', async () => {
    const runtime = await opened()
    const id = await runtime.start(named('web', { ...stays(), env: { WHO: 'me' } }))
    const signal = AbortSignal.timeout(120_000)
    const exec = async (script: string) => runtime.exec?.(id, ['/bin/sh', '-c', script], signal)
    expect(await exec('echo "$WHO"; exit 3')).toEqual({ exitCode: 3, output: 'me\n' })
    expect(await exec('echo oops >&2')).toEqual({ exitCode: 0, output: 'oops\n' })
    expect((await exec('head -c 50000 /dev/zero'))?.output.length).toBe(10 * 1024)
    expect((await runtime.exec?.(id, ['/no/such'], signal))?.exitCode).not.toBe(0)
    await expect(runtime.exec?.('nobody', ['true'], signal)).rejects.toThrow('knows no unit nobody')
  })

  it('has a network of its own unless it asks for the machine’s', async () => {
    const runtime = await opened()
    const own = await runtime.start(named('own', stays()))
    const shared = await runtime.start(named('shared', { ...stays(), hostNetwork: true }))
    expect((await reaches(runtime, own, 'running')).address).toBe('')
    expect((await reaches(runtime, shared, 'running')).address).toBeUndefined()
  })

  it('that does not go is killed at once when no grace is left', async () => {
    const runtime = await opened()
    const id = await runtime.start(named('mule', sh('trap "" TERM; while :; do sleep 0.05; done')))
    const patient = runtime.stop(id, { graceSeconds: 600 })
    await runtime.stop(id, { graceSeconds: 0 })
    await patient
    expect(await containers()).toEqual([])
  })

  it('ends by hand, paused or not', async () => {
    const runtime = await opened()
    const id = await runtime.start(named('web', stays()))
    const last: UnitState[] = []
    runtime.watch((state) => last.push(state))
    await byHand('POST', `/containers/${id}/pause`)
    await expect.poll(() => last.at(-1)?.reason).toBe('Paused')
    await runtime.stop(id)
    expect(last.at(-1)).toMatchObject({ id, phase: 'exited', exitCode: 0 })
  })

  it('that somebody else removes is reported as ended', async () => {
    const runtime = await opened()
    const id = await runtime.start(named('web', stays()))
    const last: UnitState[] = []
    runtime.watch((state) => last.push(state))
    await byHand('DELETE', `/containers/${id}?force=1`)
    await expect.poll(() => last.at(-1)?.phase).toBe('exited')
    expect(await runtime.list({})).toEqual([])
    expect(await runtime.start(named('web', stays()))).not.toBe(id)
  })

  it.each<[string, Partial<Unit>, string]>([
    ['no image', { command: ['true'] }, 'unit bad has no image'],
    ['a name with a slash', { ...stays(), name: '../up' }, 'cannot be the name of a unit'],
    ['nothing to run', { image: IMAGE }, `image ${IMAGE} does not say what to run: give the container a command`],
    ['a program that is not there', { image: IMAGE, command: ['/no/such'] }, 'cannot start /no/such in image'],
    [
      'a mount of nothing',
      { ...stays(), mounts: [{ source: '/no/where', target: '/x' }] },
      'cannot mount /no/where: there is no such file or folder on the machine of Docker',
    ],
    [
      'an image that must not be pulled',
      { ...stays(), image: 'not/here:1', pullPolicy: 'Never' },
      'image not/here:1 is not on this machine, and its pull policy is Never',
    ],
    [
      'an image that cannot be pulled',
      { ...stays(), image: '127.0.0.1:1/not/here' },
      'cannot pull image 127.0.0.1:1/not/here: ',
    ],
  ])('with %s is refused in words that help', async (_, unit, message) => {
    const runtime = await opened()
    await expect(runtime.start({ ...named('bad', unit), ...(unit.name && { name: unit.name }) })).rejects.toThrow(
      message,
    )
    expect(await containers()).toEqual([])
  })

  it('is one of so many', async () => {
    const runtime = await opened({ maxUnits: 1 })
    const id = await runtime.start(named('a', stays()))
    await expect(runtime.start(named('b', stays()))).rejects.toThrow('has 1 units already')
    expect(await runtime.start(named('a', stays()))).toBe(id)
  })
})
