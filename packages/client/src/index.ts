// A client for Kubernetes API servers, for Node and browsers. `@homeostat/client/node` finds credentials.

export type { Condition, ObjectMeta, OwnerReference } from '@homeostat/meta'
export type {
  ApplyOptions,
  CallOptions,
  Client,
  DeleteOptions,
  ListOptions,
  ObjectName,
  PartClient,
  RequestOptions,
  ResourceClient,
  ResourceInfo,
  Scale,
  Sent,
  WatchEvent,
  WatchOptions,
  WriteOptions,
} from './api/client.ts'
export type {
  ApiObject,
  KindName,
  KnownKinds,
  LooseObject,
  NamespaceFor,
  ObjectList,
  ObjectOf,
} from './api/kinds.ts'
export type { Transport, TransportRequest, TransportResponse } from './api/transport.ts'
export { type ClientOptions, createClient } from './create-client.ts'
export { fetchTransport } from './fetch-transport.ts'
export type { Informer, InformerEvent, Informers, InformersOptions, Selection } from './informer/informer.ts'
export { createInformers } from './informer/informers.ts'
export { ConnectionError, isConnectionError } from './send/connection-error.ts'
export type { RateLimit } from './send/rate-limiter.ts'
export { type EventSocket, type WebSocketTransportOptions, webSocketTransport } from './websocket-transport.ts'
