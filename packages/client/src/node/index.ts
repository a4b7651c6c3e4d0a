// The client's Node entry: a transport on sockets and streams, and the sources of credentials.

// Exported here, too, so that a program does not load the informers.
export { createClient } from '../create-client.ts'
export {
  clientFromKubeconfig,
  defaultClient,
  defaultConnection,
  type Places,
  readConnection,
} from './default-client.ts'
export type { Connection } from './kubeconfig/connection.ts'
export { type NodeTransportOptions, nodeTransport } from './transport/node-transport.ts'
