// The built-in add-on that runs Deployments, ReplicaSets, Jobs, CronJobs and Pods on the runtimes of --runtime. Its code is loaded
// with the first such object; a server without any pays nothing for it.

import { existsSync, readdirSync } from 'node:fs'
import { join, resolve } from 'node:path'
import type { AddOn, AddOnObject } from '@homeostat/apiserver/add-on'
import { type Log, systemClock } from '@homeostat/base'
import { notFound } from '@homeostat/meta'
import type { Runtime } from '@homeostat/runtimes'
import { workloadsAccess } from '@homeostat/workloads/access'
import { Fault } from '../fault.ts'
import { containerOwner, hadContainers } from './container-owner.ts'

const KNOWN = ['simulated', 'process', 'docker'] as const

const WORKLOADS = [
  { group: 'apps', resource: 'deployments' },
  { group: 'apps', resource: 'replicasets' },
  { group: 'batch', resource: 'jobs' },
  { group: 'batch', resource: 'cronjobs' },
  { group: '', resource: 'pods' },
]

/** No add-on for `none`. `server`: the URL of the TLS port for programs of Pods, when it listens. The first name is the default runtime of Pods. */
export function workloadsAddOn(
  names: readonly string[],
  dataDirectory: string,
  server: Promise<string | undefined> = Promise.resolve(undefined),
): AddOn[] {
  if (names.length === 1 && names[0] === 'none') return []
  const unknown = names.find((name) => !KNOWN.some((known) => known === name))
  if (unknown !== undefined || names.length === 0) {
    throw new Fault(`--runtime ${unknown ?? ''}: there are ${KNOWN.join(', ')}, or none alone`)
  }
  const [defaultRuntime = ''] = names
  const folder = resolve(dataDirectory, 'runtimes')
  let logs: LogReader | undefined
  return [
    {
      name: 'workloads',
      access: workloadsAccess,
      // Starts at once if an earlier server may have left containers running, also if their Pods are deleted.
      ...(!holdsUnits(folder, names) && { wakes: WORKLOADS }),
      objects: () => nodesOf(names),
      extensions: [
        {
          group: '',
          version: 'v1',
          resource: 'pods',
          subresource: 'log',
          verb: 'get',
          async connect({ namespace = '', name, query }, _user, signal) {
            // The add-on has started by then: a Pod wakes it.
            if (!logs) throw notFound({ group: '', resource: 'pods' }, name)
            return { body: await logs(namespace, name, query, signal) }
          },
        },
      ],
      async start(client, signal, { log }) {
        // With the first object of its kinds: a server without any does not load them.
        const [{ podLogs, workloads }, { run }, runtimes] = await Promise.all([
          import('@homeostat/workloads'),
          import('@homeostat/operator'),
          openRuntimes(names, folder, log),
        ])
        try {
          logs = podLogs(runtimes, client)
          const accounts = { directory: join(folder, 'accounts'), server }
          const running = run(workloads({ runtimes, defaultRuntime, accounts }), {
            client,
            signal,
            name: 'workloads',
            log,
          })
          await running.done
        } finally {
          logs = undefined
          await Promise.all(runtimes.map((runtime) => runtime.close()))
        }
      },
    },
  ]
}

type LogReader = (
  namespace: string,
  name: string,
  query: URLSearchParams,
  signal: AbortSignal,
) => AsyncIterable<Uint8Array> | Promise<AsyncIterable<Uint8Array>>

async function openRuntimes(names: readonly string[], folder: string, log: Log): Promise<Runtime[]> {
  // As above, with the drivers of all runtimes.
  const { openDockerRuntime, openProcessRuntime, SimulatedRuntime } = await import('@homeostat/runtimes')
  const open = {
    simulated: () => new SimulatedRuntime(),
    process: () => openProcessRuntime({ directory: join(folder, 'process') }),
    docker: () =>
      openDockerRuntime({
        owner: containerOwner(folder),
        onPull: (image, step) => log.debug({ image, step }, 'an image is pulled'),
        onProblem: (error) => log.error({ err: error }, 'containers cannot be watched'),
      }),
  }
  return Promise.all(names.map((name) => open[name as keyof typeof open]()))
}

/** Each runtime has a Node from the start, so that people can label it before the first Pod. */
async function nodesOf(names: readonly string[]): Promise<AddOnObject[]> {
  // Loaded when the server listens: no request waits for it.
  const { runtimeNode, thisMachine } = await import('@homeostat/workloads/node')
  const machine = thisMachine()
  return names.map((name, index) => {
    const object = runtimeNode(
      { name, simulated: name === 'simulated', isDefault: index === 0 },
      machine,
      systemClock.now(),
    )
    return { resource: { group: '', resource: 'nodes' }, object: { ...object } }
  })
}

function holdsUnits(folder: string, names: readonly string[]): boolean {
  if (names.includes('docker') && hadContainers(folder)) return true
  const units = join(folder, 'process')
  return existsSync(units) && readdirSync(units).length > 0
}
