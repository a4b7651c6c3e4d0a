// The documents of this folder in a colony: definitions and instances from the command line, and the process that the
// colony queues for each instance.

import { execFile } from 'node:child_process'
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { ownCommand } from '@homeostat/cli'
import { executor, type Process } from '@homeostat/executor'
import { testColony } from '@homeostat/testing/colony'
import { describe, expect, it, onTestFinished } from 'vitest'
import { register } from './register.ts'
import { document } from './stage.fixture.ts'
import { submit } from './submit.ts'

const run = promisify(execFile)
const files = (folder: string) => readdirSync(join(import.meta.dirname, folder)).map((name) => `${folder}/${name}`)
const settings = { server: '', colony: 'dev', isColonyGiven: false, executorName: undefined }
const quiet = () => {}

async function colony() {
  const started = await testColony({ listen: true })
  onTestFinished(() => started.close())
  const [node = '', ...main] = ownCommand
  const homeostat = async (line: string) => {
    const env = { ...process.env, HOMEOSTAT_SERVER: started.url }
    const options = { cwd: import.meta.dirname, env }
    return run(node, [...main, ...line.split(' ')], options).catch((error: { stdout: string; stderr: string }) => error)
  }
  const { client } = started
  const processes = async (namespace: string) =>
    (await client.resourceOf<Process>('colonies.io/v1', 'Process').list({ namespace })).items
  return { client, homeostat, processes }
}

describe('the documents', () => {
  it('are created, found and listed by the command line; an instance without its definition says what to do', async () => {
    const { homeostat } = await colony()
    const early = await homeostat('resource create -f instances/ml-executor-deployment.json')
    expect(early.stderr).toContain('ExecutorDeployment')
    expect(early.stderr).toContain('homeostat crd create -f')
    const created = await homeostat('crd create -f definitions/executor-deployment-crd.json')
    expect(created).toMatchObject({ stderr: '' })
    const listed = await homeostat('crd list')
    expect(listed.stdout).toMatch(/executordeployments\.compute\.colonies\.io .*executor-deployment-controller/)
    expect(await homeostat('resource create -f instances/ml-executor-deployment.json')).toMatchObject({ stderr: '' })
    expect((await homeostat('resource get ml-executors -n ml-colony')).stdout).toMatch(
      /ExecutorDeployment +ml-executors/,
    )
    expect((await homeostat('resource list -n ml-colony')).stdout).toMatch(/ExecutorDeployment +ml-executors/)
  })

  it('fit each other: every instance is accepted, and is in the queue for the executor that its definition names', async () => {
    const { client, processes } = await colony()
    for (const file of files('definitions')) await register(client, document(file), quiet)
    const instances = files('instances').map(document)
    for (const instance of instances) await submit(client, instance, settings, quiet)
    const types: Record<string, string> = {
      ExecutorDeployment: 'executor-deployment-controller',
      MLModel: 'ml-operator',
      SlurmJob: 'hpc-operator',
      Workflow: 'workflow-controller',
      Database: 'database-controller',
    }
    expect(new Set(instances.map(({ kind }) => kind))).toEqual(new Set(Object.keys(types)))
    for (const { kind, metadata } of instances) {
      const label = `${kind}/${metadata.name}`
      const find = async () => (await processes(metadata.namespace ?? '')).find(({ spec }) => spec.label === label)
      await expect.poll(async () => (await find())?.spec.conditions.executorType).toBe(types[kind])
    }
  })
})

describe('a new ExecutorDeployment', () => {
  it('is a process that waits, with the whole resource, for an executor of the right type and no other', async () => {
    const { client, processes } = await colony()
    const resource = document('ml-executor-deployment-local.json')
    await register(client, document('executor-deployment-definition.json'), quiet)
    const created = await submit(client, resource, settings, quiet)
    await expect.poll(() => processes('dev')).toHaveLength(1)
    const [waiting] = await processes('dev')
    expect(waiting?.status.phase).toBe('Waiting')
    expect(waiting?.spec).toMatchObject({
      funcName: 'reconcile_executor_deployment',
      label: 'ExecutorDeployment/ml-training-executors',
      conditions: { executorType: 'executor-deployment-controller' },
      kwargs: {
        apiVersion: 'compute.colonies.io/v1',
        kind: 'ExecutorDeployment',
        metadata: { name: 'ml-training-executors', uid: created.metadata.uid, generation: 1 },
        spec: resource.spec,
      },
    })
    const taken: string[] = []
    const start = (type: string) => {
      const functions = { reconcile_executor_deployment: () => void taken.push(type) }
      const one = executor({ type, functions, client, colony: 'dev' })
      onTestFinished(() => one.close())
      return one.ready
    }
    await start('ml-operator')
    await start('executor-deployment-controller')
    await expect.poll(async () => (await processes('dev'))[0]?.status.phase).toBe('Succeeded')
    expect(taken).toEqual(['executor-deployment-controller'])
  })
})
