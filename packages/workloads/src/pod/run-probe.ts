// Asks a container once whether it is ready: by a command, a connection, or a request over HTTP. Containers that are
// processes of this machine are reached on loopback. It answers why not, or nothing when all is well.

import { execFile } from 'node:child_process'
import { request as httpRequest } from 'node:http'
import { request as httpsRequest } from 'node:https'
import { connect } from 'node:net'
import type { Container, Probe } from '../kinds.ts'

const LOOPBACK = '127.0.0.1'
const PATH = '/usr/local/bin:/usr/bin:/bin'

export async function runProbe(container: Container, probe: Probe, signal: AbortSignal): Promise<string | undefined> {
  const timeoutMs = (probe.timeoutSeconds ?? 1) * 1000
  const limited = AbortSignal.any([signal, AbortSignal.timeout(timeoutMs)])
  try {
    if (probe.exec) await command(probe.exec.command ?? [], container, limited)
    else if (probe.tcpSocket) {
      await connection(probe.tcpSocket.host || LOOPBACK, portOf(probe.tcpSocket.port, container), limited)
    } else if (probe.httpGet) await get(probe.httpGet, container, limited)
    return undefined
  } catch (error) {
    signal.throwIfAborted()
    if (limited.aborted) return `no answer within ${timeoutMs / 1000} s`
    return error instanceof Error ? error.message : String(error)
  }
}

/** Has the container's plain variables; those taken from other objects are not repeated here. */
function command(
  [program = '', ...args]: readonly string[],
  { env = [] }: Container,
  signal: AbortSignal,
): Promise<void> {
  const plain = env.filter(({ value }) => value !== undefined).map(({ name, value }) => [name, value])
  const options = { env: { PATH, ...Object.fromEntries(plain) }, signal, killSignal: 'SIGKILL' as const }
  return new Promise((resolve, reject) => {
    execFile(program, args, options, (error) => (error ? reject(error) : resolve()))
  })
}

function connection(host: string, port: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const socket = connect({ host, port, signal })
    socket.once('connect', () => {
      socket.destroy()
      resolve()
    })
    socket.once('error', reject)
  })
}

function get(probe: NonNullable<Probe['httpGet']>, container: Container, signal: AbortSignal): Promise<void> {
  const { host = LOOPBACK, port, path = '/', scheme, httpHeaders = [] } = probe
  const headers = Object.fromEntries(httpHeaders.map(({ name, value }) => [name, value]))
  const options = { host, port: portOf(port, container), path, headers, signal, agent: false as const }
  return new Promise((resolve, reject) => {
    // Certificates are not looked at, as with Kubernetes: this asks for life, not for identity.
    const send = scheme === 'HTTPS' ? httpsRequest({ ...options, rejectUnauthorized: false }) : httpRequest(options)
    send.once('error', reject)
    send.once('response', (response) => {
      response.destroy()
      const { statusCode = 0 } = response
      if (statusCode >= 200 && statusCode < 400) resolve()
      else reject(new Error(`HTTP probe failed with statuscode: ${statusCode}`))
    })
    send.end()
  })
}

function portOf(port: number | string, { ports = [] }: Container): number {
  if (typeof port === 'number') return port
  const named = ports.find(({ name }) => name === port)
  if (named) return named.containerPort
  throw new Error(`the container has no port named ${port}`)
}
