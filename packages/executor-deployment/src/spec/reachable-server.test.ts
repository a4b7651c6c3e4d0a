import { expect, it } from 'vitest'
import { unreachableServer } from './reachable-server.ts'

const docker = { runtime: 'docker', hostNetwork: false, env: {} } as const
const LOCAL = 'http://127.0.0.1:3000'

it.each([
  ['containers and a server on loopback', docker, LOCAL, true],
  ['by its name', docker, 'http://localhost:3000', true],
  ['of IPv6', docker, 'http://[::1]:3000', true],
  ["containers on the host's network", { ...docker, hostNetwork: true }, LOCAL, false],
  ['containers that are told where it is', { ...docker, env: { COLONIES_SERVER_HOST: '10.0.0.1' } }, LOCAL, false],
  ['a server elsewhere', docker, 'https://colony.example:443', false],
  ['local processes', { ...docker, runtime: 'local' as const }, LOCAL, false],
  ['no server', docker, undefined, false],
])('%s', (_, spec, server, isWarned) => {
  expect(unreachableServer(spec, server)?.includes('spec.config.network to "host"') ?? false).toBe(isWarned)
})
