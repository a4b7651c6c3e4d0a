// What all runs of tests share: the `homeostat-source` condition makes packages resolve to src/*.ts.

export const sources = {
  resolve: { conditions: ['homeostat-source'] },
  ssr: { resolve: { conditions: ['homeostat-source'], externalConditions: ['homeostat-source'] } },
}

export const execArgv = ['--conditions=homeostat-source']
