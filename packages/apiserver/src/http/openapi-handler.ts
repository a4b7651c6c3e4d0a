// /openapi/v3 and the documents it leads to.

import { answerOpenApi } from '../openapi/answer.ts'
import { OpenApi, type OpenApiDocument } from '../openapi/openapi.ts'
import type { ResourceTypes } from '../registry/resource-types.ts'
import type { Exchange } from './exchange.ts'
import { parsePath } from './request-path.ts'

const ROOT = '/openapi/v3'

export class OpenApiHandler {
  readonly #openapi: OpenApi

  constructor(types: ResourceTypes) {
    this.#openapi = new OpenApi(types)
  }

  handle(exchange: Exchange): void {
    const document = this.#document(exchange.pathname)
    if (!document) {
      exchange.notFound()
      return
    }
    const hash = exchange.param('hash')
    const ifNoneMatch = exchange.request.headers['if-none-match']
    const asked = { ...(hash !== '' && { hash }), ...(ifNoneMatch !== undefined && { ifNoneMatch }) }
    const { status, headers, body } = answerOpenApi(asked, document, Date.now())
    exchange.response.writeHead(status, { ...headers, 'content-length': body?.length ?? 0 })
    exchange.response.end(body)
    exchange.answered()
  }

  #document(pathname: string): OpenApiDocument | undefined {
    if (pathname === ROOT || pathname === `${ROOT}/`) return this.#openapi.index()
    if (!pathname.startsWith(`${ROOT}/`)) return undefined
    const target = parsePath(pathname.slice(ROOT.length))
    if (target.kind !== 'discovery' || target.group === undefined || target.version === undefined) return undefined
    return this.#openapi.document(target.group, target.version)
  }
}
