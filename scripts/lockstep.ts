// Checks that all packages have one version and depend on each other in exactly that one: an installation never mixes versions.

import { COMMAND, libraries, type Manifest } from './packages.ts'

export function checkLockstep(manifests: ReadonlyMap<string, Manifest>): { problems: string[]; seen: string } {
  const version = repositoryVersion(manifests)
  const packages = [...manifests].filter(([folder]) => folder.startsWith('packages/'))
  return {
    problems: packages.flatMap(([folder, manifest]) => lockstepProblems(folder, manifest, version)),
    seen: version,
  }
}

const OWN = /^@homeostat\/|^create-homeostat$/

/** The version of the command is that of all. */
export function repositoryVersion(manifests: ReadonlyMap<string, Manifest>): string {
  const version = manifests.get(COMMAND)?.version
  if (version === undefined || libraries(manifests).size === 0)
    throw new Error(`${COMMAND}/package.json has no version`)
  return version
}

export function lockstepProblems(folder: string, manifest: Manifest, version: string): string[] {
  const own = manifest.version === version ? [] : [`${folder}/package.json: the version is not ${version}`]
  const wanted = { ...manifest.dependencies, ...manifest.devDependencies }
  const others = Object.entries(wanted).filter(([name, one]) => OWN.test(name) && one !== version)
  return [...own, ...others.map(([name, one]) => `${folder}/package.json: wants ${name} ${one} and not ${version}`)]
}
