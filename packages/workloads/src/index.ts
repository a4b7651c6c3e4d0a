// Deployment, ReplicaSet and Pod on runtimes.

export {}
