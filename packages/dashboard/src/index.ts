// What the command takes of the dashboard: the site of a server, and the dashboard of any cluster. Loaded when somebody looks.

export { type ClusterOptions, type ServedCluster, serveCluster } from './cluster/serve-cluster.ts'
export type { BegunLogin, ProviderQuestion, Providers, ProviderTokens } from './session/providers.ts'
export { openSite, type SiteOptions } from './site.ts'
