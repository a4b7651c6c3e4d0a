// Every curl line of the Application example, as its README prints it, against a server of its own.

import { execFile, spawn } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { temporaryFolder } from '@homeostat/base/testing/temporary-folder'
import { expect, onTestFinished, test } from 'vitest'
import { startServer } from './server-process.ts'
import { need } from './tools.ts'

const example = join(import.meta.dirname, '../examples/application')
const readme = readFileSync(join(example, 'README.md'), 'utf8')
const shell = promisify(execFile)

/** The curl commands of the README, in order. */
const commands = [...readme.matchAll(/```bash\n(.*?)```/gs)].flatMap(([, block = '']) =>
  block
    .trimEnd()
    .split(/\n(?=curl )/)
    .filter((command) => command.startsWith('curl ')),
)
const unused = new Set(commands)

test.skipIf(need('curl').missing)('every curl line of the README works as printed', async () => {
  const server = await startServer(temporaryFolder(), ['--with', example])
  const curl = commandsFor(server.url)
  const watch = follow(curl(/\/watch$/))
  await watch.until('\n')

  const info = await answer(curl(/3000\/$/))
  expect(info).toMatchObject({ endpoints: expect.anything() })
  expect((await shell('sh', ['-c', curl(/\/healthz$/)])).stdout).toMatch(/ok|healthy/)
  expect(await answer(curl(/\/crd$/))).toMatchObject({
    kind: 'CustomResourceDefinitionList',
    items: [{ spec: { group: 'cloudnative.elide.dev' } }],
  })

  const created = await answer(curl(/^curl -X POST .*\/default\/applications/))
  expect(created).toMatchObject({
    metadata: { name: 'my-app', namespace: 'default', generation: 1, uid: expect.any(String) },
    spec: { replicas: 3, image: 'nginx:latest', strategy: 'RollingUpdate' },
    status: { phase: 'Pending' },
  })
  expect(await answer(curl(/^curl http.*\/default\/applications$/))).toMatchObject({
    kind: 'ApplicationList',
    items: [{ metadata: { name: 'my-app' } }],
  })
  const read = () => answer(curl(/^curl http.*\/my-app$/))
  const running = (generation: number, replicas: number) => ({
    metadata: { uid: created.metadata.uid, generation },
    status: {
      phase: 'Running',
      observedGeneration: generation,
      replicas,
      readyReplicas: replicas,
      conditions: expect.arrayContaining([
        expect.objectContaining({
          type: 'Ready',
          status: 'True',
          reason: 'ReconciliationSucceeded',
          message: expect.stringContaining('simulated'),
        }),
        expect.objectContaining({ type: 'Progressing', status: 'False' }),
      ]),
    },
  })
  await expect.poll(read).toMatchObject(running(1, 3))
  expect(await answer(curl(/^curl -X PUT .*\/my-app/))).toMatchObject({
    metadata: { generation: 2, uid: created.metadata.uid },
    spec: { replicas: 5 },
  })
  await expect.poll(read).toMatchObject(running(2, 5))
  expect(await answer(curl(/^curl -X DELETE .*\/my-app$/))).toMatchObject({ kind: 'Status', status: 'Success' })

  expect(await answer(curl(/^curl -X POST .*\/test\/applications/))).toMatchObject({
    metadata: { name: 'test-app', namespace: 'test' },
  })
  expect(await answer(curl(/^curl http.*\/test-app$/))).toMatchObject({ spec: { replicas: 1 } })
  expect(JSON.stringify(await answer(curl(/\/events$/)))).toContain('test-app')

  await watch.until('test-app')
  const seen = [...watch.text().matchAll(/^data: (.*)$/gm)].map(([, data = '']) => JSON.parse(data))
  const told = seen.map(({ type, object }) => `${type} ${object.metadata.name}`)
  expect(told.filter((line, index) => line !== told[index - 1]).slice(0, 4)).toEqual([
    'ADDED my-app',
    'MODIFIED my-app',
    'DELETED my-app',
    'ADDED test-app',
  ])
  expect([...unused]).toEqual([])
})

/** Picks the command of the README and leads it to the server. */
function commandsFor(url: string): (shape: RegExp) => string {
  return (shape) => {
    const command = commands.find((candidate) => shape.test(candidate))
    if (command === undefined) throw new Error(`the README has no command like ${shape}`)
    unused.delete(command)
    const address = `localhost:${new URL(url).port}`
    return command.replace('curl ', 'curl -sS ').replace('localhost:3000', address)
  }
}

async function answer(command: string) {
  return JSON.parse((await shell('sh', ['-c', command])).stdout)
}

/** Runs a command that does not end by itself and keeps what it prints. */
function follow(command: string): { text(): string; until(part: string): Promise<void> } {
  const child = spawn('sh', ['-c', `exec ${command}`], { stdio: ['ignore', 'pipe', 'inherit'] })
  onTestFinished(() => void child.kill())
  let text = ''
  let check = () => {}
  child.stdout.on('data', (chunk) => {
    text += chunk
    check()
  })
  return {
    text: () => text,
    until: (part) =>
      new Promise((resolve) => {
        check = () => {
          if (text.includes(part)) resolve()
        }
        check()
      }),
  }
}
