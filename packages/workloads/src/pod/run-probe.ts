// Runs one readiness probe: a command, a TCP connection, or an HTTP request. A container without an address of its own is
// reached on loopback. Returns why the probe failed, or undefined.

import { execFile } from 'node:child_process'
import { request as httpRequest } from 'node:http'
import { request as httpsRequest } from 'node:https'
import { connect } from 'node:net'
import { messageOf } from '@homeostat/base'
import type { Runtime, UnitState } from '@homeostat/runtimes'
import type { Container, Probe } from '../kinds.ts'

/** The longest delay of a timer in Node. */
const LONGEST_TIMEOUT = 2 ** 31 - 1
const LOOPBACK = '127.0.0.1'
const PATH = '/usr/local/bin:/usr/bin:/bin'

interface Place {
  readonly runtime: Pick<Runtime, 'exec'>
  readonly unit: Pick<UnitState, 'id' | 'address'>
}

export async function runProbe(
  container: Container,
  probe: Probe,
  place: Place,
  signal: AbortSignal,
): Promise<string | undefined> {
  const timeoutMs = Math.min((probe.timeoutSeconds ?? 1) * 1000, LONGEST_TIMEOUT)
  const limited = AbortSignal.any([signal, AbortSignal.timeout(timeoutMs)])
  try {
    if (probe.exec) await command(probe.exec.command ?? [], container, place, limited)
    else if (probe.tcpSocket) {
      await connection(hostOf(probe.tcpSocket, place), portOf(probe.tcpSocket.port, container), limited)
    } else if (probe.httpGet) await get(probe.httpGet, hostOf(probe.httpGet, place), container, limited)
    return undefined
  } catch (error) {
    signal.throwIfAborted()
    if (limited.aborted) return `no response within ${timeoutMs / 1000} s`
    return messageOf(error)
  }
}

function hostOf({ host }: { host?: string }, { unit }: Place): string {
  if (host) return host
  if (unit.address === '') throw new Error('the container has no network: use an exec probe, or hostNetwork')
  return unit.address ?? LOOPBACK
}

/** Runs the command inside the container, or on this machine if its runtime has no `exec`. */
async function command(
  line: readonly string[],
  container: Container,
  { runtime, unit }: Place,
  signal: AbortSignal,
): Promise<void> {
  if (!runtime.exec) return commandHere(line, container, signal)
  const { exitCode, output } = await runtime.exec(unit.id, line, signal)
  if (exitCode !== 0) throw new Error(`command "${line.join(' ')}" ended with ${exitCode}: ${output.trim()}`)
}

/** Gets the container's literal variables, not those from other objects. */
function commandHere(
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

function get(
  probe: NonNullable<Probe['httpGet']>,
  host: string,
  container: Container,
  signal: AbortSignal,
): Promise<void> {
  const { port, path = '/', scheme, httpHeaders = [] } = probe
  const headers = Object.fromEntries(httpHeaders.map(({ name, value }) => [name, value]))
  const options = { host, port: portOf(port, container), path, headers, signal, agent: false as const }
  return new Promise((resolve, reject) => {
    // Certificates are not verified, as in Kubernetes: a probe checks liveness, not identity.
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
