// `homeostat synth [ENTRY]`: writes the manifests of an operator as a Kustomize base, or as a Helm chart, without a server.
// `--check` writes nothing and fails when the files differ.

import { join, relative, resolve } from 'node:path'
import { AccessFile } from '@homeostat/operator/access'
import type { RunDescription } from '@homeostat/operator/host'
import { Fault } from '../fault.ts'
import type { synthVerbOptions } from '../options/option-groups.ts'
import type { Values } from '../options/option-table.ts'
import { type Project, readProject } from '../project/read-project.ts'
import { changesIn, type FileChange, writeChanges } from '../synth/deploy-folder.ts'
import { describeEntry } from '../synth/describe-entry.ts'
import { chartFiles } from '../synth/helm-chart.ts'
import { lineDiff } from '../synth/line-diff.ts'
import { manifestFiles } from '../synth/manifest-files.ts'
import { warningsOf } from '../synth/warnings.ts'
import type { Terminal } from '../terminal.ts'
import { atMostOne } from './operands.ts'

type SynthValues = Values<(typeof synthVerbOptions)[number]>

export async function synth(values: SynthValues, operands: readonly string[], terminal: Terminal): Promise<number> {
  if (values.helm && values.stdout) throw new Fault('--helm writes files: `helm template` shows the objects')
  if (values.helm && values['synth-namespace'] !== undefined) {
    throw new Fault('--namespace is not for --helm: `helm install --namespace` names it')
  }
  const project = readProject('.', atMostOne(operands))
  const runs = await describeEntry(project, { env: terminal.env })
  const image = values.image ?? imageOf(project)
  const files = values.helm
    ? chartFiles(runs, { name: project.name, version: project.version, image })
    : kustomizeFiles(runs, project.name, image, values['synth-namespace'])
  for (const warning of warningsOf(runs, new AccessFile(project.state).read())) terminal.error(`Warning: ${warning}\n`)
  if (values.stdout) {
    const objects = [...files].filter(([name]) => name !== 'kustomization.yaml').map(([, text]) => text)
    terminal.out(objects.join('---\n'))
    return 0
  }
  const folder = resolve(values['synth-output'] ?? (values.helm ? project.chart : project.deploy))
  const changes = changesIn(folder, files)
  const shown = (name: string) => relative('', join(folder, name))
  if (values.check) return check(changes, shown, terminal)
  writeChanges(folder, changes)
  for (const { name, before, after } of changes) {
    terminal.out(`${after === undefined ? 'deleted' : before === undefined ? 'created' : 'updated'} ${shown(name)}\n`)
  }
  if (changes.length === 0) terminal.out(`${shown('')} is up to date\n`)
  return 0
}

function kustomizeFiles(
  runs: readonly RunDescription[],
  name: string,
  image: string,
  namespace: string | undefined,
): Map<string, string> {
  const own = runs.flatMap((run) => run.namespaces ?? [])
  return manifestFiles(runs, {
    name,
    image,
    namespace: namespace ?? (own.length === 1 ? own[0] : undefined) ?? 'default',
    withNamespace: namespace !== undefined && namespace !== 'default' && !own.includes(namespace),
  })
}

function check(changes: readonly FileChange[], shown: (name: string) => string, terminal: Terminal): number {
  for (const { name, before, after } of changes) {
    terminal.out(`--- ${shown(name)}${before === undefined ? ' is missing' : after === undefined ? ' is stale' : ''}\n`)
    if (before === undefined || after === undefined) continue
    for (const line of lineDiff(before, after)) terminal.out(`${line}\n`)
  }
  if (changes.length > 0) terminal.error('homeostat: the files differ from the program: run `homeostat synth`\n')
  return changes.length === 0 ? 0 : 1
}

function imageOf({ name, version }: Project): string {
  return `${name}:${version}`
}
