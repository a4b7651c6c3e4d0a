// The bare server for durable writes. POST creates: parse, uid, stringify, one transaction per tick. PATCH merges
// into the current object, both parsed, and writes it the same way. It validates nothing. `node writes.ts FILE`.

import { randomUUID } from 'node:crypto'
import type { ServerResponse } from 'node:http'
import { GroupCommit } from './group-commit.ts'
import { listen, readBody } from './listen.ts'

type Json = null | boolean | number | string | Json[] | { [key: string]: Json }
type JsonObject = { [key: string]: Json }

const commits = new GroupCommit(process.argv[2] ?? '')
const current = new Map<string, string>()

listen((request, response) => {
  const path = request.url ?? ''
  readBody(request, (body) => {
    if (request.method === 'POST') {
      const object = JSON.parse(body) as { metadata: JsonObject }
      object.metadata.uid = randomUUID()
      object.metadata.creationTimestamp = new Date().toISOString()
      write(`${path}/${object.metadata.name}`, object, 201, response)
    } else {
      const object = JSON.parse(current.get(path) ?? '{}') as JsonObject
      write(path, merge(object, JSON.parse(body) as JsonObject) as { metadata: JsonObject }, 200, response)
    }
  })
})

function write(key: string, object: { metadata: JsonObject }, status: number, response: ServerResponse): void {
  const revision = commits.nextRevision()
  object.metadata.resourceVersion = String(revision)
  const text = JSON.stringify(object)
  commits.write(key, revision, text, () => {
    current.set(key, text)
    // One string goes out in one piece with the head; the items are ASCII, so its length is its size.
    response.writeHead(status, { 'content-type': 'application/json', 'content-length': text.length })
    response.end(text, 'latin1')
  })
}

function merge(target: JsonObject, patch: JsonObject): JsonObject {
  for (const key of Object.keys(patch)) {
    const value = patch[key]
    const before = target[key]
    if (value === null || value === undefined) delete target[key]
    else if (isObject(value)) target[key] = merge(before !== undefined && isObject(before) ? before : {}, value)
    else target[key] = value
  }
  return target
}

function isObject(value: Json): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
