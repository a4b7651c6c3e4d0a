// The container image that is built without a network: its command runs as a user of its own, and the server is ready in it.

import { execFileSync } from 'node:child_process'
import { createReadStream, mkdtempSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { until } from '@homeostat/base/testing/eventually'
import { type DockerDaemon, dockerMissing, startDockerDaemon } from '@homeostat/runtimes/testing'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'

const root = join(import.meta.dirname, '..')
const IMAGE = 'homeostat:0.1.0'

describe.skipIf(dockerMissing() !== undefined)('the container image', () => {
  let docker: DockerDaemon
  let folder: string
  beforeAll(async () => {
    docker = await startDockerDaemon()
    folder = mkdtempSync(join(tmpdir(), 'homeostat-image-'))
    const file = join(folder, 'image.tar')
    const script = join(root, 'scripts/image.ts')
    execFileSync(process.execPath, ['--conditions=homeostat-source', script, file], { cwd: root })
    expect(statSync(file).size).toBeGreaterThan(1 << 20)
    const { status, body } = await docker.call('POST', '/images/load?quiet=1', createReadStream(file))
    expect([status, JSON.stringify(body)]).toEqual([200, expect.stringContaining(IMAGE)])
  })
  afterAll(async () => {
    await docker?.close()
    if (folder !== undefined) rmSync(folder, { recursive: true, force: true })
  })

  async function started(...Cmd: string[]): Promise<string> {
    const HostConfig = {
      Binds: ['data:/data'],
      NetworkMode: 'none',
      ReadonlyRootfs: true,
      Tmpfs: { '/tmp': '' },
      CapDrop: ['ALL'],
    }
    const { body } = await docker.call('POST', '/containers/create', { Image: IMAGE, Cmd, HostConfig })
    const { Id } = body as { Id: string }
    expect(await docker.call('POST', `/containers/${Id}/start`)).toMatchObject({ status: 204 })
    return Id
  }

  const code = async (id: string) => (await docker.call('POST', `/containers/${id}/wait`)).body

  test('shows its help, with a read-only root and without any capability', async () => {
    expect(await code(await started('--help'))).toMatchObject({ StatusCode: 0 })
  })

  test('has a server that starts as a user of its own, keeps its data in the volume and ends when it is told', async () => {
    const id = await started('up')
    await until(async () => {
      const { body } = await docker.call('GET', `/containers/${id}/logs?stdout=1&stderr=1`)
      expect(body).toContain('http://127.0.0.1:3000')
    })
    expect(await docker.call('GET', `/containers/${id}/top?ps_args=-eo pid,uid`.replaceAll(' ', '%20'))).toMatchObject({
      body: { Processes: expect.arrayContaining([[expect.any(String), '65532']]) },
    })
    expect(await docker.call('POST', `/containers/${id}/stop?t=30`)).toMatchObject({ status: 204 })
    expect(await code(id)).toMatchObject({ StatusCode: 0 })
    // The store is there, and whole.
    expect(await code(await started('check'))).toMatchObject({ StatusCode: 0 })
  })
})
