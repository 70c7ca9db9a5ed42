// Fixed names, one script, one style sheet: the program embeds them as they are.
import { defineConfig } from 'vite'

export default defineConfig({
  base: '/',
  oxc: { jsx: { runtime: 'automatic', importSource: 'preact' } },
  build: {
    target: 'es2022',
    outDir: 'dist',
    emptyOutDir: false, // the file with the hashes lies there too
    modulePreload: false,
    cssCodeSplit: false,
    assetsInlineLimit: 0,
    reportCompressedSize: true,
    rollupOptions: {
      output: {
        entryFileNames: 'app.js',
        assetFileNames: 'app.[ext]',
      },
    },
  },
  // The mock of `dev/mock.mjs`, for work on the page alone.
  server: { proxy: { '/api': 'http://127.0.0.1:4999' } },
})
