// The bare server for a queue of processes: a submit is one durable write; an assign writes the end of the last process and
// the assignment of the next, in one transaction. First in, first out; nothing is checked. `node colony.ts FILE`.

import { randomUUID } from 'node:crypto'
import type { ServerResponse } from 'node:http'
import { GroupCommit } from './group-commit.ts'
import { listen, readBody } from './listen.ts'

interface Process {
  readonly metadata: { name: string; uid?: string; creationTimestamp?: string; resourceVersion?: string }
  status?: object
}

interface Ask {
  readonly executor: string
  readonly response: ServerResponse
}

interface Finished {
  readonly process: string
  readonly attempt: number
  readonly result: string
  readonly output?: unknown
}

const commits = new GroupCommit(process.argv[2] ?? '')
const current = new Map<string, string>()
const waiting: string[] = []
const asking: Ask[] = []
let taken = 0

listen((request, response) => {
  const path = request.url ?? ''
  readBody(request, (body) => {
    if (path.endsWith('/processes')) submit(JSON.parse(body) as Process, response)
    else assign(executorOf(path), JSON.parse(body), response)
  })
})

function submit(object: Process, response: ServerResponse): void {
  object.metadata.uid = randomUUID()
  object.metadata.creationTimestamp = new Date().toISOString()
  object.status = { phase: 'Waiting', attempt: 0, submittedAt: object.metadata.creationTimestamp }
  write(object, (text) => {
    answer(response, 201, text)
    const first = asking.shift()
    if (first) give(object.metadata.name, first)
    else waiting.push(object.metadata.name)
  })
}

function assign(
  executor: string,
  call: { max: number; finished: readonly Finished[] },
  response: ServerResponse,
): void {
  for (const { process, attempt, result, output } of call.finished) {
    const object = read(process)
    object.status = { ...object.status, phase: result, attempt, output, finishedAt: new Date().toISOString() }
    // What is committed together is called back in order: who only closes is answered when it is on disk.
    write(object, () => {
      if (call.max === 0) answer(response, 200, '{"processes":[],"cancelled":[]}')
    })
  }
  if (call.max === 0) return
  const next = waiting[taken]
  if (next === undefined) asking.push({ executor, response })
  else {
    taken++
    give(next, { executor, response })
  }
}

function give(name: string, { executor, response }: Ask): void {
  const object = read(name)
  object.status = { ...object.status, phase: 'Running', attempt: 1, executor, startedAt: new Date().toISOString() }
  write(object, (text) => answer(response, 200, `{"processes":[${text}],"cancelled":[]}`))
}

function read(name: string): Process {
  return JSON.parse(current.get(name) ?? '') as Process
}

function write(object: Process, then: (text: string) => void): void {
  const revision = commits.nextRevision()
  object.metadata.resourceVersion = String(revision)
  const text = JSON.stringify(object)
  const { name } = object.metadata
  commits.write(name, revision, text, () => {
    current.set(name, text)
    then(text)
  })
}

function answer(response: ServerResponse, status: number, text: string): void {
  // One string goes out in one piece with the head; all of it is ASCII, so its length is its size.
  response.writeHead(status, { 'content-type': 'application/json', 'content-length': text.length })
  response.end(text, 'latin1')
}

function executorOf(path: string): string {
  return /\/executors\/([^/]+)\//.exec(path)?.[1] ?? ''
}
