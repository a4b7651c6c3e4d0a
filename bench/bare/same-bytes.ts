// The bare server for GET and LIST: answers every request with the bytes of one file, held in one buffer.
// Run as `node same-bytes.ts FILE`.

import { readFileSync } from 'node:fs'
import { listen } from './listen.ts'

const body = readFileSync(process.argv[2] ?? '')
const headers = { 'content-type': 'application/json', 'content-length': body.length }

listen((_request, response) => {
  response.writeHead(200, headers)
  response.end(body)
})
