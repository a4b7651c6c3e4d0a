// Check 7: `kubectl apply -f crds` with crd-watcher's two files installs the definition and the sample with its four history
// entries, readable by `kubectl get RequestState -oyaml -A`, and `kubectl delete RequestState -A --all` empties it. The files are
// the example's, and once more as the original writes them: with a misplaced `subresources`, and a `minimum` on a text.

import { execFile } from 'node:child_process'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { temporaryFolder } from '@homeostat/base/testing/temporary-folder'
import { expect, test } from 'vitest'
import { parse, stringify } from 'yaml'
import { startServer } from '../server-process.ts'
import { needKubectls } from '../tools.ts'

const CRDS = join(import.meta.dirname, '../../examples/request-state/crds')
const [newest] = needKubectls().slice(-1)

interface RequestState {
  readonly metadata: { readonly name: string }
  readonly spec: { readonly job: string; readonly state: string }
  readonly status: { readonly history: readonly object[] }
}

async function cluster() {
  const folder = temporaryFolder()
  const { kubeconfig } = await startServer(folder, ['--runtime', 'none'])
  const kubectl = async (...args: string[]) => {
    const flags = ['--kubeconfig', kubeconfig, '--cache-dir', join(folder, 'cache')]
    return (await promisify(execFile)(newest?.path ?? '', [...flags, ...args])).stdout
  }
  const listed = async () =>
    (parse(await kubectl('get', 'RequestState', '-oyaml', '-A')) as { items: RequestState[] }).items
  const readsAndEmpties = async () => {
    const [sample, ...others] = await listed()
    expect(others).toEqual([])
    expect(sample).toMatchObject({ spec: { job: 'JOB2', state: 'COMPLETED' } })
    expect(sample?.status.history).toHaveLength(4)
    await kubectl('delete', 'RequestState', '-A', '--all')
    expect(await listed()).toEqual([])
  }
  return { folder, kubectl, readsAndEmpties }
}

test.skipIf(newest?.missing)(
  'check 7',
  async () => {
    const { kubectl, readsAndEmpties } = await cluster()
    // kubectl looks kinds up before it sends anything: with any server the sample is refused until its kind is served.
    await expect(kubectl('apply', '-f', CRDS)).rejects.toThrow('ensure CRDs are installed first')
    await kubectl('wait', '--for=condition=Established', 'crd/requeststates.com.redhat.ecosystem.sample')
    await kubectl('apply', '-f', CRDS)
    await readsAndEmpties()
  },
  90_000,
)

test.skipIf(newest?.missing)(
  'check 7, as the original files are written',
  async () => {
    const { folder, kubectl, readsAndEmpties } = await cluster()
    const crds = join(folder, 'crds')
    mkdirSync(crds)
    const definition = parse(readFileSync(join(CRDS, 'request-state.yaml'), 'utf8'))
    // Where v1beta1 had it: for v1 it is a field that nobody knows, and the status is no subresource.
    definition.spec.subresources = { status: {} }
    definition.spec.versions[0].schema.openAPIV3Schema.properties.spec.properties.job.minimum = 1
    writeFileSync(join(crds, 'request-state.yaml'), stringify(definition))
    writeFileSync(join(crds, 'sample.yaml'), readFileSync(join(CRDS, 'sample.yaml')))
    await expect(kubectl('apply', '-f', join(crds, 'request-state.yaml'))).rejects.toThrow(
      'unknown field "spec.subresources"',
    )
    // Today's kubectl is strict, as with any server; older ones sent no more than a warning.
    await kubectl('apply', '--validate=warn', '-f', join(crds, 'request-state.yaml'))
    await kubectl('wait', '--for=condition=Established', 'crd/requeststates.com.redhat.ecosystem.sample')
    await kubectl('apply', '--validate=warn', '-f', crds)
    await readsAndEmpties()
  },
  90_000,
)
