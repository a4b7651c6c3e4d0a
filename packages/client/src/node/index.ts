// What a client needs in Node: a transport on sockets and streams, and where credentials come from.

// With it a program has all it needs without the informers.
export { createClient } from '../create-client.ts'
export type { Credential, Credentials } from './credentials/credentials.ts'
export {
  clientFromKubeconfig,
  defaultClient,
  defaultConnection,
  defaultTransport,
  type KubeconfigOptions,
  type Places,
  readConnection,
} from './default-client.ts'
export { inClusterTransport } from './in-cluster.ts'
export type { Connection } from './kubeconfig/connection.ts'
export { type NodeTransportOptions, nodeTransport } from './transport/node-transport.ts'
