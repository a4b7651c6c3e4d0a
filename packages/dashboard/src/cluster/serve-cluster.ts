// The dashboard of any cluster, on a port of this machine: the site, and the cluster's API with the credentials of a kubeconfig. Whoever
// the port lets in has those rights, as with `kubectl proxy`.

import { randomBytes } from 'node:crypto'
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { SiteAnswer } from '@homeostat/apiserver'
import { openLoopbackPort } from '@homeostat/apiserver/page-port'
import type { Log } from '@homeostat/base'
import type { Transport } from '@homeostat/client'
import { type OwnAnswer, refusal } from '../answers.ts'
import type { BuiltPage } from '../files/built-page.ts'
import { openSite, SITE_PATH } from '../site.ts'
import { forward } from './forward.ts'
import { watchOverSocket } from './watch-socket.ts'

export interface ClusterOptions {
  /** To the cluster, with its credentials. */
  readonly transport: Transport
  /** 0: any free one. */
  readonly port: number
  readonly localUsers?: ReadonlySet<number> | 'all' | undefined
  readonly readOnly?: boolean
  readonly page?: BuiltPage
  readonly log: Log
}

export interface ServedCluster {
  /** Of the page. */
  readonly url: string
  close(): void
}

const CLIMBS = /(?:^|\/|%2f)(?:\.|%2e){1,2}(?:\/|%2f|$)/i
/** As large as the largest object. */
const MAX_BODY = 3 << 20

export async function serveCluster(options: ClusterOptions): Promise<ServedCluster> {
  const { transport, port, localUsers, readOnly = false, page, log } = options
  const site = openSite({
    secret: randomBytes(32),
    server: randomBytes(4).toString('hex'),
    readOnly,
    sessions: false,
    ...(page && { page }),
  })
  const ask = (request: IncomingMessage, body: () => Promise<Buffer>): Promise<SiteAnswer> => {
    const { method = 'GET', url = '/', headers } = request
    return site.answer({ method, url, headers, secure: false, body })
  }

  async function handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const path = (request.url ?? '/').split('?', 1)[0] ?? '/'
    if (path !== SITE_PATH && !path.startsWith(`${SITE_PATH}/`)) {
      if (path === '/') response.writeHead(307, { location: SITE_PATH }).end()
      else sendAnswer(response, refusal(404, `the dashboard is at ${SITE_PATH}`))
      return
    }
    // A kubeconfig may lead to a path of a server, beside which there are others. Browsers never send such a path.
    if (CLIMBS.test(path)) return sendAnswer(response, refusal(400, DOTS))
    const body = await readBody(request)
    if (body === undefined) {
      response.shouldKeepAlive = false
      return sendAnswer(response, refusal(413, `a body has at most ${MAX_BODY} bytes`))
    }
    const answer = await ask(request, async () => body)
    if (!('pass' in answer)) return sendAnswer(response, answer)
    await forward(request, response, { transport, path: answer.pass, body }).catch((error: Error) => {
      if (response.destroyed) return
      log.warn({ err: error.message }, 'the cluster cannot be asked')
      sendAnswer(response, unreachable(error))
    })
  }

  async function upgrade(request: IncomingMessage, head: Buffer, response: ServerResponse): Promise<void> {
    if (CLIMBS.test((request.url ?? '').split('?', 1)[0] ?? '')) return sendAnswer(response, refusal(400, DOTS))
    const answer = await ask(request, async () => Buffer.alloc(0))
    if (!('pass' in answer)) return sendAnswer(response, answer)
    await watchOverSocket(request, { transport, path: answer.pass, head, response }).catch((error: Error) => {
      if (!response.destroyed && !response.headersSent) sendAnswer(response, unreachable(error))
    })
  }

  const opened = await openLoopbackPort({ site, port, localUsers, log, handle, upgrade })
  return {
    url: `http://127.0.0.1:${opened.port}${SITE_PATH}`,
    close() {
      opened.close()
      transport.close()
    },
  }
}

function sendAnswer(response: ServerResponse, answer: OwnAnswer): void {
  response.writeHead(answer.status, [...answer.headers])
  response.end(answer.body)
}

function unreachable(error: Error): OwnAnswer {
  return refusal(502, `the cluster cannot be asked: ${error.message}`)
}

const DOTS = 'a path has no . or .. in it'

/** Undefined when it is too large. */
async function readBody(request: IncomingMessage): Promise<Buffer | undefined> {
  const pieces: Buffer[] = []
  let size = 0
  // Otherwise nobody would be left to read the refusal.
  for await (const piece of request.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>) {
    size += piece.length
    if (size > MAX_BODY) return undefined
    pieces.push(piece)
  }
  return Buffer.concat(pieces)
}
