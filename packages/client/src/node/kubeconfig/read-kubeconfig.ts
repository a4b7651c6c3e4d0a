// Reads kubeconfig files. Missing files of a KUBECONFIG list are skipped, unless all are missing.

import { readFileSync } from 'node:fs'
import { delimiter, dirname, resolve } from 'node:path'
import { messageOf } from '@homeostat/base'
import { type Kubeconfig, mergeKubeconfigs, readDocument } from './kubeconfig.ts'
import { readPlainYaml } from './plain-yaml.ts'

/** `paths` as in KUBECONFIG: separated by colons (semicolons on Windows). */
export async function readKubeconfig(paths: string): Promise<Kubeconfig> {
  const files = [...new Set(paths.split(delimiter).filter((path) => path !== ''))]
  const found = files.flatMap((file) => {
    const text = readIfThere(file)
    return text === undefined ? [] : [{ file, text }]
  })
  if (found.length === 0) throw new Error(`there is no kubeconfig at ${paths}`)
  return mergeKubeconfigs(
    await Promise.all(
      found.map(async ({ file, text }) => {
        try {
          return readDocument(await parse(text), dirname(resolve(file)))
        } catch (cause) {
          const why = messageOf(cause)
          throw new Error(`${file} could not be read as a kubeconfig: ${why}`, { cause })
        }
      }),
    ),
  )
}

/** An error gives the position but no text: the parser quotes the input, which contains tokens. */
async function parse(text: string): Promise<unknown> {
  const plain = readPlainYaml(text)
  if (plain !== undefined && plain !== null) return plain
  // A large package, for files that are not as plain as ours.
  const { parseDocument } = await import('yaml')
  const document = parseDocument(text)
  const [error] = document.errors
  if (error === undefined) return document.toJS()
  const { line, col } = error.linePos?.[0] ?? { line: 1, col: 1 }
  throw new Error(`it is no YAML: ${error.code} at line ${line}, column ${col}`)
}

function readIfThere(file: string): string | undefined {
  try {
    return readFileSync(file, 'utf8')
  } catch (cause) {
    if (cause instanceof Error && 'code' in cause && cause.code === 'ENOENT') return undefined
    throw new Error(`the kubeconfig ${file} could not be read`, { cause })
  }
}
