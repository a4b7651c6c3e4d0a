// Checks that the process driver can run a unit; the error says what to change. Pure.

import type { Unit } from '../runtime.ts'
import type { UnitFile } from './unit-folder.ts'

const NAME = /^[A-Za-z0-9][A-Za-z0-9._-]{0,199}$/
const PATH = '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin'

/** `work` is the default working directory and HOME of the program. */
export function checkedUnit(unit: Unit, work: string, logLimitBytes: number): UnitFile {
  if (!NAME.test(unit.name)) {
    throw new Error(
      `"${unit.name}" cannot be the name of a unit: use up to 200 letters, digits, dots, dashes, underscores`,
    )
  }
  if (unit.command === undefined || unit.command.length === 0) {
    const image = unit.image ? `; the image ${unit.image} is not used, since no container is made` : ''
    throw new Error(`the process runtime needs spec.containers[].command${image}`)
  }
  for (const { source, target } of unit.mounts ?? []) {
    if (source === target) continue
    throw new Error(
      `the process runtime cannot show ${source} as ${target}: a process sees the files of the machine where they are`,
    )
  }
  return {
    name: unit.name,
    labels: unit.labels,
    command: [...unit.command, ...(unit.args ?? [])],
    env: { PATH, HOME: work, ...unit.env },
    workingDir: unit.workingDir ?? work,
    graceSeconds: unit.graceSeconds ?? 30,
    logLimitBytes,
  }
}
