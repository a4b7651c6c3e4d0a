// Check 10: seed 002's MyResource, typed in file by file as the guide says, compiles (npm run check) and its YAML yields a Deployment
// with 3 replicas, a Service and the conditions Deployment, Service and Ready in `kubectl get -o yaml` and `kubectl describe`.

import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { promisify } from 'node:util'
import type { LooseObject } from '@homeostat/client'
import { expect, test } from 'vitest'
import { findProgram } from '../homelab/programs/program.ts'
import { needPrograms } from '../homelab/systems/needed-programs.fixture.ts'
import { conditionsOf, deployment, guideServer, myApp, podsAreReady, service } from './guide-server.fixture.ts'

const missing = needPrograms('kubectl')
const kubectl = findProgram('kubectl') ?? ''

test.skipIf(missing)('check 10', async () => {
  const env = await guideServer({ listen: true })
  const type = async (...args: string[]) => {
    const isolated = { ...process.env, KUBECONFIG: '/dev/null' }
    return (await promisify(execFile)(kubectl, ['--server', env.url ?? '', ...args], { env: isolated })).stdout
  }
  await type('apply', '-f', join(import.meta.dirname, '../my-resource/my-app.yaml'))
  const { spec } = await env.until(deployment, () => true)
  expect(spec?.replicas).toBe(3)
  await env.until(service, () => true)
  await podsAreReady(env)
  await env.until<LooseObject>(myApp, (object) => conditionsOf(object).Ready === 'True Ready')
  const yaml = await type('get', 'myresources', 'my-app', '-o', 'yaml')
  const described = await type('describe', 'myresource', 'my-app')
  for (const condition of ['Deployment', 'Service', 'Ready']) {
    expect(yaml).toMatch(new RegExp(`status: "True"\\n +type: ${condition}\\n`))
    expect(described).toMatch(new RegExp(`Status: +True\\n +Type: +${condition}\\n`))
  }
})
