// The process driver: the suite of all drivers, and what only real processes can show.

import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeEach, describe, expect, it, onTestFinished } from 'vitest'
import { openProcessRuntime, type ProcessRuntimeOptions, type Runtime, type Unit } from '../src/index.ts'
import { identityOf, isAlive, startFromStat } from '../src/process/process-identity.ts'
import { driverSuite, named, printed, reaches } from './driver-suite.ts'

const root = mkdtempSync(join(tmpdir(), 'homeostat-process-'))
let directory = join(root, 'first')
let count = 0
afterAll(() => rmSync(root, { recursive: true, force: true }))

const sh = (script: string): Partial<Unit> => ({ command: ['/bin/sh', '-c', script] })
const stays = () => sh('exec sleep 600')

describe('the process driver', () => {
  driverSuite({
    open: () => openProcessRuntime({ directory, lookEveryMs: 20 }),
    cleanUp: async () => expect(existsSync(directory) ? readdirSync(directory) : [], 'left behind').toEqual([]),
    units: {
      stays,
      exits: (code) => sh(`exit ${code}`),
      stubborn: () => sh('trap "" TERM; while :; do sleep 0.05; done'),
      impossible: () => ({ command: ['/no/such/program'] }),
      prints: (lines) => sh(`${lines.map((line) => `echo ${line}`).join('; ')}; exec sleep 600`),
    },
    survivors: true,
  })
})

