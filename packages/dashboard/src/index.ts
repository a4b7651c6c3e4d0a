export { type ClusterOptions, type ServedCluster, serveCluster } from './cluster/serve-cluster.ts'
export { openSite, type SiteOptions } from './site.ts'
