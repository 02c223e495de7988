import react from '@vitejs/plugin-react';
import { defineConfig } from 'vite';
import { CONSOLE_PATH, IDENTITY_PROVIDER_PATH } from '../graphql-api/app/console-path.ts';

/** The address of `npm start`; override it with API. */
const API = process.env.API ?? 'http://127.0.0.1:3000';

export default defineConfig({
  root: import.meta.dirname,
  base: `${CONSOLE_PATH}/`,
  plugins: [react()],
  build: {
    outDir: 'dist',
    emptyOutDir: true,
    // With light-dark() as it is written; browsers have it since May 2024.
    target: ['chrome123', 'firefox120', 'safari17.5'],
    // The page's policy allows nothing from data: but pictures.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    chunkSizeWarningLimit: 800,
  },
  server: {
    proxy: { '/graphql': API, '/v1': API, '/demo/tokens': API, [IDENTITY_PROVIDER_PATH]: API },
  },
});
