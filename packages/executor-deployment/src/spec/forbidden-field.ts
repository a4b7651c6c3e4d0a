// What in a resource would choose the programs that run on the controller's machine, under its user. Pure. Without leave
// nothing of it is honoured: whoever may write resources is not thereby the controller's user.

import type { DeploymentSpec } from './deployment-spec.ts'

/** Read by the loader of programs, by Node and by our own command: each can bring code of its own into a process. */
const LOADS_CODE = /^(NODE_|LD_|DYLD_|OPENSSL_|GCONV_|GLIBC_|HOMEOSTAT_|KUBECONFIG$|PATH$)/

/** As in `spec.config.command`; undefined when there is nothing of the kind. */
export function forbiddenField({ runtime, command, env, placement }: DeploymentSpec): string | undefined {
  // A kubeconfig may name a program that gives credentials.
  if (placement.kubeconfig !== undefined) return 'spec.config.kubeconfig'
  if (runtime !== 'local') return undefined
  if (command) return 'spec.config.command'
  const variable = Object.keys(env).find((name) => LOADS_CODE.test(name))
  return variable === undefined ? undefined : `spec.config.env.${variable}`
}
