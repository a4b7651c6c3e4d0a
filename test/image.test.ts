// The container image that is built without a network: its command runs as a user of its own, and the server is ready in it.

import { execFileSync } from 'node:child_process'
import { createReadStream, mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { until } from '@homeostat/base/testing/eventually'
import { type DockerDaemon, dockerMissing, startDockerDaemon } from '@homeostat/runtimes/testing'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { parse } from 'yaml'

const root = join(import.meta.dirname, '..')
const IMAGE = 'homeostat:0.1.0'
const COMPOSE = join(root, 'examples/executor-deployment/docker-compose.yml')

interface ComposeFile {
  readonly services: Readonly<Record<string, ComposeService>> & { readonly 'colonies-server': ComposeService }
  readonly volumes: object
}

interface ComposeService {
  readonly image: string
  readonly command: readonly string[]
  readonly volumes: readonly string[]
  readonly tmpfs: readonly string[]
  readonly cap_drop: readonly string[]
  readonly security_opt: readonly string[]
  readonly read_only: boolean
}

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

  test('serves TLS as the compose file of an example asks for it, and gives a credential out', async () => {
    const { services, volumes } = parse(readFileSync(COMPOSE, 'utf8')) as ComposeFile
    const server = services['colonies-server']
    expect([Object.keys(services), Object.keys(volumes), server.image]).toEqual([['colonies-server'], ['data'], IMAGE])
    const flags = [
      ...server.volumes.map((one) => `--volume=${one}`),
      ...server.tmpfs.map((one) => `--tmpfs=${one}`),
      ...server.cap_drop.map((one) => `--cap-drop=${one}`),
      ...server.security_opt.map((one) => `--security-opt=${one}`),
      ...(server.read_only ? ['--read-only'] : []),
    ]
    const call = (...args: string[]) =>
      execFileSync('docker', ['-H', `unix://${docker.socket}`, ...args], { encoding: 'utf8', stdio: 'pipe' })
    // The engine of the tests has no network: what is published cannot be reached.
    call('run', '-d', '--name=compose', '--network=none', ...flags, server.image, ...server.command)
    await until(() => expect(call('logs', 'compose')).toContain('https://'))
    const command = [
      'node',
      '/opt/homeostat/lib/homeostat.js',
      'kubeconfig',
      '--admin',
      '--address',
      'https://127.0.0.1:6443',
    ]
    const kubeconfig = call('exec', 'compose', ...command)
    expect(kubeconfig).toMatch(/server: "?https:\/\/127\.0\.0\.1:6443/)
    expect(kubeconfig).toContain('client-certificate-data')
    call('rm', '-f', 'compose')
    call('volume', 'rm', 'data')
    expect(call('volume', 'ls', '-q')).not.toContain('data')
  })

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
