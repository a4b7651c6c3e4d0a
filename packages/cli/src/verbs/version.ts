// `homeostat version`: the version of the package and of the Node it runs on.

import manifest from '../../package.json' with { type: 'json' }
import type { Terminal } from '../terminal.ts'
import { noOperands } from './operands.ts'

export function version(operands: readonly string[], terminal: Terminal): number {
  noOperands(operands)
  terminal.out(`homeostat ${manifest.version} (node ${process.versions.node}, ${process.platform} ${process.arch})\n`)
  return 0
}
