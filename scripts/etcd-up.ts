// `scripts/etcd-up`: a cluster of etcd on loopback for trials, which runs until it is interrupted. etcd is built once, by Go.

import { parseArgs } from 'node:util'
import { startEtcd } from '@homeostat/store/testing/etcd/etcd-cluster'
import { ETCD_VERSION, etcdProgram } from '@homeostat/store/testing/etcd/etcd-program'

const HELP = `Starts a cluster of etcd ${ETCD_VERSION} on loopback and runs it until it is interrupted.
The first time, Go builds etcd into the user's cache folder.

  scripts/etcd-up [options]

  --members N         how many members; default 3
  --folder FOLDER     keeps their data there; it must be empty. Default: a temporary folder, removed at the end
  --tls               TLS, with client certificates; the files ca.crt, client.crt and client.key are in the folder
  --user NAME         turns authentication on, with this user and \`root\`
  --password TEXT     their password
  --election-ms N     without a leader for so long, a member wants to become one; default 1000
  --quota-bytes N     how large the database may become; default 2 GiB
  --no-fsync          writes do not wait for the disk
  --build             builds etcd if that has not been done, prints where it is, and ends
`

const { values } = parseArgs({
  options: {
    members: { type: 'string', default: '3' },
    folder: { type: 'string' },
    tls: { type: 'boolean', default: false },
    user: { type: 'string' },
    password: { type: 'string' },
    'election-ms': { type: 'string' },
    'quota-bytes': { type: 'string' },
    'no-fsync': { type: 'boolean', default: false },
    build: { type: 'boolean', default: false },
    help: { type: 'boolean', default: false },
  },
})
if (values.help) process.stdout.write(HELP)
else if (values.build) console.log(await etcdProgram(ETCD_VERSION, console.error))
else await run()

async function run(): Promise<void> {
  await etcdProgram(ETCD_VERSION, console.error)
  const cluster = await startEtcd({
    members: number('members') ?? 3,
    folder: values.folder,
    tls: values.tls,
    auth: values.user === undefined ? undefined : { user: values.user, password: values.password ?? '' },
    electionMs: number('election-ms'),
    quotaBytes: number('quota-bytes'),
    fsync: !values['no-fsync'],
  })
  console.log(`ready: ${cluster.endpoints.join(',')}`)
  for (const member of cluster.members) console.log(`  ${member.name} ${member.clientUrl} pid ${member.pid}`)
  console.log(`  in ${cluster.folder}`)
  // The first signal ends it; npm and a terminal may both send one.
  await new Promise<void>((resolve) => {
    for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => resolve())
  })
  await cluster.close()
}

function number(option: 'members' | 'election-ms' | 'quota-bytes'): number | undefined {
  const text = values[option]
  if (text === undefined) return undefined
  if (!/^[1-9]\d*$/.test(text)) throw new Error(`--${option} is a whole number above 0, not ${text}`)
  return Number(text)
}
