// Serves /openapi/v3, the documents that it links to, and /openapi/v2. They change seldom and are read often, so their
// compressed forms are cached, too.

import { acceptsGzip, gzipBytes } from '../exchange/compression.ts'
import type { Exchange } from '../exchange/exchange.ts'
import { SWAGGER_TYPES, swaggerForm, takesJson } from '../openapi/accepts.ts'
import { OpenApi, type OpenApiDocument } from '../openapi/openapi.ts'
import { openApiResponse } from '../openapi/response.ts'
import type { Swagger } from '../openapi/swagger.ts'
import type { ResourceTypes } from '../registry/resource-types.ts'
import { matchesEtag } from '../represent/etag.ts'
import { parsePath } from './request-path.ts'

const V2 = '/openapi/v2'
const V3 = '/openapi/v3'
/** Smaller documents are not worth compressing. */
const GZIP_ABOVE = 1 << 10

export class OpenApiHandler {
  readonly #types: ResourceTypes
  readonly #openapi: OpenApi
  #swagger: Promise<Swagger> | undefined
  readonly #compressed = new WeakMap<Buffer, Promise<Buffer>>()

  constructor(types: ResourceTypes) {
    this.#types = types
    this.#openapi = new OpenApi(types)
  }

  async handle(exchange: Exchange): Promise<void> {
    if (isPath(exchange.request.pathname, V2)) return this.#handleV2(exchange)
    const document = await this.#document(exchange.request.pathname)
    if (!document) return exchange.response.notFound()
    const { headers: sent } = exchange.request
    if (!takesJson(sent.accept)) return exchange.response.sendEmpty(406, ['Vary', 'Accept', 'Content-Length', '0'])
    const hash = exchange.request.param('hash')
    const ifNoneMatch = sent['if-none-match']
    const asked = { ...(hash !== '' && { hash }), ...(ifNoneMatch !== undefined && { ifNoneMatch }) }
    const { status, headers, body } = openApiResponse(asked, document, Date.now())
    await this.#send(exchange, status, headers, body)
  }

  async #handleV2(exchange: Exchange): Promise<void> {
    const { accept, 'if-none-match': ifNoneMatch } = exchange.request.headers
    const vary = 'Accept-Encoding, Accept'
    const form = swaggerForm(accept)
    if (!form) return exchange.response.sendEmpty(406, ['Vary', vary, 'Content-Length', '0'])
    const { body, etag } = await (await this.#loadSwagger()).document(form)
    const headers = { etag, vary, 'cache-control': 'no-cache, private' }
    if (matchesEtag(ifNoneMatch, etag)) return this.#send(exchange, 304, headers, undefined)
    await this.#send(exchange, 200, { ...headers, 'content-type': SWAGGER_TYPES[form] }, body)
  }

  /** Loaded on first use: current clients use v3. */
  #loadSwagger(): Promise<Swagger> {
    this.#swagger ??= import('../openapi/swagger.ts').then(({ Swagger }) => new Swagger(this.#types))
    return this.#swagger
  }

  async #send(
    exchange: Exchange,
    status: number,
    headers: Readonly<Record<string, string>>,
    body: Buffer | undefined,
  ): Promise<void> {
    const { request, response } = exchange
    const out: Record<string, string> = { ...headers }
    let bytes = body
    if (body && body.length > GZIP_ABOVE && acceptsGzip(request.headers['accept-encoding'])) {
      bytes = await this.#compress(body)
      out['content-encoding'] = 'gzip'
      if (!out.vary?.includes('Accept-Encoding')) out.vary = `Accept-Encoding, ${out.vary}`
    }
    if (status !== 304) out['content-length'] = String(bytes?.length ?? 0)
    await response.sendKept(status, out, bytes)
  }

  #compress(body: Buffer): Promise<Buffer> {
    let compressed = this.#compressed.get(body)
    if (!compressed) {
      compressed = gzipBytes(body)
      this.#compressed.set(body, compressed)
    }
    return compressed
  }

  async #document(pathname: string): Promise<OpenApiDocument | undefined> {
    if (isPath(pathname, V3)) return this.#openapi.index()
    if (!pathname.startsWith(`${V3}/`)) return undefined
    const target = parsePath(pathname.slice(V3.length))
    if (target.kind !== 'discovery' || target.group === undefined || target.version === undefined) return undefined
    return this.#openapi.document(target.group, target.version)
  }
}

function isPath(pathname: string, path: string): boolean {
  return pathname === path || pathname === `${path}/`
}
