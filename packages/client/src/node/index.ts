// What a client needs in Node: a transport on sockets and streams, and where credentials come from.

export type { Credential, Credentials } from './credentials.ts'
export { type NodeTransportOptions, nodeTransport } from './node-transport.ts'
