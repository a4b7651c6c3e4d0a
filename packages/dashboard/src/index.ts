export { type ClusterOptions, type ServedCluster, serveCluster } from './cluster/serve-cluster.ts'
export type { BegunLogin, ProviderQuestion, Providers, ProviderTokens } from './session/providers.ts'
export { openSite, type SiteOptions } from './site.ts'
