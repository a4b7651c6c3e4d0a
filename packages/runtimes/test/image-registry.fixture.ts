// A registry with one image, as far as a pull needs it: over HTTP on loopback, where Docker asks for nothing better.

import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { gzipSync } from 'node:zlib'

export interface ImageRegistry {
  /** To pull it by: says `from image` when it is run as it is. */
  readonly image: string
  /** How often somebody asked what the image is. */
  readonly asked: () => number
  close(): Promise<void>
}

const ARCHITECTURES: Readonly<Record<string, string>> = { x64: 'amd64' }

/** `login`: `user:password`, without which the registry hands nothing out. */
export async function startImageRegistry(tar: string, login?: string): Promise<ImageRegistry> {
  const files = readFileSync(tar)
  const layer = gzipSync(files, { level: 1 })
  const config = Buffer.from(
    JSON.stringify({
      architecture: ARCHITECTURES[process.arch] ?? process.arch,
      os: 'linux',
      config: {
        Entrypoint: ['/bin/echo'],
        Cmd: ['from', 'image'],
        Env: ['OF=image'],
        Labels: { maintainer: 'nobody' },
      },
      rootfs: { type: 'layers', diff_ids: [digestOf(files)] },
    }),
  )
  const manifest = Buffer.from(
    JSON.stringify({
      schemaVersion: 2,
      mediaType: MANIFEST,
      config: part('application/vnd.docker.container.image.v1+json', config),
      layers: [part('application/vnd.docker.image.rootfs.diff.tar.gzip', layer)],
    }),
  )
  const blobs = new Map([config, layer].map((blob) => [digestOf(blob), blob]))
  let asked = 0
  const server = createServer(({ url = '', method, headers }, response) => {
    if (login !== undefined && headers.authorization !== `Basic ${Buffer.from(login).toString('base64')}`) {
      response.writeHead(401, { 'www-authenticate': 'Basic realm="registry"' })
      response.end()
      return
    }
    const digest = url.split('/').at(-1) ?? ''
    const isManifest = url.startsWith('/v2/web/manifests/') && ['1', digestOf(manifest)].includes(digest)
    if (isManifest && digest === '1') asked++
    const body = url === '/v2/' ? Buffer.from('{}') : isManifest ? manifest : blobs.get(digest)
    if (!body) {
      response.writeHead(404, { 'content-type': 'application/json' })
      response.end(JSON.stringify({ errors: [{ code: 'MANIFEST_UNKNOWN', message: 'manifest unknown' }] }))
      return
    }
    response.writeHead(200, {
      'content-type': isManifest ? MANIFEST : 'application/octet-stream',
      'content-length': body.length,
      'docker-content-digest': digestOf(body),
    })
    response.end(method === 'HEAD' ? undefined : body)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  return {
    image: `127.0.0.1:${port}/web:1`,
    asked: () => asked,
    async close() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

const MANIFEST = 'application/vnd.docker.distribution.manifest.v2+json'

function part(mediaType: string, content: Buffer): object {
  return { mediaType, size: content.length, digest: digestOf(content) }
}

function digestOf(content: Buffer): string {
  return `sha256:${createHash('sha256').update(content).digest('hex')}`
}
