// A control plane inside a test.

export {}
