// How the page is built. Our own packages, which the repository's install links, are taken as sources.
import { mkdirSync, writeFileSync } from 'node:fs'
import react from '@vitejs/plugin-react'
import { defaultClientConditions, defineConfig, type Plugin } from 'vite'

/** For the licences of what is published: the modules whose code is in the page. */
const listModules: Plugin = {
  name: 'list-modules',
  generateBundle(_options, bundle) {
    const chunks = Object.values(bundle).filter((one) => one.type === 'chunk')
    const modules = chunks.flatMap(({ moduleIds }) => moduleIds)
    mkdirSync('dist', { recursive: true })
    writeFileSync('dist/modules.json', JSON.stringify([...new Set(modules)].sort()))
  },
}

export default defineConfig({
  base: '/ui/',
  plugins: [react(), listModules],
  resolve: { conditions: ['homeostat-source', ...defaultClientConditions] },
  build: {
    outDir: 'dist/files',
    target: 'es2023',
    // Small files would become data: URLs, which the policy forbids for all but images.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    reportCompressedSize: false,
  },
  worker: { format: 'es' },
})
