// Node's part of the client: sockets, kubeconfig files, credentials.
export {}
