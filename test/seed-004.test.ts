// Every curl line of the Application example, as its README prints it, against a server of its own.

import { execFile, spawn } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { expect, onTestFinished, test } from 'vitest'
import { startServer, temporaryFolder } from './server-process.ts'
import { need } from './tools.ts'

const example = join(import.meta.dirname, '../examples/application')
const readme = readFileSync(join(example, 'README.md'), 'utf8')
const shell = promisify(execFile)

/** The curl commands of the README, in order. */
const commands = [...readme.matchAll(/```bash\n(.*?)```/gs)].flatMap(([, block = '']) =>
  block.split(/\n(?=curl )/).filter((command) => command.startsWith('curl ')),
)

test.skipIf(need('curl').missing)('every curl line of the README works as printed', async () => {
  const server = await startServer(temporaryFolder(), ['--with', example])
  const curl = commandsFor(server.url)
  const watch = follow(curl('/watch'))
  await watch.until('\n')

  const info = await answer(curl(':3000/\n'))
  expect(info).toMatchObject({ endpoints: expect.anything() })
  expect((await shell('sh', ['-c', curl('/healthz')])).stdout).toMatch(/ok|healthy/)
  expect(await answer(curl('/crd'))).toMatchObject({
    kind: 'CustomResourceDefinition',
    spec: { group: 'cloudnative.elide.dev' },
  })

  const created = await answer(curl('POST', 'default/applications'))
  expect(created).toMatchObject({
    metadata: { name: 'my-app', namespace: 'default', generation: 1, uid: expect.any(String) },
    spec: { replicas: 3, image: 'nginx:latest', strategy: 'RollingUpdate' },
    status: { phase: 'Pending', conditions: [{ type: 'Ready', status: 'Unknown', reason: 'NoOperator' }] },
  })
  expect(await answer(curl('curl http', 'default/applications\n'))).toMatchObject({
    kind: 'ApplicationList',
    items: [{ metadata: { name: 'my-app' } }],
  })
  expect(await answer(curl('curl http', 'applications/my-app'))).toEqual(created)
  expect(await answer(curl('PUT', 'applications/my-app'))).toMatchObject({
    metadata: { generation: 2, uid: created.metadata.uid },
    spec: { replicas: 5 },
  })
  expect(await answer(curl('DELETE', 'applications/my-app'))).toMatchObject({ kind: 'Status', status: 'Success' })

  expect(await answer(curl('POST', 'test/applications'))).toMatchObject({
    metadata: { name: 'test-app', namespace: 'test' },
  })
  expect(await answer(curl('curl http', 'applications/test-app'))).toMatchObject({ spec: { replicas: 1 } })
  expect(JSON.stringify(await answer(curl('/events')))).toContain('test-app')

  await watch.until('test-app')
  const seen = [...watch.text().matchAll(/^data: (.*)$/gm)].map(([, data = '']) => JSON.parse(data))
  expect(seen.map(({ type, object }) => `${type} ${object.metadata.name}`)).toEqual([
    'ADDED my-app',
    'MODIFIED my-app',
    'DELETED my-app',
    'ADDED test-app',
  ])
  expect(unused, 'every command of the README has run').toEqual([])
})

const unused = [...commands]

/** Picks the first command with all the parts, and leads it to the server. */
function commandsFor(url: string): (...parts: string[]) => string {
  return (...parts) => {
    const command = commands.find((candidate) => parts.every((part) => candidate.includes(part)))
    if (command === undefined) throw new Error(`the README has no command with ${parts.join(' and ')}`)
    unused.splice(unused.indexOf(command), 1)
    return command
      .replace('curl ', 'curl -sS ')
      .replace('localhost:3000', new URL(url).host.replace('127.0.0.1', 'localhost'))
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
