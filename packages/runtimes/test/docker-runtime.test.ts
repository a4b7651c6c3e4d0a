// The docker driver on a real engine: the suite of all drivers, and what only containers can show.

import { afterAll, beforeAll, describe, expect } from 'vitest'
import { openDockerRuntime, type Unit } from '../src/index.ts'
import { type DockerDaemon, dockerMissing, startDockerDaemon } from './docker-daemon.fixture.ts'
import { driverSuite } from './driver-suite.ts'

const missing = dockerMissing()
let daemon: DockerDaemon
beforeAll(async () => {
  if (!missing) daemon = await startDockerDaemon()
}, 60_000)
afterAll(() => daemon?.close())

const IMAGE = 'homeostat/busybox:1'
const sh = (script: string): Partial<Unit> => ({ image: IMAGE, command: ['/bin/sh', '-c', script] })
/** The first process of a container hears only those signals it asks for. */
const stays = () => sh('trap "exit 0" TERM; sleep 600 & wait')

async function containers(): Promise<string[]> {
  const { body } = await daemon.call('GET', '/containers/json?all=1')
  return (body as { Names: string[] }[]).flatMap(({ Names }) => Names)
}

describe.skipIf(missing)('the docker driver', { timeout: 30_000 }, () => {
  driverSuite({
    open: () => openDockerRuntime({ socket: daemon.socket }),
    cleanUp: async () => expect(await containers(), 'left behind').toEqual([]),
    units: {
      stays,
      exits: (code) => sh(`exit ${code}`),
      stubborn: () => sh('trap "" TERM; while :; do sleep 0.05; done'),
      impossible: () => ({ image: IMAGE, command: ['/no/such/program'] }),
      prints: (lines) => sh(`${lines.map((line) => `echo ${line}`).join('; ')}; trap "exit 0" TERM; sleep 600 & wait`),
    },
    survivors: true,
  })
})
