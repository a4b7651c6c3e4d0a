// `homeostat ca rotate`: replaces the certificate authority in the data directory, in two steps between which clients get to
// know the new one. A server that runs with TLS takes each step over by itself.

import { resolve } from 'node:path'
import { makeNextAuthority, readPki } from '@homeostat/apiserver/keys'
import { systemClock } from '@homeostat/base'
import type { rotateOptions } from '../../options/option-groups.ts'
import type { Values } from '../../options/option-table.ts'
import { beginRotation, finishRotation } from '../../server/authority-rotation.ts'
import { pkiFolderOf, readPkiFolder } from '../../server/pki-folder.ts'
import type { Terminal } from '../../terminal.ts'
import { noOperands } from '../operands.ts'

type RotateValues = Values<(typeof rotateOptions)[number]>

export async function rotate(values: RotateValues, operands: readonly string[], terminal: Terminal): Promise<number> {
  noOperands(operands)
  const directory = resolve(values['data-dir'])
  // Says what is wrong before anything changes.
  readPkiFolder(directory, readPki)
  const folder = pkiFolderOf(directory)
  if (values.finish) {
    finishRotation(folder)
    terminal.out('The old authority is gone. Certificates that it issued are no longer accepted.\n')
  } else {
    beginRotation(folder, makeNextAuthority(systemClock.now()))
    terminal.out(
      `Both authorities are trusted now. A running server with TLS takes this over within seconds; start any other again.
Give clients the new kubeconfig (${directory}/kubeconfig, or ca.crt of the ConfigMap kube-root-ca.crt) and new
certificates, then end the old authority with: homeostat ca rotate --finish
`,
    )
  }
  return 0
}
