// The Dockerfile of a new project: the image is built from the packed packages, and its container, as an unprivileged user with a
// read-only root and only the rights that synth wrote, makes the example ready on a server.

import { execFileSync } from 'node:child_process'
import { createReadStream, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { type DockerDaemon, dockerMissing, startDockerDaemon } from '@homeostat/runtimes/testing'
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'
import { call } from '../http-call.ts'
import { ready, type ServerProcess } from '../server-process.ts'
import { BASE_IMAGE, NODE_UID, writeBaseImage } from './base-image.ts'
import { type PackedProject, packedProject } from './packed-project.ts'
import { tarballs } from './published.ts'
import { serveTarballs } from './registry.ts'

const IMAGE = 'my-operator:0.1.0'
const zod = join(import.meta.dirname, '../../node_modules/zod')

describe.skipIf(dockerMissing() !== undefined)('the container of a new project', () => {
  let docker: DockerDaemon
  let project: PackedProject
  beforeAll(async () => {
    docker = await startDockerDaemon()
    project = await packedProject()
  })
  afterAll(async () => {
    await docker?.close()
    project?.[Symbol.dispose]()
  })

  test('is built as the page says, and makes the example ready', async () => {
    await using registry = await everythingForProduction()
    await pulled(writeBaseImage(project.folder, registry.url))
    const place = { cwd: 'my-operator', env: { npm_config_registry: registry.url } }
    const words = ['my-operator', '--', '--kind', 'Shop', '--no-install']
    await project.run('npm', ['create', 'homeostat@latest', ...words], { env: place.env })
    // It has programs for machines that a mirror of the registry may leave out; npm would ask for them in the container, too.
    await project.run('npm', ['pkg', 'delete', 'devDependencies.@biomejs/biome'], place)
    await project.run('npm', ['install'], place)
    await project.run('npm', ['run', 'synth'], place)
    await built(join(project.folder, 'my-operator'))

    const server = await ready(
      project.spawn('npx', ['homeostat', 'up', '--port', '0', '--secure', '--secure-port', '0'], place),
      join(project.folder, 'my-operator/.homeostat'),
    )
    await project.run('npx', ['homeostat', 'apply', '-k', 'deploy'], place)
    const id = await started(await kubeconfigOf('my-operator', server))
    await project.run('npx', ['homeostat', 'apply', '-f', 'examples'], place)
    const wait = ['homeostat', 'wait', 'shop/hello', '--for=condition=Ready', '--timeout=4m']
    await project.run('npx', wait, place).catch(async (error: Error) => {
      throw new Error(`${error.message}\n${await logsOf(id)}`)
    })
    const { body } = await docker.call('GET', `/containers/${id}/top?ps_args=-eo%20pid,uid`)
    expect(body).toMatchObject({ Processes: [[expect.any(String), String(NODE_UID)]] })
    expect(await docker.call('POST', `/containers/${id}/stop?t=60`)).toMatchObject({ status: 204 })
    expect((await docker.call('GET', `/containers/${id}/json`)).body).toMatchObject({ State: { ExitCode: 0 } })
  })

  async function pulled(tar: string): Promise<void> {
    const query = new URLSearchParams({ fromSrc: '-', ...BASE_IMAGE })
    // What the real image says of itself.
    query.append('changes', 'ENV PATH=/usr/local/bin:/usr/bin:/bin')
    expect(await docker.call('POST', `/images/create?${query}`, createReadStream(tar))).toMatchObject({ status: 200 })
  }

  /** `docker build -t my-operator:0.1.0 .`, in the network of the machine, where the registry of the tests is. */
  async function built(folder: string): Promise<void> {
    const context = join(project.folder, 'context.tar')
    execFileSync('tar', ['-C', folder, '--exclude=./node_modules', '--exclude=./.homeostat', '-cf', context, '.'])
    const query = new URLSearchParams({ t: IMAGE, networkmode: 'host' })
    const { status, body } = await docker.call('POST', `/build?${query}`, createReadStream(context))
    expect([status, body]).toEqual([200, expect.stringContaining(`Successfully tagged ${IMAGE}`)])
  }

  async function started(kubeconfig: string): Promise<string> {
    const HostConfig = {
      Binds: [`${kubeconfig}:/etc/kubeconfig:ro`],
      NetworkMode: 'host',
      ReadonlyRootfs: true,
      CapDrop: ['ALL'],
    }
    const Env = ['KUBECONFIG=/etc/kubeconfig', 'HEALTH_PORT=0']
    const made = await docker.call('POST', '/containers/create', { Image: IMAGE, Env, HostConfig })
    expect(made).toMatchObject({ status: 201 })
    const { Id } = made.body as { Id: string }
    expect(await docker.call('POST', `/containers/${Id}/start`)).toMatchObject({ status: 204 })
    return Id
  }

  async function logsOf(id: string): Promise<unknown> {
    return (await docker.call('GET', `/containers/${id}/logs?stdout=1&stderr=1`)).body
  }

  /** A registry of its own: the build reaches nothing beyond this machine. */
  async function everythingForProduction() {
    await project.run('npm', ['pack', '--ignore-scripts', zod])
    const packedZod = join(
      project.folder,
      `zod-${JSON.parse(readFileSync(join(zod, 'package.json'), 'utf8')).version}.tgz`,
    )
    return serveTarballs([...tarballs(inject('tarballs')), packedZod], `${inject('registry')}/`)
  }

  /** A file with a token of the ServiceAccount. The plain HTTP of this machine is not for the container's user. */
  async function kubeconfigOf(name: string, { url, kubeconfig }: ServerProcess): Promise<string> {
    const accounts = await call(`${url}/api/v1/serviceaccounts?fieldSelector=metadata.name%3D${name}`)
    const namespace = accounts.body.items?.[0]?.metadata.namespace
    const path = `/api/v1/namespaces/${namespace}/serviceaccounts/${name}/token`
    const request = { apiVersion: 'authentication.k8s.io/v1', kind: 'TokenRequest', spec: {} }
    const made = await call(`${url}${path}`, 'POST', request)
    const { token } = (JSON.parse(made.text) as { status: { token: string } }).status
    const written = readFileSync(kubeconfig, 'utf8')
    const cluster = {
      server: /server: "?(https:[^"\s]+)/.exec(written)?.[1],
      'certificate-authority-data': /certificate-authority-data: "?([^"\s]+)/.exec(written)?.[1],
    }
    const file = join(project.folder, 'container-kubeconfig')
    const config = {
      apiVersion: 'v1',
      kind: 'Config',
      clusters: [{ name, cluster }],
      users: [{ name, user: { token } }],
      contexts: [{ name, context: { cluster: name, user: name } }],
      'current-context': name,
    }
    writeFileSync(file, JSON.stringify(config), { mode: 0o644 })
    return file
  }
})
