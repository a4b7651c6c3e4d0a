// The entry `@homeostat/apiserver/page-port`: a port for pages alone, for programs that serve them without a server. It must load nothing
// of a server.

export { type LoopbackPort, type LoopbackPortOptions, openLoopbackPort } from './server/loopback-port.ts'
