// A project under `homeostat dev`: it restarts on save and keeps its data, shows mistakes, and leaves no process behind.

import { execFileSync } from 'node:child_process'
import { existsSync, renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { eventually } from '@homeostat/base/testing/eventually'
import { clientFromKubeconfig } from '@homeostat/client/node'
import { AccessFile } from '@homeostat/operator/access'
import { isAlive } from '@homeostat/runtimes/testing/os-process'
import { testEnv } from '@homeostat/testing'
import { describe, expect, it, onTestFinished } from 'vitest'
import { main, makeProject, note, startDev } from './dev-process.ts'

async function clientOf(folder: string) {
  const client = await clientFromKubeconfig({ path: join(folder, '.homeostat/kubeconfig') })
  onTestFinished(() => client.close())
  return client
}

async function textOf(folder: string): Promise<unknown> {
  const found = await (await clientOf(folder)).resource('v1', 'ConfigMap').find({ name: 'first', namespace: 'default' })
  return found?.data?.text
}

describe('a save', () => {
  it.each<[string, (file: string) => void]>([
    ['in place', (file) => writeFileSync(file, note(undefined, '"second"'))],
    ['by sed -i', (file) => void execFileSync('sed', ['-i', 's/String(spec.text)/String("second")/', file])],
    [
      'by an editor that moves the old file away',
      (file) => {
        renameSync(file, `${file}~`)
        writeFileSync(file, note(undefined, '"second"'))
      },
    ],
  ])('%s restarts the operator, and the data stays', async (_, save) => {
    const folder = makeProject()
    const dev = startDev(folder, { args: ['--apply'] })
    await dev.says(/ready in \d+ ms {2}Note \(ex\.io\/v1\)/)
    await eventually(async () => (await textOf(folder)) === 'hello')
    await eventually(() => /the examples were applied {2}Note default\/first created/.test(dev.shown()))
    const rule = /roles will not allow .*\n +\{ apiGroups: \[''\], resources: \['configmaps'\], verbs: \[/
    await eventually(() => rule.test(dev.shown()))
    save(join(folder, 'src/note.ts'))
    await dev.says(/src\/note\.ts changed {2}the operator restarts/)
    await dev.says(/ready in \d+ ms/)
    await eventually(async () => (await textOf(folder)) === 'second')
    expect(await dev.stop()).toBe(0)
    // `synth` compares this with what is declared.
    expect(new AccessFile(join(folder, '.homeostat')).read()).toContainEqual({
      kinds: ['ex.io/Note'],
      verb: 'create',
      group: '',
      resource: 'configmaps',
    })
  })

  it('that changes the schema installs the definition and says what changed', async () => {
    const folder = makeProject()
    const dev = startDev(folder)
    await dev.says(/the definition notes\.ex\.io was created/)
    await dev.says(/ready in/)
    writeFileSync(join(folder, 'src/note.ts'), note('text: z.string(), size: z.int().default(3)'))
    await dev.says(/the definition notes\.ex\.io was updated\n +\+ spec\.size {2}integer, default 3\n/)
    await dev.says(/ready in/)
  })

  it('with a mistake shows it, and the next one mends it', async () => {
    const folder = makeProject()
    const dev = startDev(folder)
    await dev.says(/ready in/)
    writeFileSync(join(folder, 'src/note.ts'), 'const wrong = ;\n')
    await dev.says(/\nsrc\/note\.ts:1\nconst wrong = ;\n[\s\S]*the operator ended with code 1 {2}the next save/)
    writeFileSync(join(folder, 'src/note.ts'), `import './missing/part.ts'\n${note()}`)
    await dev.says(/Cannot find module 'src\/missing\/part\.ts'[\s\S]*the operator ended with code 1/)
    expect(dev.shown()).not.toMatch(/node:internal/)
    execFileSync('mkdir', ['-p', join(folder, 'src/missing')])
    writeFileSync(join(folder, 'src/missing/part.ts'), '')
    await dev.says(/src\/missing\/part\.ts changed/)
    await dev.says(/ready in/)
  })
})

it('logs and conditions stand under their object, and errors show where in the project they come from', async () => {
  const folder = makeProject({ 'src/note.ts': note(undefined, 'spec.text.nothing.there') })
  const dev = startDev(folder, { args: ['--apply'] })
  for (const pattern of [
    /\nNote default\/first\n([\d:]+ {2}created\n)?[\d:]+ {2}writes first\n/,
    /reconcile failed: .*undefined.* {2}again in \d+m?s\n +at .*\(src\/note\.ts:\d+/,
    /not ready, ReconcileFailed: .*undefined/,
  ])
    await eventually(() => pattern.test(dev.shown()))
  expect(dev.shown()).not.toMatch(/node_modules/)
})

describe('a breaking change', () => {
  it('is refused where nobody can be asked, unless it is allowed beforehand', async () => {
    const handler = "process.once('SIGTERM', () => console.log('ended well') ?? process.exit())"
    const folder = makeProject({ 'src/main.ts': `${main}${handler}\n` })
    const first = startDev(folder)
    await first.says(/ready in/)
    writeFileSync(join(folder, 'src/note.ts'), note('text: z.number()'))
    // The operator that was restarted; and then the one that asked, which is not killed.
    await first.says(/ended well/)
    await first.says(/the definition notes\.ex\.io changes, and breaks what is there\n +! v1 spec\.text /)
    await first.says(/the definition stays as it is.*--allow-breaking/)
    await first.says(/ended well/)
    writeFileSync(join(folder, 'src/note.ts'), note())
    await first.says(/ready in/)
    expect(await first.stop()).toBe(0)

    writeFileSync(join(folder, 'src/note.ts'), note('text: z.number()'))
    const second = startDev(folder, { args: ['--allow-breaking'] })
    await second.says(/! v1 spec\.text /)
    await second.says(/the definition notes\.ex\.io was updated\n +~ spec\.text {2}string -> number/)
    await second.says(/ready in/)
  })
})

describe('its end', () => {
  it.each(['SIGTERM', 'SIGINT', 'SIGHUP', 'SIGKILL'] as const)('by %s leaves no operator behind', async (signal) => {
    const folder = makeProject()
    const dev = startDev(folder)
    const pid = Number((await dev.says(/pid (\d+)/))[1])
    await dev.says(/ready in/)
    expect(await dev.stop(signal)).toBe(signal === 'SIGKILL' ? null : 0)
    await eventually(() => !isAlive(pid))
  })

  it('lets the operator release its lease', async () => {
    await using env = await testEnv({ listen: true })
    const folder = makeProject({
      'src/main.ts': main.replace("{ name: 'notes' }", "{ name: 'notes', leaderElection: true }"),
      kubeconfig: kubeconfigOf(env.url ?? ''),
    })
    const dev = startDev(folder, { args: ['--kubeconfig', 'kubeconfig'] })
    await dev.says(/leading/)
    const leases = env.client.resource('coordination.k8s.io/v1', 'Lease')
    const holder = async () => (await leases.get({ name: 'notes', namespace: 'default' })).spec?.holderIdentity
    expect(await holder()).toBeTruthy()
    expect(await dev.stop()).toBe(0)
    expect(await holder()).toBeFalsy()
  })

  it('comes when the server fails to start, with one line', async () => {
    const folder = makeProject()
    const first = startDev(folder)
    await first.says(/ready in/)
    for (const args of [[], ['--clean']]) {
      const second = startDev(folder, { args })
      await second.says(/homeostat: the data directory .* is in use by another Homeostat process/)
      expect(await second.ended).toBe(1)
    }
    expect(await textOf(folder)).toBeUndefined()
  })
})

it('--kubeconfig works on a cluster, and the variable alone does not', async () => {
  await using env = await testEnv({ listen: true })
  const folder = makeProject({ kubeconfig: kubeconfigOf(env.url ?? '') })
  const variable = { KUBECONFIG: join(folder, 'kubeconfig') }
  const own = startDev(folder, { env: variable })
  await own.says(/ready in/)
  expect(await env.client.discover('ex.io/v1', 'Note')).toBeUndefined()
  expect(await own.stop()).toBe(0)

  const dev = startDev(folder, { args: ['--kubeconfig', 'kubeconfig', '--apply'] })
  await dev.says(new RegExp(`server +${env.url}`))
  await dev.says(/the examples were applied/)
  await env.until(
    { apiVersion: 'v1', kind: 'ConfigMap', name: 'first', namespace: 'default' },
    ({ data }) => data?.text === 'hello',
  )
})

it('--clean begins without the old data', async () => {
  const folder = makeProject()
  for (const args of [['--apply'], ['--apply'], ['--apply', '--clean']]) {
    const dev = startDev(folder, { args })
    const [, outcome] = await dev.says(/Note default\/first (created|unchanged)/)
    expect(outcome).toBe(args.includes('--clean') || !existsSync(join(folder, 'seen')) ? 'created' : 'unchanged')
    writeFileSync(join(folder, 'seen'), '')
    expect(await dev.stop()).toBe(0)
  }
})

function kubeconfigOf(server: string): string {
  return JSON.stringify({
    'current-context': 'c',
    clusters: [{ name: 'k', cluster: { server } }],
    contexts: [{ name: 'c', context: { cluster: 'k' } }],
  })
}
