import { describe, expect, it } from 'vitest'
import type { DeploymentSpec } from '../spec/deployment-spec.ts'
import { readDeploymentSpec } from '../spec/read-deployment-spec.ts'
import { executorUnit, templateHash } from './executor-unit.ts'

const owner = { name: 'ml', namespace: 'dev', uid: 'a1b2c3d4-5555', generation: 3 }
const settings = {
  executorCommand: ['homeostat', 'executor', 'run'],
  server: 'https://colony',
  localEnv: { LANG: 'C' },
}

function spec(fields: object): DeploymentSpec {
  const reading = readDeploymentSpec({ runtime: 'local', executorType: 'ml', image: 'ml:1', ...fields })
  return (reading as { spec: DeploymentSpec }).spec
}

describe('an executor as a unit', () => {
  it('that is local runs the command, with all it needs to know', () => {
    const unit = executorUnit(owner, spec({}), 7, settings)
    expect(unit).toMatchObject({
      name: 'ml-a1b2c3d4-7',
      labels: { 'colonies.io/index': '7', 'colonies.io/generation': '3' },
    })
    expect(unit.command?.join(' ')).toBe(
      'homeostat executor run --type ml --name ml-a1b2c3d4-7 -n dev --server https://colony',
    )
    expect(unit.env).toEqual({
      LANG: 'C',
      COLONIES_COLONY_NAME: 'dev',
      COLONIES_EXECUTOR_TYPE: 'ml',
      COLONIES_EXECUTOR_NAME: 'ml-a1b2c3d4-7',
      COLONIES_SERVER_HOST: 'colony',
      COLONIES_SERVER_PORT: '443',
      COLONIES_INSECURE: 'false',
    })
  })

  it('that is a container has its image, volumes, network and policy, and no command of ours', () => {
    const config = { volumes: [{ source: '/a', target: '/b' }], network: 'host', imagePullPolicy: 'Always' }
    const unit = executorUnit(owner, spec({ runtime: 'docker', config }), 0, settings)
    expect(unit).toMatchObject({
      image: 'ml:1',
      mounts: [{ source: '/a', target: '/b' }],
      hostNetwork: true,
      pullPolicy: 'Always',
    })
    expect([unit.command, unit.env?.LANG]).toEqual([undefined, undefined])
  })

  it('has the variables of the resource before all others', () => {
    const config = { env: { COLONIES_SERVER_HOST: 'host.docker.internal', LANG: 'sv' } }
    expect(executorUnit(owner, spec({ config }), 0, settings).env).toMatchObject(config.env)
  })

  it('has a name that fits, however long that of the resource is', () => {
    expect(executorUnit({ ...owner, name: 'x'.repeat(253) }, spec({}), 999, settings).name).toHaveLength(180 + 13)
  })

  it.each([
    [{ executorType: 'other' }],
    [{ image: 'ml:2' }],
    [{ config: { env: { A: '1' } } }],
    [{ config: { volumes: [{ source: '/a', target: '/a' }] } }],
    [{ config: { command: ['x'] } }],
    [{ runtime: 'docker' }],
    [{ runtime: 'docker', config: { network: 'host' } }],
    [{ config: { imagePullPolicy: 'Never' } }],
  ])('is another one with %j', (fields) => {
    expect(templateHash(spec(fields))).not.toBe(templateHash(spec({})))
  })

  it('is the same one with more or fewer beside it, and however its variables are sorted', () => {
    expect(templateHash(spec({ replicas: 5 }))).toBe(templateHash(spec({})))
    const env = (of: object) => templateHash(spec({ config: { env: of } }))
    expect(env({ A: '1', B: '2' })).toBe(env({ B: '2', A: '1' }))
  })
})
