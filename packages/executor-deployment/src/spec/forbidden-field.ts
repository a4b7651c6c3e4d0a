// Finds fields of a resource that would choose programs to run on the controller's machine, as its user. Pure. They are
// refused unless allowed: permission to write resources is not permission to act as the controller's user.

import type { DeploymentSpec } from './deployment-spec.ts'

/** Variables of the dynamic loader, of Node and of this command that can load code into a process. */
const LOADS_CODE = /^(NODE_|LD_|DYLD_|OPENSSL_|GCONV_|GLIBC_|HOMEOSTAT_|KUBECONFIG$|PATH$)/

/** The path, e.g. `spec.config.command`; undefined when there is none. */
export function forbiddenField({ runtime, command, env, placement }: DeploymentSpec): string | undefined {
  // A kubeconfig may name a credential plugin, which is a program.
  if (placement.kubeconfig !== undefined) return 'spec.config.kubeconfig'
  if (runtime !== 'local') return undefined
  if (command) return 'spec.config.command'
  const variable = Object.keys(env).find((name) => LOADS_CODE.test(name))
  return variable === undefined ? undefined : `spec.config.env.${variable}`
}
