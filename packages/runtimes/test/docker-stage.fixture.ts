// A Docker engine for all tests of a file, drivers on it, and units that behave in a known way.

import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, onTestFinished } from 'vitest'
import { type DockerRuntimeOptions, openDockerRuntime, type Runtime, type Unit } from '../src/index.ts'
import { type DockerDaemon, dockerMissing, IMAGE, startDockerDaemon } from './docker-daemon.fixture.ts'

/** The first process of a container hears only those signals it asks for. */
export const WAITS = 'trap "exit 0" TERM; sleep 600 & wait'

export const sh = (script: string): Partial<Unit> => ({ image: IMAGE, command: ['/bin/sh', '-c', script] })
export const stays = () => sh(WAITS)

export interface DockerStage {
  /** Why all tests here are to be skipped. */
  readonly missing: string | undefined
  /** A folder for files. */
  readonly root: string
  daemon(): DockerDaemon
  /** A driver that is closed with the test, and its units with it. */
  opened(options?: DockerRuntimeOptions): Promise<Runtime>
  /** The names of all containers, whose ever they are. */
  containers(): Promise<string[]>
  /** Calls the engine past the driver, as somebody else would. */
  byHand(method: string, path: string, body?: object): Promise<unknown>
}

export function dockerStage(): DockerStage {
  const missing = dockerMissing()
  const root = mkdtempSync(join(tmpdir(), 'homeostat-docker-'))
  let daemon: DockerDaemon | undefined
  beforeAll(async () => {
    if (missing === undefined) daemon = await startDockerDaemon()
  })
  afterAll(async () => {
    await daemon?.close()
    rmSync(root, { recursive: true, force: true })
  })
  const running = (): DockerDaemon => {
    if (!daemon) throw new Error('there is no Docker engine before the first test, and none where it is missing')
    return daemon
  }
  const byHand = async (method: string, path: string, body?: object) => {
    const answer = await running().call(method, path, body)
    expect(answer.status, JSON.stringify(answer.body)).toBeLessThan(400)
    return answer.body
  }
  return {
    missing,
    root,
    daemon: running,
    byHand,
    async opened(options = {}) {
      const runtime = await openDockerRuntime({ socket: running().socket, ...options })
      onTestFinished(async () => {
        for (const { id } of await runtime.list({})) await runtime.stop(id, { graceSeconds: 0 })
        await runtime.close()
      })
      return runtime
    },
    async containers() {
      const all = (await byHand('GET', '/containers/json?all=1')) as { Names: string[] }[]
      return all.flatMap(({ Names }) => Names)
    },
  }
}
