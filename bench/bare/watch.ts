// The bare server for watches: each POST writes the bytes of one file to every open GET, one write per watcher.
// Run as `node watch.ts FILE`.

import { readFileSync } from 'node:fs'
import type { ServerResponse } from 'node:http'
import { listen } from './listen.ts'

const event = readFileSync(process.argv[2] ?? '')
const watchers = new Set<ServerResponse>()

listen((request, response) => {
  if (request.method === 'GET') {
    response.writeHead(200, { 'content-type': 'application/json' })
    response.flushHeaders()
    watchers.add(response)
    response.on('close', () => watchers.delete(response))
    return
  }
  request.resume()
  request.on('end', () => {
    for (const watcher of watchers) watcher.write(event)
    response.writeHead(200, { 'content-length': 0 })
    response.end()
  })
})
