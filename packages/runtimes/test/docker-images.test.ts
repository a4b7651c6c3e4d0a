// What the docker driver does about images, about containers of others, and about what a crash left.

import { createServer, type Socket } from 'node:net'
import { describe, expect, it, onTestFinished } from 'vitest'
import { openDockerRuntime, type Unit, type UnitState } from '../src/index.ts'
import { IMAGE } from './docker-daemon.fixture.ts'
import { dockerStage, stays, WAITS } from './docker-stage.fixture.ts'
import { named, printed, reaches } from './driver-suite.ts'
import { startImageRegistry } from './image-registry.fixture.ts'

const { missing, daemon, opened, containers, byHand } = dockerStage()

describe.skipIf(missing)('an image', () => {
  it('is pulled when its policy says so, once for all who wait, and says what is run', async () => {
    const registry = await startImageRegistry(daemon().tar)
    onTestFinished(() => registry.close())
    const steps: string[] = []
    const runtime = await opened({ onPull: (image, step) => steps.push(`${image} ${step}`) })
    const { image } = registry
    const output = async (name: string, unit: Partial<Unit>) =>
      printed(runtime, await runtime.start({ ...named(name, unit), image }), { follow: true })
    await expect(output('never', { pullPolicy: 'Never' })).rejects.toThrow('its pull policy is Never')
    expect(registry.asked()).toBe(0)
    // A command leaves the image's arguments out, arguments alone go to the image's command.
    expect(await Promise.all([output('as-it-is', {}), output('args', { args: ['own', 'words'] })])).toEqual([
      'from image\n',
      'own words\n',
    ])
    const once = registry.asked()
    expect(once).toBeGreaterThan(0)
    expect(steps.filter((step) => step === `${image} 1: Pulling from web`)).toHaveLength(1)
    expect(steps.some((step) => step.includes('Pull complete'))).toBe(true)
    expect(await output('command', { command: ['/bin/sh', '-c', 'echo "$OF $#"'] })).toBe('image 0\n')
    expect(registry.asked()).toBe(once)
    await output('always', { pullPolicy: 'Always' })
    expect(registry.asked()).toBeGreaterThan(once)
    expect((await runtime.list({})).every(({ labels }) => labels.maintainer === undefined)).toBe(true)
    await expect(runtime.start({ ...named('missing', {}), image: image.replace(':1', ':9') })).rejects.toThrow(
      /cannot pull image .*manifest.* check its name, or bring it here yourself with docker pull/,
    )
  })

  it('of a registry with a login is pulled with it, and by nobody else', async () => {
    const registry = await startImageRegistry(daemon().tar, 'ada:secret, and more')
    onTestFinished(() => registry.close())
    const runtime = await opened()
    const start = (name: string, password?: string) =>
      runtime.start({
        ...named(name, { image: registry.image, pullPolicy: 'Always' }),
        ...(password !== undefined && { registryLogin: { username: 'ada', password } }),
      })
    const [right, ...others] = await Promise.allSettled([
      start('right', 'secret, and more'),
      start('none'),
      start('wrong', 'x'),
    ])
    expect(right.status).toBe('fulfilled')
    expect(others.map(({ status }) => status)).toEqual(['rejected', 'rejected'])
    const inspected = JSON.stringify(await byHand('GET', `/containers/${(right as { value: string }).value}/json`))
    expect(inspected).not.toContain('secret')
  })

  it('whose registry does not answer is waited for so long, and not at all once the driver is closed', async () => {
    const sockets = new Set<Socket>()
    const silent = createServer((socket) => sockets.add(socket))
    await new Promise<void>((resolve) => silent.listen(0, '127.0.0.1', resolve))
    onTestFinished(() => {
      silent.close()
      for (const socket of sockets) socket.destroy()
    })
    const image = `127.0.0.1:${(silent.address() as { port: number }).port}/web:1`
    const hasty = await opened({ pullTimeoutMs: 300 })
    await expect(hasty.start(named('web', { image }))).rejects.toThrow('it took longer than 0.3 s')
    const patient = await openDockerRuntime({ socket: daemon().socket })
    const starting = expect(patient.start(named('web', { image }))).rejects.toThrow('the docker runtime is closed')
    await patient.close()
    await starting
  })
})

describe.skipIf(missing)('containers of others', () => {
  const FOREIGN = { Image: IMAGE, Entrypoint: ['/bin/sh', '-c', WAITS] }

  it('with the name of a unit are in its way, and are left alone', async () => {
    const runtime = await opened()
    const { Id } = (await byHand('POST', '/containers/create?name=homeostat.web', FOREIGN)) as { Id: string }
    onTestFinished(() => byHand('DELETE', `/containers/${Id}`).then(() => {}))
    await expect(runtime.start(named('web', stays()))).rejects.toThrow(
      "a container named homeostat.web is there and is not homeostat's: docker rm it, or rename it",
    )
    await runtime.stop(Id)
    await expect(printed(runtime, Id)).rejects.toThrow('knows no unit')
    expect(await runtime.list({})).toEqual([])
    expect(await containers()).toEqual(['/homeostat.web'])
  })

  it('are those of another owner, with the same names', async () => {
    const [one, two] = [await opened({ owner: 'one' }), await opened({ owner: 'two' })]
    const seen: UnitState[] = []
    two.watch((state) => seen.push(state))
    const first = await one.start(named('web', stays()))
    expect(await two.list({})).toEqual([])
    await two.stop(first)
    const second = await two.start(named('web', stays()))
    expect(second).not.toBe(first)
    expect((await containers()).sort()).toEqual(['/one.web', '/two.web'])
    await two.stop(second)
    expect((await one.list({}))[0]).toMatchObject({ id: first, phase: 'running' })
    expect(seen.every(({ id }) => id === second)).toBe(true)
  })
})

describe.skipIf(missing)('after a crash', () => {
  /** What a driver leaves that ends between the two calls. */
  const unstarted = async (name: string): Promise<string> => {
    const first = await openDockerRuntime({ socket: daemon().socket })
    const id = await first.start(named(name, stays()))
    await first.close()
    const { Config } = (await byHand('GET', `/containers/${id}/json`)) as { Config: object }
    await byHand('DELETE', `/containers/${id}?force=1`)
    const made = await byHand('POST', `/containers/create?name=homeostat.${name}`, Config)
    return (made as { Id: string }).Id
  }

  it('a container that was only made is started by who asks for it', async () => {
    await unstarted('web')
    const runtime = await opened()
    // The driver may have taken it away by then, and makes another.
    const id = await runtime.start(named('web', stays()))
    expect((await reaches(runtime, id, 'running')).name).toBe('web')
    expect(await containers()).toEqual(['/homeostat.web'])
  })

  it('a container that was only made and nobody asks for is no unit, and goes', async () => {
    await unstarted('web')
    const runtime = await opened()
    expect(await runtime.list({})).toEqual([])
    await expect.poll(containers).toEqual([])
  })
})
