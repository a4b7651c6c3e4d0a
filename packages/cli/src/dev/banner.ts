// What `dev` shows when its server is ready, and its help.

import { relative } from 'node:path'
import type { Project } from '../project/read-project.ts'
import type { DevServer } from './dev-server.ts'
import { keys } from './keys.ts'
import type { BlockLine } from './screen.ts'

export interface BannerOptions {
  readonly version: string
  readonly project: Project
  readonly server: Pick<DevServer, 'url' | 'kubeconfig' | 'data'>
  /** The port that was asked for. */
  readonly port: number
  /** Whether keys can be pressed. */
  readonly isAttended: boolean
  /** The folder of the shell, to which paths are relative. */
  readonly cwd: string
}

export function banner({ version, project, server, port, isAttended, cwd }: BannerOptions): BlockLine[] {
  const path = (file: string) => relative(cwd, file) || '.'
  const rows: [string, string][] = [
    ['operator', path(project.entry)],
    ['server', `${server.url}${portNote(server, port)}`],
    // A cluster has no dashboard of its own: `homeostat dashboard` shows it.
    ...(server.data === undefined ? [] : [['look', `${server.url}/ui`] as [string, string]]),
    ['kubectl', `export KUBECONFIG=${shellWord(path(server.kubeconfig))}`],
  ]
  const row = ([name, value]: [string, string]): BlockLine => [
    ['good', '  ➜  '],
    ['strong', name.padEnd(10)],
    [undefined, value],
  ]
  const hint: BlockLine[] = isAttended ? [[['quiet', '  ➜  press h for the keys']]] : []
  return [
    [],
    [
      ['good', '  HOMEOSTAT'],
      ['quiet', ` v${version}  ${project.name}`],
    ],
    [],
    ...rows.map(row),
    ...hint,
    [],
  ]
}

export function keyHelp(): BlockLine[] {
  return keys.map(({ key, help }) => [
    [undefined, '  press '],
    ['strong', key],
    ['quiet', ` to ${help}`],
  ])
}

function portNote({ data, url }: BannerOptions['server'], port: number): string {
  const isMoved = data !== undefined && port !== 0 && new URL(url).port !== String(port)
  return isMoved ? `  (port ${port} is in use)` : ''
}

function shellWord(path: string): string {
  return /^[\w./-]+$/.test(path) ? path : `'${path.replaceAll("'", "'\\''")}'`
}
