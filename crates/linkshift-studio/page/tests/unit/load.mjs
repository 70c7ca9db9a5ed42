// The page's own sources as a module that node can import: bundled in memory by what builds the page.
import { build } from 'vite'

export async function load(path) {
  const entry = new URL(`../../src/${path}`, import.meta.url).pathname
  const out = await build({
    configFile: false,
    logLevel: 'error',
    build: { write: false, minify: false, target: 'es2022', lib: { entry, formats: ['es'], fileName: 'out' } },
  })
  const { code } = (Array.isArray(out) ? out[0] : out).output[0]
  return import(`data:text/javascript,${encodeURIComponent(code)}`)
}
