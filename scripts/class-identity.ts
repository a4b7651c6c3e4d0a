// Checks that no source recognizes a value by a class that a package exports. A program may hold two copies of a package
// (the bundle's and an add-on's), so that `instanceof` misses values of the other copy. The class carries a brand instead,
// and its package exports `isNAME`.

import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { exportedNames } from './exported-names.ts'
import { type Manifest, publicEntries } from './packages.ts'
import { sourceFiles } from './source-files.ts'

const SOURCES = /^packages\/[^/]+\/src\/.*\.tsx?$/
const TESTS = /\.(test|fixture)\.tsx?$/
/** Thrown by a function and caught by its caller, which imports both from one copy. */
const LOCAL: ReadonlySet<string> = new Set(['JsonError', 'JsonWeightError', 'ProtobufError'])

export function checkClassIdentity(
  root: string,
  manifests: ReadonlyMap<string, Manifest>,
): { problems: string[]; seen: string } {
  const read = (path: string) => readFileSync(join(root, path), 'utf8')
  const entries = [...manifests].flatMap(([folder, manifest]) => publicEntries(root, folder, manifest))
  const exported = new Set(entries.flatMap(([, path]) => exportedNames(read(path))))
  const files = sourceFiles(root).filter((path) => SOURCES.test(path) && !TESTS.test(path))
  const problems = files.flatMap((path) =>
    instanceChecks(read(path), exported).map((name) => `${path}: instanceof ${name}: use a brand (hasBrand)`),
  )
  if (files.length === 0 || exported.size === 0) problems.push('the checker saw no files or no exported names')
  return { problems, seen: `${files.length} files` }
}

/** The exported classes that the source compares with, also those of a module: `instanceof codec.ProtobufError`. */
export function instanceChecks(source: string, exported: ReadonlySet<string>): string[] {
  const names = [...source.matchAll(/\binstanceof (?:\w+\.)*(\w+)/g)].map(([, name = '']) => name)
  return names.filter((name) => exported.has(name) && !LOCAL.has(name))
}
