// Puts all that a server needs to start into a few large files instead of one file per set of users: looking up, reading and
// linking a file costs more than the code in it. What a thread or another verb needs too has a file of its own, so that these
// do not load the server. The bundler asks for the chunk of each module.

/** What the bundler knows of a module. */
export interface ModuleImports {
  readonly importedIds: readonly string[]
  readonly dynamicallyImportedIds: readonly string[]
}

export interface StartRoots {
  /** The program. What it imports is loaded before anything else and stays small. */
  readonly main: string
  /** The verb that starts a server. What it imports late belongs to the start. */
  readonly verb: string
  /** Threads that a start runs. */
  readonly threads: readonly string[]
  /** Further verbs with a server inside, which may load all of it. */
  readonly serverVerbs: readonly string[]
}

/** Answers the name of a module's chunk; undefined leaves it to the bundler. A chunk imports only those named before it. */
export function startChunks(
  { main, verb, threads, serverVerbs }: StartRoots,
  importsOf: (module: string) => ModuleImports,
): (module: string) => 'early' | 'thread' | 'shared' | 'server' | undefined {
  const fixed = (module: string) => importsOf(module).importedIds
  const late = (module: string) => importsOf(module).dynamicallyImportedIds
  const early = reached(fixed(main), fixed)
  const ofThreads = reached(threads, fixed)
  const withServer = new Set([verb, ...serverVerbs])
  const ofOthers = reached(late(main), (module) =>
    [...fixed(module), ...late(module)].filter((one) => !withServer.has(one)),
  )
  // The verb itself is small, and opens the store before the server's code is loaded.
  const ofVerb = reached([verb], fixed)
  const ofServer = reached([...late(main), verb, ...late(verb)], fixed)
  return (module) => {
    if (early.has(module)) return 'early'
    if (!ofServer.has(module)) return undefined
    if (ofThreads.has(module)) return 'thread'
    return ofOthers.has(module) || ofVerb.has(module) ? 'shared' : 'server'
  }
}

function reached(roots: readonly string[], next: (module: string) => readonly string[]): Set<string> {
  const found = new Set(roots)
  for (const module of found) for (const one of next(module)) found.add(one)
  return found
}