describe('a process', () => {
  beforeEach(() => {
    count++
    directory = join(root, `own-${count}`)
  })

  const opened = async (options: Partial<ProcessRuntimeOptions> = {}): Promise<Runtime> => {
    const runtime = await openProcessRuntime({ directory, lookEveryMs: 20, ...options })
    onTestFinished(async () => {
      for (const { id } of await runtime.list({})) await runtime.stop(id, { graceSeconds: 0 })
      await runtime.close()
    })
    return runtime
  }
  const output = async (unit: Partial<Unit>, options: Partial<ProcessRuntimeOptions> = {}): Promise<string> => {
    const runtime = await opened(options)
    return printed(runtime, await runtime.start(named('job', unit)), { follow: true })
  }

  it('sees its own environment and a minimal one, and nothing of the server', async () => {
    process.env.HOMEOSTAT_TEST_SECRET = 'hush'
    const lines = (await output({ command: ['/usr/bin/env'], env: { GREETING: 'hi' } })).trim().split('\n').sort()
    delete process.env.HOMEOSTAT_TEST_SECRET
    expect(lines).toEqual([
      'GREETING=hi',
      `HOME=${directory}/job/work`,
      expect.stringMatching(/^HOMEOSTAT_STARTED_BY=\d+\//),
      'PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin',
    ])
  })

  it.runIf(process.platform === 'linux')('takes along what left its group, as daemons do', async () => {
    const runtime = await opened()
    const id = await runtime.start(named('web', sh('setsid sleep 600 & echo $!; exec sleep 600')))
    await expect.poll(() => printed(runtime, id)).toMatch(/^\d+\n$/)
    const daemon = Number(await printed(runtime, id))
    expect(identityOf(daemon)).toBeDefined()
    await runtime.stop(id, { graceSeconds: 0 })
    expect(identityOf(daemon)).toBeUndefined()
  })

  it('says which process it is, also to the next driver', async () => {
    const runtime = await opened()
    const id = await runtime.start(named('web', sh('echo $$; exec sleep 600')))
    await expect.poll(() => printed(runtime, id)).toMatch(/^\d+\n$/)
    const pid = Number(await printed(runtime, id))
    expect((await runtime.list({}))[0]?.pid).toBe(pid)
    await runtime.close()
    expect((await (await opened()).list({}))[0]?.pid).toBe(pid)
  })

  it('holds nothing open that is the driver’s: its two pipes are its only sockets', async () => {
    expect((await output(sh('ls -l /proc/self/fd'))).match(/socket/g) ?? []).toHaveLength(2)
  })

  it('runs in its working directory with arguments after the command', async () => {
    expect(await output({ command: ['/bin/sh', '-c', 'pwd; echo "$0-$1"'], args: ['a', 'b'], workingDir: root })).toBe(
      `${root}\na-b\n`,
    )
  })

  it('prints to both streams, and its last line needs no end', async () => {
    expect(await output(sh('echo out; sleep 0.1; echo err >&2; sleep 0.1; printf "no end"'))).toBe('out\nerr\nno end')
  })

  it('keeps very long lines whole', async () => {
    const text = await output(sh('head -c 100000 /dev/zero | tr "\\0" x; echo; echo end'))
    expect(text).toBe(`${'x'.repeat(100_000)}\nend\n`)
  })

  it('keeps its log within two files, and followers miss nothing', async () => {
    const runtime = await opened({ logLimitBytes: 2000 })
    const script = 'i=0; while [ $i -lt 60 ]; do echo "line $i of many"; i=$((i+1)); sleep 0.01; done'
    const id = await runtime.start(named('chatty', sh(script)))
    const followed = (await printed(runtime, id, { follow: true })).trim().split('\n')
    expect(followed).toEqual(Array.from({ length: 60 }, (_, index) => `line ${index} of many`))
    const folder = join(directory, 'chatty')
    for (const file of ['log', 'log.1']) expect(statSync(join(folder, file)).size).toBeLessThanOrEqual(2000)
    const kept = (await printed(runtime, id)).trim().split('\n')
    expect(kept).toEqual(followed.slice(60 - kept.length))
    expect(await printed(runtime, id, { tailLines: 45 })).toBe(`${followed.slice(-45).join('\n')}\n`)
  })

  it('takes what it started with it when it ends', async () => {
    const runtime = await opened()
    const id = await runtime.start(named('parent', sh('sleep 600 & echo $!; exit 0')))
    await reaches(runtime, id, 'exited')
    const pid = Number(await printed(runtime, id))
    expect(pid).toBeGreaterThan(0)
    expect(identityOf(pid)).toBeUndefined()
  })

  it('hears SIGTERM and may end in its own way', async () => {
    const runtime = await opened()
    const marker = join(root, `marker-${count}`)
    const id = await runtime.start(
      named('polite', sh(`trap "echo bye > ${marker}; exit 0" TERM; echo up; while :; do sleep 0.02; done`)),
    )
    await expect.poll(() => printed(runtime, id)).toBe('up\n')
    await runtime.stop(id)
    expect(readFileSync(marker, 'utf8')).toBe('bye\n')
  })

  it('that ends by a signal has the exit code of shells', async () => {
    const runtime = await opened()
    const id = await runtime.start(named('suicide', sh('kill -9 $$')))
    expect((await reaches(runtime, id, 'exited')).exitCode).toBe(137)
  })

  it('that does not go is killed at once when no grace is left', async () => {
    const runtime = await opened()
    const id = await runtime.start(named('mule', sh('trap "" TERM; echo up; while :; do sleep 0.05; done')))
    await expect.poll(() => printed(runtime, id)).toBe('up\n')
    const patient = runtime.stop(id, { graceSeconds: 600 })
    await runtime.stop(id, { graceSeconds: 0 })
    await patient
    expect(await runtime.list({})).toEqual([])
  })

  it('keeps what it is and prints from other users', async () => {
    const runtime = await opened()
    await runtime.start(named('private', { ...stays(), env: { TOKEN: 'secret' } }))
    const mode = (path: string) => (statSync(join(directory, path)).mode & 0o777).toString(8)
    expect(mode('.')).toBe('700')
    expect(mode('private')).toBe('700')
    for (const file of ['unit.json', 'keeper.json', 'program.json', 'log']) expect(mode(`private/${file}`)).toBe('600')
  })

  it.each<[string, Partial<Unit>, string]>([
    ['no command', { image: 'nginx:1.29' }, 'the process runtime needs spec.containers[].command'],
    [
      'a mount elsewhere',
      { ...stays(), mounts: [{ source: '/a', target: '/b' }] },
      'cannot show /a as /b: a process sees the files of the machine where they are',
    ],
    ['a program that is not there', { command: ['/no/such'] }, 'cannot start /no/such in'],
    ['a folder that is not there', { ...stays(), workingDir: '/no/where' }, 'in /no/where'],
    ['a name with a slash', { ...stays(), name: '../up' }, 'cannot be the name of a unit'],
  ])('with %s is refused in words that help', async (_, unit, message) => {
    const runtime = await opened()
    await expect(runtime.start({ ...named('bad', unit), ...(unit.name && { name: unit.name }) })).rejects.toThrow(
      message,
    )
    expect(readdirSync(directory)).toEqual([])
  })

  it('may mount what is where it is', async () => {
    const runtime = await opened()
    await runtime.start(named('same', { ...stays(), mounts: [{ source: '/tmp', target: '/tmp' }] }))
  })

  it('is one of so many', async () => {
    const runtime = await opened({ maxUnits: 1 })
    await runtime.start(named('a', stays()))
    await expect(runtime.start(named('b', stays()))).rejects.toThrow('has 1 units already')
  })
})

describe('after a crash', () => {
  beforeEach(() => {
    count++
    directory = join(root, `crash-${count}`)
  })

  /** Starts units in a process of its own and kills that without warning. */
  async function crashWith(units: readonly Unit[]): Promise<void> {
    const file = join(root, `crash-${count}.ts`)
    const module = new URL('../src/index.ts', import.meta.url).href
    writeFileSync(
      file,
      `import { openProcessRuntime } from '${module}'
       const runtime = await openProcessRuntime({ directory: ${JSON.stringify(directory)} })
       for (const unit of ${JSON.stringify(units)}) await runtime.start(unit)
       process.stdout.write('started')
       setInterval(() => {}, 1000)`,
    )
    const child = spawn(process.execPath, ['--conditions=homeostat-source', file], {
      stdio: ['ignore', 'pipe', 'inherit'],
    })
    await once(child.stdout, 'data')
    child.kill('SIGKILL')
    await once(child, 'exit')
  }

  const reopened = async (): Promise<Runtime> => {
    const runtime = await openProcessRuntime({ directory, lookEveryMs: 20 })
    onTestFinished(async () => {
      for (const { id } of await runtime.list({})) await runtime.stop(id, { graceSeconds: 0 })
      await runtime.close()
      expect(readdirSync(directory)).toEqual([])
    })
    return runtime
  }

  it('what runs goes on and is found, what ended meanwhile has its exit code and its log', async () => {
    const go = join(root, `go-${count}`)
    await crashWith([
      named('stays', stays()),
      named('ends', sh(`while [ ! -e ${go} ]; do sleep 0.02; done; echo done; exit 9`)),
    ])
    writeFileSync(go, '')
    const runtime = await reopened()
    const changes: string[] = []
    runtime.watch(({ name, phase }) => changes.push(`${name} ${phase}`))
    expect((await reaches(runtime, 'ends', 'exited')).exitCode).toBe(9)
    expect(await printed(runtime, 'ends')).toBe('done\n')
    expect((await reaches(runtime, 'stays', 'running')).startedAt).toBeGreaterThan(0)
    await runtime.stop('stays')
    expect(changes.filter((change) => change.startsWith('stays'))).toEqual(['stays exited'])
  })

  it('a pid that belongs to somebody else by now is not signalled', async () => {
    await crashWith([named('web', stays())])
    const folder = join(directory, 'web')
    const keeper = JSON.parse(readFileSync(join(folder, 'keeper.json'), 'utf8'))
    process.kill(-keeper.pid, 'SIGKILL')
    await expect.poll(() => identityOf(keeper.pid)).toBeUndefined()
    const stranger = spawn('sleep', ['600'], { detached: true, stdio: 'ignore' })
    onTestFinished(() => void stranger.kill('SIGKILL'))
    await once(stranger, 'spawn')
    writeFileSync(join(folder, 'keeper.json'), JSON.stringify({ ...keeper, pid: stranger.pid }))
    const program = JSON.parse(readFileSync(join(folder, 'program.json'), 'utf8'))
    writeFileSync(join(folder, 'program.json'), JSON.stringify({ ...program, pid: stranger.pid }))
    const runtime = await reopened()
    expect((await runtime.list({}))[0]).toMatchObject({ phase: 'exited', exitCode: 137, reason: 'Lost' })
    await runtime.stop('web')
    expect(identityOf(stranger.pid ?? 0)).toBeDefined()
  })

  it('a program whose keeper was killed is ended, since nobody would hear of its end', async () => {
    await crashWith([named('web', stays())])
    const keeper = JSON.parse(readFileSync(join(directory, 'web', 'keeper.json'), 'utf8'))
    const program = JSON.parse(readFileSync(join(directory, 'web', 'program.json'), 'utf8'))
    process.kill(keeper.pid, 'SIGKILL')
    await expect.poll(() => identityOf(keeper.pid)).toBeUndefined()
    expect(isAlive(program)).toBe(true)
    const runtime = await reopened()
    expect((await reaches(runtime, 'web', 'exited')).reason).toBe('Lost')
    await expect.poll(() => isAlive(program)).toBe(false)
  })

  it('a start that was only prepared is withdrawn, and a half removed unit is gone', async () => {
    const first = await openProcessRuntime({ directory })
    await first.start(named('prepared', stays()))
    await first.stop('prepared')
    await first.close()
    await crashWith([named('prepared', stays())])
    const folder = join(directory, 'prepared')
    const keeper = JSON.parse(readFileSync(join(folder, 'keeper.json'), 'utf8'))
    process.kill(-keeper.pid, 'SIGKILL')
    for (const file of ['keeper.json', 'program.json', 'going']) rmSync(join(folder, file))
    writeFileSync(join(folder, 'go'), '')
    const runtime = await reopened()
    expect(await runtime.list({})).toEqual([])
    expect(readdirSync(directory)).toEqual([])
  })
})

describe('the identity of a process', () => {
  it('is the start time behind a name that may hold anything, and none for what is left of one', () => {
    const fields = ['S', ...Array.from({ length: 18 }, (_, index) => String(index)), '4711', '0']
    expect(startFromStat(`12 (a) b) c) ${fields.join(' ')}`)).toBe('4711')
    expect(startFromStat(`12 (x) ${['Z', ...fields.slice(1)].join(' ')}`)).toBeUndefined()
  })

  it('is one process, in one boot', () => {
    const own = identityOf(process.pid)
    expect(own && isAlive(own)).toBe(true)
    expect(own && isAlive({ ...own, started: '1' })).toBe(false)
    expect(own && isAlive({ ...own, boot: 'another' })).toBe(false)
  })
})
