// The packages that are published as a bundle, without dependencies: commands, which should be installed and started quickly.

/** The name under which each is published, by its folder. */
export const BUNDLED: Readonly<Record<string, string>> = {
  'packages/cli': 'homeostat',
  'packages/create-homeostat': 'create-homeostat',
}
