// Where a request without any credential is let in as system:anonymous. Elsewhere it gets 401; what it may do where it is let in
// is a question of its rights.

/** The paths at which anonymous requests are let in, or all of them. */
export type AnonymousRule = 'anywhere' | { readonly paths: ReadonlySet<string>; readonly below: readonly string[] }

export const ANYWHERE: AnonymousRule = 'anywhere'
export const NOWHERE: AnonymousRule = { paths: new Set(), below: [] }

/** The default: what load balancers and clients ask before they have a credential. */
export const HEALTH_AND_VERSION: AnonymousRule = {
  paths: new Set(['/healthz', '/livez', '/readyz', '/version']),
  below: ['/healthz/', '/livez/', '/readyz/', '/version/'],
}

export function allowsAnonymous(rule: AnonymousRule, pathname: string): boolean {
  return rule === 'anywhere' || rule.paths.has(pathname) || rule.below.some((prefix) => pathname.startsWith(prefix))
}
