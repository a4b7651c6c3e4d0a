// What a client needs in Node: a transport on sockets and streams, and where credentials come from.

// With it a program has all it needs without the informers.
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
