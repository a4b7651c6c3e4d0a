// Tests run on the sources.
import { availableParallelism } from 'node:os'
import { configDefaults, defineConfig } from 'vitest/config'
import { execArgv, patience, sources } from './vitest.sources.ts'

const shared = { execArgv, ...patience }
/** Files that share a process. */
const together = { ...shared, isolate: false, setupFiles: ['test/shared-process.ts'] }
/** Tests with real engines and real kubectl. */
const systems = [
  'packages/*/test/**/{docker,slurm}-*.test.ts',
  'examples/executor-deployment/containers.test.ts',
  'examples/homelab/systems/*.test.ts',
  'examples/colony-kinds/{slurm-job,systems}/*.test.ts',
  'test/{docker,fleet,image,kubectl,workloads,zod-kinds,docs/commands}.test.ts',
  'test/kube-apiserver/*.test.ts',
  'test/scaling/*.test.ts',
]
/** Tests with a server inside of them, or of tools. They end what they start, so that they share a process, too. */
const served = ['packages/{apiserver,colony,dashboard,schema}/test/**/*.test.ts', '{bench,scripts}/**/*.test.ts']
/** Of what is answered and shown, which is our code on every Node: CI runs them on one. */
const once = [
  'test/{acceptance,cluster,docs,fuzz,model,numbers}/**/*.test.ts',
  'examples/acceptance/*.test.ts',
  'test/{browser-pages,kubectl-verbs}.test.ts',
]
/** The command as it is installed: outside the clone, on every Node that the packages promise. */
const bundle = ['test/bundle/**/*.test.ts']
/** Three servers on three members of etcd under faults: a run is ten processes, so that they come one after the other. */
const clusters = ['test/real-cluster/*.test.ts']
/** Runs of their own: vitest.packed.config.ts, vitest.dashboard.config.ts. */
const apart = ['test/packed/**', 'test/dashboard/**']

export default defineConfig({
  ...sources,
  test: {
    // Nearly half of the time goes into waiting for processes, disks and clocks: two workers leave two processors idle.
    maxWorkers: Math.max(4, availableParallelism() - 1),
    projects: [
      // Tests beside the sources leave nothing behind: they share a process, and with it the time of loading modules.
      {
        ...sources,
        test: {
          ...together,
          name: 'src',
          include: ['packages/*/src/**/*.test.ts', 'packages/dashboard/page/src/**/*.test.ts'],
        },
      },
      {
        ...sources,
        test: {
          ...together,
          name: 'served',
          include: served,
          exclude: [...configDefaults.exclude, ...systems],
        },
      },
      {
        ...sources,
        test: {
          ...shared,
          name: 'whole',
          include: ['packages/*/test/**/*.test.ts', '{test,examples}/**/*.test.ts'],
          exclude: [...configDefaults.exclude, ...served, ...systems, ...once, ...clusters, ...bundle, ...apart],
          isolate: true,
        },
      },
      {
        ...sources,
        test: {
          ...shared,
          name: 'once',
          include: once,
          exclude: [...configDefaults.exclude, ...systems],
          isolate: true,
        },
      },
      { ...sources, test: { ...shared, name: 'bundle', include: bundle, isolate: true } },
      { ...sources, test: { ...shared, name: 'clusters', include: clusters, isolate: true } },
      { ...sources, test: { ...shared, name: 'systems', include: systems, isolate: true } },
    ],
  },
})
