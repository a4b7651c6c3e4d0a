// The sets of libraries that an environment can have.

import { type FunctionTable, functionTable, type Library } from '../functions/declaration.ts'
import type { CelType } from '../types/cel-type.ts'
import { authorizationLibrary } from './authorization.ts'
import { comprehensionLibrary } from './comprehensions.ts'
import { encoderLibrary } from './encoders.ts'
import { formatLibrary } from './formats.ts'
import { kubernetesListsLibrary, listsLibrary } from './lists.ts'
import { mathLibrary } from './math.ts'
import { networkLibrary } from './network.ts'
import { optionalLibrary } from './optional.ts'
import { quantityLibrary } from './quantity.ts'
import { regexLibrary } from './regex.ts'
import { semverLibrary } from './semver.ts'
import { setsLibrary } from './sets.ts'
import { standardLibrary } from './standard.ts'
import { newestStringsLibrary, stringsLibrary } from './strings.ts'
import { timeLibrary } from './time.ts'
import { urlLibrary } from './url.ts'

export interface LibrarySet {
  readonly functions: FunctionTable
  readonly types: readonly CelType[]
  /** Whether lists and maps must hold one type, and literals of patterns and times must be sound. */
  readonly isStrict: boolean
}

const shared: readonly Library[] = [
  standardLibrary,
  optionalLibrary,
  comprehensionLibrary,
  setsLibrary,
  kubernetesListsLibrary,
  listsLibrary,
  quantityLibrary,
  urlLibrary,
  networkLibrary,
  semverLibrary,
  formatLibrary,
  authorizationLibrary,
]

function librarySet(libraries: readonly Library[], isStrict: boolean): LibrarySet {
  return { functions: functionTable(libraries), types: libraries.flatMap(({ types }) => types ?? []), isStrict }
}

const kubernetesLibraries = librarySet([...shared, stringsLibrary], true)

const allLibraries = librarySet([...shared, newestStringsLibrary, mathLibrary, encoderLibrary], false)

/** `kubernetes` is what Kubernetes 1.35 lets a new expression use. Each set remembers patterns and time zones of its own. */
export function librariesOf(name: 'kubernetes' | 'all'): LibrarySet {
  const set = name === 'all' ? allLibraries : kubernetesLibraries
  return { ...set, functions: new Map([...set.functions, ...functionTable([regexLibrary(), timeLibrary()])]) }
}
