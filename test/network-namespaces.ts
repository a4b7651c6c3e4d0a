// Machines of a test that see each other by one wire alone: network namespaces of Linux. Behind the firewall of each one nobody
// can connect to it. Needs root.

import { execFileSync, spawnSync } from 'node:child_process'
import { need } from './tools.ts'

export interface Machine {
  /** Of its end of the wire. */
  readonly address: string
  /** The address of the server's machine, as this machine reaches it. */
  readonly server: string
  /** A program and its arguments, as arguments of a program that runs it on this machine. */
  on(program: string, ...args: readonly string[]): [string, ...string[]]
}

export interface Network {
  readonly server: Pick<Machine, 'on'>
  readonly others: readonly Machine[]
  close(): void
}

/** Why there can be none here; undefined when there can. With HOMEOSTAT_NO_SKIP=1 an error instead of a reason. */
export function namespacesMissing(): string | undefined {
  const missing = need('ip').missing ?? need('iptables').missing
  if (missing !== undefined) return missing
  const reason = process.getuid?.() === 0 ? notAllowed() : 'network namespaces are made by root alone'
  if (reason === undefined) return undefined
  if (process.env.HOMEOSTAT_NO_SKIP === '1') throw new Error(`${reason}, and HOMEOSTAT_NO_SKIP=1 forbids skipping`)
  process.stderr.write(`skipped: tests of network namespaces, since ${reason}\n`)
  return reason
}

function notAllowed(): string | undefined {
  const { status, stderr } = spawnSync('unshare', ['--net', 'true'], { encoding: 'utf8' })
  return status === 0 ? undefined : `this system allows no network namespaces: ${stderr}`
}

/** One machine for the server, and others with a wire to it each. */
export function layNetwork(count: number): Network {
  const name = `hs${process.pid}`
  const names = [`${name}-s`]
  const ip = (...args: string[]) => execFileSync('ip', args, { stdio: ['ignore', 'ignore', 'pipe'] })
  const inside = (namespace: string, ...args: string[]) => ip('-n', namespace, ...args)
  const on =
    (namespace: string): Machine['on'] =>
    (program, ...args) => ['ip', 'netns', 'exec', namespace, program, ...args]
  const close = () => {
    // The wires go with the machines.
    for (const each of names) spawnSync('ip', ['netns', 'delete', each], { stdio: 'ignore' })
  }
  try {
    ip('netns', 'add', `${name}-s`)
    inside(`${name}-s`, 'link', 'set', 'lo', 'up')
    const others = Array.from({ length: count }, (_, index): Machine => {
      const namespace = `${name}-${index}`
      ip('netns', 'add', namespace)
      names.push(namespace)
      const [here, there] = [`10.77.${index}.1`, `10.77.${index}.2`]
      inside(`${name}-s`, 'link', 'add', `w${index}`, 'type', 'veth', 'peer', 'name', 'wire', 'netns', namespace)
      inside(`${name}-s`, 'addr', 'add', `${here}/30`, 'dev', `w${index}`)
      inside(`${name}-s`, 'link', 'set', `w${index}`, 'up')
      inside(namespace, 'addr', 'add', `${there}/30`, 'dev', 'wire')
      inside(namespace, 'link', 'set', 'wire', 'up')
      inside(namespace, 'link', 'set', 'lo', 'up')
      const [program, ...args] = on(namespace)(
        'iptables',
        '-A',
        'INPUT',
        '-i',
        'wire',
        '-p',
        'tcp',
        '--syn',
        '-j',
        'DROP',
      )
      execFileSync(program, args, { stdio: ['ignore', 'ignore', 'pipe'] })
      return { address: there, server: here, on: on(namespace) }
    })
    return { server: { on: on(`${name}-s`) }, others, close }
  } catch (error) {
    close()
    throw error
  }
}
