// An npm registry with the packed tarballs in it, so that tests install with the very commands of the documents. It sends npm on
// to the machine's own registry for everything else.

import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { basename } from 'node:path'
import { readManifest } from './published.ts'

export interface Registry extends AsyncDisposable {
  readonly url: string
}

export async function serveTarballs(files: readonly string[], upstream: string): Promise<Registry> {
  const packages = new Map(files.map((file) => [readManifest(file).name, file]))
  const tarballs = new Map(files.map((file) => [`/-/${basename(file)}`, file]))
  const server = createServer((request, response) => {
    const path = decodeURIComponent(request.url ?? '')
    const [packed, tarball] = [packages.get(path.slice(1)), tarballs.get(path)]
    response.setHeader('cache-control', 'no-store')
    if (tarball !== undefined) response.end(readFileSync(tarball))
    else if (packed !== undefined) response.end(JSON.stringify(describe(packed, url)))
    else response.writeHead(302, { location: new URL(`.${request.url}`, upstream).href }).end()
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  return {
    url,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections()
      server.close()
    },
  }
}

/** The document of a package, with the one version that was packed. */
function describe(file: string, url: string): object {
  const manifest = readManifest(file)
  const integrity = `sha512-${createHash('sha512').update(readFileSync(file)).digest('base64')}`
  const version = { ...manifest, dist: { tarball: `${url}/-/${basename(file)}`, integrity } }
  return {
    name: manifest.name,
    'dist-tags': { latest: manifest.version },
    versions: { [manifest.version]: version },
  }
}
